/** Absences of several filters together, counted over the records; of days, months, other editions and what was not searched. */
import { expect, test } from 'vitest';
import { groupedBy } from '../../shim/core/groups.ts';
import { unknownIndicatorsNote } from '../../shim/core/left-out.ts';
import { marketObservations } from '../../shim/core/operations/market-observations.ts';
import type { Observation } from '../../shim/core/records.ts';
import type { Input, MissingDataset } from '../../shim/core/types.ts';
import { restAnswer, testContext } from '../_support/doors.ts';
import { catalogOf, packDatasets, packedStore } from '../_support/packed.ts';
import { allObservations } from '../_support/records.ts';
import { seeded } from '../_support/seeded.ts';
import { casesOf } from '../_support/share.ts';
import { made } from '../revisions/made.ts';
import type { ExploreAnswer } from '../../shim/core/explore-answer.ts';

const records = allObservations();
const whole = testContext();

async function ask(filters: Input, context = whole): Promise<ExploreAnswer> {
  const { body } = await restAnswer(marketObservations, filters, context);
  return body['data'] as unknown as ExploreAnswer;
}

const FIELDS = {
  dataset: 'datasetId',
  indicator: 'indicatorId',
  geo: 'geoCode',
  category: 'category',
  subgroup: 'subgroup',
} as const;

/** Records that differ in nothing but their period and value, of which one tells whether the filters select them. */
const alike = [
  ...groupedBy(records, (record) =>
    JSON.stringify(Object.values(FIELDS).map((field) => record[field])),
  ).values(),
];

/** The periods of the records that filters select, read from the records alone. */
function periodsOf(filters: Record<string, string>): string[] {
  const asked = Object.entries(FIELDS).filter(([name]) => name in filters);
  const matching = alike.filter(([record]) =>
    asked.every(([name, field]) => record?.[field] === filters[name]),
  );
  const { from = '', to = '9' } = filters;
  const months = from.length === 7 || to.length === 7;
  const periods = [...new Set(matching.flat().map(({ period }) => period))].filter(
    (period) =>
      (!months || period.length === 7) &&
      period.slice(0, from.length) >= from &&
      period.slice(0, to.length) <= to,
  );
  return periods.sort();
}

test('[MARKETS-ABSENCE] of any filters together, the one that is named empties the response, and periods are those without it', async () => {
  const random = seeded(11);
  const one = (): Observation => records[Math.floor(random() * records.length)] as Observation;
  const without = (filters: Record<string, string>, ...names: string[]): Record<string, string> =>
    Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name)));
  const seen = new Map<string, number>();
  for (let count = 0; count < casesOf(250, 100); count += 1) {
    const base = one();
    const other = random() < 0.5 ? base : one();
    const year = Number(base.period.slice(0, 4)) + Math.floor(random() * 5) - 2;
    const all: Record<string, string> = {
      dataset: base.datasetId,
      indicator: random() < 0.9 ? base.indicatorId : one().indicatorId,
      geo: other.geoCode,
      category: random() < 0.8 ? base.category : one().category,
      subgroup: base.subgroup,
      from: random() < 0.8 ? String(year) : `${year}-03`,
      to: random() < 0.8 ? String(year + 1) : `${year + 1}-02`,
    };
    const filters = Object.fromEntries(Object.entries(all).filter(() => random() < 0.6));
    const { absence } = await ask({ ...filters, limit: 1 });
    expect(absence === null, JSON.stringify(filters)).toBe(periodsOf(filters).length > 0);
    if (!absence) continue;
    const { parameter, reason, periods, message } = absence;
    const about = JSON.stringify({ filters, absence });
    seen.set(`${reason} ${parameter}`, (seen.get(`${reason} ${parameter}`) ?? 0) + 1);
    expect(message, about).toMatch(/An empty response is not a zero\.$/);
    const filling = (...names: string[]): string[] =>
      names.filter((name) => name in filters && periodsOf(without(filters, name)).length > 0);
    const [bounds, labels, subjects] = [
      filling('from', 'to'),
      filling('geo', 'category', 'subgroup'),
      filling('dataset', 'indicator'),
    ];
    const { dataset, indicator } = filters;
    const isOfOther =
      dataset !== undefined &&
      indicator !== undefined &&
      !alike.some(([record]) => record?.datasetId === dataset && record.indicatorId === indicator);
    if (isOfOther) {
      expect(parameter, about).toBe(subjects.join() === 'dataset' ? 'dataset' : 'indicator');
      expect(periods, about).toEqual(periodsOf(without(filters, String(parameter))));
    } else if (reason === 'no_rows_in_period') {
      expect(periods, about).toEqual(periodsOf(without(filters, 'from', 'to')));
      expect(parameter, about).toBe(bounds.length === 1 ? bounds[0] : null);
    } else {
      expect(reason, about).toBe('no_rows');
      expect(periodsOf(without(filters, 'from', 'to')), about).toEqual([]);
      // Where no label empties the response alone, the dataset or the indicator may.
      const causes = labels.length > 0 ? labels : subjects;
      expect(parameter, about).toBe(causes.length === 1 ? causes[0] : null);
      if (parameter !== null) expect(periods, about).toEqual(periodsOf(without(filters, parameter)));
    }
  }
  expect(seen.size, JSON.stringify([...seen])).toBeGreaterThan(5);
});

