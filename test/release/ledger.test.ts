/** A release's place in time comes from the ledger, and a rebuild changes nothing. */
import { describe, expect, it } from 'vitest';
import { parseLedger, placeOf, recorded } from '../../build/release/describe.ts';
import { parseRelease } from '../../build/release/manifest.ts';
import { prettyJson, type Tree } from '../../build/lib/tree.ts';
import { ledgerOf, manifestOf, release, SITE } from './fixture.ts';

const bytesOf = (tree: Tree): string =>
  [...tree.contents()].map(([path, bytes]) => `${path} ${bytes.toString('hex')}`).join('\n');
const first = release();
const second = release({ ledger: ledgerOf(first), extra: { 'b.html': 'b' } });
const tree = (treeSha256: string): Parameters<typeof placeOf>[1] => ({
  siteUrl: SITE,
  treeSha256,
  generatedAt: '2024-02-29T00:00:00Z',
});

describe('[RELEASE-LEDGER] serial, predecessor, expiry', () => {
  it('the first release has no predecessor and expires a year after the data clock', () => {
    expect(manifestOf(first)).toMatchObject({ serial: 1, previous: null, expires: '2027-08-22T00:00:00Z' });
    expect(placeOf(parseLedger(null), tree('a')).expires).toBe('2025-03-01T00:00:00Z');
  });

  it('a release follows the last published one that has another tree', () => {
    const { serial, treeSha256 } = manifestOf(first);
    expect(manifestOf(second)).toMatchObject({ serial: 2, previous: { serial, treeSha256 } });
  });

  it('recording a release and building it again changes no byte', () => {
    expect(bytesOf(release({ ledger: ledgerOf(first) }))).toBe(bytesOf(first));
    const again = release({ ledger: ledgerOf(first, second), extra: { 'b.html': 'b' } });
    expect(bytesOf(again)).toBe(bytesOf(second));
  });

  it('going back to an old tree is a new release', () => {
    expect(manifestOf(release({ ledger: ledgerOf(first, second) })).serial).toBe(3);
  });

  it('another site has its own line', () => {
    const elsewhere = { ...tree('a'), siteUrl: 'https://other.example' };
    expect(placeOf(ledgerOf(first, second), elsewhere)).toMatchObject({ serial: 1, previous: null });
  });
});

describe('[RELEASE-LEDGER] the ledger file', () => {
  const manifest = (of: Tree): ReturnType<typeof parseRelease> => parseRelease(of.read('release.json'));

  it('records a release once, and a later expiry in its row', () => {
    const one = recorded(parseLedger(null), manifest(first));
    expect(one).toEqual(ledgerOf(first));
    expect(recorded(one, manifest(first))).toEqual(one);
    const longer = recorded(one, manifest(first), '2030-01-01T00:00:00Z');
    expect(manifestOf(release({ ledger: longer }))).toMatchObject({
      serial: 1,
      expires: '2030-01-01T00:00:00Z',
    });
    expect(parseLedger(prettyJson(longer))).toEqual(longer);
  });

  it('refuses a serial that was published with another tree, and one that is not the latest', () => {
    const other = release({ extra: { 'c.html': 'c' } });
    expect(() => recorded(ledgerOf(first), manifest(other))).toThrow(/build again, then release/);
    expect(() => recorded(ledgerOf(first, second), manifest(first))).toThrow(/not its latest/);
  });

  it.each([
    ['{}', '/ must'],
    ['[]', '/ must'],
    ['{"schema":"svc.releases.v1","releases":[{}]}', '/releases/0 must'],
    [
      JSON.stringify({
        schema: 'svc.releases.v1',
        releases: [...ledgerOf(second).releases, ...ledgerOf(first).releases],
      }),
      '/releases/1/serial is 1, after 2 of https://evidence.example',
    ],
  ])('refuses %s and says where it is broken', (text, where) =>
    expect(() => parseLedger(Buffer.from(text))).toThrow(`releases.json is not a valid ledger: ${where}`),
  );
});
