/** The tables of observations in data/evidence.sqlite: each text once, and a short row for each record. */
import type {
  DatasetDocument,
  DatasetIndicator,
  DatasetSource,
  Observation,
} from '../../../shim/core/records.ts';
import type { Database, SqlValue } from './sqlite.ts';

/** Takes editions of datasets one by one, those that are current first: what is known of an edition, then its records. */
export interface ObservationTables {
  /** Adds the sources and indicators of an edition, by the id of its pack. */
  describe(pack: string, document: DatasetDocument): void;
  /** Adds the records of an edition, a line each. Throws an Error for a record that names what its dataset does not have. */
  add(pack: string, lines: Iterable<string>): void;
}

/** Writes into the tables of evidence-schema.ts. */
export function observationTables(database: Database): ObservationTables {
  const source = keyed(database, '_source');
  const indicator = keyed(database, '_indicator');
  const place = keyed(database, '_place');
  const label = keyed(database, '_label');
  const series = keyed(database, '_series');
  const statusOf = keyed(database, '_status');
  const addObservation = database.inserter('_observation');
  let rows = 0;
  const seriesOf = (row: Observation, mark: string): number => {
    const { datasetId, indicatorId, geoCode, geoName, geoLevel, category, subgroup, group, unit } = row;
    const parts = [
      indicator([datasetId, indicatorId], undescribed),
      place([geoCode, geoName, geoLevel], () => [geoCode, geoName, geoLevel]),
      label([category, subgroup, group, unit], () => [category, subgroup, group, unit]),
      mark,
    ];
    return series(parts, () => parts);
  };
  return {
    describe(pack, document) {
      const isCurrent = pack.includes('@') ? 0 : 1;
      for (const one of document.sources)
        source([pack, one.id], () => [document.id, document.edition, isCurrent, ...sourceCells(one)]);
      for (const one of document.indicators)
        indicator([document.id, one.id], () => [document.id, one.id, isCurrent, ...indicatorCells(one)]);
    },
    add(pack, lines) {
      const sources = new Map<string, number>();
      let last: Observation | null = null;
      let lastMark = '';
      let known = 0;
      for (const line of lines) {
        const row = JSON.parse(line) as Observation;
        const { sourceId, period, value, lower, upper, status, unavailableReason, sourceLocator } = row;
        const { mark, ordinal } = idParts(row);
        // Records of a series follow each other.
        if (!last || mark !== lastMark || !isSameSeries(row, last)) known = seriesOf(row, mark);
        last = row;
        lastMark = mark;
        const from = sources.get(sourceId) ?? source([pack, sourceId], undescribed);
        sources.set(sourceId, from);
        const state = statusOf([status, unavailableReason], () => [status, unavailableReason]);
        rows += 1;
        addObservation([rows, from, known, period, ordinal, value, lower, upper, state, sourceLocator]);
      }
    },
  };
}

function sourceCells(source: DatasetSource): SqlValue[] {
  const { id, name, publisher, url, downloadUrl, license, licenseUrl, dated, retrievedAt } = source;
  const { cadence, staleAfter, stale, sha256, bytes, notes } = source;
  const { verdict, evidence, checked } = source.rights;
  const from = [id, name, publisher, url, downloadUrl, license, licenseUrl, verdict, evidence, checked];
  const age = [dated, retrievedAt, cadence, staleAfter, stale ? 1 : 0];
  return [...from, ...age, sha256, bytes, JSON.stringify(notes)];
}

function indicatorCells(indicator: DatasetIndicator): SqlValue[] {
  const { label, market, unit, units, measureType, description, limitations, sourceId } = indicator;
  const { observations, reported, estimated, unavailable, zeros, firstPeriod, lastPeriod } =
    indicator.coverage;
  const counts = [observations, reported, estimated, unavailable, zeros, firstPeriod, lastPeriod];
  const words = [label, market, unit, JSON.stringify(units), measureType, description];
  return [...words, JSON.stringify(limitations), sourceId, ...counts];
}

/** What an id holds after indicator, place and period: the mark of the labels, and which row of one key it is. */
function idParts({ id, indicatorId, geoCode, period }: Observation): { mark: string; ordinal: number } {
  const start = `${indicatorId}.${geoCode}.${period}`;
  if (!id.startsWith(start)) throw new Error(`the id ${id} does not begin with ${start}`);
  const rest = id.slice(start.length);
  const [found = '', digits = '1'] = /\.([0-9]+)$/.exec(rest) ?? [];
  return { mark: rest.slice(0, rest.length - found.length), ordinal: Number(digits) };
}

function isSameSeries(a: Observation, b: Observation): boolean {
  return (
    a.indicatorId === b.indicatorId &&
    a.geoCode === b.geoCode &&
    a.category === b.category &&
    a.subgroup === b.subgroup &&
    a.group === b.group &&
    a.unit === b.unit &&
    a.geoName === b.geoName
  );
}

/** Rows of a table by what makes them distinct: gives the number of the row, and adds it when it is new. */
function keyed(
  database: Database,
  table: string,
): (parts: readonly SqlValue[], row: () => SqlValue[]) => number {
  const add = database.inserter(table);
  const keys = new Map<string, number>();
  return (parts, row) => {
    const text = parts.join('\u0000');
    const known = keys.get(text);
    if (known !== undefined) return known;
    const key = keys.size + 1;
    add([key, ...row()]);
    keys.set(text, key);
    return key;
  };
}

function undescribed(): never {
  throw new Error('a record names a source or an indicator that its dataset does not have');
}
