/** A server that starts reads of a large index what a query needs: its rows are those of the whole pack, and damage gives no others. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { responseTo } from '../../build/render/openapi/examples.ts';
import { growingPack, seriesIndexer } from '../../build/pack/pack-file.ts';
import { Tree } from '../../build/lib/tree.ts';
import { PIECE_BYTES } from '../../shim/core/index-file.ts';
import { PACK_MANIFEST } from '../../shim/core/paths.ts';
import { selectSeries } from '../../shim/core/series.ts';
import type { Input, Pack, PackEntry, PackManifest } from '../../shim/core/types.ts';
import { openReleases, type Releases } from '../../shim/store/release.ts';
import { operationNamed, testContext } from '../_support/doors.ts';
import { wholes } from '../_support/seeded.ts';
import { copyOfTree, flipBit, listedBy, treeText, writeListed } from '../_support/tree.ts';

const DIMS = ['indicator', 'geo', 'category', 'subgroup'] as const;
const SIZES = [12, 90, 30, 2];
const ID = 'arms';
let entry: PackEntry;
const files = new Map<string, Buffer>();

/** The value of a dimension by its number; the last indicator has few rows, the second as many as all others. */
const valueOf = (dimension: number, at: number): string =>
  `${DIMS[dimension]?.slice(0, 1)}${String(at).padStart(3, '0')}`;

beforeAll(() => {
  const tree = new Tree();
  const indexer = seriesIndexer(DIMS);
  const pack = growingPack(tree.folder, { id: ID, edition: '2026-01', kind: 'observations' }, indexer);
  const each = (dims: string[]): void => {
    if (dims.length < DIMS.length) {
      const position = dims.length;
      const size = (dims[0] === 'i011' ? [0, 1, 1, 1] : SIZES)[position] ?? 1;
      for (let at = 0; at < size; at += 1) each([...dims, valueOf(position, at)]);
      return;
    }
    for (const period of dims[0] === 'i001' ? ['2020', '2021-03', '2022'] : ['2020'])
      pack.add({ dims: dims.join(), period, text: 'ä'.repeat(dims.join().length % 7) }, { dims, period });
  };
  each([]);
  const { packs } = JSON.parse(treeText(PACK_MANIFEST)) as PackManifest;
  const { meta = {} } = packs.find(({ id }) => id === ID) ?? {};
  const indicators = Array.from({ length: SIZES[0] ?? 0 }, (_, at) => valueOf(0, at));
  entry = pack.finish({ ...meta, indicators });
  for (const path of [entry.path, entry.index.path]) files.set(path, tree.folder.read(path));
});

/** A copy of the site in which the pack takes the place of one of its own. */
function sliced(): string {
  const root = copyOfTree(...listedBy(PACK_MANIFEST), entry.path, entry.index.path);
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  const manifest = JSON.parse(treeText(PACK_MANIFEST)) as PackManifest;
  const packs = manifest.packs.map((one) => (one.id === ID ? entry : one));
  writeListed(root, PACK_MANIFEST, `${JSON.stringify({ ...manifest, packs })}\n`);
  return root;
}

const starting = (root: string): Releases => openReleases(root, () => 0, undefined, true);
const runsOf = (pack: Pack): number => pack.index.column('row').length;

const RECORDS = operationNamed('market-observations');

