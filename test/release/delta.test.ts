/** A release and a delta give the next release byte for byte; every change of a record has its reason. */
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Tree } from '../../build/lib/tree.ts';
import {
  type Delta,
  type WholeRelease,
  applyDelta,
  makeDelta,
  parseDelta,
  readRelease,
} from '../../build/release/delta.ts';
import { folderSource } from '../../build/release/source.ts';
import {
  type FixtureOptions,
  SEED,
  edit,
  fixtureRecords,
  keyOf,
  ledgerOf,
  release,
  written,
} from './fixture.ts';

const whole = (tree: Tree): Promise<WholeRelease> => readRelease(folderSource(written(tree)));

async function between(
  before: FixtureOptions,
  after: FixtureOptions,
): Promise<{ delta: Delta; from: WholeRelease; to: Tree }> {
  const first = release(before);
  const to = release({ ...after, ledger: ledgerOf(first) });
  const from = await whole(first);
  const delta = makeDelta(from, await whole(to));
  return { delta: parseDelta(Buffer.from(JSON.stringify(delta))), from, to };
}

/** Paths of two trees that differ, in either direction. */
const differing = (a: Tree, b: Tree): string[] =>
  [...new Set([...a.sorted(), ...b.sorted()].map(({ path }) => path))].filter(
    (path) => !a.has(path) || !b.has(path) || a.sha256(path) !== b.sha256(path),
  );

type Packed = Delta['content']['files'][number];

/** One changed, one removed, one added, two exchanged. */
const revised = (): ReturnType<typeof fixtureRecords> => {
  const records = fixtureRecords().filter((_, row) => row !== 30);
  records[3] = { id: 'coca.C03.2020', value: null, sourceId: 'wdr-2025' };
  records.splice(20, 0, { id: 'coca.NEW.2020', value: 0, sourceId: 'wdr-2025' });
  const [a, b] = [records[10], records[11]];
  if (a && b) records.splice(10, 2, b, a);
  return records;
};

describe('[RELEASE-DELTA] applying', () => {
  it('gives the newer release, sums and sidecars included', async () => {
    const { delta, from, to } = await between(
      { extra: { 'old.html': 'old', 'binary.bin': '\u00FF\u0000x' } },
      { records: revised(), extra: { 'new.html': 'a new story', 'binary.bin': '\u00FE\u0000y' } },
    );
    expect(differing(await applyDelta(delta, from), to)).toEqual([]);
    expect(delta.files.removed.map(({ path }) => path)).toContain('old.html');
    expect(delta.files.added.map(({ path }) => path)).toContain('new.html');
    expect(delta.files.changed.map(({ path }) => path)).toContain('data/coca.ndjson');
    expect(delta.files.unchanged).toBeGreaterThan(8);
  });

  it('gives a signed release its signature and key', async () => {
    const { delta, from, to } = await between({}, { records: revised(), key: keyOf(SEED) });
    expect(differing(await applyDelta(delta, from), to)).toEqual([]);
  });

  it('refuses a release it does not start from, and a delta whose result is another', async () => {
    const { delta, from } = await between({}, { records: revised() });
    await expect(
      applyDelta({ ...delta, from: { serial: 9, treeSha256: 'f'.repeat(64) } }, from),
    ).rejects.toThrow(/leads from release 9/);
    await expect(applyDelta({ ...delta, from: { ...delta.from, serial: 9 } }, from)).rejects.toThrow(
      /leads from release 9/,
    );
    const carrying = (path: string, text: string): Delta => {
      const brotli = brotliCompressSync(text).toString('base64');
      return { ...delta, content: { files: [{ path, bytes: 1 }], brotli } };
    };
    await expect(applyDelta(carrying('release.json', 'x'), from)).rejects.toThrow(
      'does not give the release.json',
    );
    await expect(applyDelta(carrying('../evil', 'x'), from)).rejects.toThrow('the delta names "../evil"');
    for (const text of ['', 'longer than announced'])
      await expect(applyDelta(carrying('release.json', text), from)).rejects.toThrow(
        'content of the delta is damaged',
      );
    const damaged = { ...delta, content: { ...delta.content, brotli: 'AAAA' } };
    await expect(applyDelta(damaged, from)).rejects.toThrow('content of the delta is damaged');
  });

  it('refuses a file less and a file more than the release lists', async () => {
    const { delta, from } = await between({ extra: { 'old.html': 'old' } }, { extra: { 'new.html': 'new' } });
    const kept = { ...delta, files: { ...delta.files, removed: [] } };
    await expect(applyDelta(kept, from)).rejects.toThrow('files that the release does not list');
    const removed = [...delta.files.removed, { path: 'index.html', was: 'f'.repeat(64) }];
    const lacking = { ...delta, files: { ...delta.files, removed } };
    await expect(applyDelta(lacking, from)).rejects.toThrow('does not give index.html as released');
  });

  it.each<[name: string, claimed: (file: Packed) => Packed[], message: RegExp]>([
    [
      'one of 1.5 GB',
      (file) => [{ ...file, bytes: 1.5e9 }],
      /gives a\.html with 1500000000 bytes; released were 21/,
    ],
    [
      'one that is not in the release',
      (file) => [{ ...file, path: 'evil.html' }],
      /gives evil\.html, which the release/,
    ],
    [
      'one twice',
      (file) => [file, file],
      /gives a\.html, which the release does not list or was given already/,
    ],
    [
      'a manifest of 1.5 GB',
      (file) => [{ path: 'release.json', bytes: 1.5e9 }, file],
      /1500\d{6} bytes of 2 files; at most/,
    ],
  ])('of files that its manifest does not have so, %s, none is unpacked', async (_name, claimed, message) => {
    const { delta, from } = await between({}, { extra: { 'a.html': 'a page of 21 characte' } });
    const { files, brotli } = delta.content;
    const [index] = files.splice(
      files.findIndex(({ path }) => path === 'a.html'),
      1,
    );
    const content = { files: [...files, ...claimed(index ?? { path: '', bytes: 0 })], brotli };
    await expect(applyDelta({ ...delta, content }, from)).rejects.toThrow(message);
  });

  it('refuses content that goes on after its end, and text in it that is not base64', async () => {
    const { delta, from } = await between({}, { records: revised() });
    const { files, brotli } = delta.content;
    const longer = Buffer.concat([Buffer.from(brotli, 'base64'), Buffer.from('more')]).toString('base64');
    for (const text of [
      longer,
      `${brotli}====`,
      `${brotli.replace(/=*$/, '==')}AAAA`,
      ` ${brotli}`,
      `${brotli}\n`,
    ])
      await expect(applyDelta({ ...delta, content: { files, brotli: text } }, from)).rejects.toThrow(
        'the content of the delta is damaged',
      );
  });

  it('takes the files of a delta in any order, as earlier versions wrote them', async () => {
    const { delta, from, to } = await between({ extra: { 'a.html': 'old' } }, { extra: { 'a.html': 'new' } });
    const { files } = delta.content;
    const reversed = files.toReversed();
    const brotli = brotliCompressSync(Buffer.concat(reversed.map(({ path }) => to.read(path)))).toString(
      'base64',
    );
    const older = { ...delta, content: { files: reversed, brotli } };
    expect(differing(await applyDelta(older, from), to)).toEqual([]);
    expect(files[0]?.path).toBe('release.json');
  });

  it('refuses statements about files and records that are not so, though the result is right', async () => {
    const { delta, from } = await between({}, { records: revised() });
    const lies: Partial<Delta>[] = [
      { records: [] },
      { files: { ...delta.files, changed: [] } },
      { to: { ...delta.to, serial: delta.to.serial + 1 } },
    ];
    for (const lie of lies)
      await expect(applyDelta({ ...delta, ...lie }, from)).rejects.toThrow('what the delta says');
    await applyDelta(delta, from);
  });

  it('refuses to start from a damaged folder', async () => {
    const folder = written(release());
    edit(folder, 'index.html', () => '<!doctype htm1>\n');
    await expect(readRelease(folderSource(folder))).rejects.toThrow(/index\.html is not as released/);
  });
});

