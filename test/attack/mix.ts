/**
 * The long attack: random requests of every kind from many clients, well-formed and not, pipelined, cut off and aborted. Every
 * answer is judged: no untyped server error, JSON under /api, the bytes of the file where it is one, an answer in time.
 */
import { errorMessage } from '../../build/lib/findings.ts';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { behaviourOf } from '../../build/stand-in/behaviours.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import type { Arena, Outcome } from './attack.ts';
import { get, mcpCall, opened, pause, post } from './connection.ts';
import type { Random } from './random.ts';
import { words } from '../_support/words.ts';

const CLIENTS = 24;
const ANSWERED_MS = 30_000;
const FILES = 400;
/** Larger files are read by other attacks: here they would leave no time for requests. */
const MOST_READ = 200_000;

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Counts per minute. */
export interface Mixed extends Outcome {
  /** Resident memory in megabytes, looked at every second. */
  memory: number[];
}

/** Attacks for so many seconds. */
export async function mixed(arena: Arena, seconds: number, progress: (line: string) => void): Promise<Mixed> {
  const { server, random, upstream } = arena;
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const files = someFiles(arena.tree, random);
  const faults: string[] = [];
  const memory: number[] = [];
  let requests = 0;
  const until = performance.now() + seconds * 1000;
  upstream.behave('*', behaviourOf('valid'));

  const asked = (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
    body = '',
  ): Promise<Answer> =>
    new Promise((done, fail) => {
      const sent = request(
        {
          port: server.port,
          host: '127.0.0.1',
          agent,
          path,
          method,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          timeout: ANSWERED_MS,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', fail);
          response.on('end', () =>
            done({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
            }),
          );
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // A kept connection that closes while it is used again says nothing about the answer.
        if (sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
          asked(path, headers, method, body).then(done, fail);
        else fail(error);
      });
      sent.end(body);
    });

  const moves: Record<string, () => Promise<string | null>> = {
    async query() {
      const path = randomQuery(random);
      return judged(await asked(path, codings(random)), true);
    },
    async file() {
      const { path, sha256 } = random.one(files);
      const answer = await asked(`/${path}`, codings(random));
      if (answer.status !== 200) return `${path}: status ${answer.status}`;
      return hashOf(answer) === sha256 ? null : `${path}: wrong bytes`;
    },
    async range() {
      const { path, bytes } = random.one(files);
      const start = random.whole(bytes.length);
      const end = start + random.whole(bytes.length - start);
      const { status, body } = await asked(`/${path}`, { range: `bytes=${start}-${end}` });
      return status === 206 && body.equals(bytes.subarray(start, end + 1)) ? null : `${path}: wrong range`;
    },
    async path() {
      return judged(await asked(randomPath(random), codings(random)), false);
    },
    async method() {
      const method = random.one(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE']);
      const hasBody = method !== 'HEAD';
      return judged(await asked(randomQuery(random), {}, method, hasBody ? '{}' : ''), hasBody, hasBody);
    },
    async mcp() {
      const body = randomMessage(random);
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(random.next() < 0.9 ? { 'mcp-protocol-version': '2025-06-18' } : {}),
      };
      return judged(await asked('/mcp', headers, 'POST', body), false);
    },
    async raw() {
      const connection = await opened(server.port, randomBytes(random));
      const late = setTimeout(() => connection.socket.end(), 200);
      const closed = await connection.closed(ANSWERED_MS);
      clearTimeout(late);
      connection.socket.destroy();
      return closed === null ? 'a connection with broken bytes stays open' : null;
    },
    async pipeline() {
      const count = 2 + random.whole(20);
      const paths = Array.from({ length: count }, () => randomQuery(random));
      const last = `GET /llms.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      const connection = await opened(server.port, paths.map((path) => get(path)).join('') + last);
      requests += count;
      if ((await connection.closed(ANSWERED_MS)) === null) {
        connection.socket.destroy();
        return 'a pipeline without end';
      }
      const answers = connection.text().match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;
      return answers === count + 1 ? null : `${answers} answers to ${count + 1} pipelined requests`;
    },
    async hangUp() {
      const { path } = random.one(files);
      const connection = await opened(
        server.port,
        get(random.next() < 0.5 ? `/${path}` : randomQuery(random)),
        false,
      );
      await pause(random.whole(20));
      connection.socket.resetAndDestroy();
      return null;
    },
    async federation() {
      const lane = random.one(['all', 'producers-summary', 'producerp-bri', 'nobody']);
      return judged(await asked(`/api/v1/federation?lane=${lane}`), true);
    },
  };
  const chances: [move: keyof typeof moves, chance: number][] = [
    ['query', 0.5],
    ['file', 0.19],
    ['path', 0.14],
    ['method', 0.05],
    ['range', 0.04],
    ['mcp', 0.03],
    ['raw', 0.02],
    ['pipeline', 0.02],
    ['hangUp', 0.009],
    ['federation', 0.001],
  ];

  const client = async (): Promise<void> => {
    while (performance.now() < until && server.isAlive()) {
      let chance = random.next();
      const [name] = chances.find(([, share]) => (chance -= share) < 0) ?? ['query'];
      requests += 1;
      try {
        const fault = await moves[name]?.();
        if (typeof fault === 'string') faults.push(`${name}: ${fault}`);
      } catch (error) {
        faults.push(`${name}: ${errorMessage(error)}`);
      }
    }
  };
  const looking = setInterval(() => {
    memory.push(server.memory());
    if (memory.length % 30 === 0)
      progress(
        `${memory.length} s, ${requests} requests, ${Math.round(memory.at(-1) ?? 0)} MB, ${faults.length} faults`,
      );
  }, 1000);
  await Promise.all(Array.from({ length: CLIENTS }, client));
  clearInterval(looking);
  agent.destroy();
  return { requests, faults, memory };
}

interface KnownFile {
  path: string;
  sha256: string;
  bytes: Buffer;
}

/** Some files of the tree, with what they hold. */
function someFiles(tree: string, random: Random): KnownFile[] {
  const all = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.sha256'))
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.replace(/\/$/, '').length + 1))
    // The service answers these by itself; those with a type of their own are pages of the API.
    .filter((path) => !path.startsWith('api/') && !path.endsWith('index.html'))
    .toSorted();
  return Array.from({ length: FILES }, () => {
    const path = random.one(all);
    const bytes = readFileSync(join(tree, path));
    return { path, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
  }).filter(({ bytes }) => bytes.length > 0 && bytes.length < MOST_READ);
}

/** The content, whatever its coding. */
function contentOf({ headers, body }: Answer): Buffer {
  const coding = headers['content-encoding'];
  return coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body;
}

function hashOf(answer: Answer): string {
  return createHash('sha256').update(contentOf(answer)).digest('hex');
}

/** What is wrong with an answer; one to HEAD has no body that says more than its status. */
function judged(answer: Answer, json: boolean, hasBody = true): string | null {
  const { status, headers } = answer;
  if (json && !headers['content-type']?.startsWith('application/json') && status !== 204 && status !== 304)
    return `status ${status} is not JSON`;
  if (status < 500) return null;
  if (status !== 503) return `status ${status}`;
  if (!hasBody) return null;
  const { error, ok } = JSON.parse(contentOf(answer).toString()) as { error?: string; ok?: boolean };
  return ok === false && error === 'unavailable' ? null : 'a 503 without its type';
}

function codings(random: Random): Record<string, string> {
  const coding = random.one(['', '', 'br', 'gzip', 'gzip, br;q=0.5', '*', 'identity;q=0', ','.repeat(300)]);
  return coding === '' ? {} : { 'accept-encoding': coding };
}

const VALUES = words(`MEX DEU mex 2021 2023 0 -1 1 500 501 seizures drug-seizures`);
const ODD = [
  '%00',
  '%ff',
  '%e2%80%ae',
  'null',
  '%27',
  '%22',
  '%2e%2e',
  '__proto__',
  'a'.repeat(3000),
  '%F0%9F%92%A9',
  '',
];

/** A query of an operation: some are answered, some refused. */
function randomQuery(random: Random): string {
  const operation = random.one(OPERATIONS.filter(({ name }) => name !== 'federation'));
  const names = [...operation.parameters.map(({ name }) => name), 'nonsense'];
  const pairs = Array.from({ length: random.whole(4) }, () => {
    const value = random.next() < 0.15 ? random.one(ODD) : random.one(VALUES);
    return `${random.next() < 0.05 ? 'nonsense' : random.one(names)}=${value}`;
  });
  const [first, second] = Object.entries(operation.example).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  if (random.next() < 0.4)
    pairs.splice(0, pairs.length, ...[first, second].filter((pair) => pair !== undefined));
  return `/api/v1/${operation.name}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

const PARTS = words(`api v1 data places .. . %2e%2e %2f .git index.html MEX r search download explore
  compare designations ~ %00 %zz * mcp release.json SHA256SUMS.sha256`);

function randomPath(random: Random): string {
  const parts = Array.from({ length: 1 + random.whole(4) }, () => random.one(PARTS));
  return `/${parts.join('/')}${random.next() < 0.3 ? `?${random.one(PARTS)}=${random.one(VALUES)}` : ''}`;
}

function randomMessage(random: Random): string {
  const tools = ['get_market_catalog', 'find_series', 'query_market_observations', 'get_atlas', 'nobody'];
  const args = Object.fromEntries(
    Array.from({ length: random.whole(3) }, () => [
      random.one(['geo', 'indicator', 'limit', 'x']),
      random.one([...VALUES, null, 1, {}, []]),
    ]),
  );
  const message = {
    jsonrpc: '2.0',
    id: random.one([1, 'a', null]),
    method: random.one(words(`tools/call tools/call tools/list resources/list initialize ping nobody`)),
    params: { name: random.one(tools), arguments: args },
  };
  const text = JSON.stringify(message);
  return random.next() < 0.1 ? text.slice(0, random.whole(text.length)) : text;
}

function randomBytes(random: Random): string {
  const sound = random.one([
    get(randomPath(random)),
    mcpCall('tools/list', {}),
    post('/mcp', 'Transfer-Encoding: chunked\r\n'),
  ]);
  const at = random.whole(sound.length);
  const noise = Array.from({ length: 1 + random.whole(30) }, () =>
    String.fromCharCode(random.whole(256)),
  ).join('');
  return sound.slice(0, at) + noise + sound.slice(at + random.whole(10));
}
