/** Revisions: what differs between neighbouring editions, as made-up editions show it. */
import { describe, expect, test } from 'vitest';
import revisionSchema from '../../schemas/revision.schema.json' with { type: 'json' };
import schema from '../../schemas/revisions.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';
import type { Input } from '../../shim/core/types.ts';
import type { PackedTree } from '../_support/packed.ts';
import { answerOf, asked, between, made, packed, type Answer, type MadeRow } from './made.ts';

/** The counts of the only pair that are not 0. */
function counts({ pairs }: Answer): Record<string, number> {
  const [pair = {}] = pairs;
  return Object.fromEntries(
    Object.entries(pair).flatMap(([name, value]) =>
      typeof value === 'number' && value > 0 ? [[name, value]] : [],
    ),
  );
}

const kinds = ({ revisions }: Answer): string[] => revisions.map(({ kind }) => kind);

/** Rows that give both editions the periods 2019 to 2021. */
const WINDOW: MadeRow[] = ['2019', '2021'].map((period) => ({ period, category: 'Opium' }));

describe('[REVISIONS-KINDS] kinds', () => {
  test('a value, a bound, a unit or a reason that differs is changed, with what both editions print', async () => {
    const older: MadeRow[] = [
      { value: 5 },
      { category: 'Coca leaf', unit: 'Kilograms' },
      { category: 'Opium', lower: 1 },
    ];
    const newer: MadeRow[] = [
      { value: 7 },
      { category: 'Coca leaf', unit: 'Litres' },
      { category: 'Opium', lower: 2 },
    ];
    const answer = await between({ rows: older }, { rows: newer });
    expect(counts(answer)).toEqual({ changed: 3 });
    expect(validator(schema)(answer)).toBeNull();
    expect(answer.revisions.find(({ category }) => category === 'Heroin')).toMatchObject({
      id: expect.stringMatching(/^weight\.KEN\.2020\.heroin~[0-9a-f]{6}@2024-06\.\.2025-06$/),
      datasetId: 'drug-seizures',
      indicatorId: 'weight',
      geoCode: 'KEN',
      period: '2020',
      subgroup: '',
      from: {
        edition: '2024-06',
        value: 5,
        unit: 'Kilograms',
        sourceLocator: 'row 2',
        sourceSha256: /^202406/,
      },
      to: {
        edition: '2025-06',
        value: 7,
        unit: 'Kilograms',
        sourceLocator: 'row 2',
        sourceSha256: /^202506/,
      },
    });
    const reasons = await between(
      { rows: [{ value: null }] },
      { rows: [{ value: null, unavailableReason: 'suppressed_by_source' }] },
    );
    expect(counts(reasons)).toEqual({ changed: 1 });
  });

  test('a value that comes or goes is one that became available or unavailable', async () => {
    const answer = await between(
      { rows: [{ value: null }, { category: 'Opium', value: 0 }] },
      { rows: [{ value: 0 }, { category: 'Opium', value: null }] },
    );
    expect(counts(answer)).toEqual({ became_available: 1, became_unavailable: 1 });
    expect(answer.revisions.map(({ from, to }) => [from?.value, to?.value])).toEqual([
      [null, 0],
      [0, null],
    ]);
  });

  test('a record of one edition alone is added or withdrawn inside the periods of both, else counted', async () => {
    const answer = await between(
      { rows: [...WINDOW, { value: 3 }, { period: '2018' }] },
      { rows: [...WINDOW, { value: 4, geoCode: 'MLI' }, { period: '2022' }, { period: '2023' }] },
    );
    expect(counts(answer)).toEqual({ same: 2, added: 1, withdrawn: 1, left_window: 1, new_periods: 2 });
    expect(answer.revisions.map(({ kind, geoCode, from, to }) => [kind, geoCode, from, to?.value])).toEqual([
      ['withdrawn', 'KEN', expect.objectContaining({ value: 3 }), undefined],
      ['added', 'MLI', null, 4],
    ]);
  });

  test('a period between two files of a table has left it, and one that returns to it is new', async () => {
    const apart: MadeRow[] = [{ period: '2019' }, { period: '2022', sourceId: 'later-table' }];
    const joined: MadeRow[] = ['2019', '2020', '2021', '2022'].map((period) => ({ period }));
    expect(counts(await between({ rows: joined }, { rows: apart }))).toEqual({ same: 2, left_window: 2 });
    expect(counts(await between({ rows: apart }, { rows: joined }))).toEqual({ same: 2, new_periods: 2 });
  });

  test('a number that differs behind the digits which a workbook shows is rounding only', async () => {
    const rows = (value: number): MadeRow[] => [{ value, indicatorId: 'events' }];
    expect(counts(await between({ rows: rows(24.0186) }, { rows: rows(24.018600000000003) }))).toEqual({
      rounding_only: 1,
    });
    expect(counts(await between({ rows: rows(24.0186) }, { rows: rows(24.0186000000001) }))).toEqual({
      changed: 1,
    });
  });

  test('the periods of a table are those of all its indicators, months as they are', async () => {
    const answer = await between(
      { rows: [{ period: '2024-01' }, { period: '2024-06' }] },
      {
        rows: [
          { period: '2024-01' },
          { period: '2024-06' },
          { period: '2024-03', indicatorId: 'events' },
          { period: '2024-07', indicatorId: 'events' },
        ],
      },
    );
    expect(counts(answer)).toEqual({ same: 2, added: 1, new_periods: 1 });
  });

  test('a difference below the tolerance of the indicator is rounding only, and is no record', async () => {
    const rows = (weight: number, events: number): MadeRow[] => [
      { value: weight },
      { value: events, indicatorId: 'events' },
    ];
    const answer = await between({ rows: rows(12.5, 3) }, { rows: rows(12.500000000000002, 3.001) });
    expect(counts(answer)).toEqual({ rounding_only: 1, changed: 1 });
    expect(answer.revisions.map(({ indicatorId }) => indicatorId)).toEqual(['events']);
    expect(answer.limitations).toContain('In weight, a difference below 0.01 is counted as rounding_only.');
    expect(counts(await between({ rows: rows(12.5, 3) }, { rows: rows(12.52, 3) }))).toMatchObject({
      changed: 1,
    });
  });

  test('a row under another label of the same key is relabelled, never withdrawn', async () => {
    const answer = await between(
      { rows: [{ category: 'Sex: Male' }, { value: 5 }], labelKeys: { 'Sex: Male': 'Male' } },
      { rows: [{ category: 'Male' }, { value: 5 }] },
    );
    expect(counts(answer)).toEqual({ same: 1, relabelled: 1 });
    expect(answer.revisions).toMatchObject([
      { kind: 'relabelled', category: 'Male', from: { value: 1 }, to: { value: 1 } },
    ]);
    const renamed = await between({ rows: [{}], places: { KEN: 'Kenia' } }, { rows: [{}] });
    expect(counts(renamed)).toEqual({ relabelled: 1 });
    const both = await between(
      { rows: [{ category: 'Sex: Male' }], labelKeys: { 'Sex: Male': 'Male' } },
      { rows: [{ category: 'Male', value: 2 }] },
    );
    expect(kinds(both)).toEqual(['changed']);
  });
});

