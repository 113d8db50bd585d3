/** 404.html: what people see at an address that has nothing. Its links work from any depth, so they begin at the site's root. */
import { NOT_FOUND } from '../../../shim/core/paths.ts';
import { PAGES } from '../../../shim/view/address.ts';
import { el, linkTo, p } from '../../../shim/view/node.ts';
import { listEach } from '../../../shim/view/table.ts';
import type { Artifact } from '../../lib/tree.ts';
import { framed } from './page.ts';
import type { RecordFacts } from '../facts.ts';

const WAYS: readonly (readonly [label: string, address: string, words: string])[] = [
  ['Places', PAGES.places, 'what is known of each country and territory'],
  ['Indicators', PAGES.indicators, 'what is counted, and where'],
  ['Data', PAGES.data, 'every dataset, its editions and files'],
  ['News', PAGES.news, 'stories from the records'],
  ['Docs', PAGES.docs, 'the interface for programs and agents'],
];

/** Renders the page. */
export function renderNotFound({ evidence }: RecordFacts): Artifact {
  const root = `${new URL(evidence.siteUrl).pathname.replace(/\/$/, '')}/`;
  const body = [
    el('h1', {}, 'There is no page at this address'),
    '\n',
    el('p', { class: 'standfirst' }, [
      'The address may be mistyped, or the page may have been renamed. Records keep their addresses.',
    ]),
    '\n',
    listEach(WAYS, ([label, address, words]) => [linkTo(root, address, label), `: ${words}`]),
    '\n',
    p(
      'A link of this site that led here is a fault: ',
      linkTo(root, `${PAGES.docs}#contact`, 'report it'),
      '.',
    ),
  ];
  return framed(evidence, {
    path: NOT_FOUND,
    title: 'Page not found',
    description: 'There is no page at this address; these pages lead on.',
    body,
    // Leads r/<id> to its row where no service answers for it.
    scripts: ['records.js'],
    root,
    unlisted: true,
  });
}
