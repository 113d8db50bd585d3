/** The offline check of a story: a copied mirror passes; one changed digit, locator or hash fails, checksums recomputed or not. */
import { cpSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../build/lib/tree.ts';
import { checkStory, reviewFile, verifyStory } from '../../build/newsroom/verify.ts';
import { folderSource, httpSource } from '../../build/release/source.ts';
import { builtTree, temporaryFolder, treeFile } from '../_support/tree.ts';
import { listening } from '../_support/free-port.ts';

const ID = 'opium-broken-best-estimates';
const SOURCE = `news/${ID}/story.md`;
const PAGE = `news/${ID}/index.html`;
const BRIEF = `news/${ID}/brief.json`;
const DOSSIER = `news/${ID}/dossier.json`;
const CSV = `news/${ID}/data.csv`;
const CITE = `news/${ID}/cite.json`;
const BIB = `news/${ID}/cite.bib`;
const RIS = `news/${ID}/cite.ris`;
const LIST = 'news/index.html';
const FEED = 'news/feed.json';
const RSS = 'news/feed.xml';
const PACKS = 'data/packs.json';
const PACK = 'data/opium-cultivation.ndjson';
const DATASET = 'data/datasets/opium-cultivation.json';
const NAMES = ['data/designations.ndjson', 'data/datasets/designations.json'];
const PACK_SUM = sha256(treeFile(PACK));
const STORY = [SOURCE, PAGE, BRIEF, DOSSIER, CSV, CITE, BIB, RIS];

/** A mirror with the files a check of the story needs and no others. */
function mirror(): string {
  const folder = temporaryFolder();
  for (const path of ['SHA256SUMS', ...STORY, LIST, FEED, RSS, PACKS, PACK, DATASET, ...NAMES]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(builtTree(), path), join(folder, path));
  }
  return folder;
}

/** Changes a file and puts its new sum into SHA256SUMS, and into the list of packs, as a careful forger would. */
function forge(folder: string, path: string, from: string, to: string): void {
  const before = readFileSync(join(folder, path));
  expect(before.includes(from), `${path} contains ${from}`).toBe(true);
  const after = before.toString('utf8').replace(from, to);
  writeFileSync(join(folder, path), after);
  if (path === PACK) forge(folder, PACKS, sha256(before), sha256(after));
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  writeFileSync(join(folder, 'SHA256SUMS'), sums.replace(sha256(before), sha256(after)));
}

const findingsIn = async (folder: string, id = ID): Promise<string> =>
  (await checkStory(id, folderSource(folder))).findings.join('\n');

