/**
 * The control that checks files (shim/view/verify-box.ts): the sha256 of each file that is chosen, or dropped on the page, is computed
 * here and looked up in lists of this site. No file is sent.
 */
import { filesInSums, SIDECAR_BYTES, sidecarText, SUMS } from '../../../../shim/core/paths.ts';
import { datasetAddress } from '../../../../shim/view/address.ts';
import { el, hash as hashText, joinEach, linkTo, type Child } from '../../../../shim/view/node.ts';
import { SOURCE_LIST, type KnownSource } from '../../../../shim/view/verify-box.ts';
import { draw } from './shared/dom.ts';
import { hashOf } from './shared/hash.ts';

/** What the site knows: its publishers' files, and its list of files, itself included. */
interface Lists {
  sources: readonly KnownSource[];
  files: readonly { sha256: string; path: string }[];
}

const SIDECAR = /^([0-9a-f]{64})  ([^/\n]+)\n$/;

const box = document.querySelector<HTMLElement>('.verify');
const input = box?.querySelector('input');
const answer = box?.querySelector('.verify-answer');
const control = box?.querySelector<HTMLElement>('.verify-file');
const { root = './', sha256: expected, name: named = '', edition: dated = '', where } = box?.dataset ?? {};

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
    draw(line, [expected === undefined && [el('b', {}, file.name), ': '], await about(file, signal)]);
  }
}

async function about(file: File, signal: AbortSignal): Promise<Child> {
  const hash = await hashOf(file, signal).catch(() => null);
  if (hash === null)
    return 'It could not be read: it may be a folder, or have been changed or moved meanwhile. Choose it again.';
  const shown = [' Its sha256 is ', hashText(hash), '.'];
  if (hash === expected) {
    const place = where === undefined ? '' : `Open ${where}.`;
    return [el('b', {}, 'Yes: '), `this is ${named}, edition ${dated}. `, place, shown];
  }
  const other = expected === undefined ? '' : el('b', {}, 'Not the file of this page: ');
  try {
    const { sources, files } = await (lists ??= readLists());
    const known = sources.filter(({ sha256 }) => sha256 === hash);
    if (known.length > 0) return [other, joinEach(known, ' Also: ', sourceWords), shown];
    const same = files.filter(({ sha256 }) => sha256 === hash);
    if (same.length > 0) return [other, 'this is ', pathsOf(same), ' of this release.', shown];
    const content = file.size > SIDECAR_BYTES ? '' : await file.text();
    const agreeing = files.filter(({ sha256, path }) => sidecarText(path, sha256) === content);
    if (agreeing.length > 0)
      return [
        other,
        'this is the sidecar of ',
        pathsOf(agreeing),
        ', and has the hash that the list of this release has.',
        shown,
      ];
    const [, stated, of] = SIDECAR.exec(content) ?? [];
    if (stated !== undefined)
      return [
        other,
        `this has the form of a sidecar of ${of}, but the list of this release has no file of that name with the hash `,
        hashText(stated),
        '.',
        shown,
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

function pathsOf(files: Lists['files']): Child {
  return joinEach(files, ' or ', ({ path }) => linkTo(root, path, `/${path}`));
}

/** A publisher's file, its terms and what was made from it. */
function sourceWords({ name, edition, publisher, address, ...source }: KnownSource): Child {
  const { isOlder, license, licenseUrl, uses } = source;
  return [
    'this is ',
    linkTo(root, address, name),
    `, edition ${edition}${isOlder ? ' (there is a later one)' : ''}, a file of ${publisher}. Licence: `,
    licenseUrl === null ? license : el('a', { href: licenseUrl, rel: 'external license' }, license),
    '. Records made from it: ',
    joinEach(uses, '; ', ({ dataset, edition: made, path }) => [
      linkTo(root, datasetAddress(dataset), dataset),
      `, edition ${made}`,
      path !== null && [', ', linkTo(root, path, path)],
    ]),
    '.',
  ];
}

async function readLists(): Promise<Lists> {
  const [sources, sums] = await Promise.all([text(SOURCE_LIST), text(SUMS)]);
  // A host that gives a page in place of a missing file has no list.
  if (!/^[0-9a-f]{64}  release\.json$/m.test(sums)) throw new Error(`${SUMS} is not the list of a release`);
  const own = { sha256: await hashOf(new Blob([sums])), path: SUMS };
  return { sources: JSON.parse(sources) as KnownSource[], files: [...filesInSums(sums), own] };
}

async function text(path: string): Promise<string> {
  const response = await fetch(root + path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}
