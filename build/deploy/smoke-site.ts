/** A deployed site as the checks see it, and how they report what is wrong. */

/** An response, read whole. */
export interface SiteResponse {
  status: number;
  headers: Headers;
  text: string;
}

export interface Site {
  /** Requests a path; redirects are not followed. */
  request(target: string, init?: RequestInit): Promise<SiteResponse>;
}

/** A name for the line, and a function that throws what is wrong. */
export type Check = [name: string, run: (site: Site) => Promise<void>];

/** A check that cannot be made on this host. */
export class Skipped extends Error {}

const PATIENCE_MS = 30_000;

/** The site at an address; `send` is fetch. */
export function site(url: string, send: typeof fetch): Site {
  const base = url.replace(/\/+$/, '');
  return {
    async request(target, init = {}) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await send(`${base}${target}`, { redirect: 'manual', signal, ...init });
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
