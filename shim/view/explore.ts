/**
 * The explorer: a query of market-observations as forms, figure, table and what to take away. One view for the service, the build and
 * the browser: what it shows is decided by the exploration alone.
 */
import type { Exploration, ExploreAbsence, ExploreAnswer, ExploreFault } from '../core/explore-answer.ts';
import type { ViewName } from '../core/explore-query.ts';
import { queryText } from '../core/paths.ts';
import { apiAddress, compareAddress } from './address.ts';
import { sourceSentences } from './chart/figure.ts';
import type { WorldShapes } from './chart/world.ts';
import { copySection } from './explore-copy.ts';
import { figureNotes } from './explore-limits.ts';
import { exploreTitle } from './explore-title.ts';
import { allRecords, exploreFigure, isWhole, viewOf } from './explore-figure.ts';
import { recordsSection } from './explore-records.ts';
import { exploreForms, foundSeries, type FieldMessage } from './explore-form.ts';
import { answersAt, apiFilters, changeLink, type ExplorePlace } from './explore-link.ts';
import { el, joinEach, linkTo, p, type Child } from './node.ts';
import { spanWords } from './periods.ts';
import { list, listEach, section } from './table.ts';
import { counted, grouped, labelOf } from './words.ts';

/** Views by name, in the order of their links. */
const VIEW_NAMES: readonly (readonly [ViewName, string])[] = [
  ['table', 'Table'],
  ['series', 'Series'],
  ['multiples', 'Small multiples'],
  ['dots', 'Dots'],
  ['map', 'Map'],
  ['matrix', 'Coverage'],
];

/** Whether the page of an exploration draws a map, for which the shapes of the world are loaded. */
export function needsWorld(model: Exploration): boolean {
  return viewOf(model) === 'map' && (allRecords(model) ?? []).length > 0;
}

/** The page below its heading. */
export function exploreBody(
  model: Exploration,
  place: ExplorePlace,
  world: WorldShapes | null,
  figure: Child = figureOf(model, place, world),
): Child {
  return [
    exploreForms(model, messagesOf(model), place),
    foundSeries(model, place),
    model.answer ? result(model, model.answer, place, figure) : faultNote(model),
  ];
}

/** The figure of the page, or what is in its place. */
export function figureOf(model: Exploration, place: ExplorePlace, world: WorldShapes | null): Child {
  const { answer } = model;
  return answer && exploreFigure(viewOf(model), { model, answer, title: exploreTitle(model), place, world });
}

/** The messages of the API, each of the field it names. A filter that empties the answer is named next to its field too. */
function messagesOf({ fault, query, answer }: Exploration): FieldMessage[] {
  const parameter = /parameter "([a-z_]+)"/i.exec(fault?.message ?? '')?.[1] ?? null;
  const absence = answer?.absence;
  return [
    ...(query.refused ? [query.refused] : []),
    ...(fault && isRefusal(fault) ? [{ parameter, message: fault.message }] : []),
    ...(absence && absence.parameter !== null
      ? [{ parameter: absence.parameter, message: absence.message }]
      : []),
  ];
}

/** Whether the query is at fault, not the service. */
function isRefusal({ code }: ExploreFault): boolean {
  return code !== 'unavailable' && code !== 'internal_error';
}

function faultNote({ fault }: Exploration): Child {
  if (!fault) return '';
  const isRefused = isRefusal(fault);
  return el('div', { class: 'note warn' }, [
    el('p', { role: 'status' }, [
      isRefused ? 'This query is refused: see the message in the form above.' : fault.message,
    ]),
  ]);
}

