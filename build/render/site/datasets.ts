/** The page of a dataset: what it is, may be used for, holds, rests on, and how it differs between editions. */
import { sortedByName } from '../../../shim/core/name-order.ts';
import { datasetDocumentPath } from '../../../shim/core/paths.ts';
import type { DatasetDocument } from '../../../shim/core/records.ts';
import {
  datasetAddress,
  exploreAddress,
  indicatorAddress,
  PAGES,
  rootFrom,
  rowsAddress,
  sourceAddress,
} from '../../../shim/view/address.ts';
import { code, el, joinEach, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { spanWords } from '../../../shim/view/periods.ts';
import { facts as factList, list, section, table } from '../../../shim/view/table.ts';
import { counted, grouped, LEVELS } from '../../../shim/view/words.ts';
import { byCodeUnits, distinct } from '../../lib/dataset.ts';
import type { Artifact } from '../../lib/tree.ts';
import { type BulkDataset } from '../bulk/release.ts';
import {
  cadenceWords,
  commercialAnswers,
  dayOf,
  differences,
  dueWords,
  firstDue,
  licenceWords,
  spanOfDays,
  statusTable,
} from './dataset-parts.ts';
import { framed, withContents } from './page.ts';
import { citeDataset, citeSection } from './dataset-citation.ts';
import { downloads, editionsTable } from './dataset-files.ts';
import { datasetData } from './dataset-json-ld.ts';
import { cellPath } from './cell-path.ts';
import type { DatasetFacts } from './dataset-facts.ts';
import { COUNTED, type RecordSummary } from './summary.ts';
import type { Field } from '../../../shim/core/fields.ts';

/** Renders the page of a dataset, with what is said of all its records. */
export function datasetPage(facts: DatasetFacts, summary: RecordSummary): Artifact {
  const { site, dataset, editions, pairs, note, fileOf, hasRowPages } = facts;
  const { document } = dataset;
  const { id, title, sources, limitations } = document;
  const path = `${datasetAddress(id)}index.html`;
  const root = rootFrom(path);
  const body = [
    el('h1', {}, title),
    el('p', { class: 'standfirst' }, document.description),
    note === null ? null : el('p', { class: 'note warn' }, note),
    hasRowPages
      ? null
      : el('p', { class: 'note' }, [
          `Its ${grouped(document.records)} records are too many for pages of rows. The pages of its places count them; each record is in `,
          linkTo(root, exploreAddress({ dataset: id }), 'the explorer'),
          ', the API and the files below.',
        ]),
    glance(dataset, site.generatedAt),
    withContents([
      section('limits', 'How it must not be read', list([...(document.caveats ?? []), ...limitations])),
      summary.rows === 0 ? null : statuses(summary, id),
      indicatorsOf(document, root),
      placesOf(facts, document, root),
      section('sources', "Publishers' files", [
        table(`What it was read from; due dates at ${site.generatedAt.slice(0, 10)}`, sources, [
          ['File', (source) => linkTo(root, fileOf(source), source.name)],
          ['Edition', ({ dated }) => dayOf(dated)],
          ['Retrieved', ({ retrievedAt }) => dayOf(retrievedAt)],
          ['Next one', dueWords],
          ['Renewed', ({ cadence }) => cadenceWords(cadence)],
        ]),
      ]),
      cellPath(facts, summary, root),
      downloads(dataset, root),
      editionsTable(editions, fileOf, root),
      differences(pairs, root),
      codebook(dataset, summary, root),
      citeSection(citeDataset(dataset, site.siteUrl)),
    ]),
  ];
  return framed(site, {
    path,
    title: `${title}, dataset`,
    description: document.description,
    body,
    trail: [['Data', PAGES.data]],
    head: datasetData(dataset, site.siteUrl),
    alternates: [['application/json', datasetDocumentPath(id), 'This dataset for programs']],
  });
}

function glance({ document, publishers }: BulkDataset, clock: string): Child {
  const { sources, records, geographies, indicators, fields } = document;
  const retrieved = distinct(sources.map(({ retrievedAt }) => retrievedAt)).sort(byCodeUnits);
  return factList([
    ['Published by', publishers.join('; ')],
    ['Edition', [document.edition, ', the date of its newest file']],
    ['Retrieved', spanWords(retrieved[0] ?? null, retrieved.at(-1) ?? null)],
    ['Next edition', [firstDue(document.sources), ` (at ${clock.slice(0, 10)})`]],
    ['Records', grouped(records)],
    ['Periods', spanWords(document.firstPeriod, document.lastPeriod)],
    ['Places', geographies.length === 0 ? '' : grouped(geographies.length)],
    ['Indicators', indicators.length === 0 ? '' : grouped(indicators.length)],
    ['Fields', fields.length === 0 ? '' : grouped(fields.length)],
    ['Licence', licenceWords(sources)],
    ['May I use it commercially?', commercialAnswers(sources)],
  ]);
}

function statuses({ kinds, shared, rows }: RecordSummary, id: string): Child {
  return section('statuses', 'Rows by status', [
    statusTable(kinds),
    shared !== 0 &&
      el('p', { 'data-shared': shared }, [
        `${grouped(shared)} of the ${counted(rows, 'row')} of ${id} have the same indicator, place, period and labels as another row. Each is a record of its own, in the order of its source; they are never added up or averaged.`,
      ]),
  ]);
}

function indicatorsOf({ indicators, fields, id, title }: DatasetDocument, root: string): Child {
  if (fields.length > 0)
    return section('indicators', 'Fields', [
      p(
        linkTo(root, indicatorAddress(id), `The ${grouped(fields.length)} fields of a record`),
        ', with their coverage.',
      ),
    ]);
  if (indicators.length === 0) return null;
  return section('indicators', 'Indicators', [
    table(`Indicators of ${title}`, indicators, [
      ['Indicator', ({ id: indicator, label }) => linkTo(root, indicatorAddress(indicator), label)],
      [{ numbers: 'Rows' }, ({ coverage }) => grouped(coverage.observations)],
      ['Unit', ({ unit, units }) => unit ?? `${units.length} units`],
      [{ numbers: 'Unavailable' }, ({ coverage }) => grouped(coverage.unavailable)],
      [{ numbers: 'Places' }, ({ geographies }) => grouped(geographies.length)],
      ['Periods', ({ coverage }) => spanOfDays(coverage.firstPeriod, coverage.lastPeriod)],
    ]),
  ]);
}

function placesOf({ places }: DatasetFacts, { id, geographies }: DatasetDocument, root: string): Child {
  if (geographies.length === 0) return null;
  return section('places', 'Places', [
    p('Each leads to all its rows; the number is that of the rows.'),
    el('ul', { class: 'columns' }, [
      sortedByName(geographies, ({ name }) => name).map(({ code: place, name, level }) => [
        '\n',
        el('li', {}, [
          linkTo(root, rowsAddress(id, place), name),
          level === 'country' ? '' : `, ${LEVELS[level]}`,
          ' ',
          el('span', { class: 'soft' }, grouped(places.get(place) ?? 0)),
        ]),
      ]),
    ]),
  ]);
}

/** Values of an open list are printed up to this many; more are counted. */
const MOST_VALUES = 8;

/** The codebook; open lists of values are those of the dataset's records. */
function codebook({ files }: BulkDataset, summary: RecordSummary, root: string): Child {
  const csv = files.find(({ form }) => form === 'csv');
  if (!csv) return null;
  return section('codebook', 'Codebook', [
    table(
      'Columns of the CSV and Parquet files, which are the members of the JSON records',
      csv.columns,
      [
        ['Column', ({ name }) => code(name)],
        ['Meaning', ({ description }) => description],
        ['Type', typeWords],
        ['Allowed values', (field) => valuesOf(field, summary, root)],
      ],
      ({ name }) => `column-${name}`,
    ),
  ]);
}

function typeWords({ type, nullable }: Field): string {
  const words = {
    string: 'text',
    number: 'number',
    integer: 'whole number',
    boolean: 'true or false',
    list: 'list of texts',
  }[type];
  return nullable ? `${words}, or empty` : words;
}

function valuesOf({ name, values }: Field, summary: RecordSummary, root: string): Child {
  if (values !== null) return joinEach(values, ', ', code);
  if (summary.rows === 0) return '';
  const found = summary.valuesOf(name);
  if (name === 'sourceId') return joinEach(found, ', ', (id) => linkTo(root, sourceAddress(id), code(id)));
  const [, one, many] = COUNTED.find(([member]) => member === name) ?? [];
  if (one === undefined) return '';
  if (found.length > MOST_VALUES || name === 'period') return counted(found.length, one, many);
  return joinEach(found, ', ', (value) => (value === '' ? 'empty' : code(value)));
}
