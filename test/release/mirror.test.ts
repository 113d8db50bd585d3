/** Mirrors over HTTP: copied, resumed, refused; and what verify says of servers that misbehave. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mediaTypeOf } from '../../shim/core/media-types.ts';
import { folderSource } from '../../build/release/source.ts';
import { exitCodeOf } from '../../build/release/findings.ts';
import { httpSource } from '../../build/release/source.ts';
import { publicKeyText } from '../../build/release/minisign.ts';
import { mirror, type Mirrored } from '../../build/release/mirror.ts';
import { recoverTree } from '../../build/write/tree-folder.ts';
import { verifyTree } from '../../build/release/verify.ts';
import type { Tree } from '../../build/lib/tree.ts';
import { bundled, killed, moments, started } from './child.ts';
import {
  brief,
  findingsOf,
  fixtureRecords,
  keyOf,
  ledgerOf,
  OTHER_SEED,
  place,
  release,
  SEED,
  TODAY,
  written,
} from './fixture.ts';

const signed = { key: keyOf(SEED) };
const first = release(signed);
const second = release({
  ...signed,
  ledger: ledgerOf(first),
  records: fixtureRecords().slice(2),
  extra: { 'b.html': 'b' },
});
const asked = { now: TODAY, key: null, minSerial: 0 };
const quiet = (): void => undefined;

type Override = (path: string, response: ServerResponse, request: IncomingMessage) => boolean;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** A well-behaved static server of a tree, but for what `override` answers itself. */
async function serve(
  tree: Tree,
  override: Override = () => false,
): Promise<{ url: string; asked: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').slice(1);
    requests.push(path);
    response.setHeader('access-control-allow-origin', '*');
    if (override(path, response, request)) return;
    const file = /^api\/v1\/[a-z-]+$/.test(path) ? `${path}.json` : path;
    const bytes = tree.files.get(file);
    response.setHeader('content-type', mediaTypeOf(file));
    if (bytes) response.end(bytes);
    else response.writeHead(404).end();
  });
  servers.push(server);
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, asked: requests };
}

const remoteFindings = async (tree: Tree, override?: Override): Promise<string[]> => {
  const { url } = await serve(tree, override);
  return brief((await verifyTree(httpSource(url), { ...asked, known: null }, quiet)).findings);
};

const run = async (
  tree: Tree,
  folder: string,
  override?: Override,
  key = asked.key,
): Promise<Mirrored & { asked: string[] }> => {
  const { url, asked: requests } = await serve(tree, override);
  return { ...(await mirror(httpSource(url), folder, { ...asked, key }, quiet)), asked: requests };
};

