/** The limit: a bare h3 app that answers every path with a constant Buffer of the size the query names. */
import { H3 } from 'h3';
import { FastResponse, serve } from 'srvx';

const bodies = new Map<number, Buffer>();
const app = new H3().all('/**', (event) => {
  const size = Number(new URL(event.req.url).searchParams.get('bytes') ?? 100);
  let body = bodies.get(size);
  if (!body) bodies.set(size, (body = Buffer.alloc(size, 'x')));
  return new FastResponse(body, {
    headers: { 'content-type': 'application/json', 'content-length': String(size) },
  });
});
serve({ fetch: app.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1', silent: true });
