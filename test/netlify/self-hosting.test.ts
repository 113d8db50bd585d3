/** The configurations printed in docs/self-hosting.md, tried where the programs are installed. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { smoke } from '../../build/deploy/smoke.ts';
import { mediaTypeOf } from '../../shim/core/headers.ts';
import { startServer } from '../../shim/node.ts';
import { hasNginx, startNginx } from '../_support/nginx.ts';
import { TEST_SITE, builtTree, temporaryFolder, treeFile } from '../_support/tree.ts';

const GUIDE = readFileSync('docs/self-hosting.md', 'utf8');

const folder = temporaryFolder();

function printed(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(GUIDE)?.[1];
  if (found === undefined) throw new Error(`no ${language} block in the guide`);
  return found;
}

function installed(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

test.runIf(installed('systemd-analyze'))('the unit is one systemd understands', () => {
  const unit = join(folder, 'evidence.service');
  writeFileSync(
    unit,
    printed('ini')
      .replace('/usr/bin/node', process.execPath)
      .replace('User=evidence', `User=${process.getuid?.() ?? 0}`)
      .replaceAll('/srv/evidence', folder),
  );
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('evidence.service'))).toEqual([]);
});

describe.runIf(hasNginx())('behind nginx', () => {
  test('every smoke check passes, the store included', async () => {
    const server = await startServer(builtTree(), { SITE_URL: TEST_SITE, PORT: '0' });
    const site = printed('nginx')
      .replace('/var/cache/nginx/evidence', join(folder, 'cache'))
      .replace('/srv/evidence/public', builtTree())
      .replace('127.0.0.1:3000', new URL(server.url).host)
      .replaceAll(/^ *ssl_.*\n/gm, '');
    const nginx = await startNginx(
      (port) => `access_log off; ${site.replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)}`,
    );
    try {
      const lines: string[] = [];
      const url = nginx.url.replace('127.0.0.1', 'localhost');
      await smoke(url, fetch, (line) => void lines.push(line));
      expect(lines.filter((line) => !line.startsWith('ok'))).toEqual(['all checks passed']);
      // Files come from disk, with their types and header fields; the rest comes from the app, as the stored status shows.
      for (const [path, type, fromDisk] of [
        ['/api/v1/atlas', 'application/json', true],
        ['/api/v1/atlas.json', 'application/json', true],
        ['/data/arms.ndjson', 'application/x-ndjson', true],
        ['/data/arms.csv', 'text/csv; charset=utf-8', true],
        ['/', 'text/html; charset=utf-8', true],
        ['/docs/', 'text/html; charset=utf-8', true],
        ['/data/catalog.json.sha256', 'text/plain; charset=utf-8', true],
        ['/.well-known/api-catalog', mediaTypeOf('.well-known/api-catalog'), false],
        ['/openapi.json', mediaTypeOf('openapi.json'), false],
        ['/api/v1/atlas?iso3=MEX', 'application/json', false],
        ['/api/v1/federation?lane=producerp-bri', 'application/json', false],
      ] as [string, string, boolean][]) {
        const { status, headers } = await fetch(`${url}${path}`, { method: 'HEAD' });
        expect([status, headers.get('content-type')], path).toEqual([200, type]);
        expect(headers.has('cache-status'), path).toBe(!fromDisk);
        expect(headers.get('access-control-allow-origin'), path).toBe('*');
        expect(headers.get('etag'), path).toMatch(/^(W\/)?"/);
        if (path.startsWith('/api')) expect(headers.get('link'), path).toContain('rel="service-desc"');
      }
      for (const path of ['/release', '/data/catalog', '/api/v1/nothing'])
        expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
      // Ranges and compression, from disk (the first two) and through the app and the store.
      for (const path of [
        'data/arms.ndjson',
        'data/arms.csv',
        'openapi.json',
        'schemas/observation.schema.json',
      ]) {
        const bytes = treeFile(path);
        const whole = await fetch(`${url}/${path}`, {
          method: 'HEAD',
          headers: { 'accept-encoding': 'identity' },
        });
        const etag = whole.headers.get('etag') ?? '';
        expect(whole.headers.get('accept-ranges'), path).toBe('bytes');
        for (const send of [{}, { 'if-range': etag }] as Record<string, string>[]) {
          const part = await fetch(`${url}/${path}`, { headers: { range: 'bytes=10-29', ...send } });
          expect([part.status, part.headers.get('content-range'), part.headers.get('etag')], path).toEqual([
            206,
            `bytes 10-29/${bytes.length}`,
            etag,
          ]);
          expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 30)), path).toBe(true);
        }
        const other = await fetch(`${url}/${path}`, {
          headers: { range: 'bytes=0-1', 'if-range': '"other"' },
        });
        expect([other.status, (await other.arrayBuffer()).byteLength], path).toEqual([200, bytes.length]);
        const past = await fetch(`${url}/${path}`, { headers: { range: `bytes=${bytes.length}-` } });
        expect([past.status, past.headers.get('content-range')], path).toEqual([
          416,
          `bytes */${bytes.length}`,
        ]);
        const coded = await fetch(`${url}/${path}`, { headers: { 'accept-encoding': 'gzip' } });
        expect(coded.headers.get('content-encoding'), path).toBe('gzip');
        expect(Buffer.from(await coded.arrayBuffer()).equals(bytes), path).toBe(true);
      }
      expect((await fetch(`${url}/api/v1/atlas?iso3=MEX`, { headers: { range: 'bytes=0-1' } })).status).toBe(
        200,
      );
      const posted = await fetch(`${url}/mcp`, { method: 'POST', body: 'x'.repeat(70_000) });
      expect([posted.status, ((await posted.json()) as { error: string }).error]).toEqual([
        413,
        'invalid_request',
      ]);
      // The app answers here: the message is its own.
      const slash = await fetch(`${url}/mcp/`);
      expect([slash.status, slash.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
      const etag =
        (await fetch(`${url}/api/v1/atlas`, { headers: { 'accept-encoding': 'identity' } })).headers.get(
          'etag',
        ) ?? '';
      expect((await fetch(`${url}/api/v1/atlas`, { headers: { 'if-none-match': etag } })).status).toBe(304);
      expect((await fetch(`${url}/api/v1/atlas`, { method: 'POST' })).status).toBe(405);
      const long = await fetch(`${url}/api/v1/entities?query=${'a'.repeat(9000)}`);
      expect([long.status, ((await long.json()) as { error: string }).error]).toEqual([414, 'uri_too_long']);
    } finally {
      nginx.stop();
      await server.close();
    }
  });
});