describe('[RELEASE-DELTA] records', () => {
  it('each change carries its reason and the fields that differ', async () => {
    const { delta } = await between({}, { records: revised() });
    const why = { reason: 'packaging', source: 'wdr-2025' };
    const record = { id: 'coca.NEW.2020', value: 0, sourceId: 'wdr-2025' };
    expect(delta.records).toEqual([
      expect.objectContaining({
        dataset: 'coca',
        path: 'data/coca.ndjson',
        added: [{ ...why, id: record.id, record }],
        changed: [expect.objectContaining({ id: 'coca.C03.2020', reason: 'packaging', fields: ['value'] })],
        removed: [{ ...why, id: 'coca.C30.2020' }],
      }),
    ]);
  });

  it('a new edition of the source is the reason where there is one', async () => {
    const { delta } = await between({}, { records: revised(), edition: 'b'.repeat(64) });
    const [pack] = delta.records;
    const reasons = [...(pack?.added ?? []), ...(pack?.changed ?? []), ...(pack?.removed ?? [])].map(
      ({ reason }) => reason,
    );
    expect(new Set(reasons)).toEqual(new Set(['source_edition']));
  });

  it('a source that came or went is the reason where it did', async () => {
    const other = fixtureRecords()
      .slice(0, 5)
      .map((record) => ({ ...record, id: `${record.id}x`, sourceId: 'wdr-2026' }));
    const came = await between({}, { records: [...fixtureRecords(), ...other] });
    expect(came.delta.records[0]?.added.map(({ reason }) => reason)).toEqual(Array(5).fill('source_added'));
    expect(came.delta.records[0]).toMatchObject({ changed: [], removed: [] });
  });
});

describe('making', () => {
  it('needs an older and a newer serial', async () => {
    const one = await whole(release());
    expect(() => makeDelta(one, one)).toThrow('npm run release assigns serials');
  });

  it('costs little where little changed', async () => {
    const { delta, to } = await between({ docs: 60 }, { docs: 60, records: revised() });
    const size = to.sorted().reduce((sum, { bytes }) => sum + bytes, 0);
    expect(JSON.stringify(delta).length).toBeLessThan(size / 3);
  });
});
