/** compare/index.html: what a comparison is, its form, and examples; the service answers it. */
import { compareAddress, exploreAddress, PAGES } from '../../../shim/view/address.ts';
import { COMPARE_PATH, printCompare } from '../../../shim/view/compare.ts';
import { linkTo, p, type Child } from '../../../shim/view/node.ts';
import { list, section } from '../../../shim/view/table.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import examples from '../content/compared.json' with { type: 'json' };
import type { SiteFacts } from '../facts.ts';

const ROOT = '../';

/** Renders the page. */
export function renderCompare(facts: SiteFacts): Artifact {
  const { siteUrl, evidence } = facts;
  const nothing = { views: [], refusals: [], message: null };
  const site = { siteUrl, generatedAt: evidence.generatedAt };
  return textArtifact(COMPARE_PATH, printCompare(nothing, site, startOf(facts)));
}

/** An example is left out where the release does not have its indicators. */
function startOf({ evidence }: SiteFacts): Child {
  const datasets = [...evidence.documents.values()];
  const indicators = new Set(datasets.flatMap((dataset) => dataset.indicators.map(({ id }) => id)));
  const shown = examples.filter(({ views }) => views.every(({ indicator }) => indicators.has(indicator)));
  const queryOf = (view: Record<string, string>): string =>
    exploreAddress(view).slice(PAGES.explore.length + 1);
  return [
    section(
      'examples',
      'Examples',
      list(shown.map(({ words, views }) => linkTo(ROOT, compareAddress(views.map(queryOf)), words))),
    ),
    section(
      'how',
      'What a comparison does not do',
      p(
        'Figures are never laid over each other, and no ratio is made of them: sources count different things in different ways. Evidence of separate lanes, such as national context or designations, is refused next to evidence on drugs, arms or crime.',
      ),
      p(
        'On a copy of the files without the service, open each query in the ',
        linkTo(ROOT, PAGES.explore, 'explorer'),
        '.',
      ),
    ),
  ];
}
