/** UNODC World Drug Report annexes 6.1.1 and 6.2.1: areas under illicit cultivation, one dataset per crop. */
import type { Geography, ObservationRow, UnavailableReason } from '../lib/dataset.ts';
import { geographyOf } from '../reference/geography.ts';
import { numberOf, type Cell } from './cells.ts';
import { readCultivationTable, type CultivationLine } from './cultivation-table.ts';
import { observationsImporter, readFamily, type Family, type Reading } from './family.ts';
import { count, Refusal, shown, type Importer } from './importer.ts';
import { isOutsideBounds, observation, refuseTwin } from './observations.ts';
import { cellUnder, rowPlace } from './table.ts';
import { openWorkbook, type Sheet } from './workbook.ts';

/** Imports annex 6.1.1 as `coca-cultivation`. */
export const coca: Importer = observationsImporter(readFamily('coca'), 'one workbook', readAreas);

/** Imports annex 6.2.1 as `opium-cultivation`. */
export const opium: Importer = observationsImporter(readFamily('opium'), 'one workbook', readAreas);

function readAreas(reading: Reading): ObservationRow[] {
  const { family, file, geographies, audit } = reading;
  const isListed = (name: string): boolean => findGeography(family, name) !== null;
  const { sheet, years, lines } = readCultivationTable(file.name, openWorkbook(file), isListed, audit);
  const seen = new Map<string, string>();
  const rows = lines.flatMap((line) => {
    const geography = findGeography(family, line.name);
    if (!geography)
      throw new Refusal(file.name, rowPlace(sheet, line.row), 'a known country or total', shown(line.name));
    const series = { reading, sheet, line, geoCode: geographies.add(geography), seen };
    return years.map(({ period, column }) => areaOf(series, period, column));
  });
  count(audit.notes, 'records written', rows.length);
  return rows;
}

function findGeography({ aggregates }: Family, name: string): Geography | null {
  return aggregates[name.toLowerCase()] ?? geographyOf(name);
}

/** What the years of one line have in common. */
interface Series {
  reading: Reading;
  sheet: Sheet;
  line: CultivationLine;
  geoCode: string;
  seen: Map<string, string>;
}

function areaOf(
  { reading: { family, source, audit }, sheet, line, geoCode, seen }: Series,
  period: string,
  column: number,
): ObservationRow {
  const concept = family.concepts.find(({ says }) =>
    line.footnotes.some((text) => new RegExp(says, 'i').test(text)),
  );
  const category = line.isRounded ? 'rounded' : (concept?.category ?? '');
  const cell = sheet.cell(line.row, column);
  const best = hectaresIn(cell);
  const [lower, upper] = [line.lower, line.upper].map((row) => {
    const bound = hectaresIn(cellUnder(sheet, row, row === 0 ? 0 : column));
    if (bound.reason === 'broken_formula_in_source') count(audit.notes, 'bound lost to a broken formula');
    return bound.value;
  });
  const bounds = { lower: lower ?? null, upper: upper ?? null };
  if (isOutsideBounds(best.value, bounds.lower, bounds.upper))
    count(audit.notes, 'best estimate outside its bounds kept as printed');
  // Two lines of one country under one concept would be distinguished by nothing but their place.
  const key = [geoCode, category, period].join('|');
  refuseTwin(seen, key, cell, 'line');
  return observation({
    indicatorId: family.indicators[0]?.id ?? '',
    geoCode,
    category,
    period,
    ...best,
    ...bounds,
    unit: 'hectares',
    status: 'estimated',
    sourceId: source.id,
    sourceLocator: cell.place,
  });
}

/** A link to another workbook shows a stale cached value, so it is unavailable whatever it shows. */
function hectaresIn(cell: Cell): { value: number | null; reason: UnavailableReason | null } {
  const { value, formula } = cell;
  if (formula !== null && /\[(?:\d+|[^\]]+\.xls[a-z]?)\][^!\]]*!/i.test(formula))
    return { value: null, reason: 'broken_formula_in_source' };
  if (typeof value === 'string' && ['..', '…'].includes(value.trim()))
    return { value: null, reason: 'placeholder_in_source' };
  return { value: numberOf(cell, 'hectares, ".." or a blank cell'), reason: null };
}
