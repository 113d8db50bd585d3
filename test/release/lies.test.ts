/** Manifests that nobody should follow: names, sizes and clashes. Each is refused before a file is requested. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { treeHash } from '../../build/lib/tree.ts';
import { verifyCommand } from '../../build/release/command.ts';
import { isPublishable, type ReleaseFile } from '../../build/release/manifest.ts';
import { mirror } from '../../build/release/mirror.ts';
import { digestOf, httpSource } from '../../build/release/source.ts';
import { MAX_BYTES } from '../../build/release/verify.ts';
import { manifestOf, place, release, TODAY } from './fixture.ts';
import { listening } from '../_support/free-port.ts';

let manifest: object = {};
let requests: string[] = [];
/** Files of which the server sends half. */
let broken = /^never$/;
const server = createServer((request, response) => {
  requests.push(request.url ?? '');
  if (broken.test(request.url ?? ''))
    return void response.writeHead(200).write('x', () => response.destroy());
  response.setHeader('content-type', 'application/json');
  response.end(request.url === '/release.json' ? JSON.stringify(manifest) : 'x'.repeat(100));
});
const port = await listening(server);
afterAll(() => void server.close());

/** What a mirror finds in a release that lists these files, and which files it requested. */
async function foundIn(listed: Record<string, number>, maxBytes?: number) {
  const files = Object.entries(listed)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map<ReleaseFile>(([path, bytes]) => ({
      path,
      bytes,
      sha256: 'a'.repeat(64),
      mediaType: 'application/json',
    }));
  manifest = { ...manifestOf(release()), treeSha256: treeHash(files), files };
  requests = [];
  const folder = place();
  const source = httpSource(`http://127.0.0.1:${port}`);
  const given = { now: TODAY, key: null, minSerial: 0, ...(maxBytes !== undefined && { maxBytes }) };
  const { findings } = await mirror(source, folder, given, () => undefined);
  expect(existsSync(folder)).toBe(false);
  return { findings, requests };
}

describe('[MIRROR-LIES] refused by the manifest alone', () => {
  test.each<[name: string, listed: Record<string, number>, rule: string, message: RegExp, maxBytes?: number]>(
    [
      ['more than is taken', { 'a.json': MAX_BYTES + 1 }, 'oversized', /--max-bytes/],
      ['many files, too large together', { a: 6, b: 5 }, 'oversized', /lists 11 bytes .* at most 10/, 10],
      ['2e11 bytes', { 'a.json': 2e11 }, 'oversized', /at most/],
      ['1e12 bytes', { 'a.json': 1e12 }, 'oversized', /at most/],
      ['a file that is a folder too', { a: 1, 'a/b': 1 }, 'manifest', /a and a\/b/],
      ['the same with another between', { a: 1, 'a-b': 1, 'a/b/c': 1 }, 'manifest', /a and a\/b\/c/],
      ['names that differ in case', { Readme: 1, readme: 1 }, 'manifest', /Readme and readme/],
      ['folders that differ in case from a file', { 'Data/x': 1, data: 1 }, 'manifest', /Data\/x and data/],
      ['the manifest in another case', { 'Release.json': 1 }, 'manifest', /release.json and Release.json/],
      ['the sums in another case', { sha256sums: 1 }, 'manifest', /SHA256SUMS and sha256sums/],
      ['a sidecar in another case', { x: 1, 'x.SHA256': 1 }, 'manifest', /x.sha256 and x.SHA256/],
      ['a name without room for its sidecar', { ['x'.repeat(249)]: 1 }, 'manifest', /not a publishable path/],
      ['a file as folder of deltas', { deltas: 1 }, 'manifest', /deltas/],
    ],
  )('%s', async (_name, listed, rule, message, maxBytes) => {
    const { findings, requests: asked } = await foundIn(listed, maxBytes);
    expect(findings).toMatchObject([{ file: 'release.json', rule, message: expect.stringMatching(message) }]);
    expect(asked).toEqual(['/release.json']);
  });

  test('to who verifies an address too, and by the same bound', async () => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const verified = async (bytes: number, options = {}): Promise<string[]> => {
      await foundIn({ 'a.json': bytes });
      requests = [];
      await verifyCommand(`http://127.0.0.1:${port}`, options);
      return [...new Set(requests)];
    };
    expect(await verified(MAX_BYTES + 1)).toEqual(['/release.json']);
    expect(said.mock.calls.join('\n')).toMatch(/^release.json: oversized: .*--max-bytes/m);
    expect(await verified(MAX_BYTES + 1, { maxBytes: MAX_BYTES + 1 })).toContain('/a.json');
    expect(await verified(11, { maxBytes: 10 })).toEqual(['/release.json']);
    said.mockRestore();
  });

  test.each([
    ['no file is whole', /^\/f/, 500, 40],
    ['every second is whole', /^\/f.*[02468]$/, 250, Infinity],
  ])('a server of which %s is asked for no more than may take long', async (_name, rule, least, most) => {
    broken = rule;
    const listed = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${1000 + at}`, 100]));
    const { findings, requests: asked } = await foundIn(listed).finally(() => (broken = /^never$/));
    expect(findings.filter((one) => one.rule === 'unreachable').length).toBeGreaterThanOrEqual(least);
    expect(asked.length).toBeLessThan(most);
    expect(asked.length).toBeGreaterThan(most === Infinity ? 500 : 16);
  });

  test('a size that no timer can count is not an error of the program', async () => {
    const { findings } = await foundIn({ 'a.json': 1e12 }, 1e15);
    expect(findings).toMatchObject([{ file: 'a.json', rule: 'content' }]);
  });
});

test('the bytes of a file are kept up to a bound; its hash is over all of them', async () => {
  const source = httpSource(`http://127.0.0.1:${port}`);
  const whole = await digestOf(source, 'x.json', 1000, 100);
  expect(whole.body).toEqual(Buffer.alloc(100, 'x'));
  for (const keep of [0, 99])
    expect(await digestOf(source, 'x.json', 1000, keep)).toEqual({ ...whole, body: null });
});

test('[MIRROR-LIES] names that shells, git or Windows read otherwise are not published', () => {
  const bad = [
    '-rf',
    '~root',
    '.git/hooks/post-checkout',
    'CON',
    'a/nul.txt',
    'lpt1',
    'a.',
    '.',
    '..',
    'a//b',
  ];
  for (const path of [...bad, '/a', 'a/', 'x'.repeat(256), 'a b', 'a\\b', '.well-known2/x', 'a/-b', ''])
    expect([path, isPublishable(path)]).toEqual([path, false]);
  for (const path of [
    '.well-known/api-catalog',
    'r/a~1@2024-01',
    'console.json',
    'x'.repeat(255),
    '404.html',
  ])
    expect([path, isPublishable(path)]).toEqual([path, true]);
});
