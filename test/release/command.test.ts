/** The commands: exit codes by class, findings on standard output, state kept between runs. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { UsageError } from '../../build/lib/command-line.ts';
import {
  applyDeltaCommand,
  deltaCommand,
  mirrorCommand,
  releaseCommand,
  verifyCommand,
} from '../../build/release/command.ts';
import { publicKeyFile, publicKeyText, signatureFile } from '../../build/release/minisign.ts';
import { run } from '../_support/command-line.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { OTHER_SEED, SEED, edit, findingsOf, keyOf, ledgerOf, place, release, written } from './fixture.ts';

/** The commands read the real clock: releases that are current on any day. */
const generatedAt = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
const signed = { key: keyOf(SEED), generatedAt };
const first = release(signed);
const second = release({ ...signed, ledger: ledgerOf(first), extra: { 'b.html': 'b' } });
const key = publicKeyText(signed.key);

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => lines.push(line));
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
});
afterEach(() => vi.restoreAllMocks());

describe('verify', () => {
  it('0: says what was verified, and whether the key was pinned', async () => {
    const folder = written(first);
    expect(await verifyCommand(folder, { key })).toBe(0);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /release 1 verified, 16 files, tree [0-9a-f]{64}, signed by [0-9A-F]{16}, expires/,
    );
    writeFileSync(`${folder}.pub`, publicKeyFile(key));
    expect(await verifyCommand(folder, { key: `${folder}.pub` })).toBe(0);
    expect(await verifyCommand(folder)).toBe(0);
    expect(lines.at(-1)).toContain('pin it with --key');
  });

  it('1, 3, 4, 5: by class, one line per finding', async () => {
    const folder = written(first);
    edit(folder, 'index.html', () => 'x');
    expect(await verifyCommand(folder)).toBe(1);
    expect(lines[0]).toMatch(/^index\.html: content: /);
    expect(await verifyCommand(folder, { key: publicKeyText(keyOf(OTHER_SEED)) })).toBe(3);
    expect(await verifyCommand(written(first), { minSerial: '2' })).toBe(4);
    expect(lines.at(-2)).toBe('release.json: rollback: is release 1; wanted is release 2 or later');
    expect(await verifyCommand(written(release({ generatedAt: '2001-01-01T00:00:00Z' })))).toBe(4);
    expect(await verifyCommand('http://127.0.0.1:1')).toBe(5);
  });

  it.each([
    ['/nowhere/at/all', {}, '"/nowhere/at/all" is neither a folder nor an http(s) address.'],
    ['.', { key: 'no key' }, '--key is neither a minisign public key nor a file with one.'],
    ['.', { minSerial: '1.5' }, 'Invalid value "1.5" for --min-serial: expected a whole number.'],
  ])('%s %j is wrong usage', async (where, options, message) => {
    await expect(verifyCommand(where, options)).rejects.toThrow(new UsageError(message));
  });

  it('names what may not be read and says what to do, and goes on', async () => {
    const folder = written(first);
    edit(folder, 'index.html', () => 'x');
    // Root may read anything; the folders of the test run are closed to others.
    for (const [path, mode] of [
      [dirname(dirname(folder)), 0o711],
      [dirname(folder), 0o711],
      [join(folder, 'docs'), 0o000],
    ] as const)
      chmodSync(path, mode);
    const isRoot = process.getuid?.() === 0;
    const advice =
      'Change its permissions or those of the folder it is in, or run the command as a user who has them.';
    try {
      if (isRoot) process.seteuid?.(65_534);
      expect(await verifyCommand(folder)).toBe(1);
      expect(lines.some((line) => line.startsWith('index.html: content: '))).toBe(true);
      expect(lines).toContain(`${folder}: missing: cannot be read: ${folder}/docs (EACCES). ${advice}`);
      const inside = join(folder, 'docs/page-1');
      const { stderr } = await run(['verify', inside]);
      expect(stderr).toBe(`${inside} cannot be used: permission denied (EACCES). ${advice}\n`);
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(folder, 'docs'), 0o755);
    }
  });

  it('remembers the release in a state file that it is given', async () => {
    const state = place();
    expect(await verifyCommand(written(second), { state })).toBe(0);
    expect(await verifyCommand(written(first), { state })).toBe(4);
    expect(lines.at(-2)).toBe('release.json: rollback: is release 1; release 2 was seen before');
    const other = release({ generatedAt, ledger: ledgerOf(first) });
    expect(await verifyCommand(written(other), { state })).toBe(3);
  });
});

