/**
 * One rule per dataset: what its raw files print, cell by cell, without the importers. A text that is put together from
 * several cells is put together here independently. What a rule does not cover is a difference, never a skip.
 */
import { groupedBy } from '../../shim/core/groups.ts';
import { joined } from '../lib/text.ts';
import { statement, UNSTATED, type Field, type Statement } from './compare.ts';
import { numberOf, rowsUnder, textOf, tidy, type RawFile, type Row } from './raw.ts';
import TABLES from './rules.json' with { type: 'json' };
import { readCultivation, readInformality, readPrevalence } from './rules-years.ts';

/** What a rule reads: a raw file, the fields of an atlas, and the project's own tables that the source's notes name. */
export interface Reading extends RawFile {
  fields: Field[];
  tables: RawFile[];
}

/** The rule of a dataset; `status` is the one that every value must be published with. */
export interface Rule {
  status: 'reported' | 'estimated';
  read: (reading: Reading) => Statement[];
}

/** Header words of a table with one value per row. */
type Words = Record<'value' | 'name' | 'period', string> &
  Partial<Record<'lower' | 'upper' | 'code' | 'category' | 'subgroup' | 'group', string>>;

const { words: WORDS, armsKey: ARMS_KEY } = TABLES;
/** The heading of the code in the arms questionnaire. */
const ARMS_CODE = WORDS.arms.code;
const ARMS_INDICATORS = new Map(Object.entries(TABLES.armsIndicators));

/** ISO 3166-1 leaves codes like XKX to their users: such a geography has a code of our own and is compared by name. */
const OWN_CODE = /^X[A-Z]{2}$/;

/** Dataset id -> rule. */
export const RULES: Record<string, Rule> = {
  arms: { status: 'reported', read: readArms },
  'border-drug-seizures': { status: 'reported', read: readBorder },
  'coca-cultivation': cultivation('coca-cultivation'),
  'drug-prices': { status: 'reported', read: (file) => statements(file, WORDS.prices, priceOf) },
  'drug-seizures': { status: 'reported', read: (file) => statements(file, WORDS.seizures, seizureOf) },
  'drug-use-prevalence': { status: 'estimated', read: ({ sheets }) => sheets.flatMap(readPrevalence) },
  'firearms-tracing': { status: 'reported', read: readTracing },
  'informal-economy': { status: 'estimated', read: ({ sheets }) => sheets.flatMap(readInformality) },
  'informal-employment': { status: 'estimated', read: (file) => statements(file, WORDS.labour, labourOf) },
  'national-indicators': { status: 'reported', read: readSeries },
  'opium-cultivation': cultivation('opium-cultivation'),
  'organized-crime-index': { status: 'reported', read: readScores },
};

function cultivation(indicator: string): Rule {
  return {
    status: 'estimated',
    read: ({ sheets }) => sheets.flatMap((sheet) => readCultivation(indicator, sheet)),
  };
}

/** One statement per row that names a place and a period; notes do not. */
function statements(file: RawFile, words: Words, more: (row: Row) => Partial<Statement>): Statement[] {
  return rowsUnder(file, Object.values(words))
    .filter((row) => tidy(row.text(words.name)) !== '' && row.text(words.period) !== '')
    .map((row) => fromRow(row, words, more(row)));
}

function fromRow(row: Row, words: Words, more: Partial<Statement>): Statement {
  const text = (word: string | undefined): string => (word === undefined ? '' : row.text(word));
  const number = (word: string | undefined): number | null =>
    word === undefined ? null : numberOf(row.cell(word));
  const code = text(words.code);
  const isMarked = number(words.value) === null && text(words.value).trim() !== '';
  return statement({
    locator: row.place(words.value),
    value: number(words.value),
    lower: number(words.lower),
    upper: number(words.upper),
    name: text(words.name),
    code: code === '' || OWN_CODE.test(code) ? null : code,
    period: text(words.period),
    category: text(words.category),
    subgroup: text(words.subgroup),
    group: text(words.group),
    // A mark such as ".." says that there is no figure.
    ...(isMarked && { reason: 'placeholder_in_source' }),
    ...more,
  });
}

/** Annex 7.1: rows of totals have a category of our own. */
function seizureOf(row: Row): Partial<Statement> {
  const isTotal = ['DrugGroup', 'DrugSubGroup', 'DrugName'].some((word) =>
    /\b(?:sub)?totals?\b/i.test(row.text(word)),
  );
  return { indicator: 'seizures', unit: 'Kilograms', ...(isTotal && { category: 'Reported totals' }) };
}