test('[MARKETS-ABSENCE] months of annual records: the message says that a month is never answered by a year', async () => {
  const annual = await ask({ dataset: 'coca-cultivation', from: '2020-01', to: '2021-12' });
  expect(annual.absence?.message).toContain(
    'An annual record does not answer a month: for those of 2020, 2021 give years, YYYY.',
  );
  const monthly = await ask({ dataset: 'border-drug-seizures', from: '2017-01', to: '2017-12' });
  expect(monthly.absence?.message).not.toContain('annual');
  // Of a year of which some months have records, those are no annual ones.
  const first = allObservations()
    .filter(({ datasetId }) => datasetId === 'border-drug-seizures')
    .map(({ period }) => period)
    .sort()[0];
  const year = first?.slice(0, 4) ?? '';
  const before = await ask({ dataset: 'border-drug-seizures', from: `${year}-01`, to: `${year}-02` });
  expect(first?.slice(5) ?? '').toMatch(/^(?:0[3-9]|1)/);
  expect(before.absence).toMatchObject({ reason: 'no_rows_in_period' });
  expect(before.absence?.message).not.toContain('annual');
});

const NO_PERIOD =
  'There are no records in the period asked for; periods with records: 2010 to 2023. An annual record does not answer a month: for those of';

test.each([
  [{ geo: 'zzqqxx' }, '"zzqqxx" is not a geography code of the catalog; nothing known is close to it.'],
  [
    { indicator: 'coca-cultivation', category: 'Heroin' },
    '"Heroin" is not a category of what was asked for; nothing known is close to it.',
  ],
  [
    { indicator: 'seizures', geo: 'Belguim', category: 'cocainee' },
    '"Belguim" is not a geography code of the catalog; closest: BEL (Belgium). "cocainee" is not a category of the catalog; closest: "Cocaine-type". Records of this place are under other labels: see elsewhere.',
  ],
  [
    { indicator: 'seizures', geo: 'BEL', subgroup: 'Cannabis' },
    '"Cannabis" is not a subgroup of the catalog; closest: "Cannabis oil", "Cannabis plants", "Cannabis seed". Records of this place are under other labels: see elsewhere.',
  ],
  [
    { dataset: 'coca-cultivation', geo: 'BEL', category: 'Cocaine-type', subgroup: 'Cocaine hydrochloride' },
    '"Cocaine-type" is not a category of what was asked for; closest: "Figures represent the area under coca cultivation as interpreted on satellite imagery (without deductions for subsequent eradication).". "Cocaine hydrochloride" is not a subgroup of what was asked for; closest: "12-65; Cocaine hydrochloride", "15-64; Cocaine hydrochloride", "16-64; Cocaine hydrochloride". There are no records for dataset "coca-cultivation" together with the other filters. Without it there are records of 2019, 2022, 2023.',
  ],
  [
    { indicator: 'coca-cultivation', geo: 'BEL' },
    'There are no records for geo "BEL" together with the other filters. Without it there are records of 2010 to 2023.',
  ],
  [
    { indicator: 'use-cannabis', geo: 'x-england', category: 'Cannabis' },
    'There are no records for geo "x-england" together with the other filters. Close to it, with records: "x-england-and-wales". Without it there are records of 2000 to 2023.',
  ],
  [
    { indicator: 'seizures', category: 'Opioids', subgroup: 'Cannabis seed' },
    'There are no records for this combination of filters.',
  ],
  [{ dataset: 'coca-cultivation', from: '2020-01' }, `${NO_PERIOD} 2020, 2021, 2022, 2023 give years, YYYY.`],
  [
    { dataset: 'coca-cultivation', to: '2015-03' },
    `${NO_PERIOD} 2010, 2011, 2012, 2013, 2014, 2015 give years, YYYY.`,
  ],
  [{ dataset: 'coca-cultivation', to: '2016-03' }, `${NO_PERIOD} 2010 to 2016 give years, YYYY.`],
])('[MARKETS-ABSENCE] %j: "%s"', async (filters, message) => {
  const { absence } = await ask(filters);
  expect(absence?.message).toBe(`${message} An empty response is not a zero.`);
});