describe('mirror', () => {
  it('copies, and verify then checks the folder against what mirror saw', async () => {
    const folder = place();
    expect(await mirrorCommand(written(second), folder, { key })).toBe(0);
    expect(await mirrorCommand(written(first), folder)).toBe(4);
    const replayed = written(first, folder);
    expect(await verifyCommand(replayed)).toBe(4);
  });

  it('a folder with other files is wrong usage', async () => {
    const folder = place();
    mkdirSync(folder);
    writeFileSync(join(folder, 'mine.txt'), 'x');
    const { status, stderr } = await run(['mirror', written(first), folder]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('is not empty')]);
  });

  it('a folder that another process writes is a failure, as it is for every command, and no wrong usage', async () => {
    const folder = place();
    symlinkSync(`${process.ppid}`, `${folder}.lock`);
    const { status, stderr } = await run(['mirror', written(first), folder]);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`process ${process.ppid}`)]);
  });
});

describe('release', () => {
  it('records a built tree that verifies, and a later expiry', async () => {
    const datasets = place();
    mkdirSync(datasets);
    const ledger = (): unknown => JSON.parse(readFileSync(join(datasets, 'releases.json'), 'utf8'));
    expect(await releaseCommand({ tree: written(first), datasets })).toBe(0);
    expect(ledger()).toEqual(ledgerOf(first));
    expect(await releaseCommand({ tree: written(second), datasets, expires: '2099-01-01' })).toBe(0);
    expect(lines.at(-1)).toContain('build again');
    expect(ledger()).toMatchObject({
      releases: [{ serial: 1 }, { serial: 2, expires: '2099-01-01T00:00:00Z' }],
    });
  });

  it('of a tree that has expired says how it is given a later expiry, and takes one', async () => {
    const datasets = place();
    mkdirSync(datasets);
    const tree = written(release({ generatedAt: '2001-01-01T00:00:00Z' }));
    expect(await releaseCommand({ tree, datasets })).toBe(4);
    expect(lines).toContain('Set a later expiry with --expires <day>, then build again.');
    expect(existsSync(join(datasets, 'releases.json'))).toBe(false);
    expect(await releaseCommand({ tree, datasets, expires: '2099-01-01' })).toBe(0);
  });

  it('removes what a killed process left of the ledger, and nothing else', async () => {
    const datasets = place();
    mkdirSync(datasets);
    const others = [`.releases.json.${process.ppid}.writing`, 'releases.json.20260101', '.releases.json.swp'];
    for (const name of [...others, '.releases.json.999999999.writing'])
      writeFileSync(join(datasets, name), '{');
    expect(await releaseCommand({ tree: written(first), datasets })).toBe(0);
    expect(readdirSync(datasets).toSorted()).toEqual([...others, 'releases.json'].toSorted());
  });

  it('names the ledger where that cannot be written', async () => {
    const datasets = place();
    mkdirSync(join(datasets, `.releases.json.${process.pid}.writing`), { recursive: true });
    const path = join(datasets, 'releases.json');
    await expect(releaseCommand({ tree: written(first), datasets })).rejects.toMatchObject({ path });
    expect(readdirSync(datasets)).toEqual([]);
  });

  it('an expiry that is not a date is wrong usage', async () => {
    await expect(releaseCommand({ tree: 'a', datasets: 'b', expires: '2020-01-01' })).rejects.toThrow(
      'Invalid value "2020-01-01" for --expires: expected a time to come.',
    );
    for (const expires of ['soon', '5', '2099-02-30', '2099-01-01T25:00:00Z', 'March 7']) {
      const error = `Invalid value "${expires}" for --expires: expected a date, YYYY-MM-DD, or a date-time,`;
      await expect(releaseCommand({ tree: 'a', datasets: 'b', expires })).rejects.toThrow(error);
    }
  });

  it('records nothing that does not verify', async () => {
    const folder = written(first);
    edit(folder, 'index.html', () => 'x');
    const datasets = place();
    expect(await releaseCommand({ tree: folder, datasets })).toBe(1);
    expect(() => readFileSync(join(datasets, 'releases.json'))).toThrow('ENOENT');
  });
});

