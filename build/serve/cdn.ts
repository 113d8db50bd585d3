/**
 * The CDN, emulated: Netlify's own development packages behind one port, over a project folder with netlify.toml, public/,
 * the edge router and the bundled function. Run by the Node of the packages, which is newer than the one the service needs:
 * `node build/serve/cdn.ts <project> <packages> <port>`; prints one line with its address when it answers.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/** The part of @netlify/dev that is used. */
interface Emulation {
  start(): Promise<unknown>;
  stop(): Promise<void>;
  handleAndIntrospectNodeRequest(
    request: IncomingMessage,
  ): Promise<{ response: Response; type: string } | undefined>;
}

const [project = '.', packages = '.build/emulation', port = '8888'] = process.argv.slice(2);
const entry = join(resolve(packages), 'node_modules/@netlify/dev/dist/main.js');
const { NetlifyDev } = (await import(pathToFileURL(entry).href)) as {
  NetlifyDev: new (options: object) => Emulation;
};
const off = { enabled: false };
const cdn = new NetlifyDev({
  projectRoot: resolve(project),
  skipGitignore: true,
  aiGateway: off,
  blobs: off,
  database: off,
  geolocation: off,
  images: off,
});
await cdn.start();

const server = createServer((request, reply) => {
  cdn.handleAndIntrospectNodeRequest(request).then(
    (answer) => {
      const response = answer?.response ?? new Response(null, { status: 404 });
      reply.writeHead(response.status, [...response.headers].flat());
      if (response.body === null || request.method === 'HEAD') reply.end();
      else Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]).pipe(reply);
    },
    (error: unknown) => {
      console.error(error);
      reply.writeHead(500).end();
    },
  );
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`the emulated CDN answers on http://localhost:${(server.address() as AddressInfo).port}`);
});

const stop = (): void => {
  server.closeAllConnections();
  // The edge functions run in a process of their own, which must not outlive this one.
  void cdn.stop().finally(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// Whoever started this has gone.
process.stdin.once('end', stop).resume();