describe('[NEWS-VERIFY] verify-story', () => {
  it('passes on a copy, from the files alone', async () => {
    const { findings, story } = await checkStory(ID, folderSource(mirror()));
    expect(findings).toEqual([]);
    expect(story && reviewFile(story)).toBe(readFileSync(`datasets/newsroom/${ID}.reviewed.csv`, 'utf8'));
  });

  it('records the values as reviewed in a file that takes the place of the last one', async () => {
    const datasets = temporaryFolder();
    const file = join(datasets, `newsroom/${ID}.reviewed.csv`);
    mkdirSync(dirname(file));
    writeFileSync(file, 'before');
    linkSync(file, `${file}.last`);
    expect(await verifyStory(ID, { base: mirror(), accept: true, datasets })).toBe(0);
    expect([file, `${file}.last`].map((path) => readFileSync(path, 'utf8'))).toEqual([
      readFileSync(`datasets/newsroom/${ID}.reviewed.csv`, 'utf8'),
      'before',
    ]);
  });

  it('passes over http', async () => {
    const folder = mirror();
    const server = createServer((request, response) =>
      response.end(readFileSync(join(folder, request.url ?? ''))),
    );
    const { findings } = await checkStory(ID, httpSource(`http://127.0.0.1:${await listening(server)}`));
    server.close();
    expect(findings).toEqual([]);
  });

  const forgeries: [what: string, path: string, from: string, to: string, finding?: string][] = [
    ['a digit', PAGE, '>233000</data>', '>233001</data>'],
    ['a digit in the table', PAGE, 'value">233000</td>', 'value">233001</td>'],
    ['a locator', PAGE, 'locator">Sheet1!O6</td>', 'locator">Sheet1!O7</td>'],
    ['a digit of a mark', PAGE, 'data-value="328000"', 'data-value="328001"'],
    ['the height of a mark', PAGE, '<svg class="at" x="50%" y="', '<svg class="at" x="50%" y="1'],
    ['an added paragraph', PAGE, '</article>', '<p>More.</p></article>'],
    ['the title', PAGE, '<title>The year', '<title>The bad year', `${PAGE}: line 7: found`],
    ['the description', PAGE, 'name="description" content="In', 'name="description" content="No: in'],
    ['a word before the title', PAGE, '<h1><span', '<h1>Fraud: <span'],
    ['the period of a mark', PAGE, 'data-period="2010"', 'data-period="1910"'],
    ['the words of a mark', PAGE, 'Afghanistan, 2010: ', 'Afghanistan, 1910: '],
    ['a digit', CSV, ',233000,', ',233001,', `${CSV}: line 14: found`],
    ['a digit', BRIEF, 'from 149000 to', 'from 149001 to'],
    ['a boundary', BRIEF, 'claims no cause', 'claims a cause'],
    ['a word', DOSSIER, 'are numbers', 'are figures'],
    ['a value', DOSSIER, '"value": 149000', '"value": 149001'],
    ['a printed value', DOSSIER, '"printed": "149000"', '"printed": "149001"'],
    ['a locator', DOSSIER, '"locator": "Sheet1!O6"', '"locator": "Sheet1!O7"'],
    ['a record id', DOSSIER, 'opium-cultivation.AFG.2019@2025-06"', 'opium-cultivation.AFG.2018@2025-06"'],
    ['a place', DOSSIER, '"sentence 1"', '"sentence 9"'],
    ['the unit of a citation', DOSSIER, '"unit": "hectares"', '"unit": "tonnes"'],
    ['the label of a mark', DOSSIER, '"label": "2010"', '"label": "1910"'],
    ['the retrieval of a source', DOSSIER, '"retrievedAt": "2', '"retrievedAt": "1'],
    ['the title of a source', DOSSIER, '"title": "World Drug Report', '"title": "Other Report'],
    ['a limitation', DOSSIER, '"texts": [\n        "', '"texts": [\n        "No: '],
    ['the address', DOSSIER, '/opium-broken-best-estimates/"', '/other/"', `${DOSSIER}: url `],
    [
      'the flag of changed data',
      DOSSIER,
      '"changes": []',
      '"changes": [{"place": "title", "dataset": "opium-cultivation", "recordId": "opium-cultivation.AFG.2019@2025-06", "field": "lower"}]',
    ],
    ['the title', CITE, '"title": "The year', '"title": "The bad year'],
    ['the title', BIB, 'title = {The year', 'title = {The bad year'],
    ['the title', RIS, 'TI  - The year', 'TI  - The bad year'],
    ['an item', FEED, '"title": "The year 2019', '"title": "The bad year', `${FEED}: its entry`],
    ['an item', RSS, '[The year 2019', '[The bad year 2019', `${RSS}: its entry`],
    ['an entry', LIST, '>The year 2019', '>The bad year 2019', `${LIST}: its entry`],
    [
      'a second entry',
      LIST,
      '<ul class="stories">',
      `<ul class="stories"><a href="${ID}/">`,
      `${LIST}: its entry`,
    ],
    ['a word', SOURCE, 'are numbers', 'are figures', `${PAGE}: line`],
    ['a word of cause', SOURCE, 'are numbers', 'the cause', `${SOURCE}:16: reviewed-word: `],
    ['a bare number', SOURCE, 'are numbers', 'are 3 numbers', `${SOURCE}:16: bare-number: `],
    ['a digit', PACK, '"value":233000,', '"value":233001,', 'from the records'],
    ['a cited record', PACK, '.AFG.2019"', '.AFG.2020"', 'unresolved-token'],
    ['the hash of a pack', PACKS, PACK_SUM, '0'.repeat(64), `${PACK}: does not have the sha256`],
    ['a limitation', DATASET, '"limitations":["', '"limitations":["No: ', `${DOSSIER}: line`],
    ['a licence', DATASET, '"license":"', '"license":"Not ', `${DOSSIER}: line`],
  ];

  it.each(forgeries)('fails on %s in %s, checksums recomputed', async (_what, path, from, to, finding) => {
    const folder = mirror();
    forge(folder, path, from, to);
    const findings = await findingsIn(folder);
    expect(findings).toContain(finding ?? `${path}: line `);
    expect(findings).not.toContain('listed is');
  });

  it.each([
    ['{"id":', 'line 1 is not a record: expected one JSON object per line'],
    ['null\n{', 'line 1 is not a record: expected one JSON object per line'],
  ])('reports a line of a pack that begins with %j', async (start, finding) => {
    const folder = mirror();
    forge(folder, PACK, '{', start);
    expect(await findingsIn(folder)).toContain(`${PACK}: ${finding}`);
  });

  it.each(['packs', 'editions'])('reports a list of packs of another form: %s', async (member) => {
    const folder = mirror();
    forge(folder, PACKS, `"${member}":[`, `"${member}":[null,`);
    expect(await findingsIn(folder)).toContain(`${PACKS}: /${member}/0 must be object`);
  });

  it.each(['sourceSha256', 'datasetSha256'])('fails on a changed %s', async (member) => {
    const folder = mirror();
    const [, sum = ''] =
      new RegExp(`"${member}": "([0-9a-f]{64})"`).exec(readFileSync(join(folder, DOSSIER), 'utf8')) ?? [];
    const other = `${sum.startsWith('0') ? '1' : '0'}${sum.slice(1)}`;
    forge(folder, DOSSIER, `"${member}": "${sum}"`, `"${member}": "${other}"`);
    expect(await findingsIn(folder)).toContain(`${DOSSIER}: line `);
  });

  it('fails on bytes that SHA256SUMS does not list, on a missing file, on an unknown story', async () => {
    const folder = mirror();
    writeFileSync(join(folder, PAGE), `${readFileSync(join(folder, PAGE), 'utf8')}\n`);
    expect(await findingsIn(folder)).toContain('listed is');
    expect(await findingsIn(folder, 'other')).toBe('news/other/dossier.json: is missing');
    expect(await findingsIn(folder, '../x')).toBe('../x: is not the id of a story');
  });
});
