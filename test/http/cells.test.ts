/** What surrounds a cell, counted over the records: its series, other labels of its place, the rows closest to an id; and release.json. */
import { describe, expect, test } from 'vitest';
import {
  cellsBeside,
  cellsNear,
  editionsIn,
  editionsOfCell,
  placeOf,
  releaseFacts,
} from '../../shim/core/cell.ts';
import type { Cell, CellPlace } from '../../shim/core/cell.ts';
import { atlasRecordId, RELEASE } from '../../shim/core/paths.ts';
import type { Observation } from '../../shim/core/records.ts';
import type { PackManifest } from '../../shim/core/types.ts';
import { documentStore } from '../_support/documents.ts';
import { requestsTo, testApp, testContext } from '../_support/doors.ts';
import { allAtlas, allObservations, packManifest } from '../_support/records.ts';
import { treeJson } from '../_support/tree.ts';

const { release } = testContext();
const manifest = packManifest();
const observations = allObservations();

function placed(id: string): CellPlace {
  const place = placeOf(id, manifest);
  if (!place) throw new Error(`no place of ${id}`);
  return place;
}

function currentCell(id: string): Cell {
  const cell = editionsOfCell(id, placed(id), release).at(-1)?.cell;
  if (!cell) throw new Error(`no cell ${id}`);
  return cell;
}

test('a country-year of the atlas is also found by its domain, as stories call it', async () => {
  const ask = requestsTo(testApp());
  const [domain, dataset] = ['organized_crime.BEL.2023', 'organized-crime-index.BEL.2023'];
  expect(currentCell(domain)).toEqual(currentCell(dataset));
  for (const ending of ['', '.json', '.bib', '@2025-10-29', '@2025-10-29.json']) {
    const [one, other] = await Promise.all([ask(`r/${domain}${ending}`), ask(`r/${dataset}${ending}`)]);
    expect([ending, one.status, await one.text()]).toEqual([ending, 200, await other.text()]);
  }
  for (const id of ['organized_crime.BEL.2024', `${domain}.x`, 'organized.BEL.2023', 'organized_crime'])
    expect([id, (await ask(`r/${id}.json`)).status]).toEqual([id, 404]);
});

const idsOf = (cells: readonly { id: string }[]): string[] => cells.map(({ id }) => id);

describe('beside a cell', () => {
  test('are its series, and the other labels of its place and period, those of its category first', () => {
    const seen = { near: 0, far: 0 };
    for (const cell of observations.filter((_record, at) => at % 1200 === 0)) {
      const isIndicatorAndPlace = (one: Observation): boolean =>
        one.datasetId === cell.datasetId &&
        one.indicatorId === cell.indicatorId &&
        one.geoCode === cell.geoCode;
      const isLabel = (one: Observation): boolean =>
        one.category === cell.category && one.subgroup === cell.subgroup;
      const own = observations.filter(isIndicatorAndPlace);
      const others = own.filter((one) => one.period === cell.period && !isLabel(one));
      const near = others.filter(({ category }) => category === cell.category);
      const far = others.filter(({ category }) => category !== cell.category);
      const { series, labels } = cellsBeside(currentCell(cell.id), release);
      expect(idsOf(series), cell.id).toEqual(idsOf(own.filter(isLabel)));
      expect(idsOf(labels), cell.id).toEqual(idsOf([...near, ...far]));
      if (near.length > 0 && far.length > 0) seen.near += 1;
      if (far.length > 0) seen.far += 1;
    }
    expect(seen.near).toBeGreaterThan(5);
    expect(seen.far).toBeGreaterThan(seen.near);
  });

  test('of the atlas are the years of its country', () => {
    const records = allAtlas().filter(
      ({ domain, data }) => domain === 'organized_crime' && data.iso3 === 'MEX',
    );
    const ids = records.map(({ data }) => atlasRecordId('organized-crime-index', 'MEX', data.year));
    expect(ids.length).toBeGreaterThan(2);
    const { series, labels } = cellsBeside(currentCell(ids[0] ?? ''), release);
    expect([idsOf(series), labels]).toEqual([ids, []]);
  });
});

