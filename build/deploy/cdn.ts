/**
 * The CDN, emulated: Netlify's own development packages behind one port, over a project folder with netlify.toml, public/,
 * the edge router and the bundled function. Run by the Node of the packages, which is newer than the one the service needs:
 * `node build/deploy/cdn.ts <project> <packages> <port>`; prints one line with its address when it answers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
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

async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const answered = await cdn.handleAndIntrospectNodeRequest(request);
  const response = answered?.response ?? new Response(null, { status: 404 });
  reply.writeHead(response.status, [...response.headers].flat());
  if (request.method !== 'HEAD' && response.body !== null)
    for await (const chunk of response.body) reply.write(chunk);
  reply.end();
}

// One at a time: the emulation removes the files of a function while another request is starting it.
let turn = Promise.resolve();
const server = createServer((request, reply) => {
  turn = turn
    .then(() => answer(request, reply))
    .catch((error: unknown) => {
      console.error(error);
      reply.destroy();
    });
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
