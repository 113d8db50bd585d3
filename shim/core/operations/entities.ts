/** `entities`: public designations stripped to official fields. A designation is an administrative action, not guilt. */
import output from '../../../schemas/entities.schema.json' with { type: 'json' };
import { fold, rangesOf, searchEntities, wordsOf } from '../entity-search.ts';
import { invalidParameter, unavailable } from '../faults.ts';
import {
  choiceParameter,
  cursorParameter,
  limitParameter,
  textParameter,
  type Input,
  type Operation,
} from '../operation.ts';
import { collectionOf, cutPage, emptyPage, pageInputs, splitInput, type Collection } from '../pagination.ts';
import { derive } from '../release.ts';
import { firstPosition } from '../series-index.ts';
import type { JsonObject, Release } from '../types.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const QUERY_ACCEPTS = '1 to 120 characters, including a letter or digit';
const TYPES = ['aircraft', 'individual', 'organization', 'vessel'];
const PROGRAMS = ['ILLICIT-DRUGS-EO14059', 'SDNT', 'SDNTK', 'TCO'];

const DISCLAIMER =
  "A public designation is an administrative action by the designating authority. It is not proof of guilt and not an adjudication. Check the authority's current list before relying on a record.";

const PRIVACY: JsonObject = {
  returned_fields: ['sanctions_entity_number', 'name', 'entity_type', 'programs', 'countries', 'meta'],
  withheld_fields: [
    'aliases',
    'addresses',
    'birth data',
    'identity documents',
    'allegation text and remarks',
    'titles',
    'vessel and aircraft identifiers',
  ],
  query_scope: 'Search covers official names only.',
};

export const entities: Operation = {
  name: 'entities',
  tool: 'get_entities',
  summary:
    'Public designations of four drug and organized-crime sanctions programs, official fields only: entity number, official name, type, programs, countries. A designation is an administrative action, not proof of guilt and not an adjudication: never present it as either. Search covers official names only; every word must begin a word of the name. Page with page.next_cursor.',
  parameters: [
    choiceParameter('entity_type', 'Kind of entity.', TYPES),
    choiceParameter('program', 'Sanctions program.', PROGRAMS),
    textParameter(
      'country',
      'Official country name (case does not matter), or its ISO 3166-1 alpha-2 or alpha-3 code.',
      'a country name or ISO 3166-1 code, 1 to 120 characters',
    ),
    textParameter(
      'query',
      'Search words; each must match the start of a word in the official name. Case and diacritics do not matter.',
      QUERY_ACCEPTS,
    ),
    limitParameter(DEFAULT_LIMIT, MAX_LIMIT),
    cursorParameter(),
  ],
  output,
  freshness: 'data',
  run(input, { store }) {
    const { filters, limit, cursor } = splitInput(input, DEFAULT_LIMIT);
    const { query } = filters;
    if (query !== undefined && wordsOf(fold(String(query))).length === 0)
      throw invalidParameter('query', query, QUERY_ACCEPTS);
    const collection = entityPacks(store);
    const [entry] = collection.packs;
    if (!entry) throw unavailable('The designations dataset');
    const pack = store.pack(entry.id);
    const { rows, normalized } = searchEntities(pack, filters);
    const source = {
      pack,
      matched: rows.length,
      rows: (start: number, most: number) =>
        rangesOf(rows.slice(firstPosition(0, rows.length, (at) => (rows[at] ?? 0) >= start)).slice(0, most)),
    };
    const { page, records } = cutPage(
      { collection, filters: normalized, sources: [source], limit, cursor },
      store,
    );
    return {
      ...frame('available', filters),
      source: entry.meta['source'] ?? null,
      page,
      records,
      disclaimer: DISCLAIMER,
      privacy: PRIVACY,
      error: null,
    };
  },
  unavailable(input, _context, message) {
    const { filters, limit } = splitInput(input, DEFAULT_LIMIT);
    return {
      ...frame('unavailable', filters),
      source: null,
      page: emptyPage(limit),
      records: [],
      disclaimer: DISCLAIMER,
      privacy: PRIVACY,
      error: { code: 'unavailable', message },
    };
  },
  prerender: ({ store }) => pageInputs(entityPacks(store), DEFAULT_LIMIT, store),
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
  return derive(release, readEntityPacks);
}

function readEntityPacks(release: Release): Collection {
  const packs = release.manifest().packs.filter(({ kind }) => kind === 'entities');
  return collectionOf('entities', packs.slice(0, 1), release);
}
