/**
 * The figure of a view. It draws every record of the query or says what it leaves out; what needs a choice first (one indicator, one
 * label, one unit) offers it as links, and more records than can be drawn get a sentence instead of a part.
 */
import { groupedBy } from '../core/groups.ts';
import type { Exploration, ExploreAnswer } from '../core/explore-answer.ts';
import { MOST_DRAWN, type ExploreQuery, type ViewName } from '../core/explore-query.ts';
import type { Observation } from '../core/records.ts';
import { apiAddress, downloadAddress } from './address.ts';
import { dotPlot } from './chart/dots.ts';
import type { FigureAbout } from './chart/figure.ts';
import { mapFigure, mapRefusal } from './chart/map.ts';
import { MOST_PANELS, seriesFigure } from './chart/panels.ts';
import { seriesOf } from './chart/series.ts';
import type { WorldShapes } from './chart/world.ts';
import { answersAt, apiFilters, changeLink, type Change, type ExplorePlace } from './explore-link.ts';
import { boundariesOf } from './explore-limits.ts';
import { exploreTitle } from './explore-title.ts';
import { exploreMatrix, MOST_ROWS } from './explore-matrix.ts';
import { el, joined, p, type Child } from './node.ts';
import { counted, grouped, labelOf } from './words.ts';

/** Rows of a dot plot: with more, the page is too long to read. */
const MOST_DOTS = 400;

/** The view of a query: the one it names, or the one that fits its records. */
export function viewOf(model: Exploration): ViewName {
  const { view } = model.query;
  if (view !== null) return view;
  const records = allRecords(model);
  if (records === null || records.length === 0) return 'table';
  const count = seriesOf(records).length;
  if (count <= MOST_PANELS) return 'series';
  const indicators = valuesOf(records, ({ indicatorId }) => indicatorId);
  const periods = valuesOf(records, periodOf);
  if (indicators.length === 1 && periods.length === 1 && records.length <= MOST_DOTS) return 'dots';
  return count <= MOST_ROWS ? 'matrix' : 'table';
}

/** All records that match; null where they are too many to draw. */
export function allRecords({ all, answer }: Exploration): readonly Observation[] | null {
  return all === 'page' ? (answer?.observations ?? null) : all;
}

/** What a figure is drawn with. */
export interface Drawing {
  model: Exploration;
  answer: ExploreAnswer;
  title: string;
  place: ExplorePlace;
  /** Null where the map cannot be loaded. */
  world: WorldShapes | null;
}

/** The figure of a view, or why there is none; nothing for the table alone. */
export function exploreFigure(view: ViewName, drawing: Drawing): Child {
  const { model, answer } = drawing;
  const records = allRecords(model);
  if (view === 'table' || answer.page.matched === 0) return '';
  if (records === null)
    return refusal(
      `${grouped(answer.page.matched)} records match, and a figure is drawn of at most ${grouped(MOST_DRAWN)}: a part would be read as the whole. Choose a place, a label or periods.`,
    );
  if (view === 'series') return seriesFigure(records, aboutOf(drawing, records));
  if (view === 'multiples') return multiples(records, drawing);
  if (view === 'matrix') return exploreMatrix(records, drawing);
  return onePeriod(view, records, drawing);
}

/** Whether a drawing is a figure of every record: not a table, a sentence in its place, or some of the series. */
export function isWhole(drawn: Child): boolean {
  if (typeof drawn !== 'object' || drawn === null || !('tag' in drawn)) return false;
  return drawn.tag === 'figure' && drawn.attributes['data-part'] === null;
}

function refusal(...words: Child[]): Child {
  return el('div', { class: 'refused' }, p(words));
}

/** What the figure of these records says of itself. */
export function aboutOf(
  { model, answer, title, place }: Drawing,
  records: readonly Observation[],
  change: Change = {},
): FigureAbout {
  const filters = { ...apiFilters(model), ...change };
  const used = new Set(records.map(({ datasetId, sourceId }) => `${datasetId} ${sourceId}`));
  return {
    id: 'figure',
    root: place.root,
    caption: change['from'] === undefined ? title : exploreTitle(ofPeriod(model, change)),
    sources: answer.sources
      .filter(({ id, datasetId }) => used.has(`${datasetId} ${id}`))
      .map(({ stale = false, staleAfter = null, ...source }) => ({ ...source, stale, staleAfter })),
    boundary: boundariesOf(records, model),
    query: apiAddress('market-observations', filters),
    csv: downloadAddress(filters, 'csv'),
    indicators: new Map(Object.entries(model.indicators)),
    cite: '#cite',
    explored: true,
    // A query of one record leaves out the others of its series.
    ...(model.query.given.id === undefined ? {} : undrawn(model.query)),
    ...(place.embedded === true ? { embedded: true } : {}),
    ...(place.read === undefined ? {} : { copied: { at: answersAt(place) } }),
  };
}

function ofPeriod(model: Exploration, { from, to }: Change): Exploration {
  const given = { ...model.query.given, ...(from === undefined || to === undefined ? {} : { from, to }) };
  return { ...model, query: { ...model.query, given } };
}

