/** A page for each dataset: what it is, may be used for, holds, rests on, and how it differs between editions. */
import { datasetDocumentPath } from '../../../shim/core/paths.ts';
import type { DatasetDocument } from '../../../shim/core/records.ts';
import {
  datasetAddress,
  indicatorAddress,
  PAGES,
  rootFrom,
  rowsAddress,
} from '../../../shim/view/address.ts';
import { el, type Child } from '../../../shim/view/node.ts';
import { facts as factList, list, section, table } from '../../../shim/view/table.ts';
import { counted, grouped, LEVELS } from '../../../shim/view/words.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import type { Artifact } from '../../lib/tree.ts';
import { distinct, type BulkDataset } from '../bulk/release.ts';
import { designationsNote, type SiteFacts } from '../facts.ts';
import { codebook } from './codebook.ts';
import {
  cadenceWords,
  commercialAnswers,
  differences,
  dueWords,
  firstDue,
  framed,
  licenceWords,
  linkTo,
  spanWords,
  statusTable,
  withContents,
} from './dataset-parts.ts';
import { citeDataset, citeSection } from './dataset-citation.ts';
import { downloads, editionsTable } from './dataset-files.ts';
import { datasetData } from './dataset-json-ld.ts';
import { cellPath } from './cell-path.ts';
import { fileAddress, type SourceFile } from './source-files.ts';

/** Renders the page of each dataset. */
export function renderDatasets(facts: SiteFacts, files: ReadonlyMap<string, SourceFile>): Artifact[] {
  return facts.bulk.datasets.map((dataset) => datasetPage(facts, dataset, files));
}

function datasetPage(
  facts: SiteFacts,
  dataset: BulkDataset,
  files: ReadonlyMap<string, SourceFile>,
): Artifact {
  const { siteUrl, evidence, descriptors } = facts;
  const { document } = dataset;
  const { id, title, sources, limitations } = document;
  const path = `${datasetAddress(id)}index.html`;
  const root = rootFrom(path);
  const records = evidence.observations.get(id) ?? [];
  const pairs = evidence.pairs.filter(({ datasetId }) => datasetId === id);
  const note =
    document.kind === 'entities'
      ? designationsNote(
          descriptors.filter(({ name }) => name === id),
          evidence.generatedAt,
        )
      : null;
  const body = [
    el('h1', {}, title),
    el('p', { class: 'standfirst' }, document.description),
    note === null ? null : el('p', { class: 'note warn' }, note),
    glance(dataset, evidence.generatedAt),
    withContents([
      section('limits', 'How it must not be read', list([...(document.caveats ?? []), ...limitations])),
      records.length === 0 ? null : statuses(records, id),
      indicatorsOf(document, root),
      placesOf(facts, document, root),
      section(
        'sources',
        "Publishers' files",
        table(
          `What it was read from; due dates at ${evidence.generatedAt.slice(0, 10)}`,
          [
            { head: 'File' },
            { head: 'Edition' },
            { head: 'Retrieved' },
            { head: 'Next one' },
            { head: 'Renewed' },
          ],
          sources.map((source) => ({
            cells: [
              linkTo(root, fileAddress(files, source), source.name),
              source.dated,
              source.retrievedAt,
              dueWords(source),
              cadenceWords(source.cadence),
            ],
          })),
        ),
      ),
      cellPath(facts, document, files, root),
      downloads(dataset, root),
      editionsTable(evidence.editions.get(id) ?? [], files, root),
      differences(pairs, id, root),
      codebook(dataset, records, root),
      citeSection(citeDataset(dataset, siteUrl)),
    ]),
  ];
  return framed(
    {
      path,
      title: `${title}, dataset - Public Evidence`,
      description: document.description,
      body,
      trail: [['Data', PAGES.data]],
      head: datasetData(dataset, siteUrl),
      alternates: [['application/json', datasetDocumentPath(id), 'This dataset for programs']],
    },
    facts,
  );
}

function glance({ document, publishers }: BulkDataset, clock: string): Child {
  const { sources, records, geographies, indicators, fields } = document;
  const retrieved = distinct(sources.map(({ retrievedAt }) => retrievedAt)).sort(byCodeUnits);
  return factList([
    ['Published by', publishers.join('; ')],
    ['Edition', [document.edition, ', the date of its publisher']],
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

function statuses(records: Parameters<typeof statusTable>[0], id: string): Child {
  const keys = groupedBy(records, ({ indicatorId, geoCode, period, category, subgroup }) =>
    [indicatorId, geoCode, period, category, subgroup].join('\n'),
  );
  const shared = [...keys.values()].filter(({ length }) => length > 1).flat().length;
  return section(
    'statuses',
    'Rows by status',
    statusTable(records),
    shared === 0
      ? null
      : el(
          'p',
          { 'data-shared': shared },
          `${grouped(shared)} of the ${counted(records.length, 'row')} of ${id} have the same indicator, place, period and labels as another row. Each is a record of its own, in the order of its source; they are never added up or averaged.`,
        ),
  );
}

function indicatorsOf({ indicators, fields, id, title }: DatasetDocument, root: string): Child {
  if (fields.length > 0)
    return section(
      'indicators',
      'Fields',
      el(
        'p',
        {},
        linkTo(root, indicatorAddress(id), `The ${grouped(fields.length)} fields of a record`),
        ', with their coverage.',
      ),
    );
  if (indicators.length === 0) return null;
  return section(
    'indicators',
    'Indicators',
    table(
      `Indicators of ${title}`,
      [
        { head: 'Indicator' },
        { head: 'Rows', numeric: true },
        { head: 'Unit' },
        { head: 'Unavailable', numeric: true },
        { head: 'Places', numeric: true },
        { head: 'Periods' },
      ],
      indicators.map(({ id: indicator, label, unit, units, coverage, geographies }) => ({
        cells: [
          linkTo(root, indicatorAddress(indicator), label),
          grouped(coverage.observations),
          unit ?? `${units.length} units`,
          grouped(coverage.unavailable),
          grouped(geographies.length),
          spanWords(coverage.firstPeriod, coverage.lastPeriod),
        ],
      })),
    ),
  );
}

function placesOf({ evidence }: SiteFacts, { id, geographies }: DatasetDocument, root: string): Child {
  if (geographies.length === 0) return null;
  const rowsOf = (geoCode: string): number => {
    const place = evidence.places.get(geoCode);
    return (place?.observations.get(id)?.length ?? 0) + (place?.atlas.get(id)?.length ?? 0);
  };
  return section(
    'places',
    'Places',
    el('p', {}, 'Each leads to all its rows; the number is that of the rows.'),
    el(
      'ul',
      { class: 'columns' },
      geographies
        .toSorted((a, b) => byCodeUnits(a.name, b.name))
        .map(({ code: place, name, level }) => [
          '\n',
          el(
            'li',
            {},
            linkTo(root, rowsAddress(id, place), name),
            level === 'country' ? '' : `, ${LEVELS[level]}`,
            ' ',
            el('span', { class: 'soft' }, grouped(rowsOf(place))),
          ),
        ]),
    ),
  );
}