test('[MARKETS-ABSENCE] labels elsewhere are other labels than the ones asked for', async () => {
  const { absence } = await ask({ indicator: 'seizures', geo: 'Belgium', category: 'Cocaine-type' });
  expect(absence).toMatchObject({ parameter: 'geo', nearest: ['BEL'] });
  expect(absence?.elsewhere.length).toBeGreaterThan(0);
  expect(absence?.elsewhere.map(({ category }) => category)).not.toContain('Cocaine-type');
});

test('[MARKETS-ABSENCE] an empty label that a place has no records of leads to the labels that it has', async () => {
  const { absence } = await ask({ indicator: 'coca-cultivation', geo: 'COL', category: '' });
  expect(absence?.elsewhere.map(({ category }) => category)).toContain('Net area on 31 December.');
  expect(absence?.message).toContain('Records of this place are under other labels: see elsewhere.');
});

test('[AS-OF] records of later editions: their periods, and still no zero', async () => {
  const { absence } = await ask({ dataset: 'drug-seizures', geo: 'BEL', from: '2023', as_of: '2024-12-31' });
  expect(absence).toMatchObject({ parameter: 'as_of', reason: 'outside_as_of', nearest: ['2025-06-30'] });
  expect(absence?.periods).toEqual(periodsOf({ dataset: 'drug-seizures', geo: 'BEL', from: '2023' }));
  expect(absence?.message).toMatch(/An empty response is not a zero\.$/);
});

test('[AS-OF] records of later editions of several datasets: the days of all, in order, and each edition', async () => {
  const { absence } = await ask({ from: '2024', as_of: '2024-06-30' });
  expect(absence).toMatchObject({ parameter: 'as_of', given: '2024-06-30', elsewhere: [] });
  expect(absence?.nearest).toEqual(['2025-05-12', '2025-06-30', '2025-11-21', '2026-01-31', '2026-05-31']);
  expect(absence?.message).toBe(
    'No edition published by 2024-06-30 has such records; later ones do: arms 2025-05-12, border-drug-seizures 2026-01, border-drug-seizures 2026-05, informal-employment 2025-11-21, opium-cultivation 2025-06. An empty response is not a zero.',
  );
});

test('[AS-OF] of more than five later editions the days of the first five are named', async () => {
  const editions = Array.from({ length: 8 }, (_, at) =>
    made({ edition: `${2010 + at}-06`, rows: [{ geoCode: at === 0 ? 'MLI' : 'KEN' }] }),
  );
  const context = testContext(packedStore(packDatasets(editions)));
  const { absence } = await ask({ geo: 'KEN', as_of: '2010-12-31' }, context);
  const first = ['2011-06-30', '2012-06-30', '2013-06-30', '2014-06-30', '2015-06-30'];
  expect(absence).toMatchObject({ reason: 'outside_as_of', nearest: first });
});