describe('[REVISIONS-UNMATCHED] what cannot be matched with certainty is counted', () => {
  test('rows of one key in another order are the same', async () => {
    const answer = await between(
      { rows: [{ value: 1 }, { value: 2 }] },
      { rows: [{ value: 2 }, { value: 1 }] },
    );
    expect(counts(answer)).toEqual({ same: 2 });
  });

  test('rows of one key whose number or values differ are unmatched, but for those that are printed alike', async () => {
    const more = await between({ rows: [{ value: 1 }] }, { rows: [{ value: 1 }, { value: 2 }] });
    expect(counts(more)).toEqual({ same: 1, unmatched: 1 });
    const other = await between(
      { rows: [{ value: 1 }, { value: 2 }, { value: 3 }] },
      { rows: [{ value: 2 }, { value: 4 }, { value: 5 }] },
    );
    expect(counts(other)).toEqual({ same: 1, unmatched: 2 });
    expect(other.revisions).toEqual([]);
  });

  test('rows of one key that differ by rounding alone are rounding only', async () => {
    const answer = await between(
      { rows: [{ value: 5 }, { value: 1 }] },
      { rows: [{ value: 1.001 }, { value: 5.001 }] },
    );
    expect(counts(answer)).toEqual({ rounding_only: 2 });
  });

  test('the same number under two labels may be one row: both are unmatched', async () => {
    const answer = await between(
      { rows: [...WINDOW, { category: 'Survey A', value: 12.5 }] },
      { rows: [...WINDOW, { category: 'Survey B', value: 12.5 }] },
    );
    expect(counts(answer)).toEqual({ same: 2, unmatched: 2 });
  });
});

