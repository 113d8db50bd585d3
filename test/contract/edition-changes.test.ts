/** What is answered for rows, indicators and files that later editions of a dataset no longer have, or have again. */
import { describe, expect, test } from 'vitest';
import type { Dataset } from '../../build/lib/dataset.ts';
import type { ExploreAnswer } from '../../shim/core/explore-answer.ts';
import { marketObservations } from '../../shim/core/operations/market-observations.ts';
import { series } from '../../shim/core/operations/series.ts';
import type { Input, Operation } from '../../shim/core/types.ts';
import { restAnswer, testContext } from '../_support/doors.ts';
import { catalogOf, packDatasets, packedStore } from '../_support/packed.ts';
import { made, type MadeEdition } from '../revisions/made.ts';

/** Asks a service that publishes these editions, for observations unless another operation is given. */
function serviceOf(
  ...datasets: Dataset[]
): (filters: Input, operation?: Operation) => Promise<ExploreAnswer> {
  const packed = packDatasets(datasets);
  const context = testContext(packedStore(packed, [catalogOf(packed)]));
  return async (filters, operation = marketObservations) => {
    const { status, body } = await restAnswer(operation, filters, context);
    expect(status).toBe(200);
    return body['data'] as unknown as ExploreAnswer;
  };
}

test('[AS-OF] rows that were withdrawn and came back are in earlier and later editions, and the message says so', async () => {
  const places = ['KEN', 'MLI', 'KEN', 'KEN'];
  const ask = serviceOf(
    ...places.map((geoCode, at) => made({ edition: `${2020 + at}-06`, rows: [{ geoCode }] })),
  );
  const { absence } = await ask({ dataset: 'drug-seizures', geo: 'KEN', as_of: '2021-12-31' });
  expect(absence).toMatchObject({ parameter: 'as_of', reason: 'outside_as_of', periods: ['2020'] });
  expect(absence?.nearest).toEqual(['2022-06-30', '2023-06-30', '2020-06-30']);
  expect(absence?.message).toBe(
    'The newest editions published by 2021-12-31 have no such records; other editions do: drug-seizures 2020-06, drug-seizures 2022-06, drug-seizures 2023-06. An empty response is not a zero.',
  );
  for (const day of absence?.nearest ?? [])
    expect((await ask({ geo: 'KEN', as_of: day })).observations).toHaveLength(1);
});

describe('[MARKETS-ABSENCE] an indicator that the current edition no longer has', () => {
  const both: MadeEdition = { edition: '2020-06', rows: [{}, { indicatorId: 'events' }] };
  const later = made({ edition: '2021-06', rows: [{}] });
  if (later.kind === 'observations')
    later.descriptor.indicators = later.descriptor.indicators.filter(({ id }) => id !== 'events');
  const other = made({ edition: '2021-06', rows: [{ indicatorId: 'arms-seized' }] }, 'arms');
  if (other.kind === 'observations')
    other.descriptor.indicators = other.descriptor.indicators.map((one) => ({ ...one, id: 'arms-seized' }));
  const ask = serviceOf(other, made(both), later);

  test.each<[filters: Input, absence: object]>([
    [
      { indicator: 'events' },
      {
        parameter: 'indicator',
        given: 'events',
        reason: 'no_rows',
        nearest: ['weight'],
        periods: ['2020'],
        message:
          'Indicator "events" is not in the edition asked for, drug-seizures 2021-06. Editions that have it: drug-seizures 2020-06; as_of asks for them. An empty response is not a zero.',
      },
    ],
    [
      { dataset: 'drug-seizures', indicator: 'events', geo: 'KEN' },
      { parameter: 'indicator', reason: 'no_rows', nearest: ['weight'] },
    ],
    [
      { dataset: 'arms', indicator: 'events' },
      {
        parameter: 'indicator',
        reason: 'no_rows',
        message:
          'Dataset "arms" has no indicator "events": it belongs to drug-seizures. An empty response is not a zero.',
      },
    ],
    [
      { indicator: 'events', geo: 'Kenya', as_of: '2020-12-31' },
      { parameter: 'geo', given: 'Kenya', reason: 'unknown_value', nearest: ['KEN'], periods: ['2020'] },
    ],
    [
      { indicator: 'events', geo: 'KEN', from: '2021', as_of: '2020-12-31' },
      { parameter: 'from', given: '2021', reason: 'no_rows_in_period', periods: ['2020'] },
    ],
  ])('asked for with %j', async (filters, absence) => {
    const answer = await ask(filters);
    expect(answer.page.matched).toBe(0);
    expect(answer.absence).toMatchObject(absence);
  });

  test('has no series, and one filter alone is not called a combination', async () => {
    const { page, limitations } = await ask({ indicator: 'events' }, series);
    expect(page.matched).toBe(0);
    expect(limitations[0]).toBe('There are no series of indicator "events" in the current editions.');
  });

  test('is answered as of its time', async () => {
    const { observations } = await ask({ indicator: 'events', as_of: '2020-12-31' });
    expect(observations).toMatchObject([{ indicatorId: 'events', edition: '2020-06' }]);
  });
});

test('[IDS] id@edition names its cell for ever, also where the next edition keeps another file of that date', async () => {
  const rows = [
    { period: '2019', sourceId: 'complete', value: 3 },
    { period: '2020', value: 4 },
  ];
  const first = made({ edition: '2021-06', rows });
  const next = made({ edition: '2021-07', rows: [rows[0] ?? {}, { period: '2020', value: 5 }] });
  for (const source of next.descriptor.sources)
    if (source.id === 'complete') {
      const before = first.descriptor.sources.find(({ id }) => id === source.id);
      Object.assign(source, before);
    }
  const ask = serviceOf(first, next);
  const found = await ask({ as_of: '2021-06-30' });
  expect(found.observations).toMatchObject([
    { edition: '2021-06', value: 3 },
    { edition: '2021-06', value: 4 },
  ]);
  for (const record of found.observations) {
    const again = await ask({ id: `${record.id}@2021-06` });
    expect(again.observations).toEqual([record]);
    expect(again.absence).toBeNull();
  }
  const current = await ask({ id: `${found.observations[1]?.id}@2021-07` });
  expect(current.observations).toMatchObject([{ value: 5, edition: '2021-07' }]);
});
