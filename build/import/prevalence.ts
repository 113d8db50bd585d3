/** UNODC World Drug Report annex 1.2: prevalence of drug use in the general population, one sheet per drug. */
import type { Indicator, ObservationRow, ObservationsDescriptor } from '../lib/dataset.ts';
import { foldSpace } from '../lib/text.ts';
import { refuse } from './cells.ts';
import { count, newAudit, onlyFile, type Audit, type Importer } from './importer.ts';
import {
  countUnavailable,
  isOutsideBounds,
  newGeographies,
  observation,
  type Geographies,
} from './observations.ts';
import {
  layoutOf,
  periodOf,
  substanceOf,
  valuesOf,
  type Common,
  type Layout,
  type Recall,
} from './prevalence-sheet.ts';
import { describeSource, wdr2025, type SourceFacts } from './sources.ts';
import { cellUnder, rowsBelow, type Row } from './table.ts';
import { openWorkbook, type Sheet } from './workbook.ts';

const SOURCE: SourceFacts = wdr2025('1.2', {
  title: 'Prevalence of drug use in the general population, national data',
  file: 'Prevalence_of_drug_use_in_the_general_population_national_data.xlsx',
  sha256: 'd9b4c0f55fffcfd8bad2ddd4654a7606ff76093b894821e66a065b079b1dc005',
  notes: ['The address of the file is inferred from its sister files.'],
});

/** Ending of an indicator's id and its words, by recall period. Most sheets ask about the past year only. */
const RECALLS: Record<Recall, { ending: string; words: string }> = {
  year: { ending: '', words: 'use in the past year' },
  lifetime: { ending: '-lifetime', words: 'use ever in life' },
  month: { ending: '-month', words: 'use in the past month' },
};

const LIMITATIONS = [
  'The population is aged 15 to 64 unless the subgroup names another age group; records for one sex refer to that sex.',
  'The subgroup carries sex, age and UNODC’s adjustment letters (a age, b population study, c limited area, d school survey, e lifetime or monthly use, f special population, g treatment, h registries, i HIV, j lifetime, k benchmarks, x with prescription opioids, z to z** other or prescription stimulants), and names problem users, past-month use or a single substance where a note says so.',
  'Other notes, methods and survey names are not packaged: they stand in the row of the locator.',
  'Changes between years may reflect another method or source and are not a change in prevalence, household surveys excepted.',
  'A span of years is filed under its first year; several rows may share country, year and subgroup, and none is preferred.',
  'Values by sex, and values of new psychoactive substances, are records only where the source prints one.',
];

/** Imports annex 1.2 as `drug-use-prevalence`. */
export const prevalence: Importer = {
  name: 'prevalence',
  summary: SOURCE.title,
  datasets: ['drug-use-prevalence'],
  files: 'one .xlsx workbook',
  read(files, options) {
    const file = onlyFile('prevalence', files, 'one workbook');
    const audit = newAudit();
    const geographies = newGeographies();
    const indicators = new Map<string, Indicator>();
    const reading = { geographies, indicators, audit };
    const rows = openWorkbook(file).sheets.flatMap((sheet) => readSheet(sheet, reading));
    countUnavailable(rows, audit);
    count(audit.notes, 'records written', rows.length);
    const descriptor: ObservationsDescriptor = {
      kind: 'observations',
      name: 'drug-use-prevalence',
      title: 'Prevalence of drug use',
      description:
        'Share of the population that used a drug, by country, year, sex and age group; the category is the drug.',
      sources: [describeSource(SOURCE, file, options)],
      limitations: LIMITATIONS,
      geographies: geographies.list(),
      indicators: [...indicators.values()],
    };
    return [{ dataset: { kind: 'observations', descriptor, rows }, audit }];
  },
};

/** One indicator per sheet and recall period: cells of different sheets may share an address, so they must not share an indicator. */
function indicatorOf(sheet: string, recall: Recall): Indicator {
  const { ending, words } = RECALLS[recall];
  const label = `${foldSpace(sheet)}: ${words}`;
  // Ids are part of every record: `Tranquillizers and sedatives` is `use-tranquillizers`.
  const [first = ''] = foldSpace(sheet).toLowerCase().split(' and ');
  const short = first.replaceAll(/[^a-z0-9]+/g, '-');
  return {
    id: `use-${short}${ending}`,
    sourceId: SOURCE.id,
    market: 'drugs',
    label,
    measureType: 'survey_estimate',
    description: 'Best estimate, the printed low and high as bounds.',
    limitations: [],
  };
}

/** What is collected over all sheets. */
interface Reading {
  geographies: Geographies;
  indicators: Map<string, Indicator>;
  audit: Audit;
}

function readSheet(sheet: Sheet, reading: Reading): ObservationRow[] {
  const { audit } = reading;
  const layout = layoutOf(sheet);
  for (const { value } of layout.withheld) count(audit.withheld, `column "${foldSpace(String(value))}"`);
  const rows: ObservationRow[] = [];
  for (const found of rowsBelow(layout.header, layout.firstRow)) {
    audit.read += 1;
    if (found.row.country.value === null) {
      refuseValues(sheet, layout, found);
      count(audit.withheld, 'note under the table');
    } else {
      audit.kept += 1;
      rows.push(...recordsOf(sheet, layout, found, reading));
    }
  }
  return rows;
}

/** A row of the sheet and its number. */
interface Found {
  number: number;
  row: Row<Common>;
}

/** A row without a country is a note under the table; with a value it is something we did not understand. */
function refuseValues(sheet: Sheet, { measures }: Layout, { number, row }: Found): void {
  const columns = measures.flatMap(({ best, low, high, male, female }) => [best, low, high, male, female]);
  if (columns.some((column) => cellUnder(sheet, number, column).value !== null))
    refuse(row.country, 'a country', 'a blank cell next to values');
}

function recordsOf(sheet: Sheet, layout: Layout, found: Found, reading: Reading): ObservationRow[] {
  const { geographies, indicators, audit } = reading;
  const { row } = found;
  const geoCode = geographies.named(row.country);
  const hasSubstances = layout.header.column.substance > 0;
  const category = hasSubstances ? substanceOf(row.substance, audit) : foldSpace(sheet.name);
  const period = periodOf(row.year, audit);
  return valuesOf(sheet, layout, found, audit).map(({ recall, cell, subgroup, value, lower, upper }) => {
    if (isOutsideBounds(value, lower, upper))
      count(audit.notes, 'best estimate outside its bounds kept as printed');
    const indicator = indicatorOf(sheet.name, recall);
    indicators.set(indicator.id, indicator);
    return observation({
      indicatorId: indicator.id,
      geoCode,
      category,
      subgroup,
      period,
      value,
      lower,
      upper,
      unit: 'percent of population',
      status: 'estimated',
      sourceId: SOURCE.id,
      sourceLocator: cell.place,
    });
  });
}
