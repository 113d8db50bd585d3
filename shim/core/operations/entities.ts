/**
 * `entities`: public designations stripped to official fields. A designation is an administrative action, not guilt. The pack
 * has a few thousand records in the order of their folded names; a search scans small columns of its index.
 *
 * Index header: `names` (folded), `types`, `programs`, `countries` [[printed name, codes and other names...]...].
 * Columns: `type`, `programs` (bit mask), `countryFrom` (row -> first position in `country`, one more than rows), `country`.
 */
import definitions from './definitions.json' with { type: 'json' };
import output from '../../../schemas/entities.schema.json' with { type: 'json' };
import { invalidParameter, notInRelease, quoted } from '../faults.ts';
import { pagedResource } from './definitions.ts';
import { collectionOf, cutPage, type Collection } from '../pagination.ts';
import { placeSpellings } from '../places.ts';
import { fold, nearest, wordsOf } from '../words.ts';
import { appendRange, firstPosition } from '../series.ts';
import type { RowRange } from '../run-tables.ts';
import type { Input, JsonObject, Pack, Release } from '../types.ts';

const { disclaimer, privacy, parameters } = definitions.entities;
const QUERY_ACCEPTS = parameters.find(({ name }) => name === 'query')?.accepts ?? '';

export const entities = pagedResource('entities', output, {
  collection: entityPacks,
  run({ schema, query, filters, limit, cursor }, { release }) {
    const { query: words } = filters;
    if (words !== undefined && wordsOf(fold(String(words))).length === 0)
      throw invalidParameter('query', words, QUERY_ACCEPTS);
    const collection = release.derive(entityPacks);
    const [entry] = collection.packs;
    const missing = release.manifest().unavailable.find(({ kind }) => kind === 'entities');
    if (missing) throw notInRelease(`Dataset ${missing.id}`, missing.reason);
    if (!entry) throw notInRelease('The designations dataset');
    const pack = release.pack(entry.id);
    const { rows, normalized } = searchEntities(pack, filters);
    const source = {
      pack,
      matched: rows.length,
      rows: (start: number, most: number) =>
        rangesOf(rows.slice(firstPosition(0, rows.length, (at) => (rows[at] ?? 0) >= start)).slice(0, most)),
    };
    const request = { collection, filters: normalized, sources: [source], limit, cursor };
    const { page, records } = cutPage(request, release);
    const list = (entry.meta['source'] ?? {}) as JsonObject;
    const date = String(list['sanctions_list_date']);
    const listed = `Records are those of the list of ${date}; ${String(list['withheld_after_withdrawal'])} entries that have left it since are withheld, and later designations are missing.`;
    const absence = rows.length === 0 ? absenceOf(pack, filters, date) : null;
    return {
      schema,
      status: 'available',
      query,
      source: { ...list, staleness: entry.meta['staleNotes'] ?? [], absence },
      page,
      records,
      disclaimer: `${disclaimer} ${listed}`,
      privacy,
      error: null,
    };
  },
  unavailable: (page, message) => ({
    source: null,
    page,
    records: [],
    disclaimer,
    privacy,
    error: { code: 'unavailable', message },
  }),
});

/** Why no designation matches. Names of subjects are never suggested: a similar name belongs to somebody else. */
function absenceOf(pack: Pack, filters: Input, date: string): JsonObject {
  const columns = pack.derive(columnsOf);
  const { country, query } = filters;
  const isUnknown = country !== undefined && countriesNamed(columns, String(country)).size === 0;
  const isUnnamed = query !== undefined && searchEntities(pack, { query }).rows.length === 0;
  const parameter = isUnknown ? 'country' : isUnnamed ? 'query' : null;
  const close = isUnknown ? countriesCloseTo(String(country), columns) : [];
  const countryNote = `No entry of the list of ${date} has a country ${quoted(country)}${close.length > 0 ? `; closest: ${close.join('; ')}` : ''}.`;
  const nameNote = `No official name in the list of ${date} has every word of ${quoted(query)}.`;
  return {
    parameter,
    given: parameter === null ? null : String(filters[parameter]),
    nearest: close,
    message: [
      ...(isUnknown ? [countryNote] : []),
      ...(isUnnamed ? [nameNote] : []),
      ...(parameter === null ? [`No entry of the list of ${date} matches all filters.`] : []),
      ...(query === undefined ? [] : ['Aliases are withheld and not searched.']),
      'Later designations are missing. An empty response is not a clearance.',
    ].join(' '),
  };
}

