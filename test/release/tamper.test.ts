/** Every way to tamper with a published tree is found, and distinguished from every other. */
import { copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Tree, sha256, textArtifact } from '../../build/lib/tree.ts';
import { exitCodeOf, releaseFindingLine } from '../../build/release/findings.ts';
import RULES from '../../build/release/rules.json' with { type: 'json' };
import { isDescribing } from '../../build/release/manifest.ts';
import { renderSidecars, renderSums } from '../../build/release/describe.ts';
import { publicKeyText } from '../../build/release/minisign.ts';
import {
  OTHER_SEED,
  SEED,
  brief,
  described,
  edit,
  findingsOf,
  fixtureRecords,
  keyOf,
  ledgerOf,
  release,
  written,
} from './fixture.ts';
import { words } from '../_support/words.ts';
import { flipBit } from '../_support/tree.ts';
import { wholes } from '../_support/seeded.ts';

const first = release({ key: keyOf(SEED) });
const second = release({
  key: keyOf(SEED),
  ledger: ledgerOf(first),
  records: fixtureRecords().slice(1),
  extra: { 'news/index.html': 'new' },
});
const pinned = { key: publicKeyText(keyOf(SEED)) };
const page = 'docs/page-7/index.html';

/** Replaces a part of a file by another. */
function replace(folder: string, path: string, part: string | RegExp, by: string): void {
  edit(folder, path, (bytes) => bytes.toString().replace(part, by));
}

describe('an untouched release', () => {
  it('has no findings, signed or not', async () => {
    expect(await findingsOf(written(first), pinned)).toEqual([]);
    expect(await findingsOf(written(release()))).toEqual([]);
    expect(exitCodeOf([])).toBe(0);
  });
});

describe('[RELEASE-TAMPER] one flipped bit', () => {
  it('is found in any of 50 files, sidecars and describing files included, and names the file', async () => {
    const large = release({ key: keyOf(SEED), docs: 60 });
    const folder = written(large);
    const paths = large.sorted().map(({ path }) => path);
    const random = wholes(12_345);
    for (let round = 0; round < 50; round += 1) {
      const path = paths[random(paths.length)] ?? '';
      const before = readFileSync(join(folder, path));
      flipBit(join(folder, path), random(before.length));
      const files = (await findingsOf(folder, pinned)).map(({ file }) => file);
      expect(files, path).toContain(path);
      writeFileSync(join(folder, path), before);
    }
    expect(await findingsOf(folder, pinned)).toEqual([]);
  });
});

describe('[RELEASE-TAMPER] each kind of tampering has its own message', () => {
  const drop = (path: string) => (folder: string) => rmSync(join(folder, path));
  const put = (files: Record<string, string>) => (folder: string) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  };
  const part = (path: string, old: string | RegExp, by: string) => (folder: string) =>
    replace(folder, path, old, by);
  const swap = (folder: string): void => {
    const other = readFileSync(join(folder, 'index.html'));
    copyFileSync(join(folder, page), join(folder, 'index.html'));
    writeFileSync(join(folder, page), other);
  };
  const manifest = 'release.json';
  const zeros = '0'.repeat(64);
  const hash = /"sha256": "[0-9a-f]{64}"/;
  const added = { 'docs/x': 'x', 'docs/x.sha256': `${sha256('x')}  x\n` };
  const forged = { [page]: 'forged', [`${page}.sha256`]: `${sha256('forged')}  index.html\n` };

  it.each<[name: string, tamper: (folder: string) => void, expected: string[], exit: number]>([
    ['altered', part(page, /^./, 'A'), [`${page} content`], 1],
    ['lengthened', part(page, /$/, 'more'), [`${page} content`], 1],
    ['emptied', put({ [page]: '' }), [`${page} content`], 1],
    ['deleted', drop(page), [`${page} missing`], 1],
    ['sidecar deleted', drop(`${page}.sha256`), [`${page}.sha256 missing`], 1],
    ['added', put({ 'evil.html': 'x' }), ['evil.html unlisted'], 1],
    [
      'the sidecar of a statement that is not there',
      put({ 'release.intoto.json.sha256': 'x' }),
      ['release.intoto.json.sha256 unlisted'],
      1,
    ],
    ['added with a sidecar', put(added), ['docs/x unlisted', 'docs/x.sha256 unlisted'], 1],
    ['swapped', swap, [`${page} swapped`, 'index.html swapped'], 1],
    ['sidecar edited', part(`${page}.sha256`, /^\w+/, zeros), [`${page}.sha256 sidecar`], 1],
    [
      'sidecar of the manifest edited',
      part('release.json.sha256', /^\w+/, zeros),
      ['release.json.sha256 sidecar'],
      1,
    ],
    ['sums edited', part('SHA256SUMS', /^\w+/, zeros), ['SHA256SUMS sums'], 1],
    ['altered together with its sidecar', put(forged), [`${page} mixed`], 1],
    ['list edited', part(manifest, '"bytes": 16,', '"bytes": 16, "x": 1,'), ['release.json manifest'], 1],
    ['a listed hash edited', part(manifest, hash, `"sha256": "${zeros}"`), ['release.json manifest'], 1],
    [
      'expiry edited',
      part(manifest, '2027-08-22', '2037-08-22'),
      ['release.json manifest', 'release.json.minisig signature'],
      3,
    ],
    [
      'signature deleted',
      drop('release.json.minisig'),
      ['release.json.minisig missing', 'release.json.minisig signature'],
      3,
    ],
    [
      'public key replaced',
      put({ 'release.pub': 'untrusted comment: x\nRW\n' }),
      ['release.pub content', 'release.pub signing-key'],
      3,
    ],
    ['manifest deleted', drop(manifest), ['release.json missing'], 1],
    ['manifest replaced', put({ [manifest]: '[]' }), ['release.json manifest'], 1],
  ])('%s', async (_name, tamper, expected, exit) => {
    const folder = written(first);
    tamper(folder);
    const findings = await findingsOf(folder, pinned);
    expect(brief(findings)).toEqual(expected.sort());
    expect(exitCodeOf(findings)).toBe(exit);
  });

  it.each<[name: string, block: (place: string) => void]>([
    ['a file', (at) => writeFileSync(at, 'x')],
    ['a link that leads to itself', (at) => symlinkSync('docs', at)],
  ])('%s in the place of a folder', async (_name, block) => {
    const folder = written(release({ docs: 1 }));
    rmSync(join(folder, 'docs'), { recursive: true });
    block(join(folder, 'docs'));
    const file = 'docs/page-0/index.html';
    const expected = ['docs unlisted', `${file} missing`, `${file}.sha256 missing`];
    expect(brief(await findingsOf(folder))).toEqual(expected);
  });

  it('never shows control characters of a hostile mirror', () => {
    const line = releaseFindingLine({ file: 'a\n\u001B[2K', rule: 'content', message: 'x\r\u0085' });
    expect(line).toBe('a??[2K: content: x??');
  });
});

