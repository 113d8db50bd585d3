/** The configurations of docs/mirrors.md under the real servers, over the whole built tree. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { httpSource } from '../../build/release/source.ts';
import { verifyTree } from '../../build/release/verify.ts';
import { mediaTypeOf, PAGE_POLICY } from '../../shim/core/headers.ts';
import { freePort } from '../_support/free-port.ts';
import { someOfEachKind } from '../_support/share.ts';
import { builtTree, temporaryFolder, treeText } from '../_support/tree.ts';
import { brief } from './fixture.ts';

/** A server: its block in the document, and how it is started from the block. */
interface WebServer {
  name: string;
  binary: string;
  language: string;
  /** The block with folder and port put in, as a whole configuration. */
  configure(block: string, root: string, port: number, work: string): string;
  args(file: string): string[];
}

const SERVERS: WebServer[] = [
  {
    name: 'nginx',
    binary: '/usr/sbin/nginx',
    language: 'nginx',
    configure: (block, root, port, work) =>
      [
        'daemon off;',
        // The test's folders are readable by their owner alone.
        process.getuid?.() === 0 ? 'user root;' : '',
        `pid ${work}/pid; error_log ${work}/error.log;`,
        'events {}',
        'http {',
        'access_log off;',
        ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
          (use) => `${use}_temp_path ${work}/${use};`,
        ),
        block
          .replace('listen 80;', `listen 127.0.0.1:${port};`)
          .replace('root /srv/evidence;', `root ${root};`),
        '}',
      ].join('\n'),
    args: (file) => ['-c', file],
  },
  {
    name: 'Caddy',
    binary: '/usr/bin/caddy',
    language: 'caddyfile',
    configure: (block, root, port) =>
      `{\n\tadmin off\n}\n${block.replace('http://mirror.example', `http://127.0.0.1:${port}`).replace('/srv/evidence', root)}`,
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
];

const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill('SIGTERM');
});

describe.each(SERVERS)('$name', (server) => {
  const installed = spawnSync(server.binary, ['-h']).error === undefined;
  if (!installed) console.log(`${server.name} is not installed: its configuration is not tested here`);

  it.skipIf(!installed)(
    '[MIRROR-SERVERS] serves a whole release with nothing to find, and refuses filters',
    async () => {
      const url = await startServer(server);
      const asked = { now: new Date('2026-09-01T00:00:00Z'), key: null, minSerial: 0, known: null };
      const { release, findings } = await verifyTree(httpSource(url), asked, () => undefined);
      expect(brief(findings)).toEqual([]);
      expect(release?.files.length).toBeGreaterThan(100);

      const first = (await (await fetch(`${url}/api/v1/atlas`)).json()) as {
        data: { page: { next_cursor: string } };
      };
      const cursor = first.data.page.next_cursor;
      const further = await (await fetch(`${url}/api/v1/atlas?cursor=${cursor}`)).text();
      expect(further).toBe(treeText(`api/v1/atlas/${cursor}.json`));

      for (const path of [
        'api/v1/atlas?iso3=MEX',
        `api/v1/atlas?cursor=${cursor}&limit=5`,
        'api/v1/nothing',
        'data/nothing.csv',
      ]) {
        const answer = await fetch(`${url}/${path}`);
        expect([
          path,
          answer.status,
          answer.headers.get('content-type'),
          answer.headers.get('access-control-allow-origin'),
        ]).toEqual([path, 404, 'application/json', '*']);
        expect(await answer.json()).toEqual({ ok: false, error: 'not_found', message: expect.any(String) });
      }
      const record = await fetch(`${url}/r/seizures.BEL.2023.x~1a2b3c.2@2025-06`);
      expect([record.status, record.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await record.text()).toBe(treeText('r/index.html'));
      expect((await fetch(`${url}/r/seizures.BEL.2023.x~1a2b3c@2025-06.json`)).status).toBe(404);
      const missing = await fetch(`${url}/nothing/here`);
      expect([missing.status, missing.headers.get('content-type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(await missing.text()).toBe(treeText('404.html'));
      expect((await fetch(`${url}/news/`)).headers.get('content-security-policy')).toBe(PAGE_POLICY);
      expect((await fetch(`${url}/designations/`)).headers.get('x-robots-tag')).toBe('noindex');
      const coded = (release?.files ?? []).flatMap(({ path, bytes }) =>
        bytes < 2000 || /\.(parquet|xlsx|idx|png|ico|pub|woff2)$/.test(path) ? [] : [path],
      );
      for (const path of someOfEachKind(coded)) {
        const { headers } = await fetch(`${url}/${path}`, {
          method: 'HEAD',
          headers: { 'accept-encoding': 'gzip' },
        });
        // A type with parameters in quotation marks cannot be named in the list of nginx.
        if (path !== '.well-known/api-catalog')
          expect([path, headers.get('content-encoding'), headers.get('content-type')?.toLowerCase()]).toEqual(
            [path, 'gzip', mediaTypeOf(path)],
          );
      }
      const part = await fetch(`${url}/data/arms.ndjson`, { headers: { range: 'bytes=-9' } });
      expect([part.status, await part.text()]).toEqual([206, treeText('data/arms.ndjson').slice(-9)]);
      const options = await fetch(`${url}/api/v1/atlas`, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    },
    120_000,
  );
});

async function startServer(server: WebServer): Promise<string> {
  const work = temporaryFolder();
  const text = readFileSync('docs/mirrors.md', 'utf8');
  const block = new RegExp(`\`\`\`${server.language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  if (block === undefined) throw new Error(`docs/mirrors.md has no ${server.language} block`);
  const port = await freePort();
  const file = join(work, 'config');
  writeFileSync(file, server.configure(block, builtTree(), port, work));
  const child = spawn(server.binary, server.args(file), {
    stdio: 'ignore',
    env: { ...process.env, HOME: work },
  });
  running.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const up = await fetch(url).then(
      () => true,
      () => false,
    );
    if (up) return url;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${server.name} did not start`);
}