function result(model: Exploration, answer: ExploreAnswer, place: ExplorePlace, figure: Child): Child {
  const title = exploreTitle(model);
  const { page, limitations } = answer;
  const view = viewOf(model);
  const at = answersAt(place);
  return el('div', { class: 'result', 'data-matched': page.matched }, [
    el('h2', { id: 'result' }, title),
    el('p', { role: 'status', class: 'meta' }, statusOf(model, answer)),
    place.read === undefined ? '' : el('p', { class: 'note' }, place.read),
    figureNotes(model, place),
    answer.absence ? absent(model, answer.absence, place) : '',
    page.matched > 0 && [
      el('nav', { class: 'views', 'aria-label': 'Views' }, [
        el('ul', {}, [
          VIEW_NAMES.map(([name, words]) =>
            el('li', {}, changeLink(model, place, { view: name }, words, name === view)),
          ),
        ]),
      ]),
      figure,
      el('p', { class: 'links' }, [
        el('a', { href: `${place.root}${compareAddress([queryText(apiFilters(model)).slice(1)])}` }, [
          'Compare with another place or query',
        ]),
      ]),
      recordsSection(model, answer, place),
      sources(answer, place),
      copySection(model, answer, title, place, isWhole(figure)),
    ],
    section('limits', 'How not to read it', [
      list(limitations.filter((sentence) => ![...model.beside, ...model.earlier].includes(sentence))),
    ]),
    at !== null &&
      el('p', { class: 'links' }, [
        linkTo(at, apiAddress('market-observations', apiFilters(model)), 'This response as JSON'),
      ]),
  ]);
}

function statusOf({ query }: Exploration, { page, status }: ExploreAnswer): string {
  const isPart = page.returned < page.matched;
  return [
    `${counted(page.matched, 'record')} ${page.matched === 1 ? 'matches' : 'match'}.`,
    isPart
      ? `The table has ${grouped(page.returned)} of them${query.given['cursor'] === undefined ? '' : ', on a further page'}.`
      : '',
    status === 'available' ? '' : 'Some evidence is unavailable: see how not to read it.',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Why nothing matches, in the words of the service, and the queries that match. */
function absent(
  model: Exploration,
  { parameter, reason, nearest, periods, elsewhere, message }: ExploreAbsence,
  place: ExplorePlace,
): Child {
  const nameOf = (value: string): string =>
    (parameter === 'geo' ? model.choices.geo.find(([code]) => code === value)?.[1] : undefined) ?? value;
  const [first] = periods;
  // The periods are those of the query without what empties it.
  const dropped =
    reason === 'no_rows_in_period'
      ? { from: undefined, to: undefined }
      : parameter === null
        ? { category: undefined, subgroup: undefined }
        : { [parameter]: undefined };
  const last = periods.at(-1);
  return el('div', { class: 'note' }, [
    el('h2', {}, 'No records match'),
    p(message),
    nearest.length > 0 &&
      parameter !== null &&
      el('p', { class: 'links' }, [
        'Close to it: ',
        joinEach(nearest, ' ', (value) =>
          changeLink(model, place, { [parameter]: value }, nameOf(value) || 'none printed'),
        ),
      ]),
    first !== undefined &&
      last !== undefined &&
      reason !== 'unknown_value' &&
      el('p', { class: 'links' }, [
        changeLink(model, place, dropped, `Records of ${spanWords(first, last)}`),
      ]),
    labelsElsewhere(model, elsewhere, place),
  ]);
}

/** The labels of a place that have records, where the one asked for has none; each leads to them in the explorer. */
export function labelsElsewhere(
  model: Exploration,
  elsewhere: ExploreAbsence['elsewhere'],
  place: ExplorePlace,
): Child {
  return (
    elsewhere.length > 0 && [
      p('Labels of this place that have records:'),
      listEach(elsewhere, ({ category, subgroup, periods: own }) => [
        changeLink(model, place, { category, subgroup }, labelOf({ category, subgroup }) || 'no label'),
        ` ${own.join(', ')}`,
      ]),
    ]
  );
}

function sources({ sources: all }: ExploreAnswer, { root }: ExplorePlace): Child {
  return section('sources', 'Sources', [listEach(all, (source) => sourceSentences(source, root))]);
}
