/**
 * Load on a local server: 16 connections, each with one request at a time, over plain sockets, because a client that costs more
 * than the server would be what is measured. Where the system tells it, the CPU time that the server used for them too: a ratio
 * of that holds on a busy machine.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { median, percentile } from './figures.ts';

export interface Load {
  /** Responses per second. */
  rate: number;
  /** CPU microseconds of the server for a response, in the kernel and outside; NaN where the system does not tell. */
  cpu: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Mean bytes of a body. */
  bytes: number;
}

/** A server under load. */
export interface Target {
  url: string;
  pid: number;
}

const CONNECTIONS = 16;
const HEAD_END = '\r\n\r\n';
/** What Linux counts CPU time in. */
const TICKS_PER_SECOND = 100;

/** Requests what `next` gives, as fast as responses come, so many times. Rejects when one is not a 200. */
export async function load(
  { url, pid }: Target,
  next: () => string,
  times: number,
  fields: Record<string, string> = {},
): Promise<Load> {
  const taken: number[] = [];
  let bytes = 0;
  const tail = ` HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
  const ticks = ticksOf(pid);
  const began = performance.now();
  let left = times;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () =>
      requests(
        url,
        () => (left-- > 0 ? `GET ${next()}${tail}` : null),
        (ms, length) => {
          taken.push(ms);
          bytes += length;
        },
      ),
    ),
  );
  const passed = (performance.now() - began) / 1000;
  const cpu = ((ticksOf(pid) - ticks) / TICKS_PER_SECOND / taken.length) * 1e6;
  const rate = taken.length / passed;
  return { rate, cpu, p50: median(taken), p99: percentile(taken, 0.99), bytes: bytes / taken.length };
}

/** One connection: a request when the response before has arrived whole, until `next` has no more. */
async function requests(
  url: string,
  next: () => string | null,
  answered: (ms: number, length: number) => void,
): Promise<void> {
  const { port, hostname } = new URL(url);
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let sent = 0;
    let asked = '';
    let length = 0;
    /** Bytes of the body still to come; null while the head is read. */
    let left: number | null = null;
    let head = '';
    const send = (): void => {
      const request = next();
      if (request === null) return void socket.end();
      asked = request;
      sent = performance.now();
      socket.write(request);
    };
    const read = (chunk: Buffer): void => {
      if (left !== null) left -= chunk.length;
      else {
        head += chunk.toString('latin1');
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
        if (!head.startsWith('HTTP/1.1 200') || Number.isNaN(length))
          return void socket.destroy(new Error(`${url} to ${asked}\n${head}`));
        left = length - (head.length - end - HEAD_END.length);
        head = '';
      }
      if (left > 0) return;
      left = null;
      answered(performance.now() - sent, length);
      send();
    };
    socket.once('connect', send);
    socket.on('data', read);
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

/** CPU time that a process used so far, in ticks. */
function ticksOf(pid: number): number {
  try {
    const [user, system] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11) ?? [];
    return Number(user) + Number(system);
  } catch {
    return Number.NaN;
  }
}
