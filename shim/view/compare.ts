/** The page of a comparison: its views next to each other with the same periods, each with its own scale and unit; or why not. */
import { VIEW_PARAMETERS, type ComparedView, type Comparison } from '../core/compare.ts';
import type { Exploration } from '../core/explore-answer.ts';
import type { Observation } from '../core/records.ts';
import type { Steps } from '../core/steps.ts';
import { exploreAddress, PAGES, rootFrom } from './address.ts';
import { NO_ROW } from './chart/legend.ts';
import { seriesFigure } from './chart/panels.ts';
import { seriesOf } from './chart/series.ts';
import { labelsElsewhere } from './explore.ts';
import { aboutOf, allRecords } from './explore-figure.ts';
import { figureNotes } from './explore-limits.ts';
import type { ExplorePlace } from './explore-link.ts';
import { exploreTitle } from './explore-title.ts';
import { printingPage, type Site } from './frame.ts';
import { el, linkTo, p, type Child } from './node.ts';
import { listEach } from './table.ts';
import { counted } from './words.ts';

/** The file of the page below the site root; its address with a query is answered by the service. */
export const COMPARE_PATH = `${PAGES.compare}index.html`;
const ROOT = rootFrom(COMPARE_PATH);

/** Series that one view draws. */
const MOST_SERIES = 6;

/** Draws and prints the page in steps; `start` is what the file of the site has below its form. */
export function* printCompare(comparison: Comparison, site: Site, start?: Child): Steps<string> {
  const titles = comparison.views.flatMap(({ model }) => (model ? [exploreTitle(model)] : []));
  const title = titles.length === 0 ? 'Compare' : `Compare: ${titles.join(' | ')}`;
  const body = start === undefined ? yield* bodyOf(comparison, site.siteUrl) : '';
  return yield* printingPage(site, {
    path: COMPARE_PATH,
    title,
    description:
      'Two to six queries next to each other, with the same periods, each with its own scale and unit as printed.',
    unlisted: start === undefined,
    body: [
      el('h1', {}, 'Compare'),
      el('p', { class: 'standfirst' }, [
        'Two to six queries next to each other. Periods are the same in all; every view keeps its own scale and unit. Nothing is divided, added or correlated.',
      ]),
      body,
      form(comparison),
      start ?? '',
    ],
  });
}

function* bodyOf({ views, refusals, message }: Comparison, siteUrl: string): Steps<Child> {
  if (message !== null) return el('p', { class: 'note warn', role: 'status' }, message);
  if (refusals.length > 0)
    return el('div', { class: 'note warn', role: 'status', 'data-refused': true }, [
      p('These views may not be shown together. Nothing is drawn.'),
      listEach(refusals, ({ of: [one, other], why }) => `${one} and ${other}: ${why}`),
    ]);
  const shown = views.map((view) => ({ view, ...drawable(view) }));
  const periods = shown.flatMap(({ records }) => records.map(({ period }) => period));
  const sections: Child[] = [];
  for (const { view, records, why } of shown) {
    sections.push(viewSection(view, records, why, periods, siteUrl));
    yield;
  }
  return [
    views.length < 2 &&
      el('p', { class: 'note', role: 'status' }, 'A comparison has two to six views. Add one below.'),
    el('div', { class: 'compared' }, sections),
  ];
}

/** The records of a view, or why there is nothing to draw. */
function drawable({ model }: ComparedView): { records: readonly Observation[]; why: Child | null } {
  if (!model?.answer) return { records: [], why: null };
  const records = allRecords(model);
  if (records === null)
    return {
      records: [],
      why: [`${counted(model.answer.page.matched, 'record')} match: too many to draw. `, choice(model)],
    };
  const count = seriesOf(records).length;
  if (count === 0) return { records, why: model.answer.absence?.message ?? 'No records match.' };
  return count > MOST_SERIES
    ? {
        records: [],
        why: [
          `${count} series match, and a view draws at most ${MOST_SERIES}: a part would be read as the whole. `,
          choice(model),
        ],
      }
    : { records, why: null };
}

