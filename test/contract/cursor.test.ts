/** Cursors: any change to one is a 400, other filters are a 400, other data is stale; mirrors of the same bytes share them. */
import { describe, expect, test } from 'vitest';
import { call, type Result } from '../../shim/core/call.ts';
import { FAULTS } from '../../shim/core/faults.ts';
import { collectionOf, cursorsOf } from '../../shim/core/pagination.ts';
import type { Context } from '../../shim/core/types.ts';
import { testContext, operationNamed } from '../_support/doors.ts';
import { deriving } from '../../shim/store/blocks.ts';

const context = testContext();
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function ask(
  resource: string,
  input: Record<string, unknown>,
  at: Context = context,
): { status: number; error: string; message: string; next: string } {
  const operation = operationNamed(resource);
  const result = call(operation, input, at, () => undefined) as Result;
  if (result.ok) return { status: 200, error: '', message: '', next: result.next ?? '' };
  const { code, message } = result.fault;
  return { status: FAULTS[code].status, error: code, message, next: '' };
}

const INVALID = { status: 400, error: 'invalid_request' };

describe.each([
  ['atlas', { year: 2021 }],
  ['entities', { program: 'SDNT' }],
  ['market-observations', { geo: 'DEU' }],
  ['series', { query: 'heroin price' }],
])('%s', (resource, filters) => {
  const { next } = ask(resource, { ...filters, limit: 5 });

  test('[CURSOR] is base64url and short', () => expect(next).toMatch(/^[A-Za-z0-9_-]{1,2048}$/));

  test('[CURSOR] any altered, dropped or added character is invalid_request', () => {
    for (let position = 0; position < next.length; position += 1) {
      for (const character of ALPHABET) {
        if (character === next[position]) continue;
        const altered = `${next.slice(0, position)}${character}${next.slice(position + 1)}`;
        expect(ask(resource, { ...filters, cursor: altered })).toMatchObject(INVALID);
      }
      const dropped = next.slice(0, position) + next.slice(position + 1);
      expect(ask(resource, { ...filters, cursor: dropped })).toMatchObject({ status: 400 });
    }
    for (const added of ['A', '='])
      expect(ask(resource, { ...filters, cursor: next + added })).toMatchObject(INVALID);
  });

  test('[CURSOR] with other filters is invalid_request, and the message says which of the two is wrong', () => {
    const other = ask(resource, { cursor: next });
    expect(other).toMatchObject(INVALID);
    expect(other.message).toContain('this one belongs to other filters');
    const malformed = ask(resource, { ...filters, cursor: next.slice(1) });
    expect(malformed.message).toContain('this one is malformed');
  });

  test('[CURSOR] made from other data is stale and says to restart', () => {
    const changed = <T extends { sha256: string }>(pack: T): T => ({
      ...pack,
      sha256: pack.sha256.replace(/^./, (first) => (first === '0' ? '1' : '0')),
    });
    const manifest = context.release.manifest();
    const later = { ...manifest, packs: manifest.packs.map(changed) };
    const other: Context = {
      ...context,
      release: {
        ...context.release,
        derive: deriving(),
        manifest: () => later,
        pack: (id) => ({ ...context.release.pack(id), entry: changed(context.release.pack(id).entry) }),
      },
    };
    const answer = ask(resource, { ...filters, cursor: next }, other);
    expect(answer).toMatchObject({ status: 400, error: 'stale_cursor' });
    expect(answer.message).toMatch(/[Rr]estart/);
  });

  test('[CURSOR] a second store over the same bytes makes and takes the same cursor', () => {
    const mirror = testContext();
    expect(ask(resource, { ...filters, limit: 5 }, mirror).next).toBe(next);
    expect(ask(resource, { ...filters, cursor: next }, mirror).status).toBe(200);
  });
});

test.each([
  [{ country: 'mexico' }, { country: 'MX' }],
  [{ country: 'MEX' }, { country: 'Mexico' }],
  [{ query: 'jose luis' }, { query: 'LUIS, José' }],
])('[CURSOR] binds the filters, not their spelling: %j and %j', (first, second) => {
  const { next } = ask('entities', { ...first, limit: 1 });
  expect(next).not.toBe('');
  expect(ask('entities', { ...second, cursor: next }).status).toBe(200);
  expect(ask('entities', { cursor: next }).status).toBe(400);
});

test('[RUNTIME] data replaced while a call runs never mixes: one call looks at one release', () => {
  let looks = 0;
  const changing: Context = {
    ...context,
    get release() {
      looks += 1;
      return { ...context.release, derive: deriving() };
    },
  };
  for (const resource of ['market-observations', 'atlas', 'entities']) {
    looks = 0;
    expect([ask(resource, { limit: 2 }, changing).status, looks], resource).toEqual([200, 1]);
  }
});

test('[CURSOR] a well-made cursor that points at no record of the query is refused', () => {
  const { release: store } = context;
  const all = store.manifest().packs.filter(({ kind }) => kind === 'atlas');
  const packs = ['firearms_tracing', 'organized_crime'].flatMap((domain) =>
    all.filter(({ meta }) => meta['domain'] === domain),
  );
  const filters = { iso3: 'MEX' };
  const cursor = (row: number): string =>
    cursorsOf(store, collectionOf('atlas', packs, store), filters).encode(row);
  for (const row of [0, 216, 10_000_000, Number.NaN])
    expect(ask('atlas', { ...filters, cursor: cursor(row) })).toMatchObject(INVALID);
  // The first domain, as the row of a query that is about the second one.
  const domain = { domain: 'organized_crime' };
  const excluded = cursorsOf(store, collectionOf('atlas', packs, store), domain).encode(5);
  expect(ask('atlas', { ...domain, cursor: excluded })).toMatchObject(INVALID);
});
