/**
 * The limits a server is compared with: each responds to every path with a constant body of the size the query names. `bare` is
 * node:http alone with the header fields we send, which nothing on it can pass; `h3` is a bare h3 app.
 */
import { createServer } from 'node:http';
import { H3 } from 'h3';
import { FastResponse, serve } from 'srvx';
import { CACHE_STATIC, headerList, linkHeader, SHARED } from '../../shim/core/headers.ts';

const port = Number(process.env['PORT']);
const hostname = '127.0.0.1';
const bodies = new Map<number, Buffer<ArrayBuffer>>();

function bodyFor(url = ''): Buffer<ArrayBuffer> {
  const size = Number(url.split('=')[1] ?? 100);
  let body = bodies.get(size);
  if (!body) bodies.set(size, (body = Buffer.alloc(size, 'x')));
  return body;
}

if (process.argv[2] === 'bare') {
  const fields = headerList({
    ...SHARED,
    link: linkHeader('https://evidence.example'),
    'cache-control': CACHE_STATIC,
    etag: `"${'0'.repeat(64)}"`,
    vary: 'Accept-Encoding',
    'content-type': 'application/json',
  });
  createServer((request, response) => {
    const body = bodyFor(request.url);
    response.writeHead(200, [...fields, 'content-length', String(body.length)]).end(body);
  }).listen(port, hostname);
} else {
  const app = new H3().all('/**', ({ req }) => {
    const body = bodyFor(req.url);
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    return new FastResponse(body, { headers });
  });
  serve({ fetch: app.fetch, port, hostname, silent: true });
}
