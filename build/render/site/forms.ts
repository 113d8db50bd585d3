/** The files of pages that the service answers at the same address: explore/, compare/ and designations/, their forms with examples. */
import { exploreStart } from '../../../shim/core/explore.ts';
import { sortedByName } from '../../../shim/core/name-order.ts';
import type { Context } from '../../../shim/core/types.ts';
import {
  datasetAddress,
  exploreAddress,
  PAGES,
  compareAddress,
  type Filters,
} from '../../../shim/view/address.ts';
import { finished } from '../../../shim/core/steps.ts';
import { EXPLORE_PATH, EXPLORE_ROOT as ROOT, printExplore } from '../../../shim/view/explore-page.ts';
import { el, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { listEach, section } from '../../../shim/view/table.ts';
import { counted } from '../../../shim/view/words.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import type { RecordFacts } from '../facts.ts';
import { queryOf } from './dataset-files.ts';
import examples from '../content/explored.json' with { type: 'json' };
import { COMPARE_PATH, printCompare } from '../../../shim/view/compare.ts';
import compared from '../content/compared.json' with { type: 'json' };
import { designationList } from '../../../shim/core/designation.ts';
import { printDesignations } from '../../../shim/view/designations.ts';
import { indicatorLabels } from './evidence.ts';

/** Renders the explorer without a query, with what there is to read without the service. */
export function renderExplore(facts: RecordFacts, context: Context): Artifact {
  const start = { world: null, start: startOf(facts) };
  return textArtifact(EXPLORE_PATH, finished(printExplore(exploreStart(context), facts.evidence, start)));
}

/** An example is left out where the release does not have its indicator. */
function startOf({ evidence }: RecordFacts): Child {
  const documents = [...evidence.documents.values()].filter(({ kind }) => kind === 'observations');
  const datasets = sortedByName(documents, ({ title }) => title);
  const indicators = indicatorLabels(evidence.documents.values());
  const shown = examples.filter(({ filters }) => indicators.has(filters.indicator));
  return [
    section('examples', 'Examples', [
      listEach(shown, ({ words, filters }) => linkTo(ROOT, exploreAddress(filters as Filters), words)),
    ]),
    section('datasets', 'All rows of a dataset', [
      p(
        'The pages of datasets have every row, and need neither a script nor the service: they are there on a copy of the files too.',
      ),
      listEach(datasets, (document) => {
        const { id, title, records } = document;
        const query = queryOf(document);
        return [
          linkTo(ROOT, datasetAddress(id), title),
          ` ${counted(records, 'record')}`,
          query === null ? '' : [', ', linkTo(ROOT, query, 'first page as JSON')],
        ];
      }),
      el('p', { class: 'links' }, [
        linkTo(ROOT, PAGES.places, 'All places'),
        linkTo(ROOT, PAGES.indicators, 'All indicators'),
        linkTo(ROOT, PAGES.compare, 'Compare queries'),
      ]),
    ]),
  ];
}

/** Renders what a comparison is, and its form. */
export function renderCompare(facts: RecordFacts): Artifact {
  const nothing = { views: [], refusals: [], message: null };
  return textArtifact(COMPARE_PATH, finished(printCompare(nothing, facts.evidence, comparisonsOf(facts))));
}

/** An example is left out where the release does not have its indicators. */
function comparisonsOf({ evidence }: RecordFacts): Child {
  const indicators = indicatorLabels(evidence.documents.values());
  const shown = compared.filter(({ views }) => views.every(({ indicator }) => indicators.has(indicator)));
  const search = (view: Record<string, string>): string =>
    exploreAddress(view).slice(PAGES.explore.length + 1);
  return [
    section('examples', 'Examples', [
      listEach(shown, ({ words, views }) => linkTo(ROOT, compareAddress(views.map(search)), words)),
    ]),
    section('how', 'What a comparison does not do', [
      p(
        'Figures are never laid over each other, and no ratio is made of them: sources count different things in different ways. Evidence of separate lanes, such as national context or designations, is refused next to evidence on drugs, arms or crime.',
      ),
      p(
        'On a copy of the files without the service, open each query in the ',
        linkTo(ROOT, PAGES.explore, 'explorer'),
        '.',
      ),
    ]),
  ];
}

/** Renders the form of the search. */
export function renderDesignations({ manifest, evidence }: RecordFacts): Artifact {
  const page = { list: designationList(manifest), given: {}, result: null, refusal: null, site: evidence };
  return textArtifact(`${PAGES.designations}index.html`, printDesignations(page));
}
