/**
 * The connections of a server: which replies each waits for, when its requests are worked on, which clients read too slowly, and
 * which connection is closed when there are too many.
 */
import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIMITS } from '../core/limits.ts';
import type { Later } from './content.ts';

/** The state of a connection. */
export interface Connection {
  socket: Duplex;
  /** The last response: replies leave in order, so it is the last to finish. */
  last: ServerResponse | undefined;
  /** Requests that wait for the reply before them. */
  waiting: number;
  /** Whether nothing more of it can be read as a request. */
  isBroken: boolean;
  /** Whether its last request was one of MCP. */
  isMcp: boolean;
  /** How many bytes its client had taken at some moment, and that moment. */
  mark: { taken: number; at: number };
}

/** The connections of one server. */
export interface Connections {
  of(socket: Duplex): Connection;
  /** One more request of a connection waits; false where too many wait already. */
  wait(connection: Connection): boolean;
  /** One request of it no longer waits; true where none does now. */
  wake(connection: Connection): boolean;
  /** MCP requests that have arrived whole and are not answered yet, and the unsent bytes of MCP responses. */
  mcp(): { requests: number; bytes: number };
  /** Ends every connection that waits for no reply. */
  hangUp(): void;
}

/** The property of a socket that holds its Connection. A Map would keep closed sockets until a full garbage collection. */
const CONNECTION = Symbol('connection');
type Known = Duplex & { [CONNECTION]?: Connection };

/** How often slow clients are looked for, in milliseconds. */
const LOOK_MS = 5000;

/** Whether a response has not left yet. */
export function isUnderWay(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.writableFinished && !response.destroyed;
}

/** Descriptors that are left for files and for the process itself. */
const OTHER_DESCRIPTORS = 48;

/** How many connections there may be: fewer where the system lets this process open few files, so that a new client is still taken. */
function mostConnections(): number {
  let limits = '';
  try {
    limits = readFileSync('/proc/self/limits', 'latin1');
  } catch {
    // There is none on this system.
  }
  const [, files = Infinity] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return Math.min(LIMITS.connections, Math.max(1, Number(files) - OTHER_DESCRIPTORS));
}

/**
 * Looks whether a client that sends no more still waits for its response: one that is gone does not take the interim response, and the
 * next one finds its connection closed. A stream of MCP has no place for one after its head, and is ended.
 */
function lookFor(connection: Connection): void {
  const { socket, last, isMcp } = connection;
  if (!isUnderWay(last)) return;
  if (last.headersSent) {
    if (isMcp && socket.writableLength === 0) socket.destroy();
  } else {
    if (last.req.httpVersion === '1.1') last.writeContinue();
    setTimeout(lookFor, LIMITS.halfClosed, connection).unref();
  }
}

/** Keeps count of the connections of `server`, and ends those that are too slow or too many. */
export function connectionsOf(server: Server): Connections {
  const all: Connection[] = [];
  const most = mostConnections();
  let waiting = 0;
  const leave = (connection: Connection): void => {
    const at = all.indexOf(connection);
    if (at >= 0) all.splice(at, 1);
  };
  const of = (socket: Known): Connection => {
    if (socket[CONNECTION]) return socket[CONNECTION];
    const mark = { taken: 0, at: performance.now() };
    const made = { socket, last: undefined, waiting: 0, isBroken: false, isMcp: false, mark };
    socket[CONNECTION] = made;
    all.push(made);
    socket.once('close', () => {
      leave(made);
      waiting -= made.waiting;
      made.waiting = 0;
    });
    socket.once('end', () => setTimeout(lookFor, LIMITS.halfClosed, made).unref());
    return made;
  };
  const makeRoom = (): void => {
    const idle = all.find(({ last }) => !isUnderWay(last));
    if (!idle) return;
    leave(idle);
    idle.socket.destroy();
  };
  server.on('connection', (socket: Duplex) => {
    if (all.length >= most) makeRoom();
    if (all.length >= most) socket.destroy();
    else of(socket);
  });
  const looking = setInterval(() => {
    const now = performance.now();
    for (const connection of all) if (isTooSlow(connection, now)) connection.socket.destroy();
  }, LOOK_MS);
  server.once('close', () => clearInterval(looking));
  looking.unref();
  return {
    of,
    wait(connection) {
      if (waiting >= LIMITS.waitingRequests) return false;
      waiting += 1;
      connection.waiting += 1;
      return true;
    },
    wake(connection) {
      if (connection.waiting === 0) return false;
      waiting -= 1;
      connection.waiting -= 1;
      return connection.waiting === 0;
    },
    mcp() {
      const found = { requests: 0, bytes: 0 };
      for (const { socket, isMcp, last } of all) {
        if (!isMcp) continue;
        found.bytes += socket.writableLength;
        if (isUnderWay(last) && last.req.complete) found.requests += 1;
      }
      return found;
    },
    hangUp() {
      for (const { socket, last } of all) if (!isUnderWay(last)) socket.destroy();
    },
  };
}

