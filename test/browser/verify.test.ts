/** /verify/: which file one is and whether the release is signed, on a copy of the files below a path, over https and over plain http. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sha256 } from '../../build/lib/tree.ts';
import { publicKeyText, signatureFile } from '../../build/release/minisign.ts';
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import type { DatasetDocument } from '../../shim/core/records.ts';
import { inBrowser, type Opened, type Opening } from '../_support/browser.ts';
import { fileFetch } from '../_support/file-server.ts';
import { builtTree, treeText } from '../_support/tree.ts';
import { keyOf, OTHER_SEED, SEED } from '../release/fixture.ts';

const site = inBrowser();
/** A copy of the files below a path of other hosts; what it sends never leaves this process. */
const copy = fileFetch(builtTree(), { policy: PAGE_POLICY });
const SECURE = 'https://copy.example/some/path/';
const PLAIN = 'http://copy.example/some/path/';

/** A file of our own in place of the publisher's: what the lists say of that is said of this. */
const published = Buffer.alloc(2 ** 20 + 1, 'published ');
const seizures = JSON.parse(treeText('data/datasets/drug-seizures.json')) as DatasetDocument;
const source = seizures.sources.find(({ id }) => id === 'wdr2025-7.1');
if (!source) throw new Error('no source');

/** Opens the page below `root`, where these files are served instead of the release's own. */
async function opened(
  root: string,
  files: Record<string, string> = {},
  options: Opening = {},
): Promise<Opened & { sent: string[] }> {
  const { page, messages } = await site.open('about/', options);
  const sent: string[] = [];
  // From now on no window for choosing files opens.
  page.on('filechooser', () => undefined);
  await page.route(/\bcopy\.example\//, async (route) => {
    const request = route.request();
    const path = request.url().replace(root, '');
    if (!/^assets\/(?!sources\.json)/.test(path))
      sent.push(`${request.method()} ${path}${request.postDataBuffer() ? ' with a body' : ''}`);
    const response = await copy.fetch(`http://copy/${path}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    const text =
      path.endsWith('.json') && bytes.toString().replaceAll(source?.sha256 ?? '', sha256(published));
    await route.fulfill({
      status: path in files ? 200 : response.status,
      headers: Object.fromEntries(response.headers),
      body: files[path] ?? (text || bytes),
    });
  });
  await page.goto(`${root}verify/`);
  if (options.javaScriptEnabled === false) return { page, messages, sent };
  await page.locator('.verify-file').first().waitFor();
  // A browser drops keys before the first paint.
  await page.evaluate(
    `new Promise((seen) => new PerformanceObserver(() => seen()).observe({ type: 'paint', buffered: true }))`,
  );
  sent.length = 0;
  return { page, messages, sent };
}

/** Chooses files with the keyboard alone. */
async function choose(page: Page, files: Record<string, Uint8Array>): Promise<string[]> {
  const given = Object.entries(files);
  await page.locator('#verify-file').focus();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles(
    given.map(([name, buffer]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(buffer) })),
  );
  const lines = page.locator('.verify-answer[role=status] p');
  await lines.getByText(sha256(given.at(-1)?.[1] ?? '')).waitFor();
  return lines.allTextContents();
}

function flipped(bytes: Uint8Array): Buffer {
  const other = Buffer.from(bytes);
  other[100] = (other[100] ?? 0) ^ 1;
  return other;
}

test.each([
  ['that is secure', SECURE],
  ['of plain http', PLAIN],
])('names files of publishers and of the release on an origin %s, and sends nothing', async (_what, root) => {
  const { page, messages, sent } = await opened(root);
  expect(await page.evaluate('isSecureContext')).toBe(root === SECURE);
  await page.evaluate(`read = [];
    const own = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = function () { read.push(this.size); return own.call(this); };`);
  const sidecar = treeText('data/coca-cultivation.csv.sha256');
  const [ofPublisher, changed, ofRelease, changedToo, ofList, ofSidecar, ofOther] = await choose(page, {
    'seizures.xlsx': published,
    'changed.xlsx': flipped(published),
    'coca.csv': Buffer.from(treeText('data/coca-cultivation.csv')),
    'changed.csv': flipped(Buffer.from(treeText('data/coca-cultivation.csv'))),
    SHA256SUMS: Buffer.from(treeText('SHA256SUMS')),
    'coca-cultivation.csv.sha256': Buffer.from(sidecar),
    'other.sha256': Buffer.from(sidecar.replace('coca', 'opium')),
  });
  expect(ofPublisher).toContain(`this is ${source.name}, edition ${source.dated}`);
  expect(ofPublisher).toContain(`Licence: ${source.license}. Records made from it: drug-seizures, edition`);
  expect(ofRelease).toContain('this is /data/coca-cultivation.csv of this release');
  for (const text of [changed, changedToo]) expect(text).toContain('Not a file this release knows.');
  expect(ofList).toContain('this is /SHA256SUMS of this release');
  expect(ofSidecar).toContain('this is the sidecar of /data/coca-cultivation.csv, and has the hash');
  expect(ofOther).toContain('has no file of that name with the hash');
  expect(sent.toSorted()).toEqual(['GET SHA256SUMS', 'GET assets/sources.json']);
  // Without the hash function of the browser the page hashes itself, in pieces between which it answers.
  const read = await page.evaluate<number[]>('read');
  expect(Math.max(...read)).toBe(root === SECURE ? published.length : 2 ** 18);
  for (const link of await page.locator('.verify-answer a').all()) {
    const address = new URL((await link.getAttribute('href')) ?? '', page.url()).href.replace(root, '');
    const { status } = await copy.fetch(`http://copy/${address}`);
    expect([address, status]).toEqual([address, 200]);
  }
  expect(messages).toEqual([]);
});

