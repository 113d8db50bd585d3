/**
 * /verify/: which file one is, by its hash, and whether the release is signed; both are done in the browser, and said for commands.
 * assets/sources.json is what its script knows of publishers' files.
 */
import { el } from '../../../shim/view/node.ts';
import { fileControl, SOURCE_LIST, type KnownSource } from '../../../shim/view/verify-box.ts';
import { pick } from '../../lib/dataset.ts';
import { jsonArtifact, type Artifact } from '../../lib/tree.ts';
import type { RecordFacts } from '../facts.ts';
import { contentPage } from './page.ts';
import type { SourceFile } from './source-files.ts';

/** Renders the page and the list. */
export function renderVerify(facts: RecordFacts, files: ReadonlyMap<string, SourceFile>): Artifact[] {
  const page = contentPage('verify', facts, {
    siteUrl: facts.siteUrl,
    files: el('div', { class: 'verify', 'data-root': '../' }, fileControl(true)),
    release: [
      el('form', { id: 'verify-release', class: 'verify-file', hidden: true }, [
        el('label', { for: 'release-key' }, 'Public key'),
        el('input', { id: 'release-key', name: 'key', autocomplete: 'off', spellcheck: 'false' }),
        el(
          'small',
          {},
          'One that you have from elsewhere, or nothing: then the key that came with the files is taken.',
        ),
        el('button', {}, 'Check this release'),
      ]),
      el('div', { class: 'release-answer', role: 'status' }),
    ],
  });
  return [page, jsonArtifact(SOURCE_LIST, [...files.values()].map(known))];
}

function known({ source, address, newer, uses }: SourceFile): KnownSource {
  return {
    ...pick(source, 'sha256', 'name', 'publisher', 'license', 'licenseUrl'),
    edition: source.dated,
    address,
    isOlder: newer !== null,
    uses: uses.map(
      ({
        document: {
          id,
          edition,
          files: [records],
        },
      }) => ({
        dataset: id,
        edition,
        path: records?.path ?? null,
      }),
    ),
  };
}