test('[AS-OF] records that only earlier editions have are said to be there', async () => {
  const { absence } = await ask({ dataset: 'drug-seizures', geo: 'BEL', to: '2018' });
  expect(absence).toMatchObject({ parameter: 'to', reason: 'no_rows_in_period' });
  expect(absence?.message).toContain('Earlier editions have such records: drug-seizures 2024-06;');
  const past = await ask({ dataset: 'drug-seizures', geo: 'BEL', to: '2018', as_of: '2024-06-30' });
  expect(past.page.matched).toBeGreaterThan(0);
  const never = await ask({ dataset: 'drug-seizures', geo: 'BEL', to: '1999' });
  expect(never.absence?.message).not.toContain('Earlier editions');
});

test('[AS-OF] a label of an earlier edition is known to a query about its time', async () => {
  const label = { dataset: 'informal-employment', category: 'Sex: Total' };
  const then = await ask({ ...label, geo: 'BEL', from: '2050', as_of: '2024-12-31' });
  expect(then.absence).toMatchObject({ parameter: 'from', reason: 'no_rows_in_period' });
  expect(then.absence?.message).not.toContain('is not a category');
  const now = await ask(label);
  expect(now.absence).toMatchObject({ parameter: 'category', reason: 'unknown_value', nearest: ['Total'] });
  expect(now.absence?.message).toContain(
    'Earlier editions have such records: informal-employment 2024-07-26;',
  );
});

test('[UNAVAILABLE] an absence names the datasets that were not searched', async () => {
  const leftOut: MissingDataset[] = [
    { id: 'arms', kind: 'observations', reason: 'Its rights are unresolved.' },
  ];
  const rows = [{ geoCode: 'KEN' }];
  const packed = packDatasets([made({ edition: '2025-06', rows })], leftOut);
  const context = testContext(packedStore(packed, [catalogOf(packed)]));
  const { absence } = await ask({ geo: 'MLI' }, context);
  expect(absence?.message).toMatch(/Unavailable, and not searched: arms, /);
  const one = await ask({ geo: 'MLI', dataset: 'drug-seizures' }, context);
  expect(one.absence?.message).not.toContain('not searched');
});

test.each<[leftOut: Omit<MissingDataset, 'reason'>[], note: string]>([
  [
    [{ id: 'arms', kind: 'observations' }],
    '. The indicators of arms are not known: it is not in this release',
  ],
  [
    [
      { id: 'arms', kind: 'observations' },
      { id: 'informal-economy', kind: 'observations', indicators: ['dge'] },
      { id: 'opium-cultivation', kind: 'observations' },
      { id: 'organized-crime-index', kind: 'atlas' },
    ],
    '. The indicators of arms, opium-cultivation are not known: they are not in this release',
  ],
  [[{ id: 'informal-economy', kind: 'observations', indicators: ['dge'] }], ''],
])('[UNAVAILABLE] with %j left out the refusal of an unknown indicator ends "%s"', (leftOut, note) => {
  const unavailable = leftOut.map((one) => ({ ...one, reason: 'Its rights are unresolved.' }));
  expect(unknownIndicatorsNote({ unavailable })).toBe(note);
});

test('[AS-OF] records that the edition of that day prints under another label are named by it, not said to be published later', async () => {
  const about = { dataset: 'informal-employment', as_of: '2024-12-31' };
  const total = await ask({ ...about, geo: 'AFG', category: 'Total' });
  expect(total.absence).toMatchObject({
    parameter: 'category',
    given: 'Total',
    reason: 'no_rows',
    nearest: ['Sex: Total'],
    periods: ['2021'],
    message:
      'The editions asked for have such records under another label: category "Total" is printed there as "Sex: Total". An empty response is not a zero.',
  });
  expect(total.absence?.elsewhere.map(({ category }) => category)).toContain('Sex: Total');
  const survey = 'Core Welfare Indicators Questionnaire';
  const given = { subgroup: `HS - ${survey}` };
  const printed = { parameter: 'subgroup', nearest: [`HIES - ${survey}`] };
  expect((await ask({ ...about, ...given })).absence).toMatchObject(printed);
  const both = (await ask({ ...about, ...given, category: 'Total' })).absence;
  expect(both).toMatchObject({ parameter: null, given: null, nearest: [] });
  expect(both?.message).toContain(
    `category "Total" is printed there as "Sex: Total"; subgroup "HS - ${survey}"`,
  );
  const later = await ask({ ...about, geo: 'AFG', category: 'Total', from: '2024' });
  expect(later.absence?.message).not.toContain('another label');
});
