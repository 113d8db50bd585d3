/** World Bank Informal Economy Database: the Bank's own model and enterprise survey sheets; third-party sheets are withheld. */
import type { Indicator, ObservationRow, ObservationsDescriptor } from '../lib/dataset.ts';
import { numberOf, refuse, textOf } from './cells.ts';
import { count, newAudit, onlyFile, Refusal, shown, type Audit, type Importer } from './importer.ts';
import { countUnavailable, newGeographies, observation, type Geographies } from './observations.ts';
import { CC_BY, describeSource, type SourceFacts } from './sources.ts';
import { findHeader, rowsBelow, yearColumns } from './table.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';

const PAGE = 'https://www.worldbank.org/en/research/brief/informal-economy-database';
const SOURCE: SourceFacts = {
  ...CC_BY,
  id: 'ied-2021',
  title: 'Informal Economy Database (Elgin, Kose, Ohnsorge and Yu)',
  publisher: 'World Bank',
  url: PAGE,
  path: PAGE,
  cadence: null,
  notes: [
    'The authors ask to cite: Elgin, C., M. A. Kose, F. Ohnsorge and S. Yu (2021), Understanding Informality, CEPR Discussion Paper 16497.',
    'Sheets that reproduce other organizations’ series are not packaged.',
    'The address is that of the page that offers the workbook.',
  ],
  copies: { dce8644ef402c2659046c525f124af36b8b9b3eb4438adb2b0861272b93a88f5: '2021-08-31' },
};

const LIMITATIONS = [
  'The two models estimate different things and their results differ; neither is an observation, and they are never combined.',
  'In the model series a blank year of a listed economy is unavailable; a year without an enterprise survey is not a record.',
  'A printed zero is an observed zero; they occur in the enterprise surveys only.',
  'The database ends with 2018 and its edition of August 2021 has not been renewed here.',
];

/** A sheet we package: `says` is what the workbook's own list of variables must print for it. */
interface Series {
  sheet: string;
  label: string;
  unit: string;
  says: RegExp;
}

/** The six sheets that are the World Bank's own work, in the workbook's order. */
const SERIES: Series[] = [
  {
    sheet: 'DGE_p',
    label: 'Informal output, dynamic general equilibrium model',
    unit: '% of official GDP',
    says: /\(DGE\) estimates of informal output \(% of official GDP\)/i,
  },
  {
    sheet: 'MIMIC_p',
    label: 'Informal output, multiple indicators multiple causes model',
    unit: '% of official GDP',
    says: /\(MIMIC\) estimates of informal output \(% of official GDP\)/i,
  },
  {
    sheet: 'WBentp1',
    label: 'Firms competing against unregistered or informal firms',
    unit: 'Percent of firms',
    says: /^percent of firms competing against unregistered or informal firms/i,
  },
  {
    sheet: 'WBentp2',
    label: 'Firms formally registered when they started operations',
    unit: 'Percent of firms',
    says: /^percent of firms formally registered when they started operations/i,
  },
  {
    sheet: 'WBentp3',
    label: 'Years a firm operated without formal registration',
    unit: 'Number of years',
    says: /^number of years firm operated without formal registration/i,
  },
  {
    sheet: 'WBentp4',
    label: 'Firms that name practices of informal competitors as a constraint',
    unit: 'Percent of firms',
    says: /^percent of firms identifying practices of competitors in the informal sector/i,
  },
];

/** Imports the workbook as `informal-economy`. */
export const informalEconomy: Importer = {
  name: 'informal-economy',
  summary: 'World Bank Informal Economy Database',
  datasets: ['informal-economy'],
  files: 'one .xlsx workbook',
  read(files, options) {
    const file = onlyFile('informal-economy', files, 'one workbook');
    const workbook = openWorkbook(file);
    const audit = newAudit();
    const geographies = newGeographies();
    checkLabels(file.name, workbook);
    const packaged = SERIES.map(({ sheet }) => workbook.sheet(sheet));
    for (const sheet of workbook.sheets)
      if (!packaged.includes(sheet)) count(audit.withheld, `sheet "${sheet.name}"`);
    const rows = SERIES.flatMap((series) =>
      readSeries(workbook.sheet(series.sheet), series, geographies, audit),
    );
    countUnavailable(rows, audit);
    const descriptor: ObservationsDescriptor = {
      kind: 'observations',
      name: 'informal-economy',
      title: 'Informal economy',
      description:
        'Modelled size of informal output and enterprise survey answers on informality, by economy and year.',
      sources: [describeSource(SOURCE, file, options)],
      limitations: LIMITATIONS,
      geographies: geographies.list(),
      indicators: SERIES.map(indicatorOf),
    };
    return [{ dataset: { kind: 'observations', descriptor, rows }, audit }];
  },
};

/** The sheet's name in lower case: `dge` for `DGE_p`. */
function idOf({ sheet }: Series): string {
  return sheet.replace('_p', '').toLowerCase();
}

/** A model has an estimate for every year, so a blank is a missing value; a survey's blank is a year without one. */
function isModelled({ sheet }: Series): boolean {
  return sheet.endsWith('_p');
}

function indicatorOf(series: Series): Indicator {
  const { sheet, label } = series;
  const isModel = isModelled(series);
  return {
    id: idOf(series),
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
  const header = findHeader(list, { variable: ['Variables'], label: ['Labels'] });
  const labels = new Map([...rowsBelow(header)].map(({ row }) => [row.variable.value, textOf(row.label)]));
  for (const { sheet, says } of SERIES) {
    const label = labels.get(sheet);
    if (label === undefined || !says.test(label))
      throw new Refusal(file, `the label of ${sheet} in "${list.name}"`, String(says), shown(label));
  }
}

function readSeries(sheet: Sheet, series: Series, geographies: Geographies, audit: Audit): ObservationRow[] {
  const header = findHeader(sheet, { economy: ['Economy'], code: ['Code'] });
  const years = yearColumns(sheet, header.row, Object.values(header.column));
  const rows: ObservationRow[] = [];
  const seen = new Set<string>();
  for (const { number, row } of rowsBelow(header)) {
    const geoCode = geographies.named(row.economy, row.code);
    if (seen.has(geoCode)) refuse(row.code, 'each economy once', shown(geoCode));
    seen.add(geoCode);
    audit.read += 1;
    audit.kept += 1;
    for (const { period, column } of years) {
      const cell = sheet.cell(number, column);
      const value = numberOf(cell, `a number, ${series.unit}`, { isTyped: true });
      if (value === 0) count(audit.notes, 'zero kept as observed');
      if (value === null && !isModelled(series)) continue;
      rows.push(
        observation({
          indicatorId: idOf(series),
          geoCode,
          period,
          value,
          unit: series.unit,
          status: 'estimated',
          sourceId: SOURCE.id,
          sourceLocator: cell.place,
        }),
      );
    }
  }
  count(audit.notes, `records written, ${sheet.name}`, rows.length);
  return rows;
}