describe('manifests nobody should follow', () => {
  it.each([
    ...words(`../x /etc/passwd a//b a/./b a/..`),
    '',
    'a\\b',
    'x y',
    'release.json',
    'a.sha256',
    'deltas/1..2.json',
  ])('a path %j is refused before it is read', async (path) => {
    const folder = written(release());
    replace(folder, 'release.json', '".well-known/api-catalog"', JSON.stringify(path));
    expect(brief(await findingsOf(folder))).toEqual(['release.json manifest']);
  });
});

describe('manifests that fit their sums and sidecars', () => {
  const unsigned = release({ ledger: ledgerOf(first), extra: { x: 'x' } });
  /** The release with another text of its manifest. */
  const retold = (part: string | RegExp, by: string): string => {
    const tree = new Tree();
    for (const [path, bytes] of unsigned.contents())
      if (!path.endsWith('.sha256') && path !== 'SHA256SUMS')
        tree.add([textArtifact(path, String(bytes).replace(path === 'release.json' ? part : '\0', by))]);
    tree.add([renderSums(tree)]);
    tree.add(renderSidecars(tree));
    return written(tree);
  };
  const { treeSha256 } = ledgerOf(unsigned).releases[0] ?? {};
  const previous = /"previous": \{[^}]*\}/;

  it.each<[name: string, part: string | RegExp, by: string, message: RegExp]>([
    ['a byte order mark', /^/, '\uFEFF', /strict JSON/],
    ['a member twice', '"serial": 2', '"serial": 9, "serial": 2', /duplicate key/],
    ['a number that changes when it is read', '"serial": 2', '"serial": 9007199254740993', /does not fit/],
    ['half a character', 'unsigned', '\\ud800', /surrogate/],
    ['nested deeply', /^\{/, `{"x": ${'['.repeat(100_000)}${']'.repeat(100_000)},`, /deeper/],
    ['following itself', previous, `"previous": {"serial": 2, "treeSha256": "${'a'.repeat(64)}"}`, /follows/],
    [
      'following a later one',
      previous,
      `"previous": {"serial": 7, "treeSha256": "${'a'.repeat(64)}"}`,
      /follows/,
    ],
    [
      'following its own tree',
      previous,
      `"previous": {"serial": 1, "treeSha256": "${treeSha256}"}`,
      /follows/,
    ],
    ['following none', previous, '"previous": null', /follows no other/],
    ['a size too large', '"bytes": 3,', '"bytes": 4,', /api-catalog with 4 bytes, .* has 3/],
    ['a size too small', '"bytes": 3,', '"bytes": 2,', /api-catalog with 2 bytes, .* has 3/],
  ])('%s', async (_name, part, by, message) => {
    const findings = await findingsOf(retold(part, by));
    expect(findings).toMatchObject([
      { file: 'release.json', rule: 'manifest', message: expect.stringMatching(message) },
    ]);
  });

  it('an expiry that cannot be read as a moment, such as a leap second, counts as past', async () => {
    const folder = retold(/"expires": "[^"]*"/, '"expires": "2030-12-31T23:59:60Z"');
    expect(brief(await findingsOf(folder))).toEqual(['release.json expired']);
  });
});