/** Annex 8.1: a zero without a unit is a placeholder, and a specification that speaks of purity is withheld. */
function priceOf(row: Row): Partial<Statement> {
  // One of these marks in place of a label says that there is none; any other sign is a label.
  const [unit = '', specify = ''] = ['Unit', 'Specify'].map((word) => {
    const printed = tidy(row.text(word));
    return ['.', '..', '...', '…', '-', '–', '—'].includes(printed) ? '' : printed;
  });
  const isPlaceholder = unit === '' && numberOf(row.cell('Typical_USD')) === 0;
  return {
    indicator: `prices-${row.text('LevelOfSale').toLowerCase()}`,
    subgroup: joined([/%|per ?cent|\bpur[ei]|potency|\bTHC\b/i.test(specify) ? '' : specify, unit]),
    unit: unit === '' ? 'USD' : `USD / ${unit}`,
    ...(isPlaceholder && { value: null, reason: 'placeholder_in_source' }),
  };
}

/** ILOSTAT: the flag is in a column of its own. */
function labourOf(row: Row): Partial<Statement> {
  const subgroup = joined([row.text('source.label'), row.text('obs_status.label')]);
  const category = row.text('sex.label');
  return { indicator: 'nifl', category, subgroup, unit: '%' };
}

/** Customs and Border Protection: two values per row, in calendar months; the fiscal year begins in October. */
function readBorder(file: RawFile): Statement[] {
  const words = WORDS.border;
  return rowsUnder(file, [...Object.values(words), ...TABLES.borderPlace]).flatMap((row) => {
    const month = TABLES.months.indexOf(row.text('Month (abbv)'));
    const year = Number.parseInt(row.text('FY'), 10) - (month >= 9 ? 1 : 0);
    const period = new Date(Date.UTC(year, month)).toISOString().slice(0, 7);
    const subgroup = joined(TABLES.borderPlace.map(row.text));
    return Object.entries(TABLES.borderValues).map(([value, known]) => {
      const locator = `${row.place(value)} column ${value}`;
      return fromRow(row, { ...words, value }, { ...known, locator, period, subgroup });
    });
  });
}

/** The arms questionnaire: two rows of one key with different values are both unavailable. */
function readArms(file: Reading): Statement[] {
  const keyOf = (row: Row): string =>
    JSON.stringify([...Object.values(WORDS.arms).slice(1), ...ARMS_KEY].map(row.text));
  const alike = groupedBy(armsRows(file), keyOf);
  return statements(file, WORDS.arms, (row) => {
    const isConflicting = new Set(alike.get(keyOf(row))?.map((one) => one.text('VALUE'))).size > 1;
    const persons = ['Sex', 'Age'].map((word) =>
      /^n\/?a$/i.test(row.text(word)) ? '' : `${word} ${row.text(word)}`,
    );
    const indicator = ARMS_INDICATORS.get(row.text('Indicator')) ?? '';
    const [category, dimension] = [row.text('Category'), row.text('Dimension')];
    return {
      ...(isTracing(row)
        ? { indicator: `${indicator}-tracing`, category, subgroup: joined(persons) }
        : { indicator, category: dimension, subgroup: joined([category, ...persons]) }),
      unit: row.text('Unit of measurement'),
      ...(isConflicting && { value: null, reason: 'conflicting_source_rows' }),
    };
  });
}

function armsRows(file: RawFile): Row[] {
  return rowsUnder(file, [...Object.values(WORDS.arms), ...ARMS_KEY]).filter(
    (row) => row.text(ARMS_CODE) !== '',
  );
}

function isTracing(row: Row): boolean {
  const isResult = /^(uniquely identifiable|not uniquely identifiable|total not uniquely|unknown status)/i;
  return row.text('Dimension') === 'by location' && isResult.test(row.text('Category'));
}

/** Tracing: the rows a country prints for a year under "by location"; rows that disagree leave the field null. */
function readTracing(file: Reading): Statement[] {
  const tracing = armsRows(file).filter((row) => isTracing(row) && !OWN_CODE.test(row.text(ARMS_CODE)));
  const groups = groupedBy(tracing, (row) => `${row.text(ARMS_CODE)} ${row.text('Year')}`);
  return [...groups.values()].flatMap((group) => {
    const locator = rangesOf(group.map((row) => row.place('VALUE')));
    return file.fields.flatMap(({ path: field, label }) => {
      const own = group.filter((row) => `${row.text('Indicator')}: ${row.text('Category')}` === label);
      const [value = null, ...others] = new Set(own.map((row) => numberOf(row.cell('VALUE'))));
      const atlas = { ...UNSTATED, locator, field, value: others.length > 0 ? null : value };
      return group.slice(0, 1).map((row) => fromRow(row, WORDS.arms, { ...atlas }));
    });
  });
}

