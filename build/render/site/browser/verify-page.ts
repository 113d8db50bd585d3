/**
 * The script of /verify/: the control that checks files, and the form that checks the release: what its manifest says, whether its
 * lists agree, and whether its signature is by the key that came with it or by one that the reader has from elsewhere.
 */
import './verify.ts';
import { DESCRIBING, RELEASE, SIGNATURE, SUMS, sumsLine } from '../../../../shim/core/paths.ts';
import { keyIdText, signatureFault } from '../../../../shim/remote/signature.ts';
import { code, el, hash as hashText, p, type Child } from '../../../../shim/view/node.ts';
import { facts } from '../../../../shim/view/table.ts';
import { draw } from './shared/dom.ts';
import { hashOf } from './shared/hash.ts';

/** release.json: what is read of it here. */
interface Manifest {
  serial: number;
  generatedAt: string;
  expires: string;
  treeSha256: string;
  signature: { publicKey: string } | null;
  files: { path: string; sha256: string }[];
}

const form = document.querySelector<HTMLFormElement>('#verify-release');
const answer = document.querySelector('.release-answer');
if (form) form.hidden = false;
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  // The line of a check before this one leaves the page, whenever it ends.
  const line = document.createElement('div');
  answer?.replaceChildren(line);
  draw(line, p('Reading the lists of the release.'));
  // Of a key file the last word is the key.
  const given = String(new FormData(form).get('key')).trim().split(/\s+/).at(-1) ?? '';
  check(given).then(
    (words) => draw(line, words),
    () => draw(line, p('The release could not be read, so nothing can be said about it. Try again.')),
  );
});

async function check(given: string): Promise<Child> {
  const [manifest, list] = await Promise.all([RELEASE, SUMS].map(read));
  if (!manifest || !list) return null;
  const [own, text, sums] = await Promise.all([hashOf(manifest), manifest.text(), list.text()]);
  const release = JSON.parse(text) as Manifest;
  const { serial, generatedAt, expires, treeSha256, files, signature } = release;
  const tree = await hashOf(new Blob(files.map(sumsLine)));
  return [
    await signatureWords(signature, manifest, given),
    tree === treeSha256
      ? ''
      : p(el('b', {}, 'release.json was edited: '), 'its files have another tree hash than it says.'),
    areSame(sums, [...files, { path: RELEASE, sha256: own }])
      ? p('SHA256SUMS, with which files are compared above, has the same files and hashes.')
      : p(
          el('b', {}, 'SHA256SUMS has other files or hashes than release.json. '),
          'If a new release was published a moment ago, check again.',
        ),
    Date.parse(expires) > Date.now()
      ? ''
      : p(el('b', {}, 'It has expired: '), 'a newer release may be kept from you, or your clock is wrong.'),
    facts([
      ['Serial', serial],
      ['Data as of', generatedAt],
      ['Expires', expires],
      ['Files', files.length],
      ['SHA-256 of release.json', hashText(own)],
      ['Tree hash', hashText(treeSha256)],
      ['Signing key', signature && [keyIdText(signature.publicKey), ': ', hashText(signature.publicKey)]],
    ]),
  ];
}

/** Whether SHA256SUMS has these files with these hashes and no other, apart from key and signature. */
function areSame(sums: string, files: Manifest['files']): boolean {
  const expected = new Set(files.map(sumsLine));
  const beside = DESCRIBING.filter((path) => path !== RELEASE).map((path) => `  ${path}\n`);
  const listed = sums.split(/(?<=\n)/).filter((line) => !beside.some((end) => line.endsWith(end)));
  return listed.length === expected.size && listed.every((line) => expected.has(line));
}

async function signatureWords(
  signature: Manifest['signature'],
  manifest: Blob,
  given: string,
): Promise<Child> {
  if (!signature)
    return p(
      el('b', {}, 'This release is unsigned. '),
      'Its hashes show accidents, not malice: nothing but this host vouches for its lists.',
      given && ' A release by the key that you gave would be signed.',
    );
  const key = given || signature.publicKey;
  const file = await read(SIGNATURE).catch(() => null);
  if (!file)
    return p(
      el('b', {}, `${SIGNATURE} could not be read. `),
      'This release says that it is signed; without that file nobody can check who signed it.',
    );
  const fault = await signatureFault(new Uint8Array(await manifest.arrayBuffer()), await file.text(), key);
  if (fault !== null)
    return [
      p(el('b', {}, `The signature ${fault}.`), ' To check it yourself, fetch both files:'),
      command(key),
    ];
  return given
    ? p(el('b', {}, 'The release is signed by the key that you gave.'))
    : p(
        el('b', {}, 'The release is signed by the key below. '),
        'That key came with the files, so this shows that they belong together and no more. Compare it with the key from a second place, or put that one into the field.',
      );
}

function command(key: string): Child {
  return el('pre', {}, code(`minisign -V -m ${RELEASE} -P ${key}`));
}

async function read(path: string): Promise<Blob> {
  const response = await fetch(`../${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.blob();
}
