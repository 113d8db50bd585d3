/**
 * `npm run smoke -- <url>`: what only a deployed site can show: whether the host in front keeps the promises of the app.
 * Whole files are checked by `npm run verify`; here every kind of response is requested once, and its delivery checked. The
 * checks are listed in smoke.yaml.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { errorMessage } from '../lib/findings.ts';
import { errorOf, expect, RUN, siteAt, Skipped, type Site } from './smoke-checks.ts';

/** Requests, and what each response must have. */
interface Expected {
  requests?: string[];
  send?: Record<string, string>;
  body?: unknown;
  status?: number;
  headers?: Record<string, string>;
  text?: string;
  times?: number;
  error?: string;
  then?: Expected;
}

/** A check of smoke.yaml: its line, and either requests or a function with its targets. */
interface Check extends Expected {
  check: string;
  run?: string;
  for?: string[];
}

const CHECKS = parse(readFileSync(new URL('smoke.yaml', import.meta.url), 'utf8'), {
  merge: true,
}) as Check[];

/** Runs every check against a site and prints one line each; resolves to 0 when none failed, else 1. */
export async function smoke(url: string, send: typeof fetch, print: (line: string) => void): Promise<number> {
  const site = siteAt(url, send);
  let failed = 0;
  for (const check of CHECKS) {
    try {
      await make(site, check);
      print(`ok   ${check.check}`);
    } catch (error) {
      const message = errorMessage(error).replaceAll('\n', ' ');
      const skipped = error instanceof Skipped;
      if (!skipped) failed += 1;
      print(`${skipped ? 'skip' : 'FAIL'} ${check.check}: ${message}`);
    }
  }
  print(failed === 0 ? 'all checks passed' : `${failed} checks failed`);
  return failed === 0 ? 0 : 1;
}

/** Makes one check; throws what is wrong. */
async function make(site: Site, check: Check): Promise<void> {
  if (check.run === undefined) return requires(site, check);
  const run = RUN[check.run];
  if (!run) throw new Error(`smoke-checks.ts has no function ${check.run}`);
  for (const target of check.for ?? ['']) await run(site, target);
}

async function requires(site: Site, wanted: Expected): Promise<void> {
  const { requests = [], send = {}, body, headers = {}, text, times, error } = wanted;
  for (const request of requests) {
    const [method = '', target = ''] = request.split(' ');
    const of = requests.length > 1 ? ` of ${request}` : '';
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await site.request(target, { method, headers: send, ...sent });
    expect(`status${of}`, response.status, wanted.status);
    for (const [name, value] of Object.entries(headers))
      expect(`${name}${of}`, response.header(name), patternOr(value));
    if (times !== undefined)
      expect(
        `matches of ${text}`,
        response.text.match(new RegExp(patternOr(text ?? ''), 'g'))?.length,
        times,
      );
    else if (text !== undefined) expect(`body${of}`, response.text, patternOr(text));
    if (error !== undefined) expect(`error${of}`, errorOf(response), error);
  }
  if (wanted.then) await requires(site, wanted.then);
}

/** `/pattern/` as a pattern; any other text as it is. */
function patternOr(text: string): RegExp | string {
  return /^\/.+\/$/s.test(text) ? new RegExp(text.slice(1, -1)) : text;
}
