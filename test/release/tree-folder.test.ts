/** Replacing a tree: whole or not at all, one writer at a time, and never a folder that is somebody else's. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  linkSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, test, vi } from 'vitest';
import { Busy, lockFolder } from '../../build/write/folder-lock.ts';
import { claimTree, nextTree, recoverTree, replaceTree } from '../../build/write/tree-folder.ts';
import { realEffects } from '../../build/write/effects.ts';
import { NotATree } from '../../build/write/not-a-tree.ts';
import { bundled, killed, moments, started } from '../_support/child.ts';
import { findingsOf, ledgerOf, place, release, written } from './fixture.ts';
import { temporaryFolder } from '../_support/tree.ts';

const first = release();
const second = release({ ledger: ledgerOf(first), extra: { 'second.html': 'x', 'second/deep.html': 'y' } });

const besides = (folder: string): string[] => readdirSync(dirname(folder)).sort();
/** Where the writer of a folder keeps what is not the tree. */
const workOf = (folder: string, name: string): string =>
  join(dirname(folder), `.${basename(folder)}.writing`, name);

test('a file as in the last tree is that file; one that was changed, or is a link, is written', () => {
  const target = written(first);
  const [same = '', changed = '', linked = ''] = [...first.contents()].map(([path]) => path);
  const before = [...first.contents()];
  const inode = statSync(join(target, same)).ino;
  const damaged = readFileSync(join(target, changed)).fill(0x20);
  writeFileSync(join(target, changed), damaged);
  renameSync(join(target, linked), `${target}.elsewhere`);
  symlinkSync(`${target}.elsewhere`, join(target, linked));
  replaceTree(target, before);
  expect(statSync(join(target, same)).ino).toBe(inode);
  expect(lstatSync(join(target, linked)).isFile()).toBe(true);
  for (const [path, bytes] of before)
    expect(readFileSync(join(target, path)), path).toEqual(Buffer.from(bytes));
});

test.each([
  ['are believed', (file: string) => file],
  [
    'are not believed where they are damaged',
    (file: string) => writeFileSync(file, `x${readFileSync(file, 'utf8')}`),
  ],
  [
    'are done without where they cannot be kept',
    (file: string) => {
      rmSync(dirname(file), { recursive: true });
      writeFileSync(dirname(file), '');
    },
  ],
])(
  'what is known of the files of the last tree: the hashes %s, and a changed file is written',
  async (_name, damage) => {
    const [target, known] = [place(), join(temporaryFolder(), 'kept', 'hashes')];
    const replaced = async (): Promise<number[]> => {
      const next = nextTree(target, { known });
      for (const path of ['same', 'changed']) next.write(path, Buffer.from(path));
      await next.replace(() => true);
      return ['same', 'changed'].map((path) => statSync(join(target, path)).ino);
    };
    const [same, changed] = await replaced();
    damage(known);
    writeFileSync(join(target, 'changed'), 'CHANGED');
    const [sameAgain, changedAgain] = await replaced();
    expect([sameAgain === same, changedAgain === changed]).toEqual([true, false]);
    expect(readFileSync(join(target, 'changed'), 'utf8')).toBe('changed');
    // The time of a file may be set to what it was.
    const asBefore = join(temporaryFolder(), 'as-before');
    execFileSync('cp', ['-p', join(target, 'changed'), asBefore]);
    writeFileSync(join(target, 'changed'), 'CHANGED');
    execFileSync('touch', ['-r', asBefore, join(target, 'changed')]);
    const [sameYet] = await replaced();
    expect([sameYet, readFileSync(join(target, 'changed'), 'utf8')]).toEqual([same, 'changed']);
  },
);

