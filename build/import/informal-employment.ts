/** ILOSTAT: informal employment rate by sex, annual. One CSV with labels, one row per area, survey, sex and year. */
import { neededText, numberOf, oneOf, refuse, yearIn } from './cells.ts';
import { labelKey, readFamily } from './family.ts';
import { count, type Importer } from './importer.ts';
import { observation, observationsImporter, refuseTwin } from './observations.ts';
import { countOthers, csvTable } from './csv-table.ts';

/** The publisher's own short name: it is part of every record. */
const INDICATOR = 'nifl';
const PRINTED_INDICATOR = 'Informal employment rate by sex (%)';
const SEXES = ['Total', 'Male', 'Female', 'Other'];

const COLUMNS = {
  area: 'ref_area.label',
  survey: 'source.label',
  indicator: 'indicator.label',
  sex: 'sex.label',
  time: 'time',
  value: 'obs_value',
  flag: 'obs_status.label',
};

/** Imports the CSV as `informal-employment`. */
export const informalEmployment: Importer = observationsImporter(
  readFamily('informal-employment'),
  'one CSV file',
  ({ family, file, geographies, audit }) => {
    const table = csvTable(file, COLUMNS, audit);
    countOthers(table, 'area', family, audit);
    const seen = new Map<string, string>();
    const rows = table.rows.map(({ row }) => {
      oneOf(row.indicator, [PRINTED_INDICATOR], COLUMNS.indicator);
      const geoCode = geographies.named(row.area);
      // Editions print "Sex: Male" or "Male": the text stays as printed, and `drift` in the YAML file says which are the same.
      const category = oneOf(row.sex, [...SEXES.map((sex) => `Sex: ${sex}`), ...SEXES], COLUMNS.sex);
      const flag = oneOf(row.flag, ['', ...family.flags], COLUMNS.flag);
      if (flag !== '') count(audit.notes, `flag "${flag}" carried in the subgroup`);
      const survey = neededText(row.survey, 'a survey');
      const period = yearIn(row.time) ?? refuse(row.time, 'a year');
      // Editions spell one label in two ways, and a file may have both.
      const labels = [survey, category].map((label) => labelKey(family, label));
      refuseTwin(seen, [geoCode, ...labels, period].join('|'), row.value);
      return observation({
        indicatorId: INDICATOR,
        geoCode,
        category,
        subgroup: flag === '' ? survey : `${survey}; ${flag}`,
        period,
        value: numberOf(row.value, 'a percentage from 0 to 100', { max: 100, inText: true }),
        unit: '%',
        status: 'estimated',
        sourceLocator: row.value.place,
      });
    });
    audit.read += rows.length;
    audit.kept = rows.length;
    return rows;
  },
);
