/**
 * One byte changed in published files of every kind in turn, sidecars and lists included: what is sent with 200 is always what was
 * published. Through the handler of the node server and through that of the CDN's function; the same service lives on
 * from flip to flip, as a server does, so damage that comes later and its repair are noticed too.
 */
import { linkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import fg from 'fast-glob';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { INCLUDED_FILES } from '../../build/deploy/netlify.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { requestOf, type Reply } from '../../shim/http/content.ts';
import { netlifyHandler } from '../../shim/netlify.ts';
import { createService, type Service } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { modern } from '../_support/mcp-request.ts';
import {
  builtTree,
  copyOfTree,
  filesOfTree,
  TEST_SITE,
  wholeCopyOfTree,
  treeFile,
} from '../_support/tree.ts';
import { casesOf, shareOf, someOfEachKind } from '../_support/share.ts';

const settings = serverSettings({ SITE_URL: TEST_SITE });
const serviceOf = (root: string, report: (error: unknown) => void = () => undefined): Service =>
  createService({ root, settings, files: true, report });

beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterAll(() => void vi.useRealTimers());
/** Longer than a file's stamp is trusted. */
const later = (): unknown => vi.advanceTimersByTime(300);

/** Changes one byte, at a place of its own for each file; gives back what restores the file. */
function flip(root: string, path: string, seed: number): () => void {
  const file = join(root, path);
  const bytes = treeFile(path);
  const at = (seed * 7919) % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (seed % 8));
  rmSync(file);
  writeFileSync(file, bytes);
  return () => {
    rmSync(file);
    linkSync(join(builtTree(), path), file);
  };
}

async function given(
  service: Service,
  path: string,
  fields: Record<string, string> = {},
): Promise<{ status: number; body: Buffer }> {
  const reply: Reply = await service.routes.reply(
    requestOf('GET', `/${path}`, (name) => fields[name] ?? null),
  );
  const chunks: Uint8Array[] = [];
  if (reply.body instanceof Uint8Array) chunks.push(reply.body);
  else for await (const chunk of reply.body ?? []) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const isCoded = reply.headers.includes('content-encoding');
  return { status: reply.status, body: isCoded ? brotliDecompressSync(body) : body };
}

const PATHS = someOfEachKind(filesOfTree());

/** Whether a file is a page of the API, which its operation can answer for. */
const isPage = (path: string): boolean => /^api\/v1\/.*\.json$/.test(path);

/** The resource whose unfiltered page a file is. */
const resourceOf = (path: string): string | null => /^(api\/v1\/[a-z-]+)\.json$/.exec(path)?.[1] ?? null;