test('what an earlier tree shares with the last one is used again: nothing else that is in it, and nothing of others', async () => {
  const [target, keptTrees, known] = [place(), place(), join(temporaryFolder(), 'hashes')];
  const replaced = async (...files: readonly (readonly [path: string, text: string])[]): Promise<void> => {
    const next = nextTree(target, { kept: keptTrees, known });
    for (const [path, text] of files) next.write(path, Buffer.from(text));
    await next.replace((path) => files.some(([wanted]) => wanted === path));
    expect(
      readdirSync(target, { recursive: true, withFileTypes: true })
        .flatMap((one) => (one.isFile() ? join(one.parentPath, one.name).slice(target.length + 1) : []))
        .sort(),
    ).toEqual(files.map(([path]) => path).sort());
    for (const [path, text] of files) expect(readFileSync(join(target, path), 'utf8')).toBe(text);
  };
  const inode = (path: string): number => statSync(path).ino;
  const same = ['kept/a', 'a'] as const;
  const large = 'b'.repeat(1024 * 1024);
  await replaced(same, ['gone/deep/b', large], ['changed', '1'], ['folder/d', 'd'], ['file', 'f']);
  await replaced(same, ['changed', '2'], ['folder/d', 'd'], ['file', 'f']);
  // Neither the file that is gone nor the one that is another now: they are put aside, and deleted with a later tree.
  const aside = join(keptTrees, 'spent');
  const [name = ''] = readdirSync(keptTrees).filter((one) => one !== 'spent');
  const kept = join(keptTrees, name);
  const spent = (): string[] =>
    readdirSync(aside).flatMap((time) =>
      readdirSync(join(aside, time)).map((file) => readFileSync(join(aside, time, file), 'utf8')),
    );
  expect(spent().sort()).toEqual(['1', large]);
  const there = readdirSync(kept, { recursive: true }).sort();
  expect(there).toEqual(['file', 'folder', 'folder/d', 'gone', 'gone/deep', 'kept', 'kept/a']);
  const [folder, file, live] = [
    inode(join(kept, 'kept')),
    inode(join(kept, 'kept/a')),
    inode(join(target, 'changed')),
  ];
  writeFileSync(join(kept, 'gone/deep/foreign'), 'x');
  writeFileSync(join(kept, 'changed'), '3');
  // What was a file is a folder now, and the other way round.
  await replaced(same, ['changed', '2'], ['folder', 'is a file'], ['file/is', 'in a folder']);
  // The large one goes with the next tree, and those of eleven minutes ago.
  expect(spent().sort()).toEqual(['1', 'd', 'f']);
  const [, long = '', recent = ''] = readdirSync(aside).sort();
  renameSync(join(aside, long), join(aside, String(Date.now() - 660_000)));
  expect([
    inode(join(target, 'kept')),
    inode(join(target, 'kept/a')),
    inode(join(target, 'changed')),
  ]).toEqual([folder, file, live]);
  // Nothing is written into a file that the published tree has.
  const copy = join(temporaryFolder(), 'linked');
  linkSync(join(target, 'changed'), copy);
  await replaced(same, ['changed', '4']);
  expect(readdirSync(aside)).toContain(recent);
  expect(spent()).not.toContain('1');
  await replaced(same, ['changed', '5']);
  expect(readFileSync(copy, 'utf8')).toBe('2');
  chmodSync(kept, 0o700);
  await replaced(same);
  expect(statSync(target).mode & 0o777).toBe(0o777 & ~process.umask());
});

test('trees in two places share no file, and a file with other permissions is written again', async () => {
  const [one, other, kept, known] = [place(), place(), place(), join(temporaryFolder(), 'hashes')];
  const replaced = async (target: string): Promise<void> => {
    const next = nextTree(target, { kept, known });
    next.write('same', Buffer.from('same'));
    await next.replace((path) => path === 'same');
  };
  for (const target of [one, one, other, other, one]) await replaced(target);
  expect(statSync(join(one, 'same')).ino).not.toBe(statSync(join(other, 'same')).ino);
  expect(readdirSync(kept).filter((name) => name !== 'spent')).toHaveLength(1);
  const { mode, ino } = statSync(join(one, 'same'));
  chmodSync(join(one, 'same'), 0o400);
  await replaced(one);
  const now = statSync(join(one, 'same'));
  expect([now.mode, now.ino === ino]).toEqual([mode, false]);
});

test('what only looks like the folders of a writer is left alone', () => {
  const target = place();
  const others = ['previous', 'next', 'incoming', 'discarded'].map((name) => `${target}.${name}`);
  for (const folder of others) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'thesis.txt'), 'years of work');
  }
  for (const tree of [first, second]) {
    const unclaim = claimTree(target);
    replaceTree(target, tree.contents());
    unclaim();
  }
  recoverTree(target);
  for (const folder of others) expect(readFileSync(join(folder, 'thesis.txt'), 'utf8')).toBe('years of work');
  writeFileSync(`${target}.lock`, 'years of work');
  expect(() => claimTree(target)).toThrow(`${target}.lock is in the way: it is not the lock of a writer`);
  expect(readFileSync(`${target}.lock`, 'utf8')).toBe('years of work');
});

