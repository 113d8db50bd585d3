/** The form of the explorer: a field for each filter of the API, with its own message next to it. It works without script: GET. */
import type { Choice, Exploration, Fewer } from '../core/explore-answer.ts';
import { FILTERS, NO_LABEL, type ExploreQuery } from '../core/explore-query.ts';
import { changed, filtersOf, type ExplorePlace } from './explore-link.ts';
import { exploreAddress } from './address.ts';
import { el, joinEach, linkTo, p, type Child } from './node.ts';
import { spanWords } from './periods.ts';
import { grouped, labelOf } from './words.ts';

/** A message next to a field. */
export interface FieldMessage {
  /** Null where the message is about no single field. */
  parameter: string | null;
  message: string;
}

/** Fields by the name of their parameter; what they are called, and a hint where a text is typed. */
const TEXTS: readonly (readonly [name: string, label: string, hint: string])[] = [
  ['from', 'From', 'A year, or a month such as 2023-05'],
  ['to', 'To', 'A year or a month'],
];
const MORE: readonly (readonly [name: string, label: string, hint: string])[] = [
  ['as_of', 'As published by', 'A day, YYYY-MM-DD: the editions there were'],
  ['id', 'Record', 'A record id, or one with @ and an edition'],
  ['limit', 'Records per page', '1 to 500; 200 if empty'],
];
const FIELDS: ReadonlySet<string> = new Set([...FILTERS, 'limit']);

/** The search field and the form. */
export function exploreForms(
  model: Exploration,
  messages: readonly FieldMessage[],
  place: ExplorePlace,
): Child {
  const { query, choices } = model;
  const messageOf = (name: string): string | null =>
    messages.find(({ parameter }) => parameter === name)?.message ?? null;
  const general = messages.filter(({ parameter }) => parameter === null || !FIELDS.has(parameter));
  const text = ([name, label, hint]: (typeof TEXTS)[number]): Child =>
    field(
      name,
      label,
      messageOf(name),
      (attributes) =>
        el('input', { ...attributes, type: 'text', autocomplete: 'off', value: query.given[name] ?? null }),
      hint,
    );
  const select = (name: string, label: string, any: string, options: readonly Choice[]): Child =>
    field(
      name,
      label,
      messageOf(name),
      (attributes) => el('select', attributes, optionsOf(query.given[name], any, options)),
      options.length === 0 ? 'Listed for a dataset, an indicator or a place' : '',
    );
  const isMoreOpen = MORE.some(([name]) => query.given[name] !== undefined || messageOf(name) !== null);
  return [
    findForm(model, place),
    el(
      'form',
      { class: 'explore-form', method: 'get', action: `${place.root}explore/`, 'aria-label': 'Filters' },
      general.map(({ message }) => el('p', { class: 'error', role: 'alert' }, message)),
      el('div', { class: 'fields' }, [
        select('dataset', 'Dataset', 'Any dataset', choices.dataset),
        select('indicator', 'Indicator', 'Any indicator', choices.indicator),
        select('geo', 'Place', 'Any place', choices.geo),
        select('category', 'Category', 'Any category', labels(choices.category)),
        select('subgroup', 'Subgroup', 'Any subgroup', labels(choices.subgroup)),
        el('div', { class: 'pair' }, TEXTS.map(text)),
      ]),
      el('details', { open: isMoreOpen }, [
        el('summary', {}, 'Editions, one record, page size'),
        el('div', { class: 'fields' }, MORE.map(text)),
      ]),
      el('input', { type: 'hidden', name: 'form', value: '1' }),
      hidden(query, ['view', 'sort']),
      el('p', { class: 'send' }, [
        el('button', { type: 'submit' }, 'Show records'),
        Object.keys(query.given).length > 0 && el('a', { href: `${place.root}explore/` }, 'Start again'),
      ]),
    ),
  ];
}

/** The filters of time, which a search for series keeps. */
const TIME = ['from', 'to', 'as_of'];

/** The search for series, among those of what is chosen in the form below. */
function findForm({ query, findFault }: Exploration, { root }: ExplorePlace): Child {
  const message = findFault?.message ?? null;
  return el(
    'form',
    {
      class: 'find',
      method: 'get',
      action: `${root}explore/`,
      role: 'search',
      'aria-label': 'Find a series',
    },
    field(
      'find',
      'Find',
      message,
      (attributes) => el('input', { ...attributes, type: 'search', value: query.find, autocomplete: 'off' }),
      'Place, drug or indicator: “cocaine belgium”',
    ),
    hidden(query, ['dataset', 'indicator', 'geo', ...TIME]),
    el('button', { type: 'submit' }, 'Find series'),
  );
}

