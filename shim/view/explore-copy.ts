/**
 * The view to take away: its API address, the same request in the languages people use, a citation, and its rows as files. On a copy of
 * the files, which answers no requests, the files of its datasets, and the rest at its site where that is known.
 */
import { SERVICE } from '../core/cite.ts';
import type { Exploration, ExploreAnswer } from '../core/explore-answer.ts';
import { parquetPath } from '../core/paths.ts';
import { apiAddress, downloadAddress, exploreAddress } from './address.ts';
import { embedSnippet } from './embed-snippet.ts';
import { answersAt, apiFilters, type ExplorePlace } from './explore-link.ts';
import { code, el, joinEach, linkTo, type Child } from './node.ts';
import { section } from './table.ts';

/** The section of a view with records. `title` says what the view shows, `isFigure` that it is drawn as one figure of them all. */
export function copySection(
  model: Exploration,
  answer: ExploreAnswer,
  title: string,
  place: ExplorePlace,
  isFigure: boolean,
): Child {
  const { siteUrl, read } = place;
  const filters = apiFilters(model);
  const at = answersAt(place);
  const query = apiAddress('market-observations', filters);
  // The figure alone and requests are answered by the service only.
  const service = read === undefined ? `${siteUrl}/` : at;
  const forms = [
    ...(service === null ? [] : requests(`${service}${query}`)),
    ...duckdb(model, answer, siteUrl),
    ...(service === null || !isFigure
      ? []
      : [['HTML of the figure for another page', embedSnippet(model, title, service)] as const]),
  ];
  return section('copy', 'Take it with you', [
    read === undefined ? '' : filesOfCopy(answer, place),
    at !== null &&
      el('ul', { class: 'links' }, [
        el('li', {}, linkTo(at, downloadAddress(filters, 'csv'), 'CSV of all matching rows')),
        el('li', {}, linkTo(at, downloadAddress(filters, 'excel.csv'), 'CSV for Excel')),
        el('li', {}, linkTo(at, query, 'JSON')),
      ]),
    el('h3', { id: 'cite' }, 'Cite'),
    copyable('citation', citation(model, answer, title, siteUrl)),
    forms.length > 0 && el('h3', {}, 'Copy as'),
    forms.map(([name, text]) =>
      el('details', { class: 'snippet' }, el('summary', {}, name), copyable(name, text)),
    ),
  ]);
}

/** What a copy has of the rows of a view, and what it does not answer. */
function filesOfCopy({ datasets }: ExploreAnswer, { root, site = null }: ExplorePlace): Child {
  const files = datasets.flatMap((dataset) => dataset?.path.slice(1).replace(/ndjson$/, 'csv') ?? []);
  return el('p', { class: 'note' }, [
    'This copy does not choose rows for a download. Every row of the dataset, not those of this view alone: ',
    joinEach(files, ', ', (file) => linkTo(root, file, file)),
    '.',
    site === null ? '' : ` What follows is answered by ${site}, the site of this copy.`,
  ]);
}

/** A request in the languages people use. */
function requests(address: string): (readonly [string, string])[] {
  // An apostrophe would end the text that a shell or a language reads.
  const api = address.replaceAll("'", '%27');
  return [
    ['API address', api],
    ['curl', `curl '${api}'`],
    ['JavaScript', javascript(api)],
    ['Python', python(api)],
    ['R', r(api)],
  ];
}

function copyable(name: string, text: string): Child {
  return el('div', { class: 'copyable' }, [
    el('pre', {}, code(text)),
    el('button', { type: 'button', hidden: true, 'data-copy': true }, `Copy ${name}`),
  ]);
}

function citation(
  { query, generatedAt }: Exploration,
  { sources }: ExploreAnswer,
  title: string,
  siteUrl: string,
): string {
  const files = sources.map(
    ({ publisher, name, edition, sha256 }) =>
      `${publisher}, “${name}”, edition ${edition} (sha256 ${sha256})`,
  );
  const licences = [...new Set(sources.map(({ license }) => license))];
  return [
    `${title}. ${SERVICE}, data as of ${generatedAt?.slice(0, 10) ?? 'unknown'}.`,
    `${siteUrl}/${exploreAddress({ ...query.given, cursor: undefined })}.`,
    `Sources: ${files.join('; ')}.`,
    `Licence: ${licences.join('; ')}.`,
  ].join(' ');
}

function javascript(api: string): string {
  return `const records = [];
const address = new URL('${api}');
for (let cursor = ''; cursor !== null; ) {
  if (cursor) address.searchParams.set('cursor', cursor);
  const { ok, message, data } = await (await fetch(address)).json();
  if (!ok) throw new Error(message);
  records.push(...data.observations);
  cursor = data.page.next_cursor;
}
console.log(records.length);`;
}

function python(api: string): string {
  return `import json, urllib.parse, urllib.request

address = '${api}'
records, cursor = [], ''
while cursor is not None:
    more = ('&' if '?' in address else '?') + 'cursor=' + cursor if cursor else ''
    with urllib.request.urlopen(address + more) as response:
        data = json.load(response)['data']
    records += data['observations']
    cursor = data['page']['next_cursor']
print(len(records))`;
}

function r(api: string): string {
  return `library(jsonlite)
address <- '${api}'
pages <- list()
cursor <- ''
while (!is.null(cursor)) {
  more <- if (nzchar(cursor)) paste0(if (grepl('?', address, fixed = TRUE)) '&' else '?', 'cursor=', cursor) else ''
  data <- fromJSON(paste0(address, more))$data
  pages[[length(pages) + 1]] <- data$observations
  cursor <- data$page$next_cursor
}
records <- do.call(rbind, pages)
nrow(records)`;
}

/** Columns of the published tables by parameter. */
const COLUMNS = {
  indicator: 'indicatorId',
  geo: 'geoCode',
  category: 'category',
  subgroup: 'subgroup',
} as const;

/** The same rows out of the published Parquet files; not for a day of the past or an edition, whose files are others. */
function duckdb(
  { query }: Exploration,
  { datasets }: ExploreAnswer,
  siteUrl: string,
): (readonly [string, string])[] {
  const { given } = query;
  if (given['as_of'] !== undefined || given['id'] !== undefined) return [];
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const files = datasets.flatMap((one) => (one ? [text(`${siteUrl}/${parquetPath(one.id)}`)] : []));
  const { from, to } = given;
  const isMonth = [from, to].some((period) => period !== undefined && period.length > 4);
  const where = [
    ...Object.entries(COLUMNS).flatMap(([name, column]) => {
      const value = given[name];
      return value === undefined ? [] : [`${column} = ${text(value)}`];
    }),
    ...(from === undefined ? [] : [`period >= ${text(from)}`]),
    // A year has all months in it.
    ...(to === undefined ? [] : [`left(period, ${to.length}) <= ${text(to)}`]),
    ...(isMonth ? ['length(period) = 7'] : []),
  ];
  const list = files.length === 1 ? (files[0] ?? '') : `[${files.join(', ')}]`;
  const condition = where.length === 0 ? '' : `\nWHERE ${where.join('\n  AND ')}`;
  return [['DuckDB', `SELECT * FROM read_parquet(${list})${condition};`]];
}
