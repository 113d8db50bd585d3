/**
 * The pages of designations: the search with its form, and one entry. What the list is, how old it is and what it does not say is
 * above everything. No name is in a title, a description or a link preview, and search engines are asked to leave the pages out.
 */
import type { DesignationList } from '../core/designation.ts';
import { entities } from '../core/operations/entities.ts';
import { csvPath } from '../core/paths.ts';
import type { Entity } from '../core/records.ts';
import {
  apiAddress,
  designationAddress,
  designationsAddress,
  downloadAddress,
  PAGES,
  rootFrom,
} from './address.ts';
import { printPage, type Page, type Site } from './frame.ts';
import { noticeOf } from './designation-notice.ts';
import { code, el, hash, joinEach, linkTo, p, type Child } from './node.ts';
import { facts, list as lines, listEach, section, table } from './table.ts';
import { counted, grouped } from './words.ts';

/** The fields of the form: name in addresses, name in the API, what it is called. */
export const DESIGNATION_FIELDS = [
  ['query', 'query', 'Words of the official name'],
  ['type', 'entity_type', 'Type'],
  ['program', 'program', 'Program'],
  ['country', 'country', 'Country'],
] as const;

/** What matches a query. */
export interface DesignationResult {
  filters: Readonly<Record<string, string>>;
  matched: number;
  entries: readonly Entity[];
  /** Address of the first page where this is a further one. */
  first: string | null;
  next: string | null;
  /** Why nothing matches: the filter that nothing has, and what is close to it. */
  absence: { parameter: string | null; message: string; nearest: readonly string[] } | null;
}

/** What the page of the search shows. */
export interface DesignationSearch {
  list: DesignationList | null;
  /** Values of the fields as they were given, by name. */
  given: Readonly<Record<string, string>>;
  /** Null on the page without a query. */
  result: DesignationResult | null;
  /** Why there is no result, where a query was refused or cannot be answered. */
  refusal: string | null;
  site: Site;
}

const PATH = `${PAGES.designations}index.html`;
const ROOT = rootFrom(PATH);

/** Prints the page of the search. */
export function printDesignations({ list, given, result, refusal, site }: DesignationSearch): string {
  return printPage(site, {
    path: PATH,
    title: 'Designations',
    description:
      'Search official names on a list of public designations. A designation is an administrative action, not proof of guilt and not an adjudication.',
    unlisted: true,
    body: el('article', { class: 'designations' }, [
      el('h1', {}, 'Designations'),
      noticeOf(list),
      el(
        'form',
        {
          method: 'get',
          action: `${ROOT}${PAGES.designations}`,
          role: 'search',
          'aria-label': 'Official names',
        },
        [
          el('div', { class: 'fields' }, [
            DESIGNATION_FIELDS.map((field) => control(field, given[field[0]] ?? '')),
          ]),
          el('button', { type: 'submit' }, 'Search'),
        ],
      ),
      refusal === null ? null : el('p', { class: 'note warn', role: 'alert' }, refusal),
      result === null || !list ? null : resultOf(result, list),
      list && result === null && refusal === null ? howTo() : null,
    ]),
  });
}

/** Prints the page of one entry; without one, the page that says that this edition has none. */
export function printDesignation(
  { list, given, entry }: { list: DesignationList | null; given: string; entry: Entity | string },
  site: Site,
): string {
  const isMissing = typeof entry === 'string';
  const page: Page = {
    path: `${PAGES.designations}${given}`,
    title: isMissing ? 'No such designation' : `Designation ${given}`,
    description: 'An entry of a list of public designations: an administrative action, not proof of guilt.',
    trail: [['Designations', PAGES.designations]],
    unlisted: true,
    root: ROOT,
    body: el('article', { class: 'designations record' }, [
      el('p', { class: 'over' }, 'Designation ', hash(given)),
      noticeOf(list),
      isMissing
        ? [el('h1', {}, 'There is no such designation'), p(entry)]
        : [el('h1', {}, entry.name), list && entryOf(entry, list)],
    ]),
  };
  return printPage(site, page);
}

