/** The pages for people of one release, with what they load. */
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import { renderCardStyles } from './cards.css.ts';
import { renderDocs } from './docs.ts';
import { renderExplore } from './explore.ts';
import type { SiteFacts } from './facts.ts';
import { renderHome } from './home.ts';

/** Where the browser code of the explorer stands in this repository. */
export const EXPLORER_SOURCE = new URL('./browser/explore.js', import.meta.url);

/** Renders index.html, docs/, explore/ and their assets; `explorer` is the text of the browser code. */
export function renderSite(facts: SiteFacts, explorer: string): Artifact[] {
  return [
    renderHome(facts),
    renderDocs(facts),
    renderExplore(facts),
    renderCardStyles(),
    textArtifact('assets/explore.js', explorer),
  ];
}
