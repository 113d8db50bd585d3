/** The offline check of a story: a copied mirror passes; one changed digit, locator or hash fails, checksums recomputed or not. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderSource } from '../../build/release/source.ts';
import { httpSource } from '../../build/release/source.ts';
import { reviewFile, verifyStory } from '../../build/newsroom/verify-story.ts';
import { builtTree, temporaryFolder } from '../_support/tree.ts';

const ID = 'opium-broken-best-estimates';
const DOSSIER = `news/${ID}/dossier.json`;
const PAGE = `news/${ID}/index.html`;
const BRIEF = `news/${ID}/brief.json`;
const PACK = 'data/opium-cultivation.ndjson';
const CSV = `news/${ID}/data.csv`;
const CITE = `news/${ID}/cite.json`;
const BIB = `news/${ID}/cite.bib`;
const NEEDED = [
  'news/index.html',
  'news/feed.json',
  'news/feed.xml',
  CITE,
  BIB,
  CSV,
  DOSSIER,
  PAGE,
  BRIEF,
  PACK,
  'SHA256SUMS',
  'data/packs.json',
  'data/catalog.json',
  'data/datapackage.json',
];

/** A mirror with the files a check of the story needs and no others. */
function mirror(): string {
  const folder = temporaryFolder();
  for (const path of NEEDED) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(builtTree(), path), join(folder, path));
  }
  return folder;
}

/** Changes a file and puts its new sum into SHA256SUMS, as a careful forger would. */
function forge(folder: string, path: string, from: string, to: string): void {
  const before = readFileSync(join(folder, path));
  expect(before.includes(from), `${path} holds ${from}`).toBe(true);
  const after = before.toString('utf8').replace(from, to);
  writeFileSync(join(folder, path), after);
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  writeFileSync(join(folder, 'SHA256SUMS'), sums.replace(sumOf(before), sumOf(after)));
}