describe('[RELEASE-TIME] time', () => {
  it('an expired release is rejected from its expiry on', async () => {
    const folder = written(first);
    expect(brief(await findingsOf(folder, { now: new Date('2027-08-21T23:59:59Z') }))).toEqual([]);
    const findings = await findingsOf(folder, { now: new Date('2027-08-22T00:00:00Z') });
    expect(brief(findings)).toEqual(['release.json expired']);
    expect(exitCodeOf(findings)).toBe(4);
  });

  it('an old release replayed whole is a rollback for whoever saw the newer one', async () => {
    const old = written(first);
    const known = ledgerOf(second).releases[0] ?? null;
    expect(brief(await findingsOf(written(second), { ...pinned, known, minSerial: 2 }))).toEqual([]);
    expect(brief(await findingsOf(old, { ...pinned, known }))).toEqual(['release.json rollback']);
    const byNumber = await findingsOf(old, { ...pinned, minSerial: 2 });
    expect(brief(byNumber)).toEqual(['release.json rollback']);
    expect(exitCodeOf(byNumber)).toBe(4);
  });

  it('two trees of one serial are an equivocation', async () => {
    const known = ledgerOf(release({ extra: { 'x.html': 'x' } })).releases[0] ?? null;
    const findings = await findingsOf(written(first), { known });
    expect(brief(findings)).toEqual(['release.json equivocation']);
    expect(exitCodeOf(findings)).toBe(3);
  });
});

describe('[RELEASE-TAMPER] two releases mixed', () => {
  const copy = (paths: string[]): string => {
    const [from, to] = [written(second), written(first)];
    for (const path of paths) copyFileSync(join(from, path), join(to, path));
    return to;
  };

  it('files of the other release are named as such', async () => {
    const findings = await findingsOf(copy(['data/coca.ndjson', 'data/coca.ndjson.sha256']), pinned);
    expect(brief(findings)).toEqual(['data/coca.ndjson mixed']);
  });

  it('the other manifest with its signature and sidecars over these files', async () => {
    const manifest = ['release.json', 'release.json.minisig'].flatMap((path) => [path, `${path}.sha256`]);
    const found = brief(await findingsOf(copy(manifest), pinned));
    expect(found).toContain('SHA256SUMS mixed');
    expect(found).toContain('data/coca.ndjson mixed');
    expect(found).toContain('news/index.html missing');
    expect(found.filter((line) => line.endsWith(' unlisted')).length).toBeGreaterThan(0);
  });

  it('the other sums', async () => {
    expect(brief(await findingsOf(copy(['SHA256SUMS', 'SHA256SUMS.sha256']), pinned))).toEqual([
      'SHA256SUMS mixed',
    ]);
  });
});

describe('[RELEASE-KEY] keys', () => {
  it('a forgery that is whole in itself is caught by the pinned key', async () => {
    const forged = written(release({ key: keyOf(OTHER_SEED), records: [] }));
    expect(await findingsOf(forged)).toEqual([]);
    const findings = await findingsOf(forged, pinned);
    expect(brief(findings)).toEqual(['release.json signing-key']);
    expect(exitCodeOf(findings)).toBe(3);
  });

  it('a release stripped of its signature is caught by the pinned key', async () => {
    const findings = await findingsOf(written(release()), pinned);
    expect(brief(findings)).toEqual(['release.json unsigned']);
    expect(exitCodeOf(findings)).toBe(3);
  });
});

describe('[RELEASE-PAGES] pages', () => {
  /** The findings after changing pages, everything described again so that nothing but the pages is wrong. */
  const withPages = async (change: (text: string, path: string) => string): Promise<string[]> => {
    const tree = new Tree();
    for (const [path, bytes] of release().contents()) {
      if (isDescribing(path)) continue;
      const text = bytes.toString();
      tree.add([textArtifact(path, path.startsWith('api/') ? change(text, path) : text)]);
    }
    const folder = written(described(tree, {}));
    return (await findingsOf(folder)).map(({ rule, message }) => `${rule} ${message.split(',')[0] ?? ''}`);
  };

  it('a chain that is cut, circular, or short is found', async () => {
    expect(await withPages((text) => text)).toEqual([]);
    expect(await withPages((text) => text.replace(/_2"/, '_9"'))).toEqual([
      expect.stringMatching(/^page-chain leads to api\/v1\/atlas\/.*_9\.json$/),
    ]);
    expect(await withPages((text) => text.replace(/_2"/, '_1"'))).toEqual([
      expect.stringMatching(/^page-chain leads to/),
    ]);
    expect(
      await withPages((text, path) =>
        path === 'api/v1/atlas.json' ? text.replace(/"next_cursor":"[^"]*"/, '"next_cursor":null') : text,
      ),
    ).toEqual(['page-chain ends the walk after 15 records of 40']);
  });
});

it('every rule has a row in docs/trust.md', () => {
  const doc = readFileSync('docs/trust.md', 'utf8');
  expect(Object.keys(RULES).filter((rule) => !doc.includes(`\`${rule}\``))).toEqual([]);
});
