/** The pages for people of one release, with the styles and the script they load. */
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import type { SiteFacts } from '../facts.ts';
import { renderDocs } from './docs.ts';
import { renderExplore } from './explore.ts';
import { renderHome } from './home.ts';
import { CARD_STYLES, SITE_STYLES } from './styles.ts';

/** Renders index.html, docs/, explore/ and assets/. */
export function renderSite(facts: SiteFacts): Artifact[] {
  return [
    renderHome(facts),
    renderDocs(facts),
    renderExplore(facts),
    textArtifact('assets/site.css', SITE_STYLES),
    textArtifact('assets/cards.css', CARD_STYLES),
    textArtifact('assets/explore.js', facts.source('site/explore.js')),
  ];
}
