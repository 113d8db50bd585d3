/** World Bank Informal Economy Database: the Bank's own model and enterprise survey sheets; third-party sheets are withheld. */
import type { Indicator, ObservationRow } from '../lib/dataset.ts';
import { count, newAudit, type Audit } from './audit.ts';
import { describeSource, type Family, type KnownCopies, type SourceFacts } from './family.ts';
import { newGeographies, type Geographies } from './geographies.ts';
import { geographyOf, geographyOfCode } from '../reference/geography.ts';
import { findHeader } from './header.ts';
import { SERIES, type Series } from './informal-economy-series.ts';
import { Refusal, shown } from './refusal.ts';
import { foldSpace } from '../lib/text.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';

const SOURCE: SourceFacts = {
  id: 'ied-2021',
  title: 'Informal Economy Database (Elgin, Kose, Ohnsorge and Yu)',
  publisher: 'World Bank',
  url: 'https://www.worldbank.org/en/research/brief/informal-economy-database',
  path: 'https://www.worldbank.org/en/research/brief/informal-economy-database',
  license: 'CC BY 4.0',
  licenseUrl: 'https://creativecommons.org/licenses/by/4.0/',
  cadence: null,
  notes: [
    'The authors ask to cite: Elgin, C., M. A. Kose, F. Ohnsorge and S. Yu (2021), Understanding Informality, CEPR Discussion Paper 16497.',
    'Sheets that reproduce other organizations’ series are not packaged.',
    'The address is that of the page that offers the workbook.',
  ],
};

const KNOWN: KnownCopies = {
  dce8644ef402c2659046c525f124af36b8b9b3eb4438adb2b0861272b93a88f5: {
    dated: '2021-08-31',
    retrievedAt: '2021-08-31',
  },
};

const LIMITATIONS = [
  'The two models estimate different things and their results differ; neither is an observation, and they are never combined.',
  'In the model series a blank year of a listed economy is unavailable; a year without an enterprise survey is not a record.',
  'A printed zero is an observed zero; they occur in the enterprise surveys only.',
  'The database ends with 2018 and its edition of August 2021 has not been renewed here.',
];

/** Imports the workbook as `informal-economy`. */
export const informalEconomy: Family = {
  name: 'informal-economy',
  summary: 'World Bank Informal Economy Database',
  files: 'one .xlsx workbook',
  read(files, options) {
    const [file, ...more] = files;
    if (!file || more.length > 0)
      throw new Refusal('informal-economy', 'the files', 'one workbook', `${files.length} files`);
    const workbook = openWorkbook(file.name, file.bytes);
    const audit = newAudit();
    const geographies = newGeographies();
    checkLabels(file.name, workbook);
    const packaged = SERIES.map(({ sheet }) => workbook.sheet(sheet));
    for (const sheet of workbook.sheets)
      if (!packaged.includes(sheet)) count(audit.withheld, `sheet "${sheet.name}"`);
    const rows = SERIES.flatMap((series) =>
      readSeries({ file: file.name, sheet: workbook.sheet(series.sheet), series, geographies, audit }),
    );
    return [
      {
        dataset: {
          kind: 'observations',
          descriptor: {
            kind: 'observations',
            name: 'informal-economy',
            title: 'Informal economy',
            description:
              'Modelled size of informal output and enterprise survey answers on informality, by economy and year.',
            sources: [describeSource(SOURCE, file, KNOWN, options)],
            limitations: LIMITATIONS,
            geographies: geographies.list(),
            indicators: SERIES.map(indicatorOf),
          },
          rows,
        },
        audit,
      },
    ];
  },
};

function indicatorOf({ id, label, isModel, sheet }: Series): Indicator {
  return {
    id,
    sourceId: SOURCE.id,
    market: 'informal_economy',
    label,
    measureType: isModel ? 'modelled_estimate' : 'survey_estimate',
    description: isModel
      ? `Model estimate, sheet ${sheet}.`
      : `World Bank Enterprise Surveys, sheet ${sheet}.`,
    limitations: [],
  };
}

