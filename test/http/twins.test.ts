/** Compressed forms that the build made: sent as they are where they are whole, and never where they are not. */
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sha256 } from '../../build/lib/tree.ts';
import { makeTwins } from '../../build/serve/twins.ts';
import { readTwin, sealed, twinName, twinsFolder } from '../../shim/store/twins.ts';
import { testApp, requestsTo } from '../_support/doors.ts';
import { builtTree, temporaryFolder, treeFile, flipBit } from '../_support/tree.ts';

const FILES = ['index.html', 'data/catalog.json', 'data/designations.ndjson'];
const [PAGE = '', , LARGE = ''] = FILES;

/** A site of a few files, with their compressed forms. */
async function site(): Promise<string> {
  const root = join(temporaryFolder(), 'public');
  const lines = FILES.map((path) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    for (const name of [path, `${path}.sha256`]) copyFileSync(join(builtTree(), name), join(root, name));
    return `${hashOf(path)}  ${path}\n`;
  });
  writeFileSync(join(root, 'SHA256SUMS'), lines.join(''));
  writeFileSync(join(root, 'SHA256SUMS.sha256'), `${sha256(lines.join(''))}  SHA256SUMS\n`);
  await makeTwins(root);
  return root;
}

function hashOf(path: string): string {
  return sha256(treeFile(path));
}

function twinOf(root: string, path: string, coding: 'br' | 'gzip'): string {
  return join(twinsFolder(root), twinName(hashOf(path), coding));
}

async function body(
  root: string,
  path: string,
  coding: string,
): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await requestsTo(testApp(root))(path, { headers: { 'accept-encoding': coding } });
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('[CODING] every form is that of its file, and is what is sent', async () => {
  const root = await site();
  for (const path of FILES)
    for (const coding of ['br', 'gzip'] as const) {
      const { headers, bytes } = await body(root, path, coding);
      expect([headers.get('content-encoding'), headers.get('content-length')]).toEqual([
        coding,
        String(bytes.length),
      ]);
      expect(headers.get('etag')).toBe(`"${hashOf(path)}-${coding}"`);
      expect(bytes.equals(readTwin(twinsFolder(root), hashOf(path), coding) ?? Buffer.alloc(0)), path).toBe(
        true,
      );
      const whole = coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);
      expect(sha256(whole), path).toBe(hashOf(path));
    }
});

test('[CODING] no request compresses a file that has a form', async () => {
  const root = await site();
  // A form that no server would make: it is what arrives.
  const form = brotliCompressSync(readFileSync(join(root, LARGE)), { params: { 1: 2 } });
  writeFileSync(twinOf(root, LARGE, 'br'), sealed(form, hashOf(LARGE), 'br'));
  expect((await body(root, LARGE, 'br')).bytes.equals(form)).toBe(true);
});

test.each([
  ['flipped', (file: string) => flipBit(file)],
  ['cut short', (file: string) => truncateSync(file, 300)],
  ['empty', (file: string) => truncateSync(file, 0)],
  ['that of another file', (file: string, root: string) => copyFileSync(twinOf(root, LARGE, 'br'), file)],
  ['that of another coding', (file: string, root: string) => copyFileSync(twinOf(root, PAGE, 'gzip'), file)],
])('[CODING] a form that is %s is not used', async (_name, damage) => {
  const root = await site();
  damage(twinOf(root, PAGE, 'br'), root);
  expect(readTwin(twinsFolder(root), hashOf(PAGE), 'br')).toBe(null);
  const { headers, bytes } = await body(root, PAGE, 'br');
  expect(headers.get('content-encoding')).toBe('br');
  expect(sha256(brotliDecompressSync(bytes))).toBe(hashOf(PAGE));
});

test('[CODING] a damaged file is a 503, whatever its form is', async () => {
  const root = await site();
  flipBit(join(root, PAGE));
  const response = await requestsTo(testApp(root))(PAGE, { headers: { 'accept-encoding': 'br' } });
  expect(response.status).toBe(503);
});