test('an old tree that cannot be deleted keeps nobody from a new one, and is deleted once it can be', async () => {
  const [target, kept] = [place(), place()];
  const isRoot = process.geteuid?.() === 0;
  const said: string[] = [];
  const log = vi.spyOn(console, 'error').mockImplementation((line: string) => void said.push(line));
  // Root may delete anything; the folders of the test run are closed to others.
  chmodSync(dirname(dirname(target)), 0o711);
  if (isRoot) for (const folder of [dirname(target), dirname(kept)]) chownSync(folder, 65_534, 65_534);
  if (isRoot) process.seteuid?.(65_534);
  try {
    for (const keptAt of [null, kept]) {
      replaceTree(target, first.contents());
      mkdirSync(join(target, 'held'));
      writeFileSync(join(target, 'held/file'), '');
      chmodSync(join(target, 'held'), 0o500);
      for (const text of ['2', '3']) {
        const next = nextTree(target, { kept: keptAt });
        next.write('release.json', Buffer.from(text));
        await next.replace((path) => path === 'release.json');
        expect(readFileSync(join(target, 'release.json'), 'utf8')).toBe(text);
      }
      expect(said.join('\n')).toMatch(/\.site\.writing holds an old tree that cannot be deleted; .*held/);
      expect(said).toHaveLength(1);
      const [old = ''] = readdirSync(workOf(target, ''));
      chmodSync(workOf(target, `${old}/held`), 0o700);
      recoverTree(target);
      expect(existsSync(workOf(target, ''))).toBe(false);
      said.length = 0;
    }
  } finally {
    if (isRoot) process.seteuid?.(0);
    log.mockRestore();
  }
});

test('who still reads a file of an earlier tree reads that file: a later tree is never written into it', async () => {
  const [target, kept] = [place(), place()];
  const replaced = async (name: string, text: string): Promise<void> => {
    const next = nextTree(target, { kept });
    const files = new Map([
      ['same', text],
      [`api/${name}.json`, text],
    ]);
    for (const [path, content] of files) next.write(path, Buffer.from(content));
    await next.replace((path) => files.has(path));
  };
  await replaced('a', 'first');
  const open = ['same', 'api/a.json'].map((path) => openSync(join(target, path), 'r'));
  for (const [name, text] of Object.entries({ b: 'other', c: 'third', d: 'final' }))
    await replaced(name, text);
  expect(open.map((descriptor) => readFileSync(descriptor, 'utf8'))).toEqual(['first', 'first']);
  open.forEach((descriptor) => closeSync(descriptor));
});

test.each(['release.json', 'SHA256SUMS'])('a pipe called %s keeps nobody waiting for a writer', (name) => {
  const target = written(first);
  rmSync(join(target, name));
  execFileSync('mkfifo', [join(target, name)]);
  expect(() => realEffects().read(join(target, name))).toThrow(`${name} is not a file`);
  const replacing = (): void => replaceTree(target, second.contents());
  // What says that a tree is ours cannot be read.
  if (name === 'release.json') expect(() => claimTree(target)).toThrow(NotATree);
  else expect(replacing).not.toThrow();
  expect(lstatSync(join(target, name)).isFIFO()).toBe(name === 'release.json');
});

describe('[RELEASE-SWITCH] a writer killed at any moment', () => {
  it('leaves the old or the new tree, 10 times', async () => {
    const [a, b, target] = [written(first), written(second), place()];
    const child = await bundled(`
      import { readFileSync } from 'node:fs';
      import { folderSource } from './build/release/source.ts';
      import { claimTree, replaceTree } from './build/write/tree-folder.ts';
      const [a, b, target] = process.argv.slice(2);
      const load = (folder) => folderSource(folder).list().map((path) => [path, readFileSync(folder + '/' + path)]);
      const trees = [load(a), load(b)];
      for (let round = 0; ; round += 1) {
        if (round === 2) process.stdout.write('go');
        const unclaim = claimTree(target);
        replaceTree(target, trees[round % 2]);
        unclaim();
      }
    `);
    const seen = new Set<string>();
    const start = performance.now();
    for (const tree of [first, second, first, second]) replaceTree(target, tree.contents());
    for (const moment of moments(10, performance.now() - start)) {
      await killed(await started(child, a, b, target), moment);
      recoverTree(target);
      expect(await findingsOf(target)).toEqual([]);
      seen.add(readFileSync(join(target, 'release.json'), 'utf8'));
    }
    expect(seen.size).toBe(2);
    claimTree(target)();
    expect(besides(target)).toEqual(['site']);
  });

  it('between its two renames: the last tree is put back', async () => {
    const target = written(first);
    mkdirSync(workOf(target, 'next'), { recursive: true });
    renameSync(target, workOf(target, 'previous'));
    recoverTree(target);
    expect(await findingsOf(target)).toEqual([]);
    replaceTree(target, second.contents());
    expect(await findingsOf(target)).toEqual([]);
    expect(besides(target)).toEqual(['site']);
  });

  it('after its renames: the tree it left behind goes', () => {
    const target = written(second);
    mkdirSync(workOf(target, 'previous/rest'), { recursive: true });
    mkdirSync(workOf(target, 'discarded-1/rest'), { recursive: true });
    recoverTree(target);
    expect(besides(target)).toEqual(['site']);
  });

  it('a living writer is left alone', () => {
    const target = written(first);
    mkdirSync(workOf(target, 'previous'), { recursive: true });
    symlinkSync(`${process.ppid}`, `${target}.lock`);
    recoverTree(target);
    expect(existsSync(workOf(target, 'previous'))).toBe(true);
  });
});

