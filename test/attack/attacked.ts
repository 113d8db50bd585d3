/** Runs the attacks one after another against one server and holds each to the goals. */
import { AUTHORITY_FILE, startUpstream } from '../../build/stand-in/server.ts';
import { fileURLToPath } from 'node:url';
import { firstQueries } from '../bench/queries.ts';
import { counted, type Arena, type Attack } from './attack.ts';
import { CALLER_ATTACKS, FIRST_REQUESTS } from './callers.ts';
import { get, openedAll, pause, post } from './connection.ts';
import { mixed } from './mix.ts';
import { randomOf } from './random.ts';
import { bundledServer, startServer, type Turns } from './server.ts';
import { largestFile, SOCKET_ATTACKS } from './sockets.ts';

/** A little after its start a server loads what no request needed yet; every run begins with this. */
const START: Attack = {
  name: 'the first seconds',
  async run({ isShort }) {
    await pause(isShort ? 2000 : 4000);
    return { requests: 0, faults: [] };
  },
};
/** In the order in which they run. */
export const ATTACKS: Attack[] = [START, ...FIRST_REQUESTS, ...SOCKET_ATTACKS, ...CALLER_ATTACKS];
/** The name of the long attack at the end. */
export const MIX = 'random requests';

/** A healthy client is answered within this, in milliseconds. */
const HEALTHY_MS = 1000;
/** In a short run, which shares the machine with other tests: an answer at all. */
const SHORT_HEALTHY_MS = 9000;
/** No step takes longer, in milliseconds. */
const STEP_MS = 50;
const DRAIN_MS = 20_000;
/** How far memory of the last minute may be above that of the third, in a run of so many seconds. */
const FLAT = 0.1;
const FLAT_SECONDS = 600;

/** One attack and what came of it. */
export interface Row {
  attack: string;
  requests: number;
  /** The slowest answer to the healthy client, in milliseconds. */
  healthy: number;
  descriptors: number;
  /** Resident memory in megabytes. */
  memory: number;
  /** The longest turns of the event loop. */
  turns: Turns;
  /** One line for each goal that was missed. */
  missed: string[];
}

export interface AttackOptions {
  tree: string;
  seconds: number;
  seed: number;
  only?: string;
  /** A folder for the bundle. */
  work: string;
  /** How much of each attack is run: 1 is all. */
  share: number;
}

/** Runs the attacks whose names have `only` in them; resolves to a row for each, and one for the stop. */
export async function attacked(
  { tree, seconds, seed, only = '', work, share }: AttackOptions,
  say: (line: string) => void,
): Promise<Row[]> {
  const upstream = await startUpstream();
  const { largest } = firstQueries(tree);
  const server = await startServer(await bundledServer(work, tree), tree, largest, {
    PRODUCERS_BASE_URL: upstream.origin,
    NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE),
  });
  say(`until it listened, when there are no clients: longest step ${Math.round(server.before)} ms`);
  const times = (full: number): number => Math.max(2, Math.ceil(full * share));
  const { indicator = '', geo = '' } = Object.fromEntries(new URL(largest, upstream.origin).searchParams);
  const asked = { indicator, geo };
  const arena: Arena = { server, upstream, tree, asked, random: randomOf(seed), times, isShort: share < 1 };
  const rows: Row[] = [];
  for (const attack of ATTACKS.filter((each) => each === START || each.name.includes(only))) {
    const began = performance.now();
    say(attack.name);
    rows.push(await held(attack, arena));
    say(`  ${summary(rows.at(-1))}, ${Math.round((performance.now() - began) / 1000)} s`);
    if (!server.isAlive()) break;
  }
  if (seconds > 0 && MIX.includes(only) && server.isAlive()) {
    say(MIX);
    rows.push(
      await held(
        mix(seconds, (line) => say(`  ${line}`)),
        arena,
      ),
    );
    say(`  ${summary(rows.at(-1))}`);
  }
  rows.push(await stopped(arena));
  await upstream.close();
  return rows;
}

