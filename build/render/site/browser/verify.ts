/**
 * The box that checks a file (shim/view/verify-box.ts): the sha256 of a chosen file is computed here and looked up in two lists of
 * this site. The file is never sent.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { sourceAddress } from '../../../../shim/view/address.ts';
import { el, linkTo, type Child } from '../../../../shim/view/node.ts';
import { draw } from './shared/dom.ts';

/** A source in data/editions.json: what the box reads of it. */
interface Edition {
  dataset: string;
  source: string;
  name: string;
  edition: string;
  sha256: string;
}

interface DataFile {
  path: string;
  sha256: string;
}

for (const box of document.querySelectorAll<HTMLElement>('.verify')) {
  const input = box.querySelector<HTMLInputElement>('input[type=file]');
  const answer = box.querySelector('.verify-answer');
  const control = box.querySelector<HTMLElement>('.verify-file');
  if (!input || !answer || !control) continue;
  control.hidden = false;
  // The same file may be chosen again after it was changed.
  input.addEventListener('click', () => (input.value = ''));
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (!file) return;
    draw(answer, `Reading ${file.name}.`);
    check(file, box).then(
      (words) => draw(answer, words),
      () =>
        draw(answer, 'The file could not be read, or the lists of hashes could not be fetched. Try again.'),
    );
  });
}

async function check(file: File, box: HTMLElement): Promise<Child> {
  const hash = await hashOf(file);
  const { root = './', sha256: expected, name = '', edition = '', where } = box.dataset;
  const shown = [' Its sha256 is ', el('code', { class: 'hash' }, hash), '.'];
  if (hash === expected)
    return [
      el('b', {}, 'Yes: '),
      `this is ${name}, edition ${edition}. `,
      where === undefined ? '' : `Open ${where}.`,
      shown,
    ];
  const [{ editions }, { files }] = await Promise.all([
    read<{ editions: Edition[] }>(`${root}data/editions.json`),
    read<{ files: DataFile[] }>(`${root}data/files.json`),
  ]);
  const other = expected === undefined ? '' : el('b', {}, 'Not the file of this page: ');
  const source = editions.find((one) => one.sha256 === hash);
  if (source) {
    // The newest file of a source is at the address without a date.
    const isOlder = editions.some((one) => one.source === source.source && one.edition > source.edition);
    const address = sourceAddress(source.source, isOlder ? source.edition : undefined);
    return [other, 'this is ', linkTo(root, address, source.name), `, edition ${source.edition}.`, shown];
  }
  const published = files.find((one) => one.sha256 === hash);
  if (published)
    return [
      other,
      'this is ',
      linkTo(root, published.path.replace(/^\//, ''), published.path),
      ' of this release.',
      shown,
    ];
  return [el('b', {}, 'Not a file this release knows. '), 'It may be another edition, or changed.', shown];
}

/** Hex sha256 of a file. Browsers offer their own only to pages over https and of this machine. */
async function hashOf(file: File): Promise<string> {
  // Absent in other contexts, whatever its type says.
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (subtle) return bytesToHex(new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer())));
  const hash = sha256.create();
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) hash.update(part.value);
  return bytesToHex(hash.digest());
}

async function read<T>(address: string): Promise<T> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return (await response.json()) as T;
}