function control([name, parameter, label]: (typeof DESIGNATION_FIELDS)[number], value: string): Child {
  const { description = '', schema = {} } = entities.parameters.find((one) => one.name === parameter) ?? {};
  const choices = Array.isArray(schema['enum']) ? schema['enum'].map(String) : null;
  const described = { id: name, name, 'aria-describedby': `${name}-help` };
  return el('div', {}, [
    el('label', { for: name }, label),
    choices
      ? el('select', described, [
          el('option', { value: '' }, 'any'),
          choices.map((choice) => el('option', { value: choice, selected: choice === value }, choice)),
        ])
      : el('input', { ...described, type: 'text', value, maxlength: 120, autocomplete: 'off' }),
    el('small', { id: `${name}-help` }, description),
  ]);
}

function resultOf(
  { filters, matched, entries, first, next, absence }: DesignationResult,
  list: DesignationList,
): Child {
  if (matched === 0) return section('results', 'No entry', nothing(absence));
  const part = entries.length < matched ? `; ${grouped(entries.length)} on this page` : '';
  const further = [
    first === null ? null : linkTo(ROOT, first, 'First page'),
    next === null ? null : el('a', { href: `${ROOT}${next}`, rel: 'next' }, 'Next page'),
  ].filter((one) => one !== null);
  return section('results', counted(matched, 'entry', 'entries'), [
    table(`Entries of the list of ${list.date}, in alphabetical order${part}`, entries, [
      [
        'Official name and number',
        ({ sanctions_entity_number: number, name }) => [
          linkTo(ROOT, designationAddress(number), name),
          ' ',
          el('small', {}, String(number)),
        ],
      ],
      ['Type', ({ entity_type: type }) => type],
      ['Programs', ({ programs }) => programs.join(', ')],
      ['Countries', ({ countries }) => countries.join(', ')],
    ]),
    p(programsNote()),
    further.length === 0 ? null : el('p', { class: 'links' }, further),
    el('p', { class: 'links' }, [
      linkTo(ROOT, downloadAddress(filters, 'csv', 'entities'), 'CSV of all matching entries'),
      linkTo(ROOT, downloadAddress(filters, 'excel.csv', 'entities'), 'CSV for Excel'),
      linkTo(ROOT, apiAddress('entities', filters), 'JSON'),
    ]),
  ]);
}

const NO_CLEARANCE = 'Aliases are withheld and not searched. This is not a clearance.';

function nothing(absence: DesignationResult['absence']): Child {
  const reason =
    absence?.parameter === 'query'
      ? 'No official name in this edition has these words.'
      : 'No entry of this edition matches all of these filters.';
  const { nearest = [] } = absence ?? {};
  return [
    p(`${reason} ${NO_CLEARANCE}`),
    nearest.length > 0 && [
      p('Countries that the list prints and that are close to the one given:'),
      listEach(nearest, (country) => linkTo(ROOT, designationsAddress({ country }), country)),
    ],
  ];
}

function entryOf(
  { sanctions_entity_number: number, entity_type: type, programs, countries, meta }: Entity,
  list: DesignationList,
): Child {
  return [
    facts([
      ['Number', String(number)],
      ['Type', type],
      ['Programs', joinEach(programs, ', ', (program) => code(program))],
      [
        'Countries',
        countries.length === 0
          ? 'none printed'
          : `${countries.join(', ')} (as printed in addresses and vessel flags; not nationalities)`,
      ],
      ['Source', [meta.source, ', ', el('a', { href: meta.source_url }, 'page of the publisher')]],
      ['Copy obtained', meta.downloaded_at],
      ['sha256 of the file', hash(list.sha256)],
      ['Adjudication', 'none: an administrative action'],
    ]),
    p(programsNote()),
    section('limits', 'What this entry does not say', lines(list.limitations)),
  ];
}

/** Where the codes of programs are spelt out. */
function programsNote(): Child {
  return [
    'The codes of the programs are explained in the ',
    linkTo(ROOT, `${PAGES.docs}#entities`, 'documentation'),
    '.',
  ];
}

function howTo(): Child {
  const file = csvPath('designations');
  const copy = p(
    'On a copy of these files without the service nothing is searched: the form leads back to this page and gives no result. All entries are in ',
    linkTo(ROOT, file, file),
    '.',
  );
  const how = section('how', 'How the search works', [
    lines([
      'Every word must be the beginning of a word of the official name; case and diacritics do not matter. Nothing else of an entry is searched.',
      programsNote(),
    ]),
  ]);
  return [copy, how];
}
