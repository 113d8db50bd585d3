/** Queries of the resources with records: random ones, and one for each pack. */
import { lastDay } from '../../shim/core/editions.ts';
import type { Observation } from '../../shim/core/records.ts';
import type { PackEntry } from '../../shim/core/types.ts';
import { allObservations, packManifest } from './records.ts';
import { wholes } from './seeded.ts';

/** Queries with filters of a record, some of them changed so that they select nothing or are refused; the same in each run. */
export function randomQueries(count: number): string[] {
  const records = allObservations();
  const random = wholes(20);
  return Array.from({ length: count }, () => {
    const record = records[random(records.length)] as Observation;
    const {
      datasetId: dataset,
      indicatorId: indicator,
      geoCode: geo,
      category,
      subgroup,
      period,
      id,
    } = record;
    const filters: [string, string][] = [
      ['dataset', dataset],
      ['indicator', indicator],
      ['geo', random(20) === 0 ? 'Nowhere' : geo],
      ['category', category],
      ['subgroup', subgroup],
      ['from', period],
      ['to', random(10) === 0 ? '1900' : period],
      ['id', id],
      ['limit', String(random(120))],
      ['nonsense', 'x'],
    ];
    const chosen = filters.filter(
      ([name, value]) => value !== '' && random(name === 'nonsense' ? 50 : 3) === 0,
    );
    const resource = ['market-observations', 'market-observations', 'revisions', 'series'][random(4)] ?? '';
    const search = new URLSearchParams(chosen).toString();
    return `/api/v1/${resource}${search === '' ? '' : `?${search}`}`;
  });
}

/** A query of each pack that a resource answers from, earlier editions and differences included. */
export function queriesByPack(): { pack: PackEntry; query: string }[] {
  const manifest = packManifest();
  return [...manifest.packs, ...manifest.editions, manifest.revisions].flatMap((entry) => {
    if (entry === null || entry.kind === 'context') return [];
    const { id, kind, edition, meta } = entry;
    const [dataset = ''] = id.split('@');
    const filters = {
      observations: { dataset },
      atlas: { domain: String(meta['domain']) },
      entities: {},
      revisions: {},
    }[kind];
    const past = id.includes('@') ? { as_of: lastDay(edition) } : {};
    const resource = kind === 'observations' ? 'market-observations' : kind;
    const search = new URLSearchParams({ ...filters, ...past, limit: '1' });
    return [{ pack: entry, query: `/api/v1/${resource}?${search}` }];
  });
}
