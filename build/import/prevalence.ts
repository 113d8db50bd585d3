/** UNODC World Drug Report annex 1.2: prevalence of drug use in the general population, a sheet a drug. */
import type { Indicator, ObservationRow } from '../lib/dataset.ts';
import { count, newAudit } from './audit.ts';
import { describeSource, type Family, type KnownCopies, type SourceFacts } from './family.ts';
import { newGeographies, type Geographies } from './geographies.ts';
import { geographyOf } from '../reference/geography.ts';
import { periodOf, substanceOf, valuesOf, type RowReading } from './prevalence-row.ts';
import { layoutOf, type Layout, type Recall } from './prevalence-sheet.ts';
import { Refusal, shown } from './refusal.ts';
import { UNODC_TERMS, WDR_2025 } from './unodc.ts';
import { foldSpace } from '../lib/text.ts';
import { openWorkbook, type Sheet } from './workbook.ts';

const SOURCE: SourceFacts = {
  ...UNODC_TERMS,
  id: 'wdr2025-1.2',
  title: 'World Drug Report 2025, annex 1.2: Prevalence of drug use in the general population, national data',
  url: WDR_2025,
  path: 'https://www.unodc.org/documents/data-and-analysis/WDR_2025/Annex/1.2_Prevalence_of_drug_use_in_the_general_population_national_data.xlsx',
  cadence: 'P1Y',
  notes: ['The address of the file is inferred from its sister files.'],
};

const KNOWN: KnownCopies = {
  d9b4c0f55fffcfd8bad2ddd4654a7606ff76093b894821e66a065b079b1dc005: {
    dated: '2025-06',
    retrievedAt: '2025-06',
  },
};

const UNIT = 'percent of population';

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
export const prevalence: Family = {
  name: 'prevalence',
  summary: SOURCE.title,
  files: 'one .xlsx workbook',
  read(files, options) {
    const [file, ...more] = files;
    if (!file || more.length > 0)
      throw new Refusal('prevalence', 'the files', 'one workbook', `${files.length} files`);
    const audit = newAudit();
    const geographies = newGeographies();
    const indicators = new Map<string, Indicator>();
    const rows = openWorkbook(file.name, file.bytes).sheets.flatMap((sheet) =>
      readSheet({ file: file.name, sheet, geographies, audit, indicators }),
    );
    return [
      {
        dataset: {
          kind: 'observations',
          descriptor: {
            kind: 'observations',
            name: 'drug-use-prevalence',
            title: 'Prevalence of drug use',
            description:
              'Share of the population that used a drug, by country, year, sex and age group; the category is the drug.',
            sources: [describeSource(SOURCE, file, KNOWN, options)],
            limitations: LIMITATIONS,
            geographies: geographies.list(),
            indicators: [...indicators.values()],
          },
          rows,
        },
        audit,
      },
    ];
  },
};

/** One indicator a sheet and recall period: cells of different sheets may share an address, so they must not share an indicator. */
function indicatorOf(sheet: string, recall: Recall): Indicator {
  const { ending, words } = RECALLS[recall];
  const label = `${foldSpace(sheet)}: ${words}`;
  // Ids stand in every record: `Tranquillizers and sedatives` is `use-tranquillizers`.
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

interface Reading extends RowReading {
  geographies: Geographies;
  indicators: Map<string, Indicator>;
}

function readSheet(reading: Reading): ObservationRow[] {
  const { file, sheet, audit } = reading;
  const layout = layoutOf(file, sheet);
  for (const name of layout.withheld) count(audit.withheld, `column "${name}"`);
  const rows: ObservationRow[] = [];
  for (let row = layout.firstRow; row <= sheet.lastRow; row += 1) {
    if (isBlank(sheet, row)) continue;
    audit.read += 1;
    if (sheet.cell(row, layout.country).value === null) withholdNote(reading, layout, row);
    else {
      audit.kept += 1;
      rows.push(...recordsOf(reading, layout, row));
    }
  }
  return rows;
}

function isBlank(sheet: Sheet, row: number): boolean {
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1)
    if (sheet.cell(row, column).value !== null) return false;
  return true;
}

/** A row without a country is a note under the table; with a value it is something we did not understand. */
function withholdNote({ file, sheet, audit }: Reading, layout: Layout, row: number): void {
  for (const { best, low, high, male, female } of layout.measures)
    for (const column of [best, low, high, male, female])
      if (column > 0 && sheet.cell(row, column).value !== null)
        throw new Refusal(
          file,
          sheet.locator(row, layout.country),
          'a country',
          'a blank cell beside values',
        );
  count(audit.withheld, 'note under the table');
}

function recordsOf(reading: Reading, layout: Layout, row: number): ObservationRow[] {
  const { file, sheet, geographies, audit, indicators } = reading;
  const printed = String(sheet.cell(row, layout.country).value);
  const geography = geographyOf(printed);
  if (!geography)
    throw new Refusal(
      file,
      sheet.locator(row, layout.country),
      'a known country or territory',
      shown(printed),
    );
  const geoCode = geographies.add(geography);
  const category = layout.substance === 0 ? foldSpace(sheet.name) : substanceOf(reading, layout, row);
  const period = periodOf(reading, layout, row);
  return valuesOf(reading, layout, row).map(({ recall, subgroup, value, lower, upper, column }) => {
    const isBounded = lower !== null || upper !== null;
    const reason = value !== null ? null : isBounded ? 'no_point_value_in_source' : 'blank_in_source';
    if (reason !== null) count(audit.unavailable, reason);
    if (value !== null && ((lower ?? value) > value || (upper ?? value) < value))
      count(audit.notes, 'best estimate outside its bounds kept as printed');
    count(audit.notes, 'records written');
    const indicator = indicatorOf(sheet.name, recall);
    indicators.set(indicator.id, indicator);
    return {
      indicatorId: indicator.id,
      geoCode,
      category,
      subgroup,
      period,
      value,
      lower,
      upper,
      unit: UNIT,
      status: value === null ? 'unavailable' : 'estimated',
      unavailableReason: reason,
      sourceId: SOURCE.id,
      sourceLocator: sheet.locator(row, column),
    };
  });
}
