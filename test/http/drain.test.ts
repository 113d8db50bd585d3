/** Stopping a server: what is under way is finished, then the process ends with 0 and the port is free. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtTree, copyOfTree, temporaryFolder, TEST_SITE, treeFile } from '../_support/tree.ts';
import { bundled, portOf } from '../_support/child.ts';

/** A server in a process of its own, as `npm start` runs it. */
const CHILD = await bundled(
  `import { runServer } from './shim/node.ts'; await runServer(process.argv[2], process.env);`,
);
/** Larger than the buffers between server and client: its response stays under way while nobody reads it. */
const LARGE = 'data/arms.ndjson';
const folder = temporaryFolder();

/** Starts a command that serves; gives the port it says it listens on. */
async function started(
  command: string,
  argv: string[],
): Promise<{ child: ChildProcess; port: number; ended: Promise<number | null> }> {
  const child = spawn(command, argv, {
    cwd: folder,
    env: { ...process.env, PORT: '0', SITE_URL: TEST_SITE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  return { child, port: await portOf(child), ended };
}

/** A response of which only the head was read. */
async function underWay(port: number): Promise<{ rest(): Promise<Buffer> }> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.write(`GET /${LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const chunks: Buffer[] = [];
  await new Promise<void>((done) => {
    socket.once('data', (chunk: Buffer) => {
      chunks.push(chunk);
      socket.pause();
      done();
    });
  });
  return {
    rest: () =>
      new Promise((done) => {
        socket.on('data', (chunk: Buffer) => chunks.push(chunk));
        socket.once('close', () => {
          const all = Buffer.concat(chunks);
          done(all.subarray(all.indexOf('\r\n\r\n') + 4));
        });
        socket.resume();
      }),
  };
}

/** A connection kept alive after its response, and one that never sent a request; `closed` when the server ended both. */
async function idle(port: number): Promise<{ closed: Promise<unknown> }> {
  const sockets = [0, 1].map(() => connect(port, '127.0.0.1').on('error', () => undefined));
  const [socket] = sockets;
  socket?.write('GET /api/v1/nope HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await new Promise<void>((done) => socket?.once('data', () => done()));
  for (const each of sockets) each.resume();
  return { closed: Promise.all(sockets.map((each) => once(each, 'close'))) };
}

function canListen(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}

writeFileSync(
  join(folder, 'package.json'),
  JSON.stringify({ scripts: { start: `node ${CHILD} ${builtTree()}` } }),
);

const NODE: [string, string[]] = [process.execPath, [CHILD, builtTree()]];

test('[DRAIN] SIGTERM: the response under way is whole, exit 0, port free', async () => {
  const { child, port, ended } = await started(...NODE);
  const { closed } = await idle(port);
  const response = await underWay(port);
  child.kill('SIGTERM');
  await closed;
  expect(child.exitCode).toBeNull();
  expect((await response.rest()).equals(treeFile(LARGE))).toBe(true);
  expect(await ended).toBe(0);
  expect(await canListen(port)).toBe(true);
});

test('[DRAIN] a check of all files that takes long: it is said that it goes on, and a stop does not wait for it', async () => {
  const tree = copyOfTree(LARGE);
  // As many zeros take hours to read.
  truncateSync(join(tree, LARGE), 2 ** 40);
  const child = await bundled(`import { LIMITS } from './shim/core/limits.ts';
    import { runServer } from './shim/node.ts';
    LIMITS.readiness = 500;
    await runServer(process.argv[2], process.env);`);
  const { child: server, port, ended } = await started(process.execPath, [child, tree]);
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await response.json()).toEqual({
    ok: false,
    error: 'unavailable',
    message: expect.stringMatching(/^The files are still being checked: \d+ of them so far\.$/) as unknown,
  });
  // A client that sends nothing more is asked whether it still waits.
  const half = connect(port, '127.0.0.1').setEncoding('latin1');
  half.end('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const text = (await half.toArray()).join('');
  expect(text).toMatch(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+HTTP\/1\.1 503 /);
  server.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('[DRAIN] SIGTERM to npm, whatever shell it uses: the response under way is whole, port free', async () => {
  const { child, port } = await started('npm', ['start', '--silent']);
  const response = await underWay(port);
  child.kill('SIGTERM');
  await expect.poll(() => canListen(port)).toBe(true);
  expect((await response.rest()).equals(treeFile(LARGE))).toBe(true);
});

test('[DRAIN] signals of one stop do not cut the response, one that comes later ends the process', async () => {
  const { child, port, ended } = await started(...NODE);
  await underWay(port);
  const start = performance.now();
  child.kill('SIGINT');
  const again = setInterval(() => child.kill('SIGTERM'), 20);
  expect(await ended).toBe(1);
  clearInterval(again);
  // Signals within half a second are one stop.
  expect(performance.now() - start).toBeGreaterThan(490);
});

test('where few files may be open, a new client is answered however many connections wait for nothing', async () => {
  const [command, argv] = NODE;
  const { child, port, ended } = await started('sh', [
    '-c',
    'ulimit -n 64; exec "$@"',
    'sh',
    command,
    ...argv,
  ]);
  const others = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(others.map(async (other) => once(other, 'connect')));
  const response = await fetch(`http://127.0.0.1:${port}/${LARGE}`);
  expect(Buffer.from(await response.arrayBuffer()).equals(treeFile(LARGE))).toBe(true);
  for (const other of others) other.destroy();
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a port of its own without SITE_URL: the start says where links lead', async () => {
  const { SITE_URL: _site, ...env } = process.env;
  const [command, argv] = NODE;
  const child = spawn(command, argv, {
    cwd: folder,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  await new Promise<void>((done) => {
    child.once('exit', () => done());
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.split('\n').length > 3) done();
    });
  });
  child.kill('SIGTERM');
  expect(said).toMatch(/^serving .*\nSITE_URL is not set: links lead to http:\/\/localhost:3000\.\n/);
  expect(said).toContain(
    `was built for ${TEST_SITE}, where its pages and files lead; build it with SITE_URL=`,
  );
});
