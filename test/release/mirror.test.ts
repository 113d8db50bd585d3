/** Mirrors over HTTP: copied, resumed, refused; and what verify reports about servers that misbehave. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Tree } from '../../build/lib/tree.ts';
import { exitCodeOf } from '../../build/release/findings.ts';
import { publicKeyText } from '../../build/release/minisign.ts';
import { type Mirrored, mirror } from '../../build/release/mirror.ts';
import { folderSource, httpSource } from '../../build/release/source.ts';
import { verifyTree } from '../../build/release/verify.ts';
import { recoverTree } from '../../build/write/tree-folder.ts';
import { mediaTypeOf } from '../../shim/core/headers.ts';
import { bundled, killed, moments, started } from '../_support/child.ts';
import {
  OTHER_SEED,
  SEED,
  TODAY,
  brief,
  findingsOf,
  fixtureRecords,
  keyOf,
  ledgerOf,
  place,
  release,
  written,
} from './fixture.ts';
import { listening } from '../_support/free-port.ts';
import { casesOf } from '../_support/share.ts';

const KILLS = Number(process.env['KILLS'] ?? casesOf(10, 4));
const signed = { key: keyOf(SEED) };
const first = release(signed);
const second = release({
  ...signed,
  ledger: ledgerOf(first),
  records: fixtureRecords().slice(2),
  extra: { 'b.html': 'b' },
});
const given = { now: TODAY, key: null, minSerial: 0 };
const quiet = (): void => undefined;
const incomingOf = (folder: string): string => join(folder, '../.site.writing/incoming');

type Override = (path: string, response: ServerResponse, request: IncomingMessage) => boolean;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** A tree, or the one to serve at a request by the count of requests so far. */
type Served = Tree | ((asked: number) => Tree);

