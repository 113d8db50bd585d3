/** A deployed site as the checks ask it, and how they say what is wrong. */

/** An answer, read whole. */
export interface Asked {
  status: number;
  headers: Headers;
  text: string;
}

export interface Site {
  /** Asks for a path; redirects are not followed. */
  ask(target: string, init?: RequestInit): Promise<Asked>;
}

/** A name for the line, and a function that throws what is wrong. */
export type Check = [name: string, run: (site: Site) => Promise<void>];

/** A check that this host gives no means to make. */
export class Skipped extends Error {}

const PATIENCE_MS = 30_000;

/** The site at an address; `ask` is fetch. */
export function site(url: string, ask: typeof fetch): Site {
  const base = url.replace(/\/+$/, '');
  return {
    async ask(target, init = {}) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await ask(`${base}${target}`, { redirect: 'manual', signal, ...init });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}

/** Throws unless `got` is as wanted: equal, or matching a pattern. */
export function expect(what: string, got: unknown, wanted: unknown): void {
  const right = wanted instanceof RegExp ? wanted.test(String(got)) : got === wanted;
  if (!right) throw new Error(`${what} is ${shown(got)}, expected ${shown(wanted)}`);
}

/** What went wrong, in one line. */
export function expectation(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ');
}

function shown(value: unknown): string {
  const text = value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'undefined');
  return text.length > 160 ? `${text.slice(0, 160)}...` : text;
}