describe('[RELEASE-SWITCH] claiming a folder', () => {
  it('is refused while another process has it, and says which', () => {
    const target = written(first);
    symlinkSync(`${process.ppid}`, `${target}.lock`);
    expect(() => claimTree(target)).toThrow(Busy);
    expect(() => claimTree(target)).toThrow(`process ${process.ppid}`);
  });

  it('is refused while this process has it, and free afterwards', () => {
    const target = place();
    const unclaim = claimTree(target);
    expect(() => claimTree(target)).toThrow(Busy);
    unclaim();
    claimTree(target)();
    expect(besides(target)).toEqual([]);
  });

  it.each([
    ['a process that is gone', '999999999 1'],
    ['a younger process with the same number', `${process.ppid} 1`],
    ['nobody', 'x'],
  ])('takes over the lock of %s', (_name, holder) => {
    const target = place();
    symlinkSync(holder, `${target}.lock`);
    claimTree(target)();
    expect(besides(target)).toEqual([]);
  });

  it('is refused for a folder with anything else in it, which stays as it is, and for a mount point', () => {
    const target = place();
    mkdirSync(target);
    writeFileSync(join(target, 'thesis.txt'), 'years of work');
    expect(() => claimTree(target)).toThrow(NotATree);
    writeFileSync(join(target, 'release.json'), '{"schema":"another.v1"}');
    expect(() => claimTree(target)).toThrow(NotATree);
    expect(readFileSync(join(target, 'thesis.txt'), 'utf8')).toBe('years of work');
    expect(besides(target)).toEqual(['site']);
    if (existsSync('/proc/self')) expect(() => claimTree('/proc')).toThrow('/proc is a mount point');
  });

  it('is refused inside another tree and inside what a build reads, by a link too; nothing is written', () => {
    const [target, inputs, link] = [written(first), temporaryFolder(), join(temporaryFolder(), 'link')];
    symlinkSync(inputs, link);
    expect(() => claimTree(join(target, 'deep/in'))).toThrow(
      `is inside ${target}, which is a published tree`,
    );
    for (const out of [join(inputs, 'deep/in'), join(inputs, 'in')])
      expect(() => claimTree(out, [link])).toThrow(`${out} is inside ${inputs}, which the build reads`);
    expect([existsSync(join(target, 'deep')), readdirSync(inputs)]).toEqual([false, []]);
    claimTree(`${inputs}-besides`, [link])();
    for (const input of [target, join(target, 'data')])
      expect(() => claimTree(target, [input])).toThrow(`${target} holds ${input}, which the build reads`);
  });

  it('is granted for an empty folder and one of ours; a link stays a link', () => {
    const target = place();
    mkdirSync(target);
    claimTree(target)();
    replaceTree(target, first.contents());
    const link = join(temporaryFolder(), 'public');
    symlinkSync(target, link);
    claimTree(link)();
    replaceTree(link, second.contents());
    expect(existsSync(join(target, 'second.html'))).toBe(true);
    expect(besides(link)).toEqual(['public']);
    // A writer that was killed left the link without its folder.
    mkdirSync(workOf(target, ''));
    renameSync(target, workOf(target, 'previous'));
    recoverTree(link);
    expect(existsSync(join(link, 'second.html'))).toBe(true);
    expect(besides(target)).toEqual(['site']);
  });

  it('many at once: one gets it', async () => {
    const target = place();
    symlinkSync('999999999 1', `${target}.lock`);
    const child = await bundled(`
      import { lockFolder } from './build/write/folder-lock.ts';
      try { lockFolder(process.argv[2]); process.stdout.write('go'); setTimeout(() => undefined, 20000); }
      catch { process.exitCode = 1; }
    `);
    const children = await Promise.all(Array.from({ length: 6 }, () => started(child, target)));
    const holders = children.filter(({ exitCode }) => exitCode === null);
    expect(holders.length).toBe(1);
    expect(() => lockFolder(target)).toThrow(`process ${holders[0]?.pid}`);
    await Promise.all(children.map((one) => killed(one, 0)));
  });
});