/** One scale for all panels, so that their heights can be compared: one unit. */
function multiples(records: readonly Observation[], drawing: Drawing): Child {
  const units = valuesOf(records, unitOf);
  if (units.length > 1)
    return refusal(
      `Panels with one scale need one unit; these records have ${units.length}. Series are drawn each in its own unit: `,
      changeLink(drawing.model, drawing.place, { view: 'series' }, 'series'),
      '.',
    );
  return seriesFigure(records, { ...aboutOf(drawing, records), oneScale: true });
}

/** What a picture of one period can have one of only: what tells records apart, how it is called, and the filters that choose it. */
interface Chosen {
  name: 'indicator' | 'label' | 'unit';
  of: (record: Observation) => string;
  words: (record: Observation, model: Exploration) => string;
  change: (record: Observation) => Change;
}

/** What a reader has to choose one of before a figure can be drawn, in the order of choosing. */
const CHOSEN: readonly Chosen[] = [
  {
    name: 'indicator',
    of: ({ indicatorId }) => indicatorId,
    words: ({ indicatorId }, { indicators }) => indicators[indicatorId] ?? indicatorId,
    change: ({ indicatorId }) => ({ indicator: indicatorId }),
  },
  {
    name: 'label',
    of: ({ category, subgroup }) => JSON.stringify([category, subgroup]),
    words: (record) => labelOf(record) || 'no label',
    change: ({ category, subgroup }) => ({ category, subgroup }),
  },
  {
    name: 'unit',
    of: ({ unit }) => unit,
    words: ({ unit }) => unit,
    change: ({ unit }) => ({ unit }),
  },
];

const valuesOf = (records: readonly Observation[], of: (record: Observation) => string): string[] =>
  [...new Set(records.map(of))].sort();

const unitOf = ({ unit }: Observation): string => unit;
const periodOf = ({ period }: Observation): string => period;

/** A dot plot or a map: of one indicator, of the last period unless one is given; a map of one label and one unit too. */
function onePeriod(view: 'dots' | 'map', records: readonly Observation[], drawing: Drawing): Child {
  const { model, world } = drawing;
  const { unit } = model.query;
  const needed = view === 'map' ? CHOSEN : CHOSEN.slice(0, 1);
  let own = records;
  let isOfUnit = false;
  for (const what of needed) {
    const values = valuesOf(own, what.of);
    isOfUnit = what.name === 'unit' && values.length > 1 && unit !== null && values.includes(unit);
    if (isOfUnit) own = own.filter((one) => one.unit === unit);
    else if (values.length > 1) return choose(view, what, own, drawing);
  }
  const periods = valuesOf(own, periodOf);
  const period = periods.at(-1) ?? '';
  own = own.filter((one) => one.period === period);
  if (view === 'dots' && own.length > MOST_DOTS)
    return refusal(
      `${grouped(own.length)} records of ${period} are more than a dot plot of ${MOST_DOTS} rows can show. Choose a label.`,
    );
  const about = {
    ...aboutOf(drawing, own, { from: period, to: period }),
    ...undrawn(model.query),
    // The API has no filter for units: no query of it gives these records.
    ...(isOfUnit ? { query: null } : {}),
    ...(periods.length > 1 ? { more: otherPeriods(view, periods, drawing) } : {}),
  };
  if (view === 'dots') return dotPlot(own, about);
  if (!world)
    return refusal('The shapes of the map cannot be loaded at the moment. The records are in the table.');
  const why = mapRefusal(own, world);
  if (why !== null)
    return refusal(
      why,
      ' Drawn as dots: ',
      changeLink(model, drawing.place, { view: 'dots' }, 'dot plot'),
      '.',
    );
  return mapFigure(own, world, about);
}

/** What it means that a place is not drawn: the query may be of another place, or of some rows of each. */
function undrawn({ given, unit }: ExploreQuery): Pick<FigureAbout, 'nothing' | 'onePlace'> {
  const { category, subgroup = category } = given;
  if ((given.geo ?? given['id']) !== undefined) return { nothing: 'not part of this query', onePlace: true };
  return subgroup === undefined && unit === null ? {} : { nothing: 'no row for this query' };
}

/** Links to what the picture must have one of, with the number of places each has. */
function choose(
  view: ViewName,
  { name, of, words, change }: Chosen,
  records: readonly Observation[],
  { model, place }: Drawing,
): Child {
  const options = [...groupedBy(records, of).values()]
    .flatMap((own) => {
      const places = new Set(own.map(({ geoCode }) => geoCode)).size;
      return own.slice(0, 1).map((first) => ({ words: words(first, model), change: change(first), places }));
    })
    .sort((a, b) => b.places - a.places || (a.words < b.words ? -1 : 1));
  return el('div', { class: 'refused' }, [
    p(
      `${view === 'map' ? 'A map' : 'A dot plot'} shows one ${name}; these records have ${options.length}. Choose one:`,
    ),
    el('ul', { class: 'toc' }, [
      options.map(({ words: text, change: filters, places }) =>
        el('li', {}, changeLink(model, place, { ...filters, view }, text), ` ${counted(places, 'place')}`),
      ),
    ]),
  ]);
}

function otherPeriods(view: ViewName, periods: readonly string[], { model, place }: Drawing): Child {
  const last = periods.at(-1);
  const links = periods
    .filter((period) => period !== last)
    .toReversed()
    .map((period) => changeLink(model, place, { view, from: period, to: period }, period));
  return el('p', { class: 'part others' }, [
    `${last} is the last of ${periods.length} periods of these records. One period at a time is drawn: `,
    joined(links, ' '),
  ]);
}