function countriesCloseTo(given: string, { printed, countries }: Columns): string[] {
  const candidates = printed.map((value, id) => {
    const known = countries[id] ?? [];
    const code = known[2]?.toUpperCase() ?? value;
    return { value, spellings: placeSpellings(code, known), hasRows: true };
  });
  return nearest(given, candidates).map(({ value }) => value);
}

/** The pack of designations: one, or none. */
function entityPacks(release: Release): Collection {
  const packs = release.manifest().packs.filter(({ kind }) => kind === 'entities');
  return collectionOf('entities', packs.slice(0, 1), release);
}

/** The columns of the index, as searches read them. */
type Columns = ReturnType<typeof columnsOf>;

function columnsOf({ index }: Pack) {
  const spellings = index.header['countries'] as string[][];
  return {
    words: (index.header['names'] as string[]).map((name) => wordsOf(name)),
    types: index.header['types'] as string[],
    programs: index.header['programs'] as string[],
    printed: spellings.map(([name = '']) => name),
    /** Lower-case spellings: printed name, codes, other names of the country. */
    countries: spellings.map((texts) => texts.map((text) => text.toLowerCase())),
    type: index.column('type'),
    mask: index.column('programs'),
    countryFrom: index.column('countryFrom'),
    country: index.column('country'),
  };
}

/**
 * The rows that match, ascending, and the filters in a normalized spelling: queries that differ only in spelling match the same
 * rows, so they share cursors.
 */
function searchEntities(pack: Pack, filters: Input): { rows: number[]; normalized: Input } {
  const columns = pack.derive(columnsOf);
  const { entity_type, program, country, query } = filters;
  const typeId = entity_type === undefined ? null : columns.types.indexOf(String(entity_type));
  const bit = program === undefined ? null : 1 << columns.programs.indexOf(String(program));
  const countryIds = country === undefined ? null : countriesNamed(columns, String(country));
  const searched = query === undefined ? [] : wordsOf(fold(String(query)));
  const rows: number[] = [];
  for (const [row, own] of columns.words.entries()) {
    if (typeId !== null && columns.type[row] !== typeId) continue;
    if (bit !== null && ((columns.mask[row] ?? 0) & bit) === 0) continue;
    if (countryIds && !isInCountry(columns, row, countryIds)) continue;
    if (searched.every((word) => own.some((candidate) => candidate.startsWith(word)))) rows.push(row);
  }
  const normalized = { ...filters };
  if (countryIds)
    normalized['country'] =
      [...countryIds].map((id) => columns.countries[id]?.[0]).join('|') || String(country).toLowerCase();
  if (query !== undefined) normalized['query'] = [...new Set(searched)].sort().join(' ');
  return { rows, normalized };
}

function countriesNamed({ countries }: Columns, name: string): Set<number> {
  const wanted = name.toLowerCase();
  return new Set(countries.flatMap((spellings, id) => (spellings.includes(wanted) ? [id] : [])));
}

function isInCountry({ countryFrom, country }: Columns, row: number, ids: Set<number>): boolean {
  for (let at = countryFrom[row] ?? 0; at < (countryFrom[row + 1] ?? 0); at += 1)
    if (ids.has(country[at] ?? -1)) return true;
  return false;
}

function rangesOf(rows: number[]): RowRange[] {
  const ranges: RowRange[] = [];
  for (const row of rows) appendRange(ranges, row, row + 1);
  return ranges;
}
