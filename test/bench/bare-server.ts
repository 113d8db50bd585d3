/** node:http alone, with the header fields we send: what no server on it can pass. The body has the size the query names. */
import { createServer } from 'node:http';
import { CACHE_STATIC, headerList, linkHeader, SHARED } from '../../shim/core/headers.ts';

const bodies = new Map<number, Buffer>();
const fields = headerList({
  ...SHARED,
  link: linkHeader('https://evidence.example', null),
  'cache-control': CACHE_STATIC,
  etag: `"${'0'.repeat(64)}"`,
  vary: 'Accept-Encoding',
  'content-type': 'application/json',
});
createServer((request, response) => {
  const size = Number(request.url?.split('=')[1] ?? 100);
  let body = bodies.get(size);
  if (!body) bodies.set(size, (body = Buffer.alloc(size, 'x')));
  response.writeHead(200, [...fields, 'content-length', String(size)]);
  response.end(body);
}).listen(Number(process.env['PORT']), '127.0.0.1');
