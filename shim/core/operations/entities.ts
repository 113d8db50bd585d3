/** `entities`: public designations stripped to official fields. A designation is an administrative action, not guilt. */
import definitions from './definitions.json' with { type: 'json' };
import output from '../../../schemas/entities.schema.json' with { type: 'json' };
import { defined } from './definitions.ts';
import { fold, rangesOf, searchEntities, wordsOf } from '../entity-search.ts';
import { invalidParameter, unavailable } from '../faults.ts';
import { collectionOf, cutPage, emptyPage, pageInputs, splitInput, type Collection } from '../pagination.ts';
import { firstPosition } from '../series.ts';
import type { Input, JsonObject, Operation, Release } from '../types.ts';

const QUERY_ACCEPTS = '1 to 120 characters, including a letter or digit';

const { disclaimer, privacy, pageSize } = definitions.entities;

export const entities: Operation = {
  ...defined('entities'),
  output,
  freshness: 'data',
  run(input, { release }) {
    const { filters, limit, cursor } = splitInput(input, pageSize.default);
    const { query } = filters;
    if (query !== undefined && wordsOf(fold(String(query))).length === 0)
      throw invalidParameter('query', query, QUERY_ACCEPTS);
    const collection = entityPacks(release);
    const [entry] = collection.packs;
    if (!entry) throw unavailable('The designations dataset');
    const pack = release.pack(entry.id);
    const { rows, normalized } = searchEntities(pack, filters);
    const source = {
      pack,
      matched: rows.length,
      rows: (start: number, most: number) =>
        rangesOf(rows.slice(firstPosition(0, rows.length, (at) => (rows[at] ?? 0) >= start)).slice(0, most)),
    };
    const { page, records } = cutPage(
      { collection, filters: normalized, sources: [source], limit, cursor },
      release,
    );
    return {
      ...frame('available', filters),
      source: entry.meta['source'] ?? null,
      page,
      records,
      disclaimer,
      privacy,
      error: null,
    };
  },
  unavailable(input, _context, message) {
    const { filters, limit } = splitInput(input, pageSize.default);
    return {
      ...frame('unavailable', filters),
      source: null,
      page: emptyPage(limit),
      records: [],
      disclaimer,
      privacy,
      error: { code: 'unavailable', message },
    };
  },
  prerender: ({ release }) => pageInputs(entityPacks(release), pageSize.default, release),
};

function frame(status: string, filters: Input): { schema: string; status: string; query: JsonObject } {
  const { entity_type, program, country, query } = filters;
  return {
    schema: 'svc.api.entities.v1',
    status,
    query: {
      entity_type: entity_type ?? null,
      program: program ?? null,
      country: country ?? null,
      query: query ?? null,
    },
  };
}

/** The pack of designations: one, or none. */
function entityPacks(release: Release): Collection {
  return release.derive(readEntityPacks);
}

function readEntityPacks(release: Release): Collection {
  const packs = release.manifest().packs.filter(({ kind }) => kind === 'entities');
  return collectionOf('entities', packs.slice(0, 1), release);
}