describe('[REVISIONS-API] the resource', () => {
  const plain = [{ value: 1 }, { value: 2, indicatorId: 'events' }];
  const data = packed(
    made({ edition: '2023-06', rows: plain }),
    made({ edition: '2024-06', rows: [{ value: 5 }, { value: 2, indicatorId: 'events' }] }),
    made({ edition: '2025-06-15', rows: [{ value: 5 }, { value: null, indicatorId: 'events' }] }),
    made({ edition: '2024-01', rows: plain }, 'drug-prices'),
    made({ edition: '2024-02', rows: [{ value: 6 }, { value: 3, indicatorId: 'events' }] }, 'drug-prices'),
    made({ edition: '2024-02', rows: plain }, 'arms'),
  );

  test.each([
    [{}, 4, 3],
    [{ dataset: 'drug-prices' }, 2, 1],
    [{ dataset: 'arms' }, 0, 0],
    [{ indicator: 'events' }, 2, 3],
    [{ geo: 'MLI' }, 0, 3],
    [{ kind: 'became_unavailable' }, 1, 3],
    [{ since: '2024-03' }, 2, 2],
    [{ since: '2024-06-30' }, 2, 2],
    [{ since: '2024-07' }, 1, 1],
    [{ since: '2025-06-16' }, 0, 0],
    [{ until: '2024-02' }, 2, 1],
    [{ until: '2024-02-28' }, 0, 0],
    [{ until: '2025-06-14' }, 3, 2],
    [{ since: '2024-06-30', until: '2024-06-30' }, 1, 1],
    [{ since: '2024-02', until: '2024-06' }, 3, 2],
    [
      { dataset: 'drug-seizures', indicator: 'events', kind: 'became_unavailable', since: '2025-06-15' },
      1,
      1,
    ],
  ])('filters %j', async (input, matched, pairs) => {
    const answer = await answerOf(data, input);
    expect([answer.page.matched, answer.pairs.length]).toEqual([matched, pairs]);
    expect(answer.query).toMatchObject(input);
    expect(validator(schema)(answer)).toBeNull();
  });

  test.each([
    [
      { dataset: 'nope' },
      /"nope" for parameter "dataset": expected an id of the market catalog \(resource "markets", tool get_market_catalog\) or of national context: .*arms/,
    ],
    [
      { indicator: 'nope' },
      /"nope" for parameter "indicator": expected an id of the market catalog .*get_market_catalog/,
    ],
    [{ dataset: 'Drug-Seizures' }, /or of national context; closest: drug-seizures/],
    [{ kind: 'rounding_only' }, /"kind": expected one of changed, added/],
    [{ since: '2025' }, /"since": expected a day YYYY-MM-DD or a month YYYY-MM/],
    [{ since: '2025-02-30' }, /"2025-02-30" for parameter "since": expected a day of the calendar/],
    [{ until: '2025' }, /"until": expected a day YYYY-MM-DD or a month YYYY-MM/],
    [{ until: '2025-02-30' }, /"2025-02-30" for parameter "until": expected a day of the calendar/],
    [
      { since: '2025-03-02', until: '2025-03-01' },
      /"2025-03-02" for parameter "since": it must not be later than "until" \("2025-03-01"\)/,
    ],
    [{ limit: 101 }, /"limit": expected an integer from 1 to 100/],
  ])('refuses %j', async (input, message) => {
    const { status, body } = await asked(data, input);
    expect([status, body['error']]).toEqual([400, 'invalid_request']);
    expect(body['message']).toMatch(message);
  });

  test('pages give every record once', async () => {
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const answer: Answer = await answerOf(data, { limit: 1, ...(cursor === '' ? {} : { cursor }) });
      ids.push(...answer.revisions.map(({ id }) => id));
      cursor = answer.page.next_cursor;
    }
    const { revisions } = await answerOf(data);
    expect(ids).toEqual(revisions.map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
  });

  test('without a second edition there are no pairs and no revisions', async () => {
    const alone = packed(made({ edition: '2024-06', rows: [{}] }));
    const answer = await answerOf(alone);
    expect([answer.pairs, answer.revisions, answer.page.matched]).toEqual([[], [], 0]);
  });

  test('an empty response says why', async () => {
    const [older, newer] = [
      made({ edition: '2024-06', rows: [{}] }),
      made({ edition: '2025-06', rows: [{}] }),
    ];
    const notes = async (tree: PackedTree, input: Input): Promise<string> => {
      const { page, limitations } = await answerOf(tree, input);
      expect(page.matched).toBe(0);
      return limitations.join('\n');
    };
    const one = packed(newer);
    const two = packed(older, newer, made({ edition: '2025-01', rows: [{}] }, 'events'));
    expect(await notes(one, {})).toContain('has one edition only');
    expect(await notes(two, { dataset: 'events' })).toContain('has one edition only');
    expect(await notes(two, { since: '2026-01' })).toContain('is of 2026-01 or later');
    expect(await notes(two, { until: '2025-05' })).toContain('is of 2025-05 or earlier');
    expect(await notes(two, { geo: 'KEN' })).toContain('have no difference that matches');
    const differing = packed(older, made({ edition: '2025-06', rows: [{ value: 2 }] }));
    const { limitations } = await answerOf(differing, {});
    expect(limitations.join('\n')).not.toMatch(/no difference that matches|one edition only/);
  });

  test('says that a difference has no stated cause, and never that a value was corrected', async () => {
    const { limitations } = await answerOf(data);
    expect(limitations[0]).toBe('A difference between editions says nothing about why the editions differ.');
    expect(JSON.stringify(limitations)).not.toMatch(/correct|error|mistake|wrong|fixed/i);
  });

  test('its records have the fields of revision.schema.json', () => {
    const { properties, required } = schema.properties.revisions.items;
    expect(Object.keys(properties)).toEqual(Object.keys(revisionSchema.properties));
    expect(required).toEqual(revisionSchema.required);
    expect(schema.$defs.side.required).toEqual(revisionSchema.properties.from.required);
  });
});