/** The cells of one column, neighbours joined: `Sheet!L5027,L5056:L5057`. */
function rangesOf(places: string[]): string {
  const [, sheet = '', column = ''] = /^(.*!)([A-Z]+)\d+$/.exec(places[0] ?? '') ?? [];
  const rows = places.map((place) => Number(/\d+$/.exec(place)?.[0])).sort((a, b) => a - b);
  const ends = rows.filter((row) => !rows.includes(row + 1));
  const ranges = rows
    .filter((row) => !rows.includes(row - 1))
    .map((from, at) => (from === ends[at] ? `${column}${from}` : `${column}${from}:${column}${ends[at]}`));
  return sheet + ranges.join(',');
}

/** The index: one sheet per edition, whose year is in its name or title; columns named by words that differ in punctuation and in "avg". */
function readScores({ sheets, fields, tables }: Reading): Statement[] {
  const heading = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, ' ')
      .replace(/ avg $| avg$/, '')
      .trim();
  const spellings = tables.flatMap((table) => rowsUnder(table, ['country_as_printed', 'iso3']));
  const codes = new Map(spellings.map((row) => [row.text('country_as_printed'), row.text('iso3')]));
  const latest = new Map<string, string>();
  const editions = sheets.flatMap((sheet) => {
    const [top, cells] =
      [...sheet.rows].find(([, row]) =>
        [...row.values()].some((cell) => heading(textOf(cell)) === 'country'),
      ) ?? [];
    const titles = [...sheet.rows].flatMap(([row, printed]) =>
      row < (top ?? 0) ? [...printed.values()].map(textOf) : [],
    );
    const [period] = [sheet.name, ...titles].flatMap((text) => /20\d\d/.exec(text) ?? []);
    return top === undefined || !cells || period === undefined ? [] : { sheet, top, cells, period };
  });
  return editions
    .toSorted((a, b) => Number(b.period) - Number(a.period))
    .flatMap(({ sheet, top, cells, period }) => {
      const columns = new Map([...cells].map(([column, cell]) => [heading(textOf(cell)), column]));
      const first = columns.get('country') ?? 0;
      const scores = fields.flatMap(({ label }) => columns.get(heading(label)) ?? []);
      const ends = [Math.min(...scores), Math.max(...scores)] as const;
      const named = [...sheet.rows.keys()].filter(
        (row) => row > top && tidy(textOf(sheet.cell(row, first))) !== '',
      );
      return named.flatMap((row) => {
        const printed = tidy(textOf(sheet.cell(row, first)));
        const code = codes.get(printed) ?? '';
        // A country is named as its latest edition spells it.
        const name = latest.get(code) ?? printed;
        latest.set(code, name);
        const [from, to = ''] = ends.map((column) => sheet.place(row, column));
        const locator = `${from}:${to.split('!').at(-1)}`;
        return fields.map(({ path: field, label }) => {
          const value = numberOf(sheet.cell(row, columns.get(heading(label)) ?? 0));
          return { ...UNSTATED, locator, field, value, code, name, period };
        });
      });
    });
}

/** World Development Indicators in either shape, for the three countries of the product's context only. */
function readSeries(file: Reading): Statement[] {
  const isWanted = (row: Row): boolean => TABLES.countries.includes(row.text('Country Code'));
  const stated = (title: string): Partial<Statement> => ({
    unit: /\(([^()]*)\)$/.exec(title)?.[1] ?? 'people',
  });
  const long = rowsUnder(file, Object.values(WORDS.series)).filter(
    (row) => isWanted(row) && row.text('Value') !== '',
  );
  const wide = rowsUnder(file, ['Country Code', 'Indicator Code']).filter(isWanted);
  const years = (row: Row): string[] =>
    row.words.filter((word) => /^\d{4}$/.test(word) && row.text(word) !== '');
  return [
    ...long.map((row) => fromRow(row, WORDS.series, stated(file.title))),
    ...wide.flatMap((row) =>
      years(row).map((year) => {
        const locator = `${row.place(year)} column ${year}`;
        const own = { locator, period: year, indicator: row.text('Indicator Code').toLowerCase() };
        return fromRow(
          row,
          { ...WORDS.series, value: year },
          { ...stated(row.text('Indicator Name')), ...own },
        );
      }),
    ),
  ];
}
