/** The requests that /explore/ offers to copy: each runs as it is shown and gets every matching record. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { onPort } from '../_support/doors.ts';
import { INTERPRETERS, PYTHON } from '../_support/interpreters.ts';
import { unescaped } from '../_support/site-pages.ts';
import { TEST_SITE } from '../_support/tree.ts';

const { url } = await onPort();

/** How the code of each language is run, and what it needs. */
const RUN = {
  curl: ['sh', '-c'],
  JavaScript: [process.execPath, '--input-type=module', '-e'],
  Python: [PYTHON, '-c'],
  R: ['Rscript', '--vanilla', '-e'],
} as const;
const isThere = new Map<string, boolean>(INTERPRETERS.map((each) => [each.language, each.isThere]));
isThere.set('curl', spawnSync('curl', ['--version']).status === 0);

/** Several pages, and bounds that are numbers on one page and missing on another. */
const QUERIES = ['indicator=seizures&geo=BEL&limit=150', 'indicator=prices-retail&geo=CZE&limit=60'];

const matchedIn = (body: string): number =>
  (JSON.parse(body) as { data: { page: { matched: number } } }).data.page.matched;

describe.each(Object.entries(RUN))('%s', (language, [command, ...argv]) => {
  test.for(QUERIES)('%s', async (query, { skip }) => {
    if (isThere.get(language) === false) skip(`the code in ${language} was not run`);
    const html = await (await fetch(`${url}/explore/?${query}`)).text();
    const shown = new Map(
      [...html.matchAll(/<summary>([^<]*)<\/summary><div class="copyable"><pre><code>([^]*?)<\/code>/g)].map(
        ([, name, code = '']) => [name, unescaped(code)],
      ),
    );
    const code = shown.get(language)?.replaceAll(TEST_SITE, url) ?? '';
    const { stdout } = await promisify(execFile)(command, [...argv, code]);
    const matched = matchedIn(await (await fetch(`${url}/api/v1/market-observations?${query}`)).text());
    expect(matched).toBeGreaterThan(0);
    expect(language === 'curl' ? matchedIn(stdout) : Number(/(\d+)\s*$/.exec(stdout)?.[1])).toBe(matched);
  });
});
