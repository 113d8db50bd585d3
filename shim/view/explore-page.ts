/** The document of the explorer: with an answer as the service prints it, without one as the file of the site. */
import type { Exploration } from '../core/explore-answer.ts';
import type { Steps } from '../core/steps.ts';
import { oembedAddress, PAGES, rootFrom } from './address.ts';
import type { WorldShapes } from './chart/world.ts';
import { FIGURES_SCRIPT } from './chart/figure.ts';
import { exploreBody, figureOf } from './explore.ts';
import { isWhole } from './explore-figure.ts';
import { changed } from './explore-link.ts';
import { exploreTitle } from './explore-title.ts';
import { ADDRESS_SCRIPT, printingPage, type Site } from './frame.ts';
import { el, type Child } from './node.ts';

/** The file of the page below the site root; its address with a query is answered by the service. */
export const EXPLORE_PATH = `${PAGES.explore}index.html`;
/** Path from the page to the site root. */
export const EXPLORE_ROOT = rootFrom(EXPLORE_PATH);
/** The folder's script, and the id of what it redraws. */
const SCRIPT = 'explore.js';
const PLACE = 'explore';

/** Prints the page in steps. `start` is what the file of the site has below its forms. */
export function* printExplore(
  model: Exploration,
  site: Site,
  { world, start }: { world: WorldShapes | null; start?: Child },
): Steps<string> {
  const isAnswer = start === undefined;
  const shown = exploreTitle(model);
  const title = isAnswer ? `${shown} - Explore` : 'Explore';
  const place = { root: EXPLORE_ROOT, siteUrl: site.siteUrl };
  const figure = figureOf(model, place, world);
  yield;
  return yield* printingPage(site, {
    path: EXPLORE_PATH,
    title,
    description: isAnswer
      ? `${shown}: records as published, with unit, status, source and cell.`
      : 'Filter the records by place, indicator, label and period, as a table, charts, a map or a coverage matrix.',
    unlisted: isAnswer,
    scripts: [SCRIPT, ADDRESS_SCRIPT, FIGURES_SCRIPT],
    head: isWhole(figure) ? embedLink(model, shown, site) : null,
    body: [
      el('h1', {}, 'Explore'),
      el('div', { id: PLACE, class: 'explore', 'data-answered': isAnswer, 'data-site': site.siteUrl }, [
        exploreBody(model, place, world, figure),
      ]),
      start ?? '',
    ],
  });
}

/** Where programs learn how to embed the figure: an absolute address, as not all of them read another. */
function embedLink(model: Exploration, title: string, { siteUrl }: Site): Child {
  const href = `${siteUrl}/${oembedAddress({ url: `${siteUrl}/${changed(model, {})}` })}`;
  return el('link', { rel: 'alternate', type: 'application/json+oembed', href, title });
}
