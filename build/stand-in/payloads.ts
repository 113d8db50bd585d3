/** Valid answers of the stand-in producer; figures are invented and small. Null is unavailable, 0 an observed zero. */

const MOMENT = '2026-07-01T06:00:00Z';

export type Section = 'summary' | 'money_markets' | 'capital_markets';

/** A fresh payload that a caller may change. */
export type Payload = Record<string, unknown>;

/** A valid world-markets answer of one section. */
export function worldMarkets(section: Section, rows = 3): Payload {
  return {
    schema: 'producers.world-markets.v1',
    ok: true,
    status: 'observed',
    selection: { section },
    context_only: true,
    scope: {
      coverage_claim: 'Three invented instruments.',
      included: ['instrument_a', 'instrument_b', 'instrument_c'],
      not_claimed: ['completeness', 'real time'],
    },
    clocks: { generated_at: MOMENT, retrieved_at: MOMENT, as_of: '2026-06-30' },
    citation: {
      publisher: 'ProducerS stand-in',
      canonical_url: `https://producers.example/world-markets/${section}`,
      generated_at: MOMENT,
      evidence_as_of: '2026-06-30',
    },
    generated_at: MOMENT,
    as_of: '2026-06-30',
    [section]: { rows: rowsOf(rows) },
    caveats: ['Invented figures for development and tests.'],
  };
}

/** A valid answer of the money-markets atlas. */
export function moneyMarkets(rows = 3): Payload {
  return {
    schema: 'producers.global-money-markets.v1',
    ok: true,
    status: 'PARTIAL',
    generated_at: MOMENT,
    coverage: { countries: 3, with_rates: 2 },
    markets: rowsOf(rows),
    methodology: { publication_boundary: 'Published policy rates only.', role: 'context' },
    caveats: ['Invented figures for development and tests.'],
  };
}

/** The valid answer of a path and query of the producer; null where it has none. */
export function validAnswer(url: URL, rows?: number): Payload | null {
  if (url.pathname === '/api/v2/money-markets' && url.search === '') return moneyMarkets(rows);
  if (url.pathname !== '/api/v2/world-markets') return null;
  const section = url.searchParams.get('section');
  return section === 'summary' || section === 'money_markets' || section === 'capital_markets'
    ? worldMarkets(section, rows)
    : null;
}

function rowsOf(count: number): Payload[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `instrument_${index}`,
    value: index === 0 ? 0 : index === 1 ? null : index + 0.25,
    unit: 'percent',
  }));
}
