/** A small source register and two national series: enough for a whole reference release. */
import type { NationalSeries } from '../../build/producer/economics.ts';
import { vocabularyText } from '../../build/lib/vocabulary.ts';
import { makeReference } from '../../build/producer/reference.ts';
import { verifyProducer } from '../../build/producer/verify.ts';

const ROWS = [
  '| 1 | World Development Indicators | World Bank | https://data.worldbank.org | N | O (some M) | multilateral statistics | CC BY 4.0 (open) | national aggregates | data in hand | FD |',
  "| 2 | Corridor portal | Corridor secretariat | https://corridor.example.pk | C G B | O (interested party) | project owner's claim | none stated (cite only) | project list, announced status | register only | GK |",
  '| 3 | Provincial plan | provincial government | https://province.example.pk | B | O | provincial authority | none stated (cite only) | allocations | register only | GK |',
  '| 4 | Statistics office | national office | https://stats.example.mm | N M | O | national statistics office | none stated (cite only) | trade (e.g. exports, imports), prices | register only | FD |',
  '| 5 | Night lights | space agency | https://lights.example | G K B C M | I (instrument) with M (adjusted) | remote observation: monthly | open data (open) | light level; not activity | planned | GK |',
  '| 6 | Mapped features | contributors | https://map.example | all | I (volunteer) | mapped features | share-alike: https://map.example/terms (ST) | location | planned | ST |',
  '| 7 | Conflict events | coding project | https://events.example | B M K | I | independent coding | custom: **no passing on of raw data** (ST) (restricted) | none republished; link only | blocked by rights | ST |',
];

/** The fixture's register as Markdown; `edit` changes the text. */
export function registerText(edit: (text: string) => string = (text) => text): string {
  return edit(
    [
      '# Source register',
      '| # | source | publisher | homepage | areas | class | authority role | reuse terms (rights status) | claim classes | state | URL |',
      '|---|---|---|---|---|---|---|---|---|---|---|',
      ...ROWS,
      '',
      'Rules that follow from the table: (a) rows 2, 3 are interested parties: a claim is an *official claim*; (b) rows 5-6 support "observed or compiled"; (c) row 7 must not feed any public payload; (d) seizure data only as national totals.',
      '',
    ].join('\n'),
  );
}

/** Two series; Myanmar lacks 2021 of the first, China has a zero, Pakistan no value of the second at all. */
export function nationalSeries(): NationalSeries {
  const source = (id: string, sha256: string): NationalSeries['descriptor']['sources'][number] => ({
    id,
    title: id,
    publisher: 'World Bank',
    url: 'https://data.worldbank.org/indicator/X',
    path: 'https://api.worldbank.org/v2/en/indicator/X?downloadformat=csv',
    license: 'CC BY 4.0',
    licenseUrl: null,
    rights: { verdict: 'open', evidence: 'Own work.', checked: '2026-01-01' },
    dated: '2026-07-01',
    retrievedAt: '2026-07-01',
    cadence: 'P1Y',
    sha256,
    bytes: 100,
    notes: [],
  });
  const indicator = (id: string): NationalSeries['descriptor']['indicators'][number] => ({
    id,
    sourceId: `wdi-${id}`,
    market: 'context',
    label: id,
    measureType: 'national_statistic',
    description: id,
    limitations: [],
  });
  const row = (name: string, geo: string, period: string, value: number): NationalSeries['rows'][number] => ({
    indicatorId: name,
    geoCode: geo,
    period,
    value,
    unit: name === 'gdp' ? 'current US$' : 'persons',
    sourceLocator: `row ${period}`,
  });
  return {
    descriptor: {
      name: 'national-indicators',
      sources: [source('wdi-gdp', 'a'.repeat(64)), source('wdi-pop', 'b'.repeat(64))],
      indicators: [indicator('pop'), indicator('gdp')],
    },
    rows: [
      row('gdp', 'CHN', '2020', 0),
      row('gdp', 'CHN', '2021', 2.5),
      row('gdp', 'MMR', '2020', -1),
      row('gdp', 'MMR', '2022', 3),
      row('gdp', 'PAK', '2021', 4),
      row('pop', 'CHN', '2021', 10),
      row('pop', 'MMR', '2021', 20),
      row('pop', 'IND', '1999', 30),
    ],
  };
}

/** The fixture's release with the list of its texts, as a map that a test may change; `edit` changes the register. */
export function referenceProducer(edit?: (text: string) => string): Map<string, Uint8Array> {
  const register = { name: 'register.md', bytes: Buffer.from(registerText(edit)) };
  const files = new Map(makeReference({ register, national: nationalSeries() }));
  const terms = verifyProducer(files).texts.map(({ term }) => term);
  return files.set('vocabulary.csv', Buffer.from(vocabularyText(terms)));
}
