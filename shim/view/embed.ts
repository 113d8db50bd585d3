/**
 * /embed/: one figure of the explorer alone, for a frame of a page elsewhere: what it says of itself, and the way to its records.
 * It has no script, and every link opens a window of its own, as no other page of the site may be framed.
 */
import type { Exploration } from '../core/explore-answer.ts';
import { FIGURE_VIEWS } from '../core/explore-query.ts';
import type { Steps } from '../core/steps.ts';
import { embedAddress, rootFrom } from './address.ts';
import { MOST_PANELS } from './chart/panels.ts';
import { seriesOf } from './chart/series.ts';
import type { WorldShapes } from './chart/world.ts';
import { allRecords, exploreFigure, isWhole, viewOf } from './explore-figure.ts';
import { figureNotes } from './explore-limits.ts';
import { changed } from './explore-link.ts';
import { exploreTitle } from './explore-title.ts';
import { NAME, printingPage, type Site } from './frame.ts';
import { el, linkTo, p, type Child } from './node.ts';
import { counted } from './words.ts';

/** A figure for a frame and what qualifies it, or the sentences in its place. */
export type Embed = { figure: Child; notes: Child } | { why: Child };

/** Path of the page, and from there to the site root. */
const PATH = embedAddress({});
const ROOT = rootFrom(PATH);

/** The figure of a query, of every record that matches. */
export function embedOf(model: Exploration, siteUrl: string, world: WorldShapes | null): Embed {
  const { query, fault, answer } = model;
  const message = query.refused?.message ?? fault?.message;
  if (message !== undefined || !answer) return { why: p(message ?? 'This address is of no records.') };
  if (answer.page.matched === 0) return { why: p(answer.absence?.message ?? 'No records match.') };
  const figureView = (name: string | null): (typeof FIGURE_VIEWS)[number] | undefined =>
    FIGURE_VIEWS.find((one) => one === name);
  if (query.view !== null && !figureView(query.view))
    return { why: p(`A figure for a frame has one of the views ${FIGURE_VIEWS.join(', ')}.`) };
  // Too many records for a chart: the sentence that says so comes in place of the series.
  const view = figureView(viewOf(model)) ?? 'series';
  const isOfSeries = view !== 'dots' && view !== 'map';
  const records = allRecords(model);
  const series = isOfSeries && records ? seriesOf(records).length : 0;
  if (series > MOST_PANELS)
    return {
      why: p(
        `${counted(series, 'series', 'series')} match, and a figure for a frame is drawn of at most ${MOST_PANELS}: a part would be read as the whole. Choose a place, a label or another view.`,
      ),
    };
  const place = { root: ROOT, siteUrl, embedded: true };
  const drawing = { model, answer, title: exploreTitle(model), place, world };
  const drawn = exploreFigure(view, drawing);
  return isWhole(drawn) ? { figure: drawn, notes: figureNotes(model, place) } : { why: drawn };
}

/** Prints the page in steps. */
export function printEmbed(model: Exploration, embed: Embed, site: Site): Steps<string> {
  const isDrawn = 'figure' in embed;
  const title = isDrawn ? exploreTitle(model) : 'This figure cannot be shown';
  const date = model.generatedAt?.slice(0, 10);
  return printingPage(site, {
    path: PATH,
    title,
    description: title,
    unlisted: true,
    alone: true,
    body: el('div', { class: 'embed' }, [
      el('h1', { class: isDrawn ? 'hidden' : null }, title),
      outward(isDrawn ? [embed.figure, embed.notes] : embed.why),
      isDrawn &&
        model.answer?.status !== 'available' &&
        p('Some evidence is unavailable: see the link below.'),
      el('p', { class: 'source' }, [
        outward(
          linkTo(
            ROOT,
            changed(model, {}),
            isDrawn ? 'All records of this figure' : 'The query in the explorer',
          ),
        ),
        `. ${NAME}${date === undefined ? '' : `, data as of ${date}`}.`,
      ]),
    ]),
  });
}

/** The same with every link opening a window of its own. */
function outward(child: Child): Child {
  if (typeof child !== 'object' || child === null || 'markup' in child) return child;
  if (!('tag' in child)) return child.map(outward);
  const { tag, attributes, children } = child;
  const own = tag === 'a' ? { ...attributes, target: '_blank', rel: 'noopener' } : attributes;
  return { tag, attributes: own, children: children.map(outward) };
}
