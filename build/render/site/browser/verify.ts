/**
 * The control that checks files (shim/view/verify-box.ts): the sha256 of each file that is chosen, or dropped on the page, is computed
 * here and looked up in lists of this site. No file is sent.
 */
import { SUMS, EDITIONS } from '../../../../shim/core/paths.ts';
import type { DatasetSource } from '../../../../shim/core/records.ts';
import { datasetAddress, sourceAddress } from '../../../../shim/view/address.ts';
import { el, hash as hashText, joinEach, linkTo, type Child } from '../../../../shim/view/node.ts';
import { draw } from './shared/dom.ts';
import { hashOf } from './shared/hash.ts';

/** A source in data/editions.json: what is read of it here. */
interface Edition {
  dataset: string;
  source: string;
  edition: string;
  datasetEdition: string;
  sha256: string;
  records: { path: string } | null;
  document: string;
}

/** What the site knows: its publishers' files, and the text of its list of files. */
interface Lists {
  editions: readonly Edition[];
  sums: string;
}

const box = document.querySelector<HTMLElement>('.verify');
const input = box?.querySelector('input');
const answer = box?.querySelector('.verify-answer');
const control = box?.querySelector<HTMLElement>('.verify-file');
const { root = './', sha256: expected, name = '', edition = '', where } = box?.dataset ?? {};

let current = new AbortController();
let lists: Promise<Lists> | null = null;

if (control) control.hidden = false;
// The same file may be chosen again after it was changed.
input?.addEventListener('click', () => (input.value = ''));
input?.addEventListener('change', () => void checkAll([...(input.files ?? [])]));
document.addEventListener('dragover', (event) => {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
});
document.addEventListener('drop', (event) => {
  const files = [...(event.dataTransfer?.files ?? [])];
  if (files.length === 0) return;
  event.preventDefault();
  void checkAll(files);
  answer?.scrollIntoView({ block: 'nearest' });
});

/** Checks one file after the other, until others are chosen. */
async function checkAll(files: readonly File[]): Promise<void> {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  answer?.replaceChildren();
  for (const file of files) {
    if (signal.aborted) return;
    const line = document.createElement('p');
    draw(line, `Reading ${file.name}.`);
    answer?.append(line);
    draw(line, await about(file, signal));
  }
}

async function about(file: File, signal: AbortSignal): Promise<Child> {
  const hash = await hashOf(file, signal).catch(() => null);
  if (hash === null)
    return `${file.name} could not be read: it may be a folder, or have been changed or moved meanwhile. Choose it again.`;
  const shown = [' The sha256 of ', file.name, ' is ', hashText(hash), '.'];
  if (hash === expected) {
    const place = where === undefined ? '' : `Open ${where}.`;
    return [el('b', {}, 'Yes: '), `this is ${name}, edition ${edition}. `, place, shown];
  }
  const other = expected === undefined ? '' : el('b', {}, 'Not the file of this page: ');
  try {
    const { editions, sums } = await (lists ??= readLists());
    const uses = editions.filter(({ sha256 }) => sha256 === hash);
    if (uses[0]) return [other, await sourceWords(uses[0], uses, editions), shown];
    const paths = [...sums.matchAll(new RegExp(`^${hash}  (.+)$`, 'gm'))].map(([, path = '']) => path);
    if (paths.length > 0)
      return [
        [other, 'this is '],
        joinEach(paths, ' or ', (path) => linkTo(root, path, `/${path}`)),
        [' of this release.', shown],
      ];
  } catch {
    lists = null;
    return ['What this file is cannot be said: the lists of this site could not be read. Try again.', shown];
  }
  return [
    el('b', {}, 'Not a file this release knows.'),
    ' No file of it, and no publisher’s file that it was made from, has this hash. That is no accusation: it may be of another edition or release, and a program that saves a file again changes it.',
    shown,
  ];
}

/** A publisher's file, its terms and what was made from it. */
async function sourceWords(
  { source: id, document: path, sha256, edition: dated }: Edition,
  uses: readonly Edition[],
  editions: readonly Edition[],
): Promise<Child> {
  const { sources } = JSON.parse(await text(path)) as { sources: DatasetSource[] };
  const source = sources.find((one) => one.sha256 === sha256);
  if (!source) throw new Error(`${path} lacks the source of its edition`);
  const { license, licenseUrl } = source;
  // The newest file of a source is at the address without a date.
  const isOlder = editions.some((one) => one.source === id && one.edition > dated);
  return [
    'this is ',
    linkTo(root, sourceAddress(id, isOlder ? dated : undefined), source.name),
    `, edition ${dated}${isOlder ? ' (there is a later one)' : ''}, a file of ${source.publisher}. Licence: `,
    licenseUrl === null ? license : el('a', { href: licenseUrl, rel: 'external license' }, license),
    '. Records made from it: ',
    joinEach(uses, '; ', ({ dataset, datasetEdition, records }) => [
      linkTo(root, datasetAddress(dataset), dataset),
      `, edition ${datasetEdition}`,
      records && [', ', linkTo(root, records.path, records.path)],
    ]),
    '.',
  ];
}

async function readLists(): Promise<Lists> {
  const [editions, sums] = await Promise.all([text(EDITIONS), text(SUMS)]);
  // A host that gives a page in place of a missing file has no list.
  if (!/^[0-9a-f]{64}  release\.json$/m.test(sums)) throw new Error(`${SUMS} is not the list of a release`);
  return { ...(JSON.parse(editions) as Pick<Lists, 'editions'>), sums };
}

async function text(path: string): Promise<string> {
  const response = await fetch(root + path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}