function summary(row: Row | undefined): string {
  if (!row) return '';
  const { requests, healthy, turns, descriptors, memory, missed } = row;
  const figures = `${requests} requests, healthy ${Math.round(healthy)} ms, ${turnsText(turns)}, ${descriptors} descriptors, ${Math.round(memory)} MB`;
  return [figures, ...missed].join('\n  missed: ');
}

function turnsText({ step, collecting, machine }: Turns): string {
  const [most, garbage, other] = [step, collecting, machine].map(Math.round);
  return `longest step ${most} ms (${garbage} of it collecting garbage; a process that does nothing waited up to ${other} ms)`;
}

/** Runs one attack and says which goals it missed. */
async function held(attack: Attack, arena: Arena): Promise<Row> {
  const { server } = arena;
  await server.health();
  await server.busiest();
  const before = server.memory();
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, server.memory())), 100);
  const { requests, faults } = await attack.run(arena);
  // What hang-ups leave to do is part of it.
  await pause(arena.isShort ? 0 : 1000);
  clearInterval(looking);
  const { worst, failed } = await server.health();
  const turns = await server.busiest();
  const missed = counted(faults);
  if (!server.isAlive()) missed.push(`the server ended: ${server.log().slice(-500)}`);
  if (worst > (arena.isShort ? SHORT_HEALTHY_MS : HEALTHY_MS))
    missed.push(`a healthy client waited ${Math.round(worst)} ms`);
  if (failed.length > 0) missed.push(`${failed.length} healthy requests failed: ${failed[0]}`);
  if (turns.step > STEP_MS && !arena.isShort) missed.push(turnsText(turns));
  if (attack.mostMemory !== undefined && most - before > attack.mostMemory)
    missed.push(`memory grew by ${Math.round(most - before)} MB`);
  const descriptors = server.descriptors();
  return { attack: attack.name, requests, healthy: worst, descriptors, memory: most, turns, missed };
}

/** The random requests as an attack; one of ten minutes or more says the mean of each minute, which has to be flat. */
function mix(seconds: number, progress: (line: string) => void): Attack {
  return {
    name: MIX,
    async run(arena) {
      const { requests, faults, memory } = await mixed(arena, seconds, progress);
      if (seconds < FLAT_SECONDS) return { requests, faults };
      const minutes = Array.from({ length: Math.floor(memory.length / 60) }, (_, minute) =>
        meanOf(memory.slice(minute * 60, minute * 60 + 60)),
      );
      progress(`resident memory by minute, MB: ${minutes.map(Math.round).join(', ')}`);
      const [third, last] = [minutes[2] ?? Number.NaN, meanOf(memory.slice(-60))].map(Math.round);
      if (third === undefined || last === undefined || !(last <= third * (1 + FLAT)))
        faults.push(`memory went from ${third} MB in the third minute to ${last} MB in the last`);
      return { requests, faults };
    },
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const IDLE: Turns = { step: 0, collecting: 0, machine: 0 };

/** Stops the server while readers take nothing and bodies do not end; a short run does not wait for these. */
async function stopped({ server, tree, isShort }: Arena): Promise<Row> {
  const memory = server.memory();
  const bytes = (number: number): string =>
    number % 2 === 0 ? get(largestFile(tree)) : post('/mcp', 'Content-Length: 5000\r\n');
  const under = await openedAll(isShort ? 0 : 20, server.port, bytes, false);
  const wasAlive = server.isAlive();
  const { code, ms } = await server.stop();
  for (const { socket } of under) socket.destroy();
  const missed: string[] = [];
  if (wasAlive && code !== 0) missed.push(`exit code ${code ?? 'none: it was killed'}`);
  if (ms > DRAIN_MS) missed.push(`stopped after ${Math.round(ms)} ms`);
  return { attack: 'a stop', requests: 0, healthy: 0, descriptors: 0, memory, turns: IDLE, missed };
}
