/** /verify/: which file one is, by its hash, and whether the release is signed; both are done in the browser, and said for commands. */
import { el } from '../../../shim/view/node.ts';
import { fileControl } from '../../../shim/view/verify-box.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { RecordFacts } from '../facts.ts';
import { contentPage } from './page.ts';

/** Renders the page. */
export function renderVerify(facts: RecordFacts): Artifact {
  return contentPage('verify', facts, {
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
}
