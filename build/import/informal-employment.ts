/** ILOSTAT: informal employment rate by sex, annual. One CSV with labels, one row per area, survey, sex and year. */
import type { ObservationRow, ObservationsDescriptor } from '../lib/dataset.ts';
import { neededText, numberOf, oneOf, refuse, yearIn } from './cells.ts';
import { count, newAudit, onlyFile, type Importer } from './importer.ts';
import { countUnavailable, newGeographies, observation, refuseTwin } from './observations.ts';
import { CC_BY, describeSource, type SourceFacts } from './sources.ts';
import { csvTable } from './table.ts';

const SOURCE: SourceFacts = {
  ...CC_BY,
  id: 'ilo-nifl',
  title: 'ILOSTAT: Informal employment rate by sex, annual (EMP_NIFL_SEX_RT_A)',
  publisher: 'International Labour Organization (ILO)',
  url: 'https://ilostat.ilo.org/data/',
  path: 'https://ilostat.ilo.org/data/',
  cadence: 'P1Y',
  notes: ['The address is that of the page that offers the file.'],
  copies: { '8043aa049fe89dc5659e7467e0fb4bb65c5e7604768bbc7e7527fdf7e4807b71': '2024-07-26' },
};

/** The publisher's own short name: it is part of every record. */
const INDICATOR = 'nifl';
const PRINTED_INDICATOR = 'Informal employment rate by sex (%)';
const SEXES = ['Sex: Total', 'Sex: Male', 'Sex: Female', 'Sex: Other'];
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
export const informalEmployment: Importer = {
  name: 'informal-employment',
  summary: SOURCE.title,
  datasets: ['informal-employment'],
  files: 'one .csv with labels',
  read(files, options) {
    const file = onlyFile('informal-employment', files, 'one CSV file');
    const audit = newAudit();
    const geographies = newGeographies();
    const table = csvTable(file, COLUMNS);
    count(audit.withheld, 'column of notes', 2);
    const seen = new Map<string, string>();
    const rows = table.rows.map(({ row }): ObservationRow => {
      oneOf(row.indicator, [PRINTED_INDICATOR], COLUMNS.indicator);
      const geoCode = geographies.named(row.area);
      const category = oneOf(row.sex, SEXES, COLUMNS.sex).slice('Sex: '.length);
      const flag = oneOf(row.flag, FLAGS, COLUMNS.flag);
      if (flag !== '') count(audit.notes, `flag "${flag}" carried in the subgroup`);
      const survey = neededText(row.survey, 'a survey');
      const period = yearIn(row.time) ?? refuse(row.time, 'a year');
      refuseTwin(seen, [geoCode, survey, category, period].join('|'), row.value);
      return observation({
        indicatorId: INDICATOR,
        geoCode,
        category,
        subgroup: flag === '' ? survey : `${survey}; ${flag}`,
        period,
        value: numberOf(row.value, 'a percentage from 0 to 100', { max: 100, inText: true }),
        unit: '%',
        status: 'estimated',
        sourceId: SOURCE.id,
        sourceLocator: row.value.place,
      });
    });
    audit.read = rows.length;
    audit.kept = rows.length;
    countUnavailable(rows, audit);
    const descriptor: ObservationsDescriptor = {
      kind: 'observations',
      name: 'informal-employment',
      title: 'Informal employment rate',
      description:
        'Informal employment as a percentage of total employment, by country, year, sex and survey.',
      sources: [describeSource(SOURCE, file, options)],
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
    };
    return [{ dataset: { kind: 'observations', descriptor, rows }, audit }];
  },
};
