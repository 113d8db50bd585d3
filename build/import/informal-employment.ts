/** ILOSTAT: informal employment rate by sex, annual. One CSV with labels, a row an area, survey, sex and year. */
import type { ObservationRow } from '../lib/dataset.ts';
import { readCsv, type CsvRecord } from '../lib/csv.ts';
import { count, newAudit } from './audit.ts';
import { columnsOf } from './csv-columns.ts';
import { describeSource, type Family, type KnownCopies, type SourceFacts } from './family.ts';
import { newGeographies } from './geographies.ts';
import { geographyOf } from '../reference/geography.ts';
import { Refusal, shown } from './refusal.ts';
import { foldSpace } from '../lib/text.ts';

const SOURCE: SourceFacts = {
  id: 'ilo-nifl',
  title: 'ILOSTAT: Informal employment rate by sex, annual (EMP_NIFL_SEX_RT_A)',
  publisher: 'International Labour Organization (ILO)',
  url: 'https://ilostat.ilo.org/data/',
  path: 'https://ilostat.ilo.org/data/',
  license: 'CC BY 4.0',
  licenseUrl: 'https://creativecommons.org/licenses/by/4.0/',
  cadence: 'P1Y',
  notes: ['The address is that of the page that offers the file.'],
};

const KNOWN: KnownCopies = {
  '8043aa049fe89dc5659e7467e0fb4bb65c5e7604768bbc7e7527fdf7e4807b71': {
    dated: '2024-07-26',
    retrievedAt: '2024-07-26',
  },
};

/** The publisher's own short name: it stands in every record. */
const INDICATOR = 'nifl';
const PRINTED_INDICATOR = 'Informal employment rate by sex (%)';
const SEXES = ['Total', 'Male', 'Female', 'Other'];
const FLAGS = ['', 'Break in series', 'Unreliable'];

const COLUMNS = {
  area: 'ref_area.label',
  survey: 'source.label',
  indicator: 'indicator.label',
  sex: 'sex.label',
  time: 'time',
  value: 'obs_value',
  flag: 'obs_status.label',
  indicatorNote: 'note_indicator.label',
  sourceNote: 'note_source.label',
};

const LIMITATIONS = [
  'The category is the sex; the subgroup is the survey, with the publisher’s flag (Break in series, Unreliable) after it.',
  'Surveys differ in age limits, reference periods and coverage; some cover cities or urban areas only. These notes stand in the row of the locator.',
];

/** Imports the CSV as `informal-employment`. */
export const informalEmployment: Family = {
  name: 'informal-employment',
  summary: SOURCE.title,
  files: 'one .csv with labels',
  read(files, options) {
    const [file, ...more] = files;
    if (!file || more.length > 0)
      throw new Refusal('informal-employment', 'the files', 'one CSV file', `${files.length} files`);
    const audit = newAudit();
    const geographies = newGeographies();
    const [header, ...records] = readCsv(file.bytes);
    const columns = columnsOf(file.name, header, COLUMNS);
    count(audit.withheld, 'column of notes', 2);
    const seen = new Map<string, number>();
    const rows = records.map((record): ObservationRow => {
      audit.read += 1;
      audit.kept += 1;
      const cell = cellsOf(file.name, record, columns);
      cell.only('indicator', [PRINTED_INDICATOR]);
      const area = cell.text('area');
      const geography = geographyOf(area);
      if (!geography) throw cell.refusal('a known country or territory', area);
      const geo = geographies.add(geography);
      const category = cell
        .only(
          'sex',
          SEXES.map((sex) => `Sex: ${sex}`),
        )
        .slice('Sex: '.length);
      const flag = cell.only('flag', FLAGS);
      if (flag !== '') count(audit.notes, `flag "${flag}" carried in the subgroup`);
      const survey = cell.text('survey');
      if (survey === '') throw cell.refusal('a survey', survey);
      const period = cell.text('time');
      if (!/^\d{4}$/.test(period) || Number(period) < 1900 || Number(period) > 2200)
        throw cell.refusal('a year', period);
      const key = [geo, survey, category, period].join('|');
      if (seen.has(key)) throw cell.refusal(`one row of ${key}`, `another in row ${seen.get(key)}`);
      seen.set(key, record.line);
      const value = rateOf(cell);
      if (value === null) count(audit.unavailable, 'blank_in_source');
      return {
        indicatorId: INDICATOR,
        geoCode: geo,
        category,
        subgroup: flag === '' ? survey : `${survey}; ${flag}`,
        period,
        value,
        lower: null,
        upper: null,
        unit: '%',
        status: value === null ? 'unavailable' : 'estimated',
        unavailableReason: value === null ? 'blank_in_source' : null,
        sourceId: SOURCE.id,
        sourceLocator: `row ${record.line}`,
      };
    });
    return [
      {
        dataset: {
          kind: 'observations',
          descriptor: {
            kind: 'observations',
            name: 'informal-employment',
            title: 'Informal employment rate',
            description:
              'Informal employment as a percentage of total employment, by country, year, sex and survey.',
            sources: [describeSource(SOURCE, file, KNOWN, options)],
            limitations: LIMITATIONS,
            geographies: geographies.list(),
            indicators: [
              {
                id: INDICATOR,
                sourceId: SOURCE.id,
                market: 'informal_economy',
                label: 'Informal employment rate',
                measureType: 'survey_estimate',
                description: 'Survey estimates processed by the ILO.',
                limitations: [],
              },
            ],
          },
          rows,
        },
        audit,
      },
    ];
  },
};

interface Cells {
  text(column: keyof typeof COLUMNS): string;
  /** The text of a column that may say nothing else than these. */
  only(column: keyof typeof COLUMNS, accepted: string[]): string;
  refusal(expected: string, found: unknown): Refusal;
}

function cellsOf(file: string, record: CsvRecord, columns: Record<keyof typeof COLUMNS, number>): Cells {
  const text = (column: keyof typeof COLUMNS): string => foldSpace(record.cells[columns[column]] ?? '');
  const refusal = (expected: string, found: unknown): Refusal =>
    new Refusal(file, `row ${record.line}`, expected, shown(found));
  return {
    text,
    refusal,
    only(column, accepted) {
      const found = text(column);
      if (accepted.includes(found)) return found;
      throw refusal(`${COLUMNS[column]} ${accepted.map((word) => `"${word}"`).join(', ')}`, found);
    },
  };
}

/** A percentage from 0 to 100, or null where the cell is blank. */
function rateOf(cell: Cells): number | null {
  const printed = cell.text('value');
  if (printed === '') return null;
  const rate = Number(printed);
  if (/^\d+(?:\.\d+)?$/.test(printed) && rate <= 100) return rate;
  throw cell.refusal('a percentage from 0 to 100', printed);
}