/** What a form keeps of the address though it has no field for it. */
function hidden(query: ExploreQuery, names: readonly string[]): Child {
  const filters = filtersOf(query);
  return names.map((name) => {
    const value = filters[name];
    return value === undefined ? '' : el('input', { type: 'hidden', name, value });
  });
}

/** A field with its label, its message and its hint; `control` gets the attributes that tie them together. */
export function field(
  name: string,
  label: string,
  message: string | null,
  control: (attributes: Record<string, string | null>) => Child,
  hint = '',
): Child {
  const id = `f-${name}`;
  const described = [message === null ? '' : `${id}-error`, hint === '' ? '' : `${id}-hint`].filter(Boolean);
  return el('div', { class: message === null ? null : 'wrong' }, [
    el('label', { for: id }, label),
    control({
      id,
      name,
      'aria-invalid': message === null ? null : 'true',
      'aria-describedby': described.length === 0 ? null : described.join(' '),
    }),
    message === null ? '' : el('p', { class: 'error', id: `${id}-error` }, message),
    hint === '' ? '' : el('small', { id: `${id}-hint` }, hint),
  ]);
}

/** A value that the list does not hold is an option of its own: what was asked for is shown, whatever it is. */
function optionsOf(given: string | undefined, any: string, options: readonly Choice[]): Child {
  const isListed = given === undefined || options.some(([value]) => value === given);
  return [
    el('option', { value: '' }, any),
    isListed ? '' : option(given, `${given} (not in this list)`, given),
    options.map(([value, name]) =>
      option(value, name === value || value === '' ? name : `${name} (${value})`, given),
    ),
  ];
}

function option(value: string, words: string, given: string | undefined): Child {
  return el('option', { value: value === '' ? NO_LABEL : value, selected: value === given }, words);
}

function labels(texts: readonly string[]): Choice[] {
  return texts.map((text): Choice => [text, text === '' ? 'None printed' : text]);
}

/** Where the words of `find` lead: series with their query. */
export function foundSeries(model: Exploration, { root }: ExplorePlace): Child {
  const { found, query } = model;
  if (!found) return '';
  const chosen = ['dataset', 'indicator', 'geo'].some((name) => query.given[name] !== undefined);
  const { from, to, as_of } = query.given;
  const lines = found.lines.map(
    ({ dataset, indicator, geo, geoName, category, subgroup, label, ...line }) => {
      const href = `${root}${changed({ query: { ...query, given: {}, view: null, sort: null, unit: null } }, { dataset, indicator, geo, category, subgroup, from, to, as_of })}`;
      const printed = labelOf({ category, subgroup });
      const periods = spanWords(line.firstPeriod, line.lastPeriod);
      return el('li', {}, [
        el('a', { href }, `${geoName}: ${printed === '' ? label : printed}`),
        el('span', {}, `${label}, ${periods}`),
      ]);
    },
  );
  return el('section', { class: 'found', 'aria-label': 'Series found' }, [
    el('p', { role: 'status' }, [
      found.matched === 0
        ? `No series ${chosen ? 'of what is chosen above ' : ''}has all of these words: ${query.find ?? ''}.`
        : `${grouped(found.matched)} series${chosen ? ' of what is chosen above' : ''}${found.matched > lines.length ? `, the first ${lines.length} of them` : ''}:`,
    ]),
    found.matched === 0 ? found.notes.slice(0, 1).map((note) => p(note)) : el('ul', {}, lines),
    found.matched === 0 &&
      chosen &&
      el('p', { class: 'links' }, [
        linkTo(root, exploreAddress({ find: query.find ?? '' }), 'Look for the words in all series'),
      ]),
    found.fewer && waysToFewer(found.fewer, query, root),
  ]);
}

/** How to come to the other series: by a further word, and by datasets or indicators with their counts. */
function waysToFewer({ name, options }: Fewer, query: ExploreQuery, root: string): Child {
  const link = ({ value, label, matched }: Fewer['options'][number]): Child => {
    const href = `${root}${changed({ query }, { find: query.find ?? '', [name]: value })}`;
    return [el('a', { href }, label), ` (${grouped(matched)})`];
  };
  const hasChoice = options.length > 1;
  return p(
    `For fewer, add a word${query.given['geo'] === undefined ? ' such as the name of a place' : ''}${hasChoice ? `, or choose ${name === 'dataset' ? 'a dataset' : 'an indicator'}: ` : '.'}`,
    hasChoice && joinEach(options, ', ', link),
    hasChoice && '.',
  );
}
