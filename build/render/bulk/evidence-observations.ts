/** The tables of observations in data/evidence.sqlite: each text once, and a short row for each record. */
import type { DatasetDocument, DatasetIndicator, DatasetSource } from '../../../shim/core/records.ts';
import { isOwn, type Common, type Own } from '../../pack/short-rows.ts';
import type { Database, SqlValue } from './sqlite.ts';

/** Takes editions of datasets one by one, current ones first: what is known about an edition, then its records. */
export interface ObservationTables {
  /** Adds the sources and indicators of an edition, by the id of its pack. */
  describe(pack: string, document: DatasetDocument): void;
  /** Adds the records of an edition from their short form; returns how many. Throws an Error for a record of an unknown source or indicator. */
  add(pack: string, short: Iterable<string>): number;
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
  /** A series has one indicator, place, category and subgroup; its rows may have several printed groups. */
  const seriesOf = ([, , , datasetId, indicatorId, ...texts]: Common): [series: number, label: number] => {
    const own = indicator([datasetId, indicatorId], undescribed);
    const at = place(texts.slice(0, 3));
    const [category = '', subgroup = '', group = '', unit = '', mark = ''] = texts.slice(3);
    const labelKey = label([category, subgroup, group, unit]);
    return [series([own, at, category, subgroup, mark], () => [own, at, labelKey, mark]), labelKey];
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
      const before = rows;
      let [sourceKey, seriesKey, labelKey, statusKey] = [0, 0, 0, 0];
      for (const line of lines) {
        const cells = JSON.parse(line) as Common | Own;
        if (isOwn(cells)) {
          rows += 1;
          const [period, ordinal, value, lower, upper, locator] = cells;
          const keys = [rows, sourceKey, seriesKey, labelKey];
          addObservation([...keys, period, ordinal, value, lower, upper, statusKey, locator]);
        } else {
          const [sourceId, status, reason] = cells;
          sourceKey = source([pack, sourceId], undescribed);
          [seriesKey, labelKey] = seriesOf(cells);
          statusKey = statusOf([status, reason]);
        }
      }
      return rows - before;
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

/** Returns a function that gives the key of the row with these distinguishing parts, and adds the row, which may have more, when it is new. */
function keyed(
  database: Database,
  table: string,
): (parts: readonly SqlValue[], row?: () => readonly SqlValue[]) => number {
  const add = database.inserter(table);
  const keys = new Map<string, number>();
  return (parts, row = () => parts) => {
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
