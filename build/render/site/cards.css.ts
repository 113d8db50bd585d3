/** The stylesheet of the front page, the documentation and the explorer: cards, forms and results. Colours come from site.css. */
import { textArtifact, type Artifact } from '../../lib/tree.ts';

/** Renders assets/cards.css. */
export function renderCardStyles(): Artifact {
  return textArtifact('assets/cards.css', STYLE);
}

const STYLE = `.page > :is(p, ul:not(.cards, .toc), h1) { max-width: 42rem; }
.page > p { margin-inline: 0; }
.page > :is(h1, h2, h3), section > :is(h2, h3) { margin-inline: 0; }
.page pre { font-size: .85rem; margin: .5rem 0 1rem; }
pre code { font-size: 1em; }
.page table { font-size: .88rem; }
.page td { min-width: 6rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.promises { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1.1rem 2rem; font-size: .95rem; font-family: var(--sans); }
.promises dt { font-weight: 650; }
.promises dd { margin: .15rem 0 0; color: var(--soft); }
.cards { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 0 2.5rem; }
.cards > li { border-top: 1px solid var(--line); padding: 1rem 0 1.2rem; min-width: 0; }
.cards h3 { margin: 0 0 .3rem; font-size: 1.05rem; }
.cards p { margin: 0 0 .5rem; font-size: 1rem; }
.cards .meta { font-size: .82rem; margin-bottom: .5rem; }
.cards dl { margin: 0 0 .5rem; font-size: .85rem; }
.cards dl div { display: grid; grid-template-columns: 5.5rem 1fr; gap: .6rem; padding: .12rem 0; }
.cards dt { color: var(--soft); }
.cards dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.links { font-family: var(--sans); font-size: .88rem; display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; }
.stale { color: var(--warn); background: var(--warn-paper); padding: 0 .35em; border-radius: .2em; font-weight: 650; }
.toc { columns: 14rem 3; font-family: var(--sans); font-size: .92rem; padding-left: 1.1rem; }
.anchor { color: inherit; text-decoration: none; }
form { font-family: var(--sans); font-size: .92rem; margin-block: 1rem 1.5rem; }
fieldset { border: 1px solid var(--line); border-radius: .4rem; padding: 1rem 1.1rem; margin: 0; }
legend { font-weight: 650; padding: 0 .4rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: .9rem 1.2rem; }
.fields label { display: block; font-weight: 600; margin-bottom: .2rem; }
.fields small { display: block; color: var(--soft); margin-top: .2rem; line-height: 1.35; }
input, select, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .3rem; padding: .45rem .6rem; width: 100%; min-height: 2.75rem; }
button { width: auto; font-family: var(--sans); font-size: .95rem; background: var(--accent); color: var(--paper); border-color: var(--accent); font-weight: 600; padding-inline: 1.2rem; cursor: pointer; margin-top: 1rem; }
input:focus-visible, select:focus-visible, button:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none; }
.result td { min-width: 5rem; }
.result .note { padding-left: 2.2rem; }
.result .gone { color: var(--soft); font-style: italic; }
`;