/** A well-behaved static server of a tree, except for what `override` serves itself. */
async function serve(
  served: Served,
  override: Override = () => false,
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').slice(1);
    requests.push(path);
    const tree = typeof served === 'function' ? served(requests.length) : served;
    response.setHeader('access-control-allow-origin', '*');
    if (override(path, response, request)) return;
    const file = /^api\/v1\/[a-z-]+$/.test(path) ? `${path}.json` : path;
    const bytes = tree.has(file) ? tree.read(file) : null;
    response.setHeader('content-type', mediaTypeOf(file));
    if (bytes) response.end(bytes);
    else response.writeHead(404).end();
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${await listening(server)}`, requests };
}

const INDEX = 'index.html';

/** Sends one file differently; everything else is served well. */
const only =
  (file: string, send: (response: ServerResponse, file: string) => unknown): Override =>
  (path, response) => {
    if (path === file) send(response, file);
    return path === file;
  };

/** The right bytes with these headers. */
const sending =
  (headers: Record<string, string>) =>
  (response: ServerResponse, file: string): unknown =>
    response.writeHead(200, headers).end(first.read(file));

/** The first release, and another in its place once its manifest, signature and key were read. */
const replacedBy =
  (next: Tree) =>
  (asked: number): Tree =>
    asked > 3 ? next : first;

const remoteFindings = async (tree: Served, override?: Override): Promise<string[]> => {
  const { url } = await serve(tree, override);
  return brief((await verifyTree(httpSource(url), { ...given, known: null }, quiet)).findings);
};

const run = async (
  tree: Served,
  folder: string,
  override?: Override,
  key = given.key,
): Promise<Mirrored & { requests: string[] }> => {
  const { url, requests } = await serve(tree, override);
  return { ...(await mirror(httpSource(url), folder, { ...given, key }, quiet)), requests };
};

describe('[RELEASE-TAMPER] verify over HTTP', () => {
  it('a well-behaved mirror has no findings', async () => expect(await remoteFindings(first)).toEqual([]));

  const html = { 'content-type': 'text/html' };
  it.each<
    [name: string, file: string, send: (response: ServerResponse, file: string) => unknown, rule: string]
  >([
    ['a missing file', INDEX, (response) => response.writeHead(404).end(), 'missing'],
    ['a failing server', INDEX, (response) => response.writeHead(503).end(), 'status'],
    ['a redirect', INDEX, (response) => response.writeHead(302, { location: '/other' }).end(), 'redirect'],
    ['a wrong type', INDEX, sending({ 'content-type': 'text/plain' }), 'media-type'],
    ['a wrong charset', INDEX, sending({ 'content-type': 'text/html; charset=latin1' }), 'media-type'],
    ['a malformed type', INDEX, sending({ 'content-type': 'html' }), 'media-type'],
    [
      'a lost type parameter',
      '.well-known/api-catalog',
      sending({ 'content-type': 'application/linkset+json' }),
      'media-type',
    ],
    [
      'an origin of its own',
      INDEX,
      sending({ ...html, 'access-control-allow-origin': 'https://x.example' }),
      'cors',
    ],
    ['altered bytes', INDEX, (response) => response.writeHead(200, html).end('<!doctype htm1>\n'), 'content'],
    [
      'a broken connection',
      INDEX,
      (response) =>
        response.writeHead(200, { ...html, 'content-length': 16 }).write('<!d') && response.destroy(),
      'unreachable',
    ],
    ['no bare address', 'api/v1/atlas', (response) => response.writeHead(404).end(), 'bare-address'],
  ])('%s', async (_name, file, send, rule) =>
    expect(await remoteFindings(first, only(file, send))).toEqual([`${file} ${rule}`]),
  );

  it('an endless response is read no further than listed', async () => {
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

  it('a release that was replaced while it was read is one finding; one that the key did not sign hides nothing', async () => {
    expect(await remoteFindings(replacedBy(second))).toEqual(['release.json replaced']);
    const forged = release({ key: keyOf(OTHER_SEED), ledger: ledgerOf(first), records: [] });
    expect(await remoteFindings(replacedBy(forged))).toContain('data/coca.ndjson mixed');
    const earlier = release({ ...signed, records: [] });
    expect(await remoteFindings(replacedBy(earlier))).toContain('data/coca.ndjson mixed');
  });

  it('an unreachable server is a finding, not a crash', async () => {
    const { findings } = await verifyTree(httpSource('http://127.0.0.1:1'), { ...given, known: null }, quiet);
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
    expect(folderSource(folder).list()).toEqual(first.sorted().map(({ path }) => path));
    for (const [path, bytes] of first.contents())
      expect(readFileSync(join(folder, path)).equals(bytes), path).toBe(true);
    expect(JSON.parse(readFileSync(`${folder}.state.json`, 'utf8'))).toMatchObject({
      serial: 1,
      publicKey: publicKeyText(signed.key),
    });
  });

  it('requests nothing but the manifest when nothing changed, and only what changed when something did', async () => {
    const folder = place();
    await run(first, folder);
    const manifest = ['release.json', 'release.json.minisig', 'release.pub'];
    expect((await run(first, folder)).requests).toEqual(manifest);
    expect(await run(second, folder)).toMatchObject({ findings: [], fetched: 6, kept: 11 });
    expect(await findingsOf(folder)).toEqual([]);
  });

  it('repairs a damaged mirror', async () => {
    const folder = place();
    await run(first, folder);
    writeFileSync(join(folder, 'index.html'), 'defaced');
    rmSync(join(folder, 'data'), { recursive: true });
    expect((await run(first, folder)).fetched).toBe(4);
    expect(await findingsOf(folder)).toEqual([]);
    // What was a folder is a file now.
    rmSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'data'), '');
    expect((await run(first, folder)).fetched).toBe(3);
    expect(await findingsOf(folder)).toEqual([]);
  });

  it('resumes a copy that broke off', async () => {
    const folder = place();
    const failing = only(INDEX, (response) => response.writeHead(500).end());
    const broken = await run(first, folder, failing);
    expect(brief(broken.findings)).toEqual(['index.html status']);
    expect(existsSync(folder)).toBe(false);
    expect(await run(first, folder)).toMatchObject({ fetched: 1, findings: [] });
    expect(existsSync(incomingOf(folder))).toBe(false);
  });

  it('names the statement of provenance where it cannot be had', async () => {
    const folder = place();
    const refusing = only('release.intoto.json', (response) => response.writeHead(403).end());
    expect(brief((await run(first, folder, refusing)).findings)).toEqual(['release.intoto.json status']);
    expect(existsSync(folder)).toBe(false);
  });

  it('says that the release was replaced while it was copied; the next run has the later one', async () => {
    const folder = place();
    const { findings } = await run(replacedBy(second), folder);
    expect(findings).toEqual([
      {
        file: 'release.json',
        rule: 'replaced',
        message: 'release 2 took the place of release 1 while this was read; run it again',
      },
    ]);
    expect(exitCodeOf(findings)).toBe(5);
    expect(existsSync(folder)).toBe(false);
    expect((await run(second, folder)).findings).toEqual([]);
    expect(await findingsOf(folder, { minSerial: 2 })).toEqual([]);
  });

  it('trusts no file it finds in the folder of incoming files', async () => {
    const folder = place();
    mkdirSync(join(incomingOf(folder), 'evil'), { recursive: true });
    writeFileSync(join(incomingOf(folder), 'evil/x.html'), 'x');
    writeFileSync(join(incomingOf(folder), 'index.html'), 'defaced');
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

  it('never takes a file of a release for one that is on its way, whatever they are called', async () => {
    const folder = place();
    const names = Array.from({ length: 40 }, (_, at) => `x${at}`);
    const extra = names.flatMap((name) => [`${name}.html`, `${name}.html.part`, `${name}.html.part.part`]);
    // The longest name that a file may have with its sidecar, and no longer one on its way.
    extra.push('y'.repeat(248));
    const both = release({ ...signed, extra: Object.fromEntries(extra.map((path) => [path, path])) });
    expect((await run(both, folder)).findings).toEqual([]);
    const again = place();
    expect(
      (await mirror(folderSource(folder), again, given, quiet)).findings.map(({ message }) => message),
    ).toEqual([]);
    rmSync(join(folder, 'x1.html'));
    expect(await run(both, folder)).toMatchObject({ findings: [], fetched: 1 });
    for (const [path, bytes] of both.contents())
      expect(readFileSync(join(folder, path)).equals(bytes), path).toBe(true);
    expect(readdirSync(join(folder, '..')).toSorted()).toEqual(['site', 'site.state.json']);
  });

  it('remembers a release before it is put into place, so that a stop between the two lets no earlier one in', async () => {
    const folder = place();
    await run(first, folder);
    // Nothing can take the place of the last tree.
    mkdirSync(incomingOf(folder), { recursive: true });
    const previous = join(incomingOf(folder), '../previous');
    symlinkSync('nowhere', previous);
    await expect(run(second, folder)).rejects.toThrow('ENOTDIR');
    expect(brief((await run(first, folder)).findings)).toEqual(['release.json rollback']);
    rmSync(previous);
    expect((await run(second, folder)).findings).toEqual([]);
    expect(await findingsOf(folder, { minSerial: 2 })).toEqual([]);
  });

  it('refuses altered files and a state that was damaged', async () => {
    const folder = place();
    const altered = only(INDEX, (response) => response.end('<!doctype htm1>\n'));
    expect(brief((await run(first, folder, altered)).findings)).toEqual(['index.html content']);
    expect(existsSync(folder)).toBe(false);
    writeFileSync(`${folder}.state.json`, '{}');
    await expect(run(first, folder)).rejects.toThrow(
      'is not a valid mirror state; restore it, or delete it to trust the next release as the first',
    );
  });

  it(
    `[KILL] killed at ${KILLS} moments, it leaves the old release or the new one, and the next run completes it`,
    async () => {
      const child = await bundled(`
      import { httpSource } from './build/release/source.ts';
      import { mirror } from './build/release/mirror.ts';
      process.stdout.write('go');
      const asked = { now: new Date('2026-09-01T00:00:00Z'), key: null, minSerial: 0 };
      await mirror(httpSource(process.argv[2]), process.argv[3], asked, () => undefined);
    `);
      const { url } = await serve(second);
      const start = performance.now();
      await mirror(httpSource(url), place(), given, quiet);
      const span = (performance.now() - start) * 1.5;
      const serials: number[] = [];
      for (const moment of moments(KILLS, span)) {
        const folder = place();
        await mirror(folderSource(written(first)), folder, given, quiet);
        await killed(await started(child, url, folder), moment);
        recoverTree(folder);
        expect(await findingsOf(folder)).toEqual([]);
        serials.push(
          (JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as { serial: number }).serial,
        );
        expect((await mirror(httpSource(url), folder, given, quiet)).findings).toEqual([]);
        expect(await findingsOf(folder, { minSerial: 2 })).toEqual([]);
      }
      expect(serials).toContain(1);
    },
    60_000 + KILLS * 10_000,
  );

  it('ends with exit code 6 where a file cannot be written whole, keeps the last release and goes on from there', async () => {
    const folder = place();
    await mirror(folderSource(written(first)), folder, given, quiet);
    const child = await bundled(`
      import { mirrorCommand } from './build/release/command.ts';
      process.exitCode = await mirrorCommand(process.argv[2], process.argv[3]);
    `);
    const next = written(
      release({
        ...signed,
        ledger: ledgerOf(first),
        generatedAt: '2198-01-01T00:00:00Z',
        extra: { 'large.txt': 'x'.repeat(100_000) },
      }),
    );
    // Files of more than 16 kB cannot be written, as on a full disk.
    const limited = 'ulimit -f 16; exec "$0" "$@"';
    const ran = spawnSync('bash', ['-c', limited, process.execPath, child, next, folder], {
      encoding: 'utf8',
    });
    expect([ran.status, ran.stderr]).toEqual([
      6,
      expect.stringContaining('there is no space left for the release'),
    ]);
    expect(await findingsOf(folder, { minSerial: 1 })).toEqual([]);
    const { findings, kept } = await mirror(folderSource(next), folder, given, quiet);
    expect(findings).toEqual([]);
    expect(kept).toBeGreaterThan(0);
  });
});