describe('near an id that no record has', () => {
  /** How much of the id each begins with, most first; of equals the first in the pack. */
  function nearest(id: string, records: readonly Observation[]): string[] {
    const alike = (other: string): number => {
      let length = 0;
      while (length < other.length && other[length] === id[length]) length += 1;
      return length;
    };
    return idsOf(records.toSorted((a, b) => alike(b.id) - alike(a.id)).slice(0, 8));
  }
  const belgium = observations.filter((one) => one.indicatorId === 'seizures' && one.geoCode === 'BEL');

  test.each(['opioids-heroin~000000', 'nps-khat', '', 'zzz'])(
    'are the eight of its place and period that begin most alike: %s',
    (label) => {
      const id = `seizures.BEL.2023.${label}`;
      const records = belgium.filter(({ period }) => period === '2023');
      expect(records.length).toBeGreaterThan(8);
      expect(idsOf(cellsNear(id, placed(id), release))).toEqual(nearest(id, records));
    },
  );

  test('are the first eight of its place where its period has none', () => {
    const id = 'seizures.BEL.1999.nps-khat';
    expect(belgium.some(({ period }) => period === '1999')).toBe(false);
    expect(idsOf(cellsNear(id, placed(id), release))).toEqual(nearest(id, belgium.slice(0, 8)));
  });

  test('are none where its place has none', () => {
    const id = 'seizures.XXX.2023.nps-khat';
    expect(cellsNear(id, placed(id), release)).toEqual([]);
  });
});

test('the editions in a pack are its own and those of its sources', () => {
  const pack = manifest.packs.find(({ id }) => id === 'border-drug-seizures');
  if (!pack) throw new Error('no such pack');
  const { sources } = treeJson<{ sources: { dated: string }[] }>('data/datasets/border-drug-seizures.json');
  expect(new Set(editionsIn(pack))).toEqual(new Set([pack.edition, ...sources.map(({ dated }) => dated)]));
  expect(new Set(editionsIn(pack)).size).toBeGreaterThan(1);
});

describe('the parts of an id', () => {
  const [pack] = manifest.packs.filter(({ kind }) => kind === 'observations');
  const having = (...indicators: string[]): PackManifest => ({
    ...manifest,
    packs: indicators.flatMap((id) => (pack ? { ...pack, id: `of-${id}`, meta: { indicators: [id] } } : [])),
    editions: [],
  });

  test.each([[['a', 'a.b']], [['a.b', 'a']]])(
    'begin with the longest indicator that there is: %j',
    (known) => {
      const place = { dataset: 'of-a.b', kind: 'observation', indicator: 'a.b', geo: 'KEN', period: '2020' };
      expect(placeOf('a.b.KEN.2020.x', having(...known))).toEqual(place);
      expect(placeOf('a.KEN.2020.x', having(...known))).toMatchObject({ indicator: 'a', geo: 'KEN' });
      expect(placeOf('ab.KEN.2020.x', having(...known))).toBeNull();
    },
  );

  test('of the atlas are a country and a year, and an indicator that only an earlier edition has is known', () => {
    expect(placed('organized-crime-index.MEX.2023')).toEqual({
      dataset: 'organized-crime-index',
      kind: 'atlas',
      indicator: null,
      geo: 'MEX',
      period: '2023',
    });
    expect(placed('organized_crime.MEX.2023')).toEqual(placed('organized-crime-index.MEX.2023'));
    const { packs } = having('a');
    const past = { ...manifest, packs: [], editions: packs };
    expect(placeOf('a.KEN.2020.x', past)).toMatchObject({ dataset: 'of-a', indicator: 'a' });
    expect(placeOf('organized-crime-index.MEX 2023', manifest)).toBeNull();
  });
});

test('release.json says what a page and a citation show of the release; without it they show nothing', () => {
  const facts = treeJson<Record<string, unknown>>(RELEASE);
  const of = (changed: object): ReturnType<typeof releaseFacts> =>
    releaseFacts(documentStore(new Map([[RELEASE, Buffer.from(JSON.stringify({ ...facts, ...changed }))]])));
  const { serial, generatedAt, treeSha256 } = facts;
  expect(of({})).toEqual({ serial, generatedAt, treeSha256, signed: false });
  expect(of({ signature: { key: 'k' } })).toEqual({ serial, generatedAt, treeSha256, signed: true });
  expect(releaseFacts(documentStore(new Map()))).toBeNull();
});