/** Leads to the explorer, where what a query leaves open is chosen. */
function choice(model: Exploration): Child {
  const { indicator, geo, category, subgroup } = model.query.given;
  const open = [
    ...(indicator === undefined ? ['an indicator'] : []),
    ...(geo === undefined ? ['a place'] : []),
    ...(category === undefined || subgroup === undefined ? ['a label'] : []),
  ];
  const words = open.length === 0 ? 'Change the query' : `Choose ${open.join(' or ')}`;
  return [linkTo(ROOT, exploreAddress(ownFilters(model)), `${words} in the explorer`), '.'];
}

function viewSection(
  { parameter, model }: ComparedView,
  records: readonly Observation[],
  why: Child | null,
  periods: readonly string[],
  siteUrl: string,
): Child {
  if (!model) return '';
  const title = exploreTitle(model);
  const place: ExplorePlace = { root: ROOT, siteUrl };
  const about = model.answer
    ? aboutOf({ model, answer: model.answer, title, place, world: null }, records)
    : null;
  const address = exploreAddress(ownFilters(model));
  const linked = linkTo(ROOT, address, title);
  return el('section', { 'aria-labelledby': `view-${parameter}` }, [
    el('h2', { id: `view-${parameter}` }, `View ${parameter}`),
    why !== null || !about
      ? [
          p(linked),
          el('p', { class: 'refused' }, why ?? 'Nothing can be drawn: see the message next to its query.'),
          labelsElsewhere(model, model.answer?.absence?.elsewhere ?? [], place),
        ]
      : [
          seriesFigure(records, {
            ...about,
            id: `figure-${parameter}`,
            linked,
            cite: `${ROOT}${address}#cite`,
            periods,
            ...(isOfPeriods(model) ? { nothing: `${NO_ROW}, or outside the periods of this view` } : {}),
          }),
          figureNotes(model, place),
        ],
  ]);
}

/** Whether the query itself leaves out periods, which the other views may have. */
function isOfPeriods({ query }: Exploration): boolean {
  return ['from', 'to', 'id'].some((name) => query.given[name] !== undefined);
}

function ownFilters({ query }: Exploration): Record<string, string | undefined> {
  return { ...query.given, cursor: undefined };
}

/** A field for each view up to the last, and one more; the last view can be repeated for another place. */
function form({ views }: Comparison): Child {
  const used = VIEW_PARAMETERS.findLastIndex((name) => views.some(({ parameter }) => parameter === name)) + 1;
  const count = Math.min(VIEW_PARAMETERS.length, Math.max(2, used + 1));
  const last = views.at(-1)?.model;
  const places = last && views.length < VIEW_PARAMETERS.length ? last.choices.geo : [];
  return el(
    'form',
    { class: 'compare-form', method: 'get', action: `${ROOT}${PAGES.compare}`, 'aria-label': 'Views' },
    places.length > 0 &&
      el('div', { class: 'wide' }, [
        el('label', { for: 'v-place' }, 'The last view again, for another place'),
        el('select', { id: 'v-place', name: 'place' }, [
          el('option', { value: '' }, 'Choose a place'),
          places.map(([code, name]) => el('option', { value: code }, `${name} (${code})`)),
        ]),
      ]),
    VIEW_PARAMETERS.slice(0, count).map((parameter) => {
      const view = views.find((one) => one.parameter === parameter);
      const [id, message] = [`v-${parameter}`, view?.message ?? null];
      return el('div', { class: message === null ? 'wide' : 'wide wrong' }, [
        el('label', { for: id }, `View ${parameter}`),
        el('input', {
          id,
          name: parameter,
          type: 'text',
          autocomplete: 'off',
          value: view?.given ?? null,
          'aria-invalid': message === null ? null : 'true',
          'aria-describedby': message === null ? 'v-hint' : `${id}-error v-hint`,
        }),
        message === null ? '' : el('p', { class: 'error', id: `${id}-error` }, message),
      ]);
    }),
    el('small', { id: 'v-hint' }, [
      'An address of the explorer, or what follows the ? in it: indicator=seizures&geo=BEL',
    ]),
    el('input', { type: 'hidden', name: 'form', value: '1' }),
    el('p', { class: 'send' }, el('button', { type: 'submit' }, 'Compare')),
  );
}
