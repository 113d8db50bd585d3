/** What an attack gets and gives. The goals that hold for every attack are in goals.ts. */
import type { Upstream } from '../../build/stand-in/server.ts';
import type { Random } from './random.ts';
import type { Server } from './server.ts';

/** Where an attack happens. */
export interface Arena {
  server: Server;
  upstream: Upstream;
  /** Folder of the tree the server serves; nothing in it may be changed. */
  tree: string;
  /** An indicator and a place that have records in its largest pack. */
  asked: { indicator: string; geo: string };
  random: Random;
  /** What a full run does so many times is done this often: 1 for a full run, a fraction for a short one. */
  times(full: number): number;
  /** Whether this is a short run, which does not wait for the limits of half a minute. */
  isShort: boolean;
}

/** What an attack did, and what it found that should not be. */
export interface Outcome {
  requests: number;
  faults: string[];
}

export interface Attack {
  name: string;
  /** Runs it; when it resolves, every connection of it is closed. */
  run(arena: Arena): Promise<Outcome>;
  /** The bound on the growth of resident memory while it runs, in megabytes, where there is one. */
  mostMemory?: number;
}

/** Faults that are there many times, each once with how often. */
export function counted(faults: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const fault of faults) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return [...counts].map(([fault, count]) => (count === 1 ? fault : `${count} times: ${fault}`));
}
