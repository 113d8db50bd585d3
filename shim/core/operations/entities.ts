/** `entities`: public designations stripped to official fields. A designation is an administrative action, not guilt. */
import output from '../../../schemas/entities.schema.json' with { type: 'json' };
import { invalidParameter, unavailable } from '../faults.ts';
import { fold, rangesOf, wordsOf, type NameFilter } from '../names.ts';
import { ofManifest, packOf } from '../manifest.ts';
import type { Input, Operation } from '../operation.ts';
import { cutPage, emptyPage, pageInputs, splitInput } from '../paged.ts';
import { choiceParameter, cursorParameter, limitParameter, textParameter } from '../parameters.ts';
import { nameSelectorOf } from '../selectors.ts';
import type { JsonObject } from '../types.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
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
      'Words that must each begin a word of the official name; case and diacritics do not matter.',
      '1 to 120 characters with a letter or digit among them',
    ),
    limitParameter(DEFAULT_LIMIT, MAX_LIMIT),
    cursorParameter(),
  ],
  output,
  freshness: 'data',
  packs: (store) => entitiesPacks(store),
  run(input, context) {
    const { filters, limit, cursor } = splitInput(input, DEFAULT_LIMIT);
    const { query } = filters;
    if (query !== undefined && wordsOf(fold(String(query))).length === 0)
      throw invalidParameter('query', query, '1 to 120 characters with a letter or digit among them');
    const packs = entitiesPacks(context.store);
    const [entry] = packs;
    if (!entry) throw unavailable('The designations dataset');
    const pack = packOf(context.store, entry);
    const selector = nameSelectorOf(pack);
    const rows = selector.rows(filters as NameFilter);
    const source = {
      entry,
      matched: rows.length,
      rows: (start: number, most: number) => rangesOf(rows.slice(firstFrom(rows, start)).slice(0, most)),
      copy: (from: number, to: number) => pack.copy(from, to),
    };
    const { page, records } = cutPage(
      {
        resource: this.name,
        filters: selector.normalized(filters as NameFilter) as Input,
        packs,
        sources: [source],
        limit,
        cursor,
      },
      context,
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
  prerender: (context) => pageInputs('entities', entitiesPacks(context.store), DEFAULT_LIMIT, context),
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
const entitiesPacks = ofManifest(({ packs }) => packs.filter(({ kind }) => kind === 'entities').slice(0, 1));

/** Position of the first row at or after `start` in ascending rows. */
function firstFrom(rows: number[], start: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
