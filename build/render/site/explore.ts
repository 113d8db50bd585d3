/** explore/index.html: the forms of the explorer before anything was asked, examples, and what there is to read without the service. */
import { exploreStart } from '../../../shim/core/explore.ts';
import type { Context } from '../../../shim/core/types.ts';
import {
  apiAddress,
  datasetAddress,
  exploreAddress,
  PAGES,
  type Filters,
} from '../../../shim/view/address.ts';
import { EXPLORE_PATH, EXPLORE_ROOT as ROOT, printExplore } from '../../../shim/view/explore-page.ts';
import { el, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { list, section } from '../../../shim/view/table.ts';
import { counted } from '../../../shim/view/words.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import type { SiteFacts } from '../facts.ts';
import examples from '../content/explored.json' with { type: 'json' };

/** Renders the page. */
export function renderExplore(facts: SiteFacts, context: Context): Artifact {
  const { siteUrl, evidence } = facts;
  const site = { siteUrl, generatedAt: evidence.generatedAt };
  return textArtifact(
    EXPLORE_PATH,
    printExplore(exploreStart(context), site, { world: null, start: startOf(facts) }),
  );
}

/** An example is left out where the release does not have its indicator. */
function startOf({ evidence }: SiteFacts): Child {
  const datasets = [...evidence.documents.values()].filter(({ kind }) => kind === 'observations');
  const indicators = new Set(datasets.flatMap((dataset) => dataset.indicators.map(({ id }) => id)));
  const shown = examples.filter(({ filters }) => indicators.has(filters.indicator));
  return [
    section(
      'examples',
      'Examples',
      list(shown.map(({ words, filters }) => linkTo(ROOT, exploreAddress(filters as Filters), words))),
    ),
    section(
      'datasets',
      'All rows of a dataset',
      p(
        'The pages of datasets have every row, and need neither a script nor the service: they are there on a copy of the files too.',
      ),
      list(
        datasets.map(({ id, title, records, indicators: own }) => [
          linkTo(ROOT, datasetAddress(id), title),
          ` ${counted(records, 'record')}`,
          own.some(({ market }) => market === 'context')
            ? ''
            : [', ', linkTo(ROOT, apiAddress('market-observations', { dataset: id }), 'first page as JSON')],
        ]),
      ),
      el(
        'p',
        { class: 'links' },
        linkTo(ROOT, PAGES.places, 'All places'),
        linkTo(ROOT, PAGES.indicators, 'All indicators'),
        linkTo(ROOT, PAGES.compare, 'Compare queries'),
      ),
    ),
  ];
}
