/** Every way in which a publisher's server can respond: one line, one exit code, and the last good edition stays. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startUpstream } from '../../build/stand-in/server.ts';
import OUTCOMES from '../../build/refresh/outcomes.json' with { type: 'json' };
import {
  bare,
  cut,
  endless,
  file,
  hangUp,
  redirect,
  silence,
  trickle,
  type Sending,
} from '../_support/publisher.ts';
import { sha256 } from '../../build/lib/tree.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { FAMILY, HEAD, PATH, refreshing, sent, table, type Refreshing } from './fixture.ts';

let at: Refreshing;
beforeAll(async () => {
  at = await refreshing();
});
afterAll(() => at.publisher.close());

const NEW = table({ years: [2018, 2019, 2020, 2021, 2022, 2023] });
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n';
const ANNEX = '/annex/objects/SHA256E-s12345--4d7a2146.csv\n';
const PAGE = '<!DOCTYPE html>\n<html><body>We are working on our site.</body></html>\n';

const RESPONSES: [name: string, sending: Sending, outcome: keyof typeof OUTCOMES, says: RegExp][] = [
  ['the same file', sent(table(), '01-10'), 'unchanged', /the file of edition 2024-01-10/],
  ['a new file', sent(NEW, '06-12'), 'new-edition', /2024-01-10 -> 2024-06-12: 50 same.*10 of new periods/],
  ['nothing', bare(404), 'gone', /status 404/],
  ['nothing any more', bare(410), 'gone', /status 410/],
  ['a refusal', bare(403), 'status', /status 403/],
  ['a failure', bare(503), 'status', /status 503/],
  ['a part of the file', bare(206), 'status', /status 206/],
  ['a web page', file(PAGE, { 'content-type': 'text/html' }), 'html', /a web page/],
  ['a web page called a table', file(PAGE), 'html', /a web page/],
  ['an empty body', file(''), 'empty', /0 bytes/],
  ['a blank body', file('\r\n\r\n'), 'empty', /4 bytes/],
  ['a Git LFS pointer', file(POINTER), 'pointer', /a pointer/],
  ['a git-annex pointer', file(ANNEX), 'pointer', /a pointer/],
  ['half of the file', cut(NEW), 'truncated', /ended after \d+ of \d+ bytes/],
  ['a file without its last line end', file(NEW.trimEnd()), 'truncated', /last line/],
  ['a workbook', file('PK\u0003\u0004...'), 'wrong-type', /a zip archive or workbook/],
  [
    'a PDF document',
    file('%PDF-1.7\n', { 'content-type': 'application/pdf' }),
    'wrong-type',
    /application\/pdf/,
  ],
  ['a JSON document', file('{"error":"try later"}\n'), 'wrong-type', /a JSON document/],
  ['bytes that are no text', file('a,b\n\u0000\n'), 'wrong-type', /not text/],
  ['another encoding', file(NEW, { 'content-encoding': 'gzip' }), 'wrong-type', /encoding "gzip"/],
  ['too much, as declared', file('x'.repeat(70_000)), 'oversized', /larger than 60000 bytes/],
  ['a body without end', endless(), 'oversized', /larger than 60000 bytes/],
  ['a byte at a time', trickle(NEW), 'slow', /not complete after 1 s/],
  ['no response', silence(), 'slow', /not complete after 1 s/],
  ['a closed connection', hangUp(), 'unreachable', /no response/],
  ['a redirect to itself', redirect(302, PATH), 'redirect-loop', /leads back/],
  ['a redirect elsewhere', redirect(301, 'https://files.example/table.csv'), 'elsewhere', /files\.example/],
  ['a redirect to a page', redirect(302, '/page'), 'html', /a web page/],
  ['a redirect to nowhere', bare(302), 'status', /without a usable address/],
  [
    'a renamed column',
    sent(table({ head: HEAD.replace('obs_value', 'rate') }), '06-12'),
    'refused',
    /obs_value/,
  ],
];

describe('[REFRESH-OUTCOMES]', () => {
  let before: Record<string, string>;
  beforeEach(() => {
    before = at.files();
    at.publisher.on('/page', file(PAGE));
  });

  test.each(RESPONSES)('%s', async (_, sending, outcome, says) => {
    at.publisher.on(PATH, sending);
    const { status, lines } = await at.refresh('--timeout', '1', '--max-bytes', '60000');
    expect(status).toBe(OUTCOMES[outcome]);
    expect(lines.at(-1)).toMatch(new RegExp(`^${FAMILY}( \\S+)?: ${outcome}: `));
    expect(lines.at(-1)).toMatch(says);
    expect(at.files()).toEqual(before);
  });

  test('a chain of redirects has an end', async () => {
    at.publisher.on(PATH, redirect(302, '/1'));
    for (let hop = 1; hop < 9; hop += 1) at.publisher.on(`/${hop}`, redirect(302, `/${hop + 1}`));
    const { status, lines } = await at.refresh();
    expect([status, lines]).toEqual([33, [expect.stringContaining(': redirect-loop: ')]]);
    expect(at.publisher.requests.filter(({ path }) => path === '/9')).toEqual([]);
  });

  test('a file that moved for good is used, and the line says where it is', async () => {
    at.publisher.on(PATH, redirect(301, '/moved.csv'));
    at.publisher.on('/moved.csv', sent(table(), '01-10'));
    const { status, lines } = await at.refresh();
    expect(status).toBe(20);
    expect(lines).toEqual([
      expect.stringMatching(
        /: moved: for good to http:\S+\/moved\.csv; correct the address in build\/import\//,
      ),
      expect.stringContaining(': unchanged: '),
    ]);
  });

  test('a redirect for now is followed without a word', async () => {
    at.publisher.on(PATH, redirect(302, '/today.csv'));
    at.publisher.on('/today.csv', sent(table(), '01-10'));
    const { status, lines } = await at.refresh();
    expect([status, lines]).toEqual([0, [expect.stringContaining(': unchanged: ')]]);
  });
});

test('[REFRESH-CONDITIONAL] the second request is conditional, and 304 is answered from the cache', async () => {
  at.publisher.on(PATH, sent(table(), '01-10', { etag: '"one"' }));
  await at.refresh();
  const { status, lines } = await at.refresh();
  const headers = at.publisher.requests.at(-1)?.headers;
  expect([headers?.['if-none-match'], headers?.['if-modified-since']]).toEqual([
    '"one"',
    'Wed, 10 Jan 2024 12:00:00 GMT',
  ]);
  expect([status, lines]).toEqual([0, [expect.stringContaining(': unchanged: ')]]);
});

test('[REFRESH-CONDITIONAL] without the file in the cache the request is unconditional, and 304 is no answer to it', async () => {
  at.publisher.on(PATH, bare(304));
  rmSync(join(at.cache, 'files'), { recursive: true });
  const { status, lines } = await at.refresh();
  expect(at.publisher.requests.at(-1)?.headers).not.toHaveProperty('if-none-match');
  expect([status, lines]).toEqual([34, [expect.stringContaining(': status: status 304')]]);
});

test('[REFRESH-CONDITIONAL] 304 for a file that was not good does not make it good', async () => {
  at.publisher.on(PATH, file(PAGE, { etag: '"page"' }));
  const runs = [await at.refresh(), await at.refresh()];
  expect(runs.map(({ status }) => status)).toEqual([41, 41]);
  expect(at.publisher.requests.at(-1)?.headers['if-none-match']).toBe('"page"');
});

test('[REFRESH-OUTCOMES] docs/refresh.md lists every outcome with its exit code, and no other', () => {
  const rows = [...readFileSync('docs/refresh.md', 'utf8').matchAll(/^\| `([a-z-]+)` \| (\d+) \|/gm)];
  expect(Object.fromEntries(rows.map(([, name, code]) => [name, Number(code)]))).toEqual(OUTCOMES);
});

test('[REFRESH-OUTCOMES] a server whose certificate nobody trusts is not heard', async () => {
  const upstream = await startUpstream();
  const { status, lines } = await at.refresh('--base', `${FAMILY}=${upstream.origin}`);
  expect([status, lines]).toEqual([
    30,
    [expect.stringContaining(': unreachable: no response from localhost')],
  ]);
  expect(upstream.requests).toEqual([]);
  await upstream.close();
});

const WRONG: [words: string[], says: RegExp][] = [
  [
    ['--base', `${FAMILY}=http://files.example`],
    /--base: expected <family>=<url>, https or http on a loopback/,
  ],
  [['--base', 'unknown=https://files.example'], /Unknown family "unknown"/],
  [['--cache', 'public/cache'], /is inside .*: publishers' files are kept outside the repository/],
  [['--accept', 'abc', '--reason', 'so'], /Invalid value "abc" for --accept: expected a sha256/],
  [['--accept', '0'.repeat(64)], /--reason/],
  [['coca', '--edition', '2024-06'], /--edition needs exactly one family/],
  [['--edition', 'June'], /YYYY-MM-DD or YYYY-MM/],
  [['--timeout', '0'], /whole number from 1 to 3600/],
  [['--base', 'coca=https://files.example'], /coca is not among the families of this refresh/],
  ...['', ' ', '<b>', 'a'.repeat(201), 'line\nbreak'].map((reason): [string[], RegExp] => [
    ['--accept', '0'.repeat(64), '--reason', reason],
    /^Invalid value ".*" for --reason: expected up to 200 letters/,
  ]),
];

test.each(WRONG)('[REFRESH-OUTCOMES] wrong usage: %j', async (words, says) => {
  const { length } = at.publisher.requests;
  const { status, stdout, stderr } = await at.refresh(...words);
  expect([status, stdout, at.publisher.requests.length]).toEqual([2, '', length]);
  expect(stderr).toMatch(says);
});

test('[REFRESH-OUTCOMES] a file that is not there is missed before anything is requested', async () => {
  const { length } = at.publisher.requests;
  const { status, stderr } = await at.refresh('--with', 'absent.csv');
  expect([status, stderr]).toEqual([
    1,
    'absent.csv: the file: expected a file; found nothing, or a folder\n',
  ]);
  expect(at.publisher.requests).toHaveLength(length);
});

const GIVEN: [name: string, text: string, outcome: keyof typeof OUTCOMES, says: RegExp][] = [
  ['table.csv', table(), 'unchanged', /the file of edition 2024-01-10/],
  ['table.csv', '\r\n', 'empty', /2 bytes/],
  ['table.csv', PAGE, 'html', /a web page/],
  ['table.xls', PAGE, 'html', /a web page/],
  ['table.csv', POINTER, 'pointer', /a pointer/],
  ['table.csv', NEW.trimEnd(), 'truncated', /last line/],
  ['table.xlsx', 'PK\u0003\u0004...', 'truncated', /the directory at the end/],
  ['table', 'PK\u0003\u0004...', 'truncated', /the directory at the end/],
  ['table.csv', 'PK\u0003\u0004...', 'wrong-type', /a zip archive or workbook, expected a \.csv file/],
  ['table.xls', '%PDF-1.7\n', 'wrong-type', /a PDF document, expected a \.xlsx file/],
  ['table.zip', `PK\u0003\u0004PK\u0005\u0006`, 'truncated', /the archive is damaged/],
  ['table.csv', 'x'.repeat(70_000), 'oversized', /larger than 60000 bytes/],
];

test.each(GIVEN)('[REFRESH-OUTCOMES] given by hand: %s with %j', async (name, text, outcome, says) => {
  const folder = temporaryFolder();
  const path = join(folder, name);
  writeFileSync(path, text);
  const before = at.files();
  for (const flag of outcome === 'unchanged' ? ['--file'] : ['--file', '--with']) {
    at.publisher.on(PATH, sent(NEW, '06-12'));
    const { status, lines } = await at.refresh(flag, path, '--max-bytes', '60000');
    expect([status, lines.at(-1)]).toEqual([OUTCOMES[outcome], expect.stringMatching(says)]);
    expect(lines.at(-1)).toMatch(new RegExp(`^${FAMILY} \\S+: ${outcome}: `));
    const isHeld = existsSync(join(at.cache, 'quarantine', `${sha256(Buffer.from(text))}.json`));
    expect(isHeld).toBe(outcome !== 'unchanged');
  }
  expect(at.files()).toEqual(before);
});
