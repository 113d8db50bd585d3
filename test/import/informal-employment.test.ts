import { expect, test } from 'vitest';
import type { ObservationRow } from '../../build/lib/dataset.ts';
import { informalEmployment } from '../../build/import/informal-employment.ts';
import { datasetFiles } from '../../build/import/run.ts';
import { observationsOf, textFile } from '../_support/workbook.ts';

const OPTIONS = { retrieved: '2026-01-31', edition: '2026-01' };
const HEAD =
  '"ref_area.label","source.label","indicator.label","sex.label","time","obs_value","obs_status.label","note_indicator.label","note_source.label"';
const NAME = '"Informal employment rate by sex (%)"';
const ROWS = [
  `"Angola","LFS - Employment Survey",${NAME},"Sex: Total","2021",90.254,,,"Repository: A | B"`,
  `"Angola","HS - Household Survey",${NAME},"Sex: Total","2021",0,"Unreliable",,`,
  `"Congo, Democratic Republic of the","LFS - Labour Force Survey",${NAME},"Sex: Female","2012",88.1,"Break in series","Break in series: Methodology revised",`,
  `"India","LFS - Labour Force Survey",${NAME},"Sex: Other","2022",,"Unreliable",,`,
];

const csv = (head: string, rows: string[]): string => `\uFEFF${[head, ...rows].join('\r\n')}\r\n`;

const read = (text: string) => observationsOf(informalEmployment, [textFile('ilo.csv', text)], OPTIONS);

const line = (row: ObservationRow) =>
  `${row.geoCode}|${row.category}|${row.subgroup}|${row.period}: ${row.value} ${row.unit} ${row.status} ${row.unavailableReason ?? '-'} ${row.sourceLocator}`;

test('[IMPORT-ZERO] sexes, surveys and flags stay apart; a zero is a zero and a blank is not', () => {
  const { rows, audit } = read(csv(HEAD, ROWS));
  expect(rows.map(line)).toEqual([
    'AGO|Sex: Total|LFS - Employment Survey|2021: 90.254 % estimated - row 2',
    'AGO|Sex: Total|HS - Household Survey; Unreliable|2021: 0 % estimated - row 3',
    'COD|Sex: Female|LFS - Labour Force Survey; Break in series|2012: 88.1 % estimated - row 4',
    'IND|Sex: Other|LFS - Labour Force Survey; Unreliable|2022: null % unavailable blank_in_source row 5',
  ]);
  expect(audit).toEqual({
    read: 4,
    kept: 4,
    unavailable: { blank_in_source: 1 },
    withheld: { 'column "note_indicator.label"': 1, 'column "note_source.label"': 1 },
    notes: {
      'flag "Break in series" carried in the subgroup': 1,
      'flag "Unreliable" carried in the subgroup': 2,
    },
  });
});

test('[IMPORT-LAYOUT] moved columns give the same records', () => {
  const moved = csv(
    '"time","sex.label","obs_value","note_source.label","obs_status.label","ref_area.label","note_indicator.label","indicator.label","source.label"',
    [`2021,Sex: Total,90.254,,,Angola,,${NAME},LFS - Employment Survey`],
  );
  expect(read(moved).rows.map(line)).toEqual([
    'AGO|Sex: Total|LFS - Employment Survey|2021: 90.254 % estimated - row 2',
  ]);
});

test('[IMPORT-LAYOUT] headings may have other spaces and capitals, and a row without any text is no row', () => {
  const spaced = csv(HEAD.toUpperCase().replaceAll('_', '\u00A0'), [...ROWS, ',,,,,,,,', ' ,,,,,,,,']);
  expect(read(spaced).rows.map(line)).toEqual(read(csv(HEAD, ROWS)).rows.map(line));
});

test('[IMPORT-LAYOUT] columns that are not read may be missing', () => {
  const few = csv('ref_area.label,source.label,indicator.label,sex.label,time,obs_value,obs_status.label', [
    `Angola,LFS - Employment Survey,${NAME},Sex: Total,2021,90.254,`,
  ]);
  expect(read(few).rows.map(line)).toEqual(read(csv(HEAD, ROWS.slice(0, 1))).rows.map(line));
});

const changed = (from: string, to: string): string => csv(HEAD, ROWS).replace(from, to);

const REFUSALS: [string, string, RegExp][] = [
  [
    'a renamed column',
    changed('obs_value', 'value'),
    /row 1: expected one column "obs_value"; found none, but "value, note/,
  ],
  [
    'a repeated column',
    changed('note_indicator.label', 'time'),
    /row 1.*one column "time"; found a second one/,
  ],
  ['another indicator', changed('rate by sex (%)', 'by sex (thousands)'), /row 2.*rate by sex/],
  ['an unknown area', changed('Angola', 'Atlantis'), /row 2.*"Atlantis"/],
  ['an unknown sex', changed('Sex: Total', 'Sex: Any'), /row 2.*"Sex: Total".*"Sex: Any"/],
  ['an unknown flag', changed('Unreliable', 'Imputed'), /row 3.*"Imputed"/],
  ['a quarter', changed('2021', '2021Q1'), /row 2.*a year.*"2021Q1"/],
  ['words for a number', changed('90.254', 'n/a'), /row 2.*percentage.*"n\/a"/],
  ['more than all', changed('90.254', '190.254'), /row 2.*percentage/],
  ['no survey', changed('LFS - Employment Survey', ''), /row 2.*a survey/],
  ['one key twice', csv(HEAD, [ROWS[0] ?? '', ROWS[0] ?? '']), /row 3.*one row of AGO\|LFS.*row 2/],
  [
    'one key twice in two spellings',
    csv(HEAD, [ROWS[0] ?? '', (ROWS[0] ?? '').replace('Sex: Total', 'Total')]),
    /row 3.*one row of AGO\|LFS.*Total.*row 2/,
  ],
];

test.each(REFUSALS)('[IMPORT-REFUSES] refuses %s', (_, text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('[IMPORT-SAME] the same file gives the same bytes', () => {
  const [first, second] = [1, 2].map(() =>
    datasetFiles(read(csv(HEAD, ROWS)).dataset)['records.csv'].toString(),
  );
  expect(first).toBe(second);
});

test('a note under the table is counted and is no row; a text in a row cut short is refused', () => {
  const { rows, audit } = read(csv(HEAD, [...ROWS, 'Source: ILOSTAT.,,,,,,,,']));
  expect(rows.map(line)).toEqual(read(csv(HEAD, ROWS)).rows.map(line));
  expect(audit).toMatchObject({ read: 5, kept: 4, withheld: { 'note under the table': 1 } });
  expect(() => read(csv(HEAD, [...ROWS, 'Ang']))).toThrow(/row 6.*found a row of another form/);
});