test('[FLIPS] the node server: no file is given with a byte that was not published', async () => {
  const root = wholeCopyOfTree();
  const reported: unknown[] = [];
  const service = serviceOf(root, (error) => void reported.push(error));
  expect(PATHS.length).toBeGreaterThan(casesOf(1000, 800));
  const wrong: string[] = [];
  for (const [seed, path] of PATHS.entries()) {
    const restore = flip(root, path, seed);
    later();
    const before = reported.length;
    for (const fields of [{}, { range: 'bytes=0-0' }, { 'accept-encoding': 'br' }])
      if ((await given(service, path, fields)).status !== 503)
        wrong.push(`${path} ${JSON.stringify(fields)}`);
    const lines = reported.slice(before).filter((error) => String(error).includes(path)).length;
    if (lines !== 1) wrong.push(`${path} has ${lines} lines in the log`);
    const resource = resourceOf(path);
    if (resource !== null) {
      const { status, body } = await given(service, resource);
      if (status === 200 && !body.equals(treeFile(path))) wrong.push(resource);
    }
    restore();
    later();
    const { status, body } = await given(service, path);
    if (status !== 200 || !body.equals(treeFile(path))) wrong.push(`${path} after its repair: ${status}`);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});

test('[FLIPS] a server that starts on damage gives no damaged file', async () => {
  const root = wholeCopyOfTree();
  const paths = PATHS.filter((_path, at) => at % 3 === 0);
  for (const [seed, path] of paths.entries()) flip(root, path, seed + 11);
  const service = serviceOf(root);
  const wrong: string[] = [];
  for (const path of PATHS) {
    const { status, body } = await given(service, path);
    // A page whose packs are damaged is the answer of its operation, which says what is missing.
    const isRight = body.equals(treeFile(path)) || (isPage(path) && body.includes('"status":"partial"'));
    if (status === 200 ? !isRight : status !== 503) wrong.push(`${path}: ${status}`);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});

test('[FLIPS] while a list of the release is damaged, everything else is given', async () => {
  const root = copyOfTree();
  for (const path of ['SHA256SUMS', 'SHA256SUMS.sha256', 'release.json', 'release.json.sha256']) {
    const restore = flip(root, path, 5);
    const service = serviceOf(root);
    expect((await given(service, path)).status, path).toBe(503);
    for (const other of [
      'data/arms.csv',
      'data/arms.csv.sha256',
      'index.html',
      'api/v1/atlas',
      'openapi.json',
    ])
      expect((await given(service, other)).status, other).toBe(200);
    restore();
  }
});

test('[STATIC] what the release does not list is a 404, whatever lies in the folder', async () => {
  const root = copyOfTree('data/arms.csv', 'data/arms.csv.sha256');
  const path = (name: string): string => join(root, name);
  for (const name of ['stray.txt', '.env', 'data/.hidden', '.well-known/stray', '.git', 'data/arms.csv~']) {
    writeFileSync(path(name), treeFile('data/arms.csv'));
    const [line = ''] = treeFile('data/arms.csv.sha256').toString().split('  ');
    writeFileSync(path(`${name}.sha256`), `${line}  ${name.split('/').at(-1)}\n`);
  }
  symlinkSync('/etc/passwd', path('link.sha256'));
  symlinkSync(path('data/arms.csv'), path('link'));
  const strays = ['stray.txt', '.env', 'data/.hidden', '.well-known/stray', '.git', 'data/arms.csv~', 'link'];
  const service = serviceOf(root);
  for (const name of strays.flatMap((stray) => [stray, `${stray}.sha256`]))
    expect((await given(service, name)).status, name).toBe(404);
  // A sidecar that leads elsewhere is damaged.
  rmSync(path('data/arms.csv.sha256'));
  symlinkSync('/etc/passwd', path('data/arms.csv.sha256'));
  later();
  expect((await given(service, 'data/arms.csv.sha256')).status).toBe(503);
});

test('[STATIC] a listed file that is gone or is a folder: 503, typed, one line', async () => {
  const root = copyOfTree();
  const reported: unknown[] = [];
  const service = serviceOf(root, (error) => void reported.push(error));
  for (const path of ['data/arms.csv', 'data/arms.parquet', 'docs/index.html', 'openapi.json.sha256']) {
    reported.length = 0;
    rmSync(join(root, path));
    for (let time = 0; time < 5; time += 1) {
      later();
      const { status, body } = await given(service, path);
      expect([status, JSON.parse(body.toString())]).toMatchObject([503, { ok: false, error: 'unavailable' }]);
    }
    expect(reported, path).toHaveLength(1);
  }
});

/** A tool or resource call, read as text. */
const mcpRead = (uri: string): Request => modern('resources/read', { uri });

test('[FLIPS] the function: what it answers with 200 is what was published, or says what is missing', async () => {
  const root = copyOfTree();
  const handler = netlifyHandler({ SITE_URL: TEST_SITE }, root);
  const targets = [
    ...OPERATIONS.flatMap(({ name }) => [`/_shim/api/v1/${name}`]),
    ...['arms', 'drug-prices', 'informal-economy'].map(
      (id) => `/_shim/api/v1/market-observations?dataset=${id}&limit=3`,
    ),
    '/_shim/api/v1/entities?country=MX&limit=5',
    '/_shim/api/v1/atlas?iso3=MEX',
  ];
  const asked = async (target: string): Promise<{ status: number; text: string }> => {
    const request = target.startsWith('svc:') ? mcpRead(target) : new Request(`${TEST_SITE}${target}`);
    request.headers.set('host', new URL(TEST_SITE).host);
    const response = await handler(request);
    // The one clock of an answer: when a lane was looked at.
    const text = (await response.text()).replaceAll(/"retrieved_at":"2[^"]+"/g, '"retrieved_at":null');
    return { status: response.status, text };
  };
  const good = new Map<string, string>();
  for (const target of [...targets, 'svc://catalog', 'svc://datasets/arms'])
    good.set(target, (await asked(target)).text);
  const paths = fg.sync(
    INCLUDED_FILES.map((glob) => glob.replace(/^public\//, '')),
    { cwd: root },
  );
  expect(paths.length).toBeGreaterThan(40);
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const wrong: string[] = [];
  for (const [seed, path] of shareOf(paths, 3).entries()) {
    const restore = flip(root, path, seed);
    later();
    for (const [target, text] of good) {
      const answer = await asked(target);
      if (answer.status !== 200 || answer.text === text || answer.text.includes('"isError"')) continue;
      const says = /"status":"partial"|unavailable/.test(answer.text);
      if (!says || recordsOf(answer.text).some((record) => !text.includes(record) && !isFurther(target)))
        wrong.push(`${path}: ${target}`);
    }
    restore();
    later();
  }
  silent.mockRestore();
  expect(wrong.slice(0, 5)).toEqual([]);
  for (const [target, text] of good) expect((await asked(target)).text, target).toBe(text);
});

/** The records of a response, as text. */
function recordsOf(text: string): string[] {
  const { data } = JSON.parse(text) as { data?: { observations?: unknown[]; records?: unknown[] } };
  return (data?.observations ?? data?.records ?? []).map((record) => JSON.stringify(record));
}

/** Whether a page with a dataset left out shows records of later pages. */
function isFurther(target: string): boolean {
  return !target.includes('?');
}
