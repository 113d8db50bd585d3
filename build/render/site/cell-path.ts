/** One real record of a dataset, step by step from the cell of the publisher's file to the record. */
import type { AtlasRecord, DatasetDocument, DatasetSource, Observation } from '../../../shim/core/records.ts';
import {
  apiAddress,
  atlasRecordId,
  recordAddress,
  rowAddress,
  rowsAddress,
} from '../../../shim/view/address.ts';
import { code, el, hash, linkTo, type Child } from '../../../shim/view/node.ts';
import { section } from '../../../shim/view/table.ts';
import { labelOf, valueOf } from '../../../shim/view/words.ts';
import { atlasValue } from '../../../shim/core/fields.ts';
import { linkOut } from './dataset-parts.ts';
import type { DatasetFacts } from './dataset-facts.ts';
import type { RecordSummary } from './summary.ts';

interface Example {
  source: DatasetSource;
  locator: string;
  printed: Child;
  says: string;
  id: string;
  row: string;
  query: string | null;
}

/** The path; nothing for designations, of which no page shows a record. */
export function cellPath(
  { dataset: { document }, hasRowPages, atlas, fileOf }: DatasetFacts,
  summary: RecordSummary,
  root: string,
): Child {
  const example =
    document.kind === 'atlas'
      ? ofAtlas(document, atlas())
      : ofObservation(document, summary.example, hasRowPages);
  if (!example) return null;
  const { source, locator, printed, says, id, row, query } = example;
  const steps: Child[] = [
    [`${source.publisher} publishes `, linkOut(source.url, source.name), `, edition ${source.dated}.`],
    [
      'The file that was read has the SHA-256 ',
      hash(source.sha256),
      ': ',
      linkTo(root, fileOf(source), 'its page'),
      '.',
    ],
    ['In it, ', code(locator), ' holds ', printed, '.'],
    [says, ' ', linkTo(root, row, 'Its row'), ' on this site.'],
    [
      'The record is named by its key, not by its place in the file: ',
      linkTo(root, recordAddress(id), code(id)),
      query === null ? '.' : ['; in the API ', linkTo(root, query, code(`/${query}`)), '.'],
    ],
  ];
  return section('cell', 'From the cell to the record', [
    el('ol', { class: 'steps' }, [steps.map((step) => ['\n', el('li', {}, step)])]),
  ]);
}

/** The first record of the latest period that has a value other than zero. */
function ofObservation(
  { sources, indicators }: DatasetDocument,
  record: Observation | null,
  hasRowPages: boolean,
): Example | null {
  const source = sources.find(({ id }) => id === record?.sourceId);
  const indicator = indicators.find(({ id }) => id === record?.indicatorId);
  if (!record || !source || !indicator) return null;
  const { id, geoName, period, unit, status } = record;
  const label = [indicator.label, labelOf(record)].filter((text) => text !== '').join(', ');
  return {
    source,
    locator: record.sourceLocator,
    printed: el('strong', {}, valueOf(record)),
    says: `It is the value of ${geoName}, ${period}: ${label}; unit ${unit === '' ? 'not printed' : unit}, ${status}.`,
    id,
    row: hasRowPages ? rowAddress(record) : rowsAddress(record.datasetId, record.geoCode),
    query: indicator.market === 'context' ? null : apiAddress('market-observations', { id }),
  };
}

/** The first record, and the first of its fields that has a value. */
function ofAtlas(
  { sources, id: datasetId, domain, unit, fields }: DatasetDocument,
  records: readonly AtlasRecord[],
): Example | null {
  const [record] = records;
  const field = record && fields.find(({ path }) => atlasValue(record, path) !== null);
  const source = sources.find(({ id }) => id === record?.meta.source);
  if (!record || !field || !source) return null;
  const { iso3, country, year } = record.data;
  const id = atlasRecordId(datasetId, iso3, year);
  return {
    source,
    locator: record.meta.locator,
    printed: 'the fields of one record',
    says: `They are those of ${country}, ${year}; ${field.label} is ${atlasValue(record, field.path)}, unit ${unit}.`,
    id,
    row: rowAddress({ datasetId, geoCode: iso3, period: String(year), id }),
    query: apiAddress('atlas', { domain, iso3, year: String(year) }),
  };
}
