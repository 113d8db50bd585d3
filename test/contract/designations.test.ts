/** What a response about designations says of the list itself, and of finding nothing in it. */
import { expect, test } from 'vitest';
import { restDoor, dataAt } from '../_support/doors.ts';
import { allEntities, packManifest } from '../_support/records.ts';
import { callTool, doorOf } from '../mcp/asking.ts';

interface Data {
  records: unknown[];
  source: {
    sanctions_list_date: string;
    withheld_after_withdrawal: number;
    staleness: string[];
    absence: { parameter: string | null; given: string | null; nearest: string[]; message: string } | null;
  };
  page: { matched: number; next_cursor: string };
  disclaimer: string;
}

const door = restDoor();
const mcp = doorOf();

async function ask(args: Record<string, string>): Promise<Data> {
  return dataAt(door, `/api/v1/entities?${new URLSearchParams({ ...args, limit: '1' })}`);
}

const inCountry = (name: string): number =>
  allEntities().filter(({ countries }) => countries.includes(name)).length;

test('[ENTITIES-LIST] every response has the date of the list, its age, and how many were withheld, over MCP too', async () => {
  const entry = packManifest().packs.find(({ kind }) => kind === 'entities');
  const args = [{}, { program: 'SDNTK' }, { query: 'nobody of this name' }, { country: 'Atlantis' }];
  for (const each of args as Record<string, string>[]) {
    const { source, disclaimer } = await ask(each);
    expect(source.sanctions_list_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(source.staleness).toEqual(entry?.meta['staleNotes']);
    expect(disclaimer).toContain(source.sanctions_list_date);
    expect(disclaimer).toContain(`${source.withheld_after_withdrawal} entries`);
    const { structuredContent } = await callTool(mcp, 'get_entities', { ...each, limit: 1 });
    expect(structuredContent).toMatchObject({ source, disclaimer });
  }
});

test.each([
  [{ query: 'CJNG' }, 'query', 'CJNG'],
  [{ query: 'El Chapo', program: 'SDNTK' }, 'query', 'El Chapo'],
  [{ country: 'Atlantis' }, 'country', 'Atlantis'],
  [{ country: 'Mexico', entity_type: 'vessel', program: 'TCO' }, null, null],
  [{ query: 'cartel', entity_type: 'vessel' }, null, null],
])('[ENTITIES-LIST] %j: an empty response is not a clearance', async (args, parameter, given) => {
  const { source, page } = await ask(args as unknown as Record<string, string>);
  expect(page.matched).toBe(0);
  expect(source.absence).toMatchObject({ parameter, given });
  expect(source.absence?.message).toContain(source.sanctions_list_date);
  expect(source.absence?.message).toContain('not a clearance');
  expect(source.absence?.message).not.toContain('closest: .');
  if (parameter === 'query')
    expect(source.absence?.message).toMatch(/[Aa]liases are withheld and not searched/);
});

test('[ENTITIES-LIST] names of subjects are never suggested', async () => {
  for (const { name } of allEntities().slice(0, 40)) {
    const { source } = await ask({ query: `${name} ${name.slice(1)}x` });
    expect(source.absence?.nearest ?? []).toEqual([]);
  }
});

test.each([
  ['XK', 'Kosovo'],
  ['XKX', 'Kosovo'],
  ['AN', 'Netherlands Antilles'],
  ['ANT', 'Netherlands Antilles'],
  ['Myanmar', 'Burma'],
  ['Burma', 'Burma'],
  ['MMR', 'Burma'],
  ['UK', 'United Kingdom'],
  ['United States of America', 'United States'],
  ['Turkiye', 'Turkey'],
  ['Türkiye', 'Turkey'],
])('[ENTITIES-COUNTRY] "%s" finds the entries of %s, or is told of it', async (given, printed) => {
  const { page, source } = await ask({ country: given });
  const found = page.matched > 0 ? page.matched : source.absence?.nearest[0];
  expect(found).toBe(page.matched > 0 ? inCountry(printed) : printed);
});

test.each([
  ['Mexic', 'Mexico'],
  ['Colombie', 'Colombia'],
  ['Kolumbien', 'Colombia'],
  ['Pakistn', 'Pakistan'],
  ['UK', 'United Kingdom'],
  ['Great Britain', 'United Kingdom'],
  ['UAE', 'United Arab Emirates'],
  ['The Netherlands', 'Netherlands'],
  ['U.S.A.', 'United States'],
])('[ENTITIES-COUNTRY] "%s" is not accepted, and %s is the closest', async (given, printed) => {
  const { page, source } = await ask({ country: given });
  expect(page.matched).toBe(0);
  expect(source.absence).toMatchObject({ parameter: 'country', given });
  expect(source.absence?.nearest[0]).toBe(printed);
});

test('[CURSOR] queries that differ only in spelling page with the same cursors', async () => {
  const first = await ask({ country: 'Mexico', query: 'de' });
  const cursor = first.page.next_cursor;
  const next = await ask({ country: 'Mexico', query: 'de', cursor });
  expect(next.records).toHaveLength(1);
  for (const [country, query] of [
    ['mx', 'de'],
    ['MEX', 'DE de'],
    ['mexico', 'dé'],
  ] as const)
    expect((await ask({ country, query, cursor })).records, `${country} ${query}`).toEqual(next.records);
});