/** The arguments of a query as text. */
function inputOf(query: string): Input {
  const given = Object.fromEntries(new URLSearchParams(query));
  return given['limit'] === undefined ? given : { ...given, limit: Number(given['limit']) };
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** What a query gives: how many rows match, which, and their bytes. */
function answer(pack: Pack, values: Record<string, string>, years: { from?: string; to?: string }) {
  const { matched, rows } = selectSeries(pack, { equal: values, ...years });
  const ranges = rows(0, 40);
  return { matched, ranges, text: ranges.map(([from, to]) => pack.copy(from, to).map(textOf).join()) };
}

describe('[RUNTIME] a slice of a large pack', () => {
  test('is what a starting server opens, and has the rows of the whole pack', () => {
    const root = sliced();
    const releases = starting(root);
    const whole = openReleases(root, () => 0)
      .current()
      .pack(ID);
    expect(entry.index.head?.bytes).toBeGreaterThan(0);
    const below = wholes(7);
    let slices = 0;
    for (let round = 0; round < 300; round += 1) {
      const given = below(DIMS.length) + 1;
      const values = Object.fromEntries(
        DIMS.slice(0, given).map((name, at) => [
          name,
          valueOf(at, below((SIZES[at] ?? 0) + (at === 0 ? 0 : 1))),
        ]),
      );
      const years = below(2) === 0 ? {} : { from: '2021', to: '2022' };
      const pack = releases.current().pack(ID, values);
      if (runsOf(pack) < runsOf(whole)) slices += 1;
      expect([values, years, answer(pack, values, years)]).toEqual([
        values,
        years,
        answer(whole, values, years),
      ]);
    }
    expect(slices).toBe(300);
    // Checked, the pack is opened whole.
    for (const _ of releases.check());
    expect(runsOf(releases.current().pack(ID, { indicator: 'i000' }))).toBe(runsOf(whole));
  });

  test('is behind no other response than the whole pack, with records or without', async () => {
    const root = sliced();
    const answers = async (query: string): Promise<string[]> =>
      Promise.all(
        [starting(root), openReleases(root, () => 0)].map(async (releases) => {
          const context = testContext(releases.current());
          const { status, body } = await responseTo(RECORDS, inputOf(query), context);
          return JSON.stringify({ status, body });
        }),
      );
    for (const [query, matched] of [
      ['indicator=i001', 16_200],
      ['indicator=i001&geo=g003', 180],
      ['indicator=i001&geo=g003&from=2021', 120],
      ['indicator=i001&geo=g003&category=c004', 6],
      ['indicator=i001&geo=g003&from=2030', 0],
      ['indicator=i011&geo=g089', 0],
      ['indicator=i002&geo=FRA', 0],
      ['indicator=i002&geo=g003&category=c031', 0],
      [`dataset=${ID}&geo=g003`, 780],
      ['indicator=i003&limit=500', 5400],
    ] as const) {
      const [first = '', second] = await answers(query);
      expect([query, first.includes(`"matched":${matched},`)]).toEqual([query, true]);
      expect(first).toBe(second);
      const cursor = /"next_cursor":"([0-9a-f]+)"/.exec(first)?.[1];
      if (cursor === undefined) continue;
      const [next, other] = await answers(`${query}&cursor=${cursor}`);
      expect(next).toContain('"ok":true');
      expect(next).toBe(other);
    }
  });

  test('is not opened for a value that its pack does not have, or without one', () => {
    const releases = starting(sliced());
    for (const values of [{}, { geo: 'g001' }, { indicator: 'i999' }]) {
      const pack = releases.current().pack(ID, values);
      expect(runsOf(pack)).toBeGreaterThan(50_000);
    }
  });

  test('is right or not given, whatever byte of the index is damaged', () => {
    const root = sliced();
    const values = { indicator: 'i005', geo: 'g040' };
    const expected = answer(starting(root).current().pack(ID, values), values, {});
    expect(expected.matched).toBe(60);
    const path = join(root, entry.index.path);
    const good = readFileSync(path);
    let refused = 0;
    for (let at = 0; at < good.length; at += PIECE_BYTES / 2) {
      flipBit(path, at);
      try {
        expect(answer(starting(root).current().pack(ID, values), values, {})).toEqual(expected);
      } catch (error) {
        expect(String(error)).toContain(`Dataset ${ID}`);
        refused += 1;
      }
      writeFileSync(path, good);
    }
    expect(refused).toBeGreaterThan(2);
    expect(refused).toBeLessThan(good.length / PIECE_BYTES);
  });

  test('of a damaged block gives nothing; what else it has is given', () => {
    const root = sliced();
    const values = { indicator: 'i000', geo: 'g000' };
    flipBit(join(root, entry.path), 10);
    const releases = starting(root);
    expect(() => answer(releases.current().pack(ID, values), values, {})).toThrow(`Dataset ${ID}`);
    // From then on the whole pack answers, and says the same.
    expect(() => answer(releases.current().pack(ID, values), values, {})).toThrow(`Dataset ${ID}`);
    const other = { indicator: 'i007', geo: 'g010' };
    expect(answer(starting(root).current().pack(ID, other), other, {}).matched).toBe(60);
  });

  test('of a pack whose files are gone is unavailable, as the pack is', async () => {
    for (const path of [entry.path, entry.index.path]) {
      const root = sliced();
      rmSync(join(root, path));
      const context = testContext(starting(root).current());
      const { status, body } = await responseTo(RECORDS, { indicator: 'i000', geo: 'g000' }, context);
      expect([path, status, body['error']]).toEqual([path, 503, 'unavailable']);
    }
  });
});