describe('[NEWS-VERIFY] verify-story', () => {
  it('passes on a copy, from the files alone', async () => {
    const check = await verifyStory(ID, folderSource(mirror()));
    expect(check.findings).toEqual([]);
    expect(check.checked).toBeGreaterThan(40);
    expect(reviewFile(check)).toBe(readFileSync(`datasets/newsroom/${ID}.reviewed.csv`, 'utf8'));
  });

  it('passes over http', async () => {
    const folder = mirror();
    const server = createServer((request, response) =>
      response.end(readFileSync(join(folder, request.url ?? ''))),
    );
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { findings } = await verifyStory(ID, httpSource(`http://127.0.0.1:${port}`));
    server.close();
    expect(findings).toEqual([]);
  });

  const forgeries: [what: string, path: string, from: string, to: string, finding: string][] = [
    ['a digit in the page', PAGE, '>233000</data>', '>233001</data>', `${PAGE}: sentence`],
    ['a digit in the table', PAGE, 'value">233000</td>', 'value">233001</td>', `${PAGE}: bar 13 value`],
    [
      'a locator in the page',
      PAGE,
      'locator">Sheet1!O6</td>',
      'locator">Sheet1!O7</td>',
      `${PAGE}: cite 1 locator`,
    ],
    ['a digit in the chart data', CSV, ',233000,', ',233001,', `${CSV}: line 14 is not bar 13`],
    [
      'a digit in the chart',
      PAGE,
      'text-anchor="end">328000<',
      'text-anchor="end">328001<',
      `${PAGE}: the chart's values`,
    ],
    ['a digit in the brief', BRIEF, 'from 149000 to', 'from 149001 to', `${BRIEF}: its paragraphs`],
    ['a word in the dossier', DOSSIER, 'plain numbers', 'bare numbers', `${DOSSIER}: sentence`],
    [
      'a value in the dossier',
      DOSSIER,
      '"value": 149000',
      '"value": 149001',
      `value 149001 is not the record's 149000`,
    ],
    [
      'a printed value in the dossier',
      DOSSIER,
      '"printed": "149000"',
      '"printed": "149001"',
      'printed as "149001"',
    ],
    [
      'a locator',
      DOSSIER,
      '"locator": "Sheet1!O6"',
      '"locator": "Sheet1!O7"',
      'locator "Sheet1!O7" is not the record\'s',
    ],
    [
      'a digit of the data',
      PACK,
      '"value":233000,',
      '"value":233001,',
      "value 233000 is not the record's 233001",
    ],
    [
      'a record id',
      DOSSIER,
      'opium-cultivation.AFG.2019.O6"',
      'opium-cultivation.AFG.2019.O8"',
      'no such record',
    ],
  ];
  const MADE = 'the records make it';
  forgeries.push(
    ['an added paragraph', PAGE, '</article>', '<p>More.</p></article>', MADE],
    ['the title of the page', PAGE, '<title>The year', '<title>The bad year', `${PAGE}: line 7`],
    [
      'the description of the page',
      PAGE,
      'name="description" content="In',
      'name="description" content="No: in',
      MADE,
    ],
    ['a word before the title', PAGE, '<h1><span', '<h1>Fraud: <span', MADE],
    ['a label of the chart', PAGE, '<text x="0" y="21">2010</text>', '<text x="0" y="21">1910</text>', MADE],
    ['the title of the chart', PAGE, '<title id="chart-', '<title data-x="" id="chart-', MADE],
    ['a word of a heading in the dossier', DOSSIER, '"sentence 1"', '"sentence 9"', 'reads'],
    ['the unit of a citation', DOSSIER, '"unit": "hectares"', '"unit": "tonnes"', MADE],
    ['the label of a bar', DOSSIER, '"label": "2010"', '"label": "1910"', MADE],
    ['the licence of a source', DOSSIER, '"retrievedAt": "2', '"retrievedAt": "1', "is not the release's"],
    [
      'the title of a source',
      DOSSIER,
      '"title": "World Drug Report',
      '"title": "Other Report',
      "is not the release's",
    ],
    ['a limitation', DOSSIER, '"texts": [\n        "', '"texts": [\n        "No: ', MADE],
    ['a boundary of the brief', BRIEF, 'claims no cause', 'claims a cause', `${BRIEF}: line`],
    ['an edited citation file', CITE, '"title": "The year', '"title": "The bad year', `${CITE}: line`],
    ['an edited BibTeX file', BIB, 'title = {The year', 'title = {The bad year', `${BIB}: line`],
    [
      'an item of the JSON feed',
      'news/feed.json',
      '"title": "The year 2019',
      '"title": "The bad year',
      'news/feed.json: ',
    ],
    ['an item of the RSS feed', 'news/feed.xml', '[The year 2019', '[The bad year 2019', 'news/feed.xml: '],
    [
      'an entry of the list of stories',
      'news/index.html',
      '>The year 2019',
      '>The bad year 2019',
      'news/index.html: ',
    ],
  );

  it.each(forgeries)('fails on %s, checksums recomputed', async (_what, path, from, to, finding) => {
    const folder = mirror();
    forge(folder, path, from, to);
    const { findings } = await verifyStory(ID, folderSource(folder));
    expect(findings.join('\n')).toContain(finding);
    expect(findings.join('\n')).not.toContain('listed is');
  });

  it.each([
    ['sourceSha256', 'is none the release lists'],
    ['datasetSha256', 'the packaged bytes have'],
  ])('fails on a changed %s', async (member, finding) => {
    const folder = mirror();
    const [, sum = ''] =
      new RegExp(`"${member}": "([0-9a-f]{64})"`).exec(readFileSync(join(folder, DOSSIER), 'utf8')) ?? [];
    forge(
      folder,
      DOSSIER,
      `"${member}": "${sum}"`,
      `"${member}": "${sum.startsWith('0') ? '1' : '0'}${sum.slice(1)}"`,
    );
    expect((await verifyStory(ID, folderSource(folder))).findings.join('\n')).toContain(finding);
  });

  it('fails on bytes that SHA256SUMS does not list, on a missing file, on an unknown story', async () => {
    const folder = mirror();
    writeFileSync(join(folder, PAGE), `${readFileSync(join(folder, PAGE), 'utf8')}\n`);
    expect((await verifyStory(ID, folderSource(folder))).findings.join('\n')).toContain('listed is');
    expect((await verifyStory('other', folderSource(folder))).findings).toEqual([
      'news/other/dossier.json: is missing',
    ]);
    expect((await verifyStory('../x', folderSource(folder))).findings).toEqual(['../x: is no id of a story']);
  });
});

function sumOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