/** The workbook's list of variables must still say what each sheet measures and in which unit. */
function checkLabels(file: string, workbook: Workbook): void {
  const list = workbook.sheet('Read me');
  const { row: head, column } = findHeader(file, list, { variable: ['Variables'], label: ['Labels'] });
  for (const { sheet, says } of SERIES) {
    let found: string | null = null;
    for (let row = head + 1; row <= list.lastRow; row += 1)
      if (list.cell(row, column.variable).value === sheet)
        found = foldSpace(String(list.cell(row, column.label).value ?? ''));
    if (found === null || !says.test(found))
      throw new Refusal(file, `the label of ${sheet} in "${list.name}"`, String(says), shown(found));
  }
}

interface Reading {
  file: string;
  sheet: Sheet;
  series: Series;
  geographies: Geographies;
  audit: Audit;
}

function readSeries(reading: Reading): ObservationRow[] {
  const { file, sheet, audit } = reading;
  const { row: head, column } = findHeader(file, sheet, { economy: ['Economy'], code: ['Code'] });
  const years = yearsOf(file, sheet, head, Object.values(column));
  const rows: ObservationRow[] = [];
  const seen = new Set<string>();
  for (let row = head + 1; row <= sheet.lastRow; row += 1) {
    const geo = geoOf(reading, row, column.economy, column.code, years);
    if (geo === null) continue;
    if (seen.has(geo))
      throw new Refusal(file, sheet.locator(row, column.code), 'each economy once', shown(geo));
    seen.add(geo);
    audit.read += 1;
    audit.kept += 1;
    for (const year of years) rows.push(...recordOf(reading, row, geo, year));
  }
  count(audit.notes, `records written, ${sheet.name}`, rows.length);
  return rows;
}

interface Year {
  period: string;
  column: number;
}

function yearsOf(file: string, sheet: Sheet, head: number, others: number[]): Year[] {
  const years: Year[] = [];
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
    if (others.includes(column)) continue;
    const { value } = sheet.cell(head, column);
    const period = String(value ?? '').trim();
    const isYear = /^\d{4}$/.test(period) && Number(period) >= 1900 && Number(period) <= 2200;
    if (!isYear || years.some((year) => year.period === period))
      throw new Refusal(file, sheet.locator(head, column), 'each year once, from 1900 to 2200', shown(value));
    years.push({ period, column });
  }
  return years;
}

/** The economy of a row by the source's own code; null for a wholly blank row. */
function geoOf(
  { file, sheet, geographies }: Reading,
  row: number,
  economy: number,
  code: number,
  years: Year[],
) {
  const [name, printed] = [sheet.cell(row, economy).value, sheet.cell(row, code).value];
  if (
    name === null &&
    printed === null &&
    years.every(({ column }) => sheet.cell(row, column).value === null)
  )
    return null;
  const named = typeof name === 'string' ? geographyOf(name) : null;
  const coded =
    typeof name === 'string' && typeof printed === 'string' ? geographyOfCode(printed.trim(), name) : null;
  const isTorn = named !== null && coded !== null && named.code !== coded.code;
  const geography = isTorn ? null : (coded ?? named);
  if (!geography)
    throw new Refusal(
      file,
      sheet.locator(row, code),
      'the ISO 3166-1 alpha-3 code of the name beside it',
      `${shown(printed)} beside ${shown(name)}`,
    );
  return geographies.add(geography);
}

function recordOf(
  { file, sheet, series, audit }: Reading,
  row: number,
  geo: string,
  year: Year,
): ObservationRow[] {
  const { value, formula } = sheet.cell(row, year.column);
  if (value === null && !series.isModel) return [];
  const isNumber = typeof value === 'number' && value >= 0 && formula === null;
  if (value !== null && !isNumber)
    throw new Refusal(file, sheet.locator(row, year.column), `a number, ${series.unit}`, shown(value));
  if (value === null) count(audit.unavailable, 'blank_in_source');
  if (value === 0) count(audit.notes, 'zero kept as observed');
  return [
    {
      indicatorId: series.id,
      geoCode: geo,
      category: '',
      subgroup: '',
      period: year.period,
      value: isNumber ? value : null,
      lower: null,
      upper: null,
      unit: series.unit,
      status: isNumber ? 'estimated' : 'unavailable',
      unavailableReason: isNumber ? null : 'blank_in_source',
      sourceId: SOURCE.id,
      sourceLocator: sheet.locator(row, year.column),
    },
  ];
}