test('takes files that are dropped anywhere on the page; those before are forgotten', async () => {
  const { page } = await opened(SECURE);
  await choose(page, { 'first.txt': Buffer.from('first') });
  const dropped = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File(['dropped'], 'dropped.txt'));
    return data;
  })()`);
  await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped });
  await page.locator('.verify-answer').getByText(sha256('dropped')).waitFor();
  expect(await page.locator('.verify-answer p').count()).toBe(1);
});

test('says that it cannot say where the lists do not come, and reads them again for the next file', async () => {
  const files: Record<string, string> = { SHA256SUMS: '<!doctype html>\n<title>Not found</title>' };
  const { page } = await opened(SECURE, files);
  const file = { 'coca.csv': Buffer.from(treeText('data/coca-cultivation.csv')) };
  expect(await choose(page, file)).toEqual([expect.stringContaining('cannot be said')]);
  delete files['SHA256SUMS'];
  expect(await choose(page, file)).toEqual([expect.stringContaining('of this release')]);
});

test('without a script says how commands do the same', async () => {
  const { page } = await opened(PLAIN, {}, { javaScriptEnabled: false });
  expect(await page.locator('main :is(input, button):visible').count()).toBe(0);
  const text = await page.locator('main').innerText();
  for (const command of [
    'sha256sum FILE',
    'shasum -a 256 FILE',
    'certutil -hashfile FILE',
    'minisign -V',
    'npm run verify',
  ])
    expect(text).toContain(command);
});

/** The release as it would be if it had been signed. */
function signed(): { 'release.json': string; 'release.json.minisig': string; SHA256SUMS: string } {
  const publicKey = publicKeyText(keyOf(SEED));
  const manifest = treeText('release.json').replace(
    '"signature": null',
    `"signature": ${JSON.stringify({ publicKey })}`,
  );
  return {
    'release.json': manifest,
    'release.json.minisig': signatureFile(Buffer.from(manifest), keyOf(SEED), 'serial:1'),
    SHA256SUMS: `${treeText('SHA256SUMS').replace(/^.*( {2}release\.json)$/m, `${sha256(manifest)}$1`)}${sha256('x')}  release.pub\n`,
  };
}

const SIGNED = signed();
const KEY = publicKeyText(keyOf(SEED));
const ALTERED = SIGNED['release.json'].replace('"serial": 1', '"serial": 2');
const UNLIKE = 'SHA256SUMS has other files or hashes than release.json.';
const ALIKE = 'has the same files and hashes';

type Case = [what: string, files: Record<string, string>, key: string, expected: string[]];

const CASES: Case[] = [
  ['as it was built', {}, '', ['This release is unsigned.', ALIKE]],
  ['signed', SIGNED, '', ['signed by the key below', 'no more', ALIKE, KEY]],
  ['signed by the key of the reader', SIGNED, KEY, ['signed by the key that you gave', ALIKE]],
  [
    'signed by another key',
    SIGNED,
    publicKeyText(keyOf(OTHER_SEED)),
    ['The signature is by key', 'minisign -V'],
  ],
  [
    'altered after it was signed',
    { ...SIGNED, 'release.json': ALTERED },
    KEY,
    ['The signature does not match these bytes.', UNLIKE],
  ],
  [
    'without the file of its signature',
    { 'release.json': SIGNED['release.json'], SHA256SUMS: SIGNED.SHA256SUMS },
    KEY,
    ['release.json.minisig could not be read', ALIKE],
  ],
  [
    'with a file added to its list',
    { ...SIGNED, SHA256SUMS: `${SIGNED.SHA256SUMS}${sha256('y')}  y.csv\n` },
    KEY,
    ['signed by the key that you gave', UNLIKE],
  ],
  [
    'with a file left out of its manifest',
    { 'release.json': treeText('release.json').replace(/ {4}\{[^}]*"path": "404.html"[^}]*\},\n/, '') },
    '',
    ['release.json was edited:', UNLIKE],
  ],
];
const CANNOT = [
  'cannot be checked by a page that was not loaded over https',
  `minisign -V -m release.json -P ${KEY}`,
];

test.each<[what: string, root: string, cases: Case[]]>([
  ['over https', SECURE, CASES],
  ['over plain http', PLAIN, [['signed', SIGNED, KEY, CANNOT]]],
])('checks releases %s: who signed, and whether their lists agree', async (_what, root, cases) => {
  const served: Record<string, string> = {};
  const { page, messages, sent } = await opened(root, served);
  for (const [what, files, key, expected] of cases) {
    for (const path of Object.keys(served)) delete served[path];
    Object.assign(served, files);
    await page.locator('#release-key').fill(key);
    await page.keyboard.press('Enter');
    await page.locator('.release-answer[role=status] dl').waitFor();
    const text = await page.locator('.release-answer').innerText();
    for (const words of expected) expect(text, what).toContain(words);
    expect(text, what).toContain(sha256(files['release.json'] ?? treeText('release.json')));
    const isSigned = expected.some((words) => words.startsWith('signed by'));
    expect(text.includes('signed by'), what).toBe(isSigned);
  }
  expect(sent.filter((line) => !/^GET (SHA256SUMS|release\.json(\.minisig)?)$/.test(line))).toEqual([]);
  // The browser reports the signature that is not there.
  expect(messages.filter((message) => !message.includes('404'))).toEqual([]);
});