describe('[RELEASE-TAMPER] verify over HTTP', () => {
  it('a well-behaved mirror has no findings', async () => expect(await remoteFindings(first)).toEqual([]));

  it.each<[string, Override, string[]]>([
    [
      'a missing file',
      (path, response) => path === 'index.html' && Boolean(response.writeHead(404).end()),
      ['index.html missing'],
    ],
    [
      'a failing server',
      (path, response) => path === 'index.html' && Boolean(response.writeHead(503).end()),
      ['index.html status'],
    ],
    [
      'a redirect',
      (path, response) =>
        path === 'index.html' && Boolean(response.writeHead(302, { location: '/other' }).end()),
      ['index.html redirect'],
    ],
    [
      'a wrong type',
      (path, response) =>
        path === 'index.html' &&
        Boolean(response.writeHead(200, { 'content-type': 'text/plain' }).end(first.files.get(path))),
      ['index.html media-type'],
    ],
    [
      'a wrong charset',
      (path, response) =>
        path === 'index.html' &&
        Boolean(
          response.writeHead(200, { 'content-type': 'text/html; charset=latin1' }).end(first.files.get(path)),
        ),
      ['index.html media-type'],
    ],
    [
      'a lost type parameter',
      (path, response) =>
        path === '.well-known/api-catalog' &&
        Boolean(
          response.writeHead(200, { 'content-type': 'application/linkset+json' }).end(first.files.get(path)),
        ),
      ['.well-known/api-catalog media-type'],
    ],
    [
      'an origin of its own',
      (path, response) =>
        path === 'index.html' &&
        Boolean(
          response
            .writeHead(200, {
              'content-type': 'text/html',
              'access-control-allow-origin': 'https://x.example',
            })
            .end(first.files.get(path)),
        ),
      ['index.html cors'],
    ],
    [
      'altered bytes',
      (path, response) =>
        path === 'index.html' &&
        Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype htm1>\n')),
      ['index.html content'],
    ],
    [
      'a broken connection',
      (path, response) =>
        path === 'index.html' &&
        Boolean(
          response.writeHead(200, { 'content-type': 'text/html', 'content-length': 16 }).write('<!d') &&
          response.destroy(),
        ),
      ['index.html unreachable'],
    ],
    [
      'no bare address',
      (path, response) => path === 'api/v1/atlas' && Boolean(response.writeHead(404).end()),
      ['api/v1/atlas bare-address'],
    ],
  ])('%s', async (_name, override, expected) =>
    expect(await remoteFindings(first, override)).toEqual(expected),
  );

  it('an endless answer is read no further than listed', async () => {
    let sent = 0;
    const endless: Override = (path, response) => {
      if (path !== 'index.html') return false;
      response.writeHead(200, { 'content-type': 'text/html' });
      const more = (): void => {
        sent += 65_536;
        if (response.write(Buffer.alloc(65_536))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
      return true;
    };
    expect(await remoteFindings(first, endless)).toEqual(['index.html oversized']);
    expect(sent).toBeLessThan(20_000_000);
  });

  it('nobody there is a finding, not a crash', async () => {
    const { findings } = await verifyTree(httpSource('http://127.0.0.1:1'), { ...asked, known: null }, quiet);
    expect(brief(findings)).toEqual(['release.json unreachable']);
    expect(exitCodeOf(findings)).toBe(5);
  });
});

describe('[MIRROR] mirror', () => {
  it('copies a release byte for byte and remembers it', async () => {
    const folder = place();
    const { findings, fetched } = await run(first, folder);
    expect(findings).toEqual([]);
    expect(fetched).toBeGreaterThan(14);
    expect(folderSource(folder).list()).toEqual(first.sorted().map(([path]) => path));
    for (const [path, bytes] of first.files)
      expect(readFileSync(join(folder, path)).equals(bytes), path).toBe(true);
    expect(JSON.parse(readFileSync(`${folder}.state.json`, 'utf8'))).toMatchObject({
      serial: 1,
      publicKey: publicKeyText(signed.key),
    });
  });

  it('asks for nothing but the manifest when nothing changed, and for what changed when something did', async () => {
    const folder = place();
    await run(first, folder);
    expect((await run(first, folder)).asked).toEqual(['release.json', 'release.json.minisig', 'release.pub']);
    const { findings, fetched, kept } = await run(second, folder);
    expect(findings).toEqual([]);
    expect([fetched, kept]).toEqual([6, 11]);
    expect(await findingsOf(folder)).toEqual([]);
  });

  it('repairs a damaged mirror', async () => {
    const folder = place();
    await run(first, folder);
    writeFileSync(join(folder, 'index.html'), 'defaced');
    rmSync(join(folder, 'data'), { recursive: true });
    expect((await run(first, folder)).fetched).toBe(4);
    expect(await findingsOf(folder)).toEqual([]);
  });

  it('takes up a copy that broke off', async () => {
    const folder = place();
    const broken = await run(
      first,
      folder,
      (path, response) => path === 'index.html' && Boolean(response.writeHead(500).end()),
    );
    expect(brief(broken.findings)).toEqual(['index.html status']);
    expect(existsSync(folder)).toBe(false);
    const { fetched, findings } = await run(first, folder);
    expect([fetched, findings]).toEqual([1, []]);
    expect(existsSync(`${folder}.incoming`)).toBe(false);
  });

  it('trusts nothing that lies about in the folder of arrivals', async () => {
    const folder = place();
    mkdirSync(`${folder}.incoming/evil`, { recursive: true });
    writeFileSync(`${folder}.incoming/evil/x.html`, 'x');
    writeFileSync(`${folder}.incoming/index.html`, 'defaced');
    expect((await run(first, folder)).findings).toEqual([]);
    expect(await findingsOf(folder)).toEqual([]);
  });

  it.each<[string, Tree, string]>([
    ['a rollback', first, 'release.json rollback'],
    [
      'another key',
      release({ key: keyOf(OTHER_SEED), ledger: ledgerOf(first, second) }),
      'release.json signing-key',
    ],
    ['a missing signature', release({ ledger: ledgerOf(first, second) }), 'release.json unsigned'],
  ])('refuses %s and keeps what it has', async (_name, tree, expected) => {
    const folder = place();
    await run(second, folder);
    expect(brief((await run(tree, folder)).findings)).toEqual([expected]);
    expect(await findingsOf(folder, { minSerial: 2 })).toEqual([]);
  });

  it('refuses altered files and a state that was damaged', async () => {
    const folder = place();
    const altered: Override = (path, response) =>
      path === 'index.html' && Boolean(response.end('<!doctype htm1>\n'));
    expect(brief((await run(first, folder, altered)).findings)).toEqual(['index.html content']);
    expect(existsSync(folder)).toBe(false);
    writeFileSync(`${folder}.state.json`, '{}');
    await expect(run(first, folder)).rejects.toThrow(
      'is not a valid mirror state; restore it, or delete it to trust the next release as the first',
    );
  });

  it('killed at 20 moments, it leaves the old release or the new one, and the next run completes it', async () => {
    const child = await bundled(`
      import { httpSource } from './build/release/source.ts';
      import { mirror } from './build/release/mirror.ts';
      process.stdout.write('go');
      const asked = { now: new Date('2026-09-01T00:00:00Z'), key: null, minSerial: 0 };
      await mirror(httpSource(process.argv[2]), process.argv[3], asked, () => undefined);
    `);
    const { url } = await serve(second);
    const start = performance.now();
    await mirror(httpSource(url), place(), asked, quiet);
    const span = (performance.now() - start) * 1.5;
    const serials: number[] = [];
    for (const moment of moments(20, span)) {
      const folder = place();
      await mirror(folderSource(written(first)), folder, asked, quiet);
      await killed(await started(child, url, folder), moment);
      recoverTree(folder);
      expect(await findingsOf(folder)).toEqual([]);
      serials.push(
        (JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as { serial: number }).serial,
      );
      expect((await mirror(httpSource(url), folder, asked, quiet)).findings).toEqual([]);
      expect(await findingsOf(folder, { minSerial: 2 })).toEqual([]);
    }
    expect(serials).toContain(1);
  }, 120_000);
});