/** Whether a client took too little of its unsent bytes since the mark; otherwise moves the mark. */
function isTooSlow(connection: Connection, now: number): boolean {
  const { taken, left } = progressOf(connection.socket);
  const { mark } = connection;
  if (left > 0 && taken - mark.taken < LIMITS.leastTaken) return now - mark.at >= LIMITS.readingWindow;
  connection.mark = { taken, at: now };
  return false;
}

/**
 * Bytes the client's side took, and those that are left. node's own `bytesWritten` counts what it accepted; only the handle
 * under the socket knows what went out.
 */
function progressOf(socket: Duplex): { taken: number; left: number } {
  const { _handle: handle } = socket as Duplex & {
    _handle?: { bytesWritten?: unknown; writeQueueSize?: unknown } | null;
  };
  const { bytesWritten, writeQueueSize } = handle ?? {};
  if (typeof bytesWritten !== 'number' || typeof writeQueueSize !== 'number') return { taken: 0, left: 0 };
  return { taken: bytesWritten - writeQueueSize, left: writeQueueSize };
}

/** The work of one turn, in milliseconds; and the time between two turns in which only connections are accepted, unless the work took longer. */
const SLICE_MS = 4;

/**
 * Work in slices, between which the event loop goes round. Connections are accepted first, although node accepts only one per
 * round: a new client does not wait behind all earlier ones.
 */
export interface Turns {
  /**
   * Runs a job at once while the present turn has time left, else in a later one; false where too many wait. Long ones wait apart.
   * Milliseconds that its promises take after it are counted too, in `after`: nothing measures them.
   */
  begin(job: () => void, isLong?: boolean, after?: number): boolean;
  /** Runs a step of work that has begun, however many wait; resolves once it ran. Short steps wait in the queue of requests. */
  take(step: () => void, isShort?: boolean): Promise<void>;
  /** Runs the rest of a long job in another round of the event loop, before jobs that still wait then; resolves with its result. */
  goOn: Later;
}

/** Settles a promise with the result of a step, or its error. */
function settling<T>(step: () => T, done: (value: T) => void, failed: (error: unknown) => void): () => void {
  return () => {
    try {
      done(step());
    } catch (error) {
      failed(error);
    }
  };
}

/** The turns of one server; `ended` is called at the end of each that had work. */
export function turnsOf(server: EventEmitter, ended: () => void = () => undefined): Turns {
  const requests: (() => void)[] = [];
  const steps: (() => void)[] = [];
  let spent = 0;
  let isArmed = false;
  let hasAccepted = false;
  let promised = 0;
  // Until then, connections that come without end are taken and nothing else is done.
  let resumes = 0;
  const arm = (): void => {
    if (!isArmed) setImmediate(next);
    isArmed = true;
  };
  const run = (job: () => void): void => {
    const began = performance.now();
    job();
    spent += performance.now() - began;
  };
  const isWaiting = (): boolean => requests.length + steps.length > 0;
  const workOn = (jobs: (() => void)[], untilMs: number): void => {
    for (let job = jobs.shift(); job; job = spent < untilMs ? jobs.shift() : undefined) run(job);
  };
  /** Half of a turn is reserved for requests, because a single step may take a whole turn. */
  const work = (): void => {
    workOn(requests, SLICE_MS / 2);
    workOn(steps, SLICE_MS);
    if (spent < SLICE_MS) workOn(requests, SLICE_MS);
  };
  function next(): void {
    isArmed = false;
    spent = 0;
    if (!hasAccepted || performance.now() >= resumes) {
      promised = 0;
      work();
      // What is left to promises is done before anything is taken.
      resumes = performance.now() + promised + Math.max(SLICE_MS, spent);
    }
    ended();
    hasAccepted = false;
    if (isWaiting()) arm();
  }
  server.on('connection', () => {
    hasAccepted = true;
    arm();
  });
  const queue = (jobs: (() => void)[], job: () => void): void => {
    if (hasAccepted || isWaiting() || spent >= SLICE_MS) jobs.push(job);
    else run(job);
    arm();
  };
  return {
    begin(job, isLong = false, after = 0) {
      const jobs = isLong ? steps : requests;
      if (jobs.length >= LIMITS.waitingWork) return false;
      queue(jobs, () => {
        job();
        spent += after;
        promised += after;
      });
      return true;
    },
    take: (step, isShort = false) =>
      new Promise((done, failed) => queue(isShort ? requests : steps, settling(step, done, failed))),
    goOn: (rest) =>
      new Promise((done, failed) =>
        // The next turn may be of the same round.
        setImmediate(() =>
          setImmediate(() => {
            steps.unshift(settling(rest, done, failed));
            arm();
          }),
        ),
      ),
  };
}