describe('delta', () => {
  it('removes what a killed process left of the same delta', async () => {
    const [older, newer] = [written(first), written(second)];
    mkdirSync(join(newer, 'deltas'));
    for (const name of ['1..2.json', '1..2.json.sha256'])
      writeFileSync(join(newer, `deltas/.${name}.999999999.writing`), '{');
    expect(await deltaCommand(older, newer)).toBe(0);
    expect(await findingsOf(newer)).toEqual([]);
  });

  it('is written into the newer release, which still verifies, and rebuilds it from the older', async () => {
    const [older, newer, again] = [written(first), written(second), place()];
    expect(await deltaCommand(older, newer)).toBe(0);
    expect(await findingsOf(newer)).toEqual([]);
    expect(await applyDeltaCommand(join(newer, 'deltas/1..2.json'), older, again)).toBe(0);
    for (const [path, bytes] of second.contents())
      expect(readFileSync(join(again, path)).equals(bytes), path).toBe(true);
  });

  it('names the file that it cannot write in one plain line, and leaves nothing', async () => {
    const extra = { 'large.txt': 'x'.repeat(100_000) };
    const [older, newer, again] = [
      written(first),
      written(release({ ...signed, ledger: ledgerOf(first), extra })),
      place(),
    ];
    await deltaCommand(older, newer);
    // Files of more than 16 kB cannot be written, as on a full disk.
    const command = `ulimit -f 16; exec ${process.execPath} build/run.mjs delta --apply "$0" "$@"`;
    const words = ['-c', command, join(newer, 'deltas/1..2.json'), older, again];
    const { status, stderr } = spawnSync('bash', words, { encoding: 'utf8' });
    const file = join(dirname(again), '.site.writing/next/large.txt');
    expect([status, stderr]).toEqual([1, `${file} cannot be used: file too large (EFBIG).\n`]);
    expect(readdirSync(dirname(again))).toEqual([]);
  });

  it.each([
    ['a signature that is not of the key', { key: keyOf(SEED) }, 'release.json.minisig: signature: '],
    ['another key', { key: keyOf(OTHER_SEED) }, 'release.json: signing-key: '],
    ['no signature', { key: null }, 'release.json: unsigned: '],
  ])('a delta to a release with %s is not applied', async (_name, by, message) => {
    const [older, again] = [written(first), place()];
    const next = written(release({ ...signed, ...by, ledger: ledgerOf(first), extra: { 'b.html': 'b' } }));
    if (message.includes('minisig'))
      edit(next, 'release.json.minisig', () =>
        signatureFile(readFileSync(join(next, 'release.json')), keyOf(OTHER_SEED), 'x'),
      );
    await deltaCommand(older, next);
    lines = [];
    expect(await applyDeltaCommand(join(next, 'deltas/1..2.json'), older, again)).toBe(3);
    expect([lines[0]?.startsWith(message), existsSync(again)]).toEqual([true, false]);
  });

  it('a delta that is damaged, misnamed or leads elsewhere is found', async () => {
    const [older, newer] = [written(first), written(second)];
    await deltaCommand(older, newer);
    const rules = async (): Promise<string[]> =>
      (await findingsOf(newer)).map(({ file, rule }) => `${file} ${rule}`);
    edit(newer, 'deltas/1..2.json', (bytes) => bytes.toString().replace('"serial":1', '"serial":9'));
    expect(await rules()).toEqual(['deltas/1..2.json.sha256 sidecar', 'deltas/1..2.json delta']);
    // Which of the two was altered is not known: the release lists neither.
    expect((await findingsOf(newer))[0]?.message).toMatch(/^it or its file was altered: /);
    edit(newer, 'deltas/1..2.json', () => '{}');
    expect(await rules()).toContain('deltas/1..2.json delta');
  });
});

test.each([
  ['release', (datasets: string) => ['release', '--tree', written(first), '--datasets', datasets]],
  [
    'delta',
    (datasets: string) => ['delta', written(first), written(second), '--out', join(datasets, 'delta.json')],
  ],
  ['verify', (datasets: string) => ['verify', written(first), '--state', join(datasets, 'state.json')]],
])('%s writes its file when it runs as npm run starts it', (_, words) => {
  const datasets = temporaryFolder();
  const { status, stderr } = spawnSync(process.execPath, ['build/run.mjs', ...words(datasets)], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('defined') });
  expect(readdirSync(datasets)).not.toEqual([]);
});
