/**
 * The styles of the pages for people: a reading column, system typefaces, light and dark, print. No external request. They
 * are published as they are written here; the formatter would lay a .css file out one declaration per line.
 */

/** assets/site.css: every page. */
export const SITE_STYLES = `:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --ink: #1d1c1a; --soft: #5f5b54; --line: #dcd7cc; --panel: #f2efe8;
  --accent: #1f5f7a; --bar: #86b3c6; --range: #5a3508; --warn: #7a3b00; --warn-paper: #fdf0dc;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Source Serif 4", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151618; --ink: #e9e6df; --soft: #a9a49a; --line: #34363a; --panel: #1d1f22;
    --accent: #86c5e0; --bar: #35708a; --range: #f0c078; --warn: #f2c078; --warn-paper: #2b2316;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.125rem/1.6 var(--serif); }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
.skip { position: absolute; left: -99rem; background: var(--paper); padding: .5rem 1rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 1; }
.top { border-bottom: 1px solid var(--line); font-family: var(--sans); font-size: .9rem; }
.top nav { max-width: 62rem; margin: 0 auto; padding: .85rem 1.25rem; display: flex; flex-wrap: wrap; gap: .35rem 1.4rem; align-items: baseline; }
.top a { color: var(--soft); text-decoration: none; }
.top a:hover, .top a[aria-current] { color: var(--ink); }
.top a[aria-current] { box-shadow: 0 .2rem 0 -.08rem var(--accent); }
.top .brand { color: var(--ink); font-weight: 650; letter-spacing: .01em; margin-right: auto; }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
main > *, article > * { max-width: 40rem; margin-inline: auto; }
main > article { max-width: none; }
article > .wide { max-width: 50rem; }
h1 { font-size: clamp(1.9rem, 1.3rem + 2.4vw, 2.8rem); line-height: 1.15; letter-spacing: -.015em; text-wrap: balance; margin: 0 auto .9rem; font-weight: 600; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 2.6rem auto .6rem; font-weight: 600; text-wrap: balance; }
h3 { font: 600 1rem/1.4 var(--sans); margin: 1.8rem auto .4rem; }
p { margin: 0 auto 1.05rem; text-wrap: pretty; hyphens: manual; }
.standfirst { font-size: 1.25rem; line-height: 1.5; color: var(--soft); }
.meta, .foot, .note, figcaption, table, .cites, dl, .tag { font-family: var(--sans); }
.meta { color: var(--soft); font-size: .88rem; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin-bottom: 2rem; }
.tag { font-size: .72rem; font-weight: 650; letter-spacing: .08em; text-transform: uppercase; color: var(--soft); margin-right: .5em; }
a.c { color: inherit; text-decoration-color: var(--line); text-decoration-thickness: .08em; overflow-wrap: anywhere; }
a.c:hover { text-decoration-color: var(--accent); }
a.n { font-variant-numeric: lining-nums tabular-nums; text-decoration-color: var(--accent); }
.changed { background: var(--warn-paper); box-shadow: 0 0 0 .15em var(--warn-paper); }
.note { border-left: 4px solid var(--line); background: var(--panel); padding: .9rem 1.1rem; font-size: .95rem; margin-block: 1.5rem; }
.note > :last-child { margin-bottom: 0; }
.note.warn { border-color: var(--warn); background: var(--warn-paper); }
.note h2 { font: 650 1rem/1.4 var(--sans); margin: 0 0 .3rem; color: var(--warn); }
.synthesis { border-left: 3px solid var(--accent); padding-left: 1.1rem; }
figure { margin: 2.2rem auto; }
figcaption { font-weight: 600; font-size: 1rem; line-height: 1.4; margin-bottom: .7rem; }
.chart { overflow-x: auto; }
.chart svg { display: block; width: 100%; min-width: 30rem; font: .82rem var(--sans); font-variant-numeric: tabular-nums; overflow: visible; }
.chart text { fill: var(--ink); }
.chart .group { font-weight: 600; }
.chart .gone { fill: var(--soft); font-style: italic; }
.chart .bar { fill: var(--bar); }
.chart .base { stroke: var(--line); }
.chart .range { stroke: var(--range); stroke-width: 1.6; }
.chart .open { stroke-dasharray: 4 3; }
.legend { font: .85rem/1.5 var(--sans); color: var(--soft); margin: .6rem 0 0; }
details { margin-top: .8rem; font-family: var(--sans); font-size: .9rem; }
summary { cursor: pointer; color: var(--accent); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .84rem; line-height: 1.45; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); }
td.num, th.num { text-align: right; }
tr:target { background: var(--panel); }
code, pre, .hash { font-family: var(--mono); font-size: .88em; overflow-wrap: anywhere; }
pre { background: var(--panel); padding: .9rem 1.1rem; overflow-x: auto; white-space: pre-wrap; font-size: .8rem; line-height: 1.5; margin: .5rem 0; }
.stories { list-style: none; padding: 0; }
.stories li { border-top: 1px solid var(--line); padding: 1.4rem 0 .6rem; }
.stories h2 { margin: 0 0 .35rem; font-size: 1.5rem; }
.stories h2 a { color: inherit; text-decoration: none; }
.stories h2 a:hover { text-decoration: underline; text-decoration-color: var(--accent); }
.stories .meta { margin-bottom: .4rem; }
.foot { border-top: 1px solid var(--line); color: var(--soft); font-size: .85rem; max-width: 62rem; margin: 0 auto; padding: 1.4rem 1.25rem 3rem; }
.foot p { margin: 0 0 .4rem; }
.foot a { margin-right: 1.2rem; }
@media print { .top, .skip, summary { display: none; } body { background: none; } }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;

/** assets/cards.css: cards, forms and results of the wide pages. Colours come from site.css. */
export const CARD_STYLES = `.page > :is(p, ul:not(.cards, .toc), h1) { max-width: 42rem; }
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
