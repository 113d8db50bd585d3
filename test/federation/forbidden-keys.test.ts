import { describe, expect, test } from 'vitest';
import moneyMarketsSchema from '../../schemas/upstream-money-markets.schema.json' with { type: 'json' };
import worldMarketsSchema from '../../schemas/upstream-world-markets.schema.json' with { type: 'json' };
import { banOf, hasForbiddenKey } from '../../shim/federation/forbidden-keys.ts';
import { moneyMarkets, worldMarkets } from '../../build/stand-in/payloads.ts';

describe('[FED-FORBIDDEN] forbidden keys', () => {
  test.each([
    'composite',
    'Composite',
    'compositeScore',
    'COMPOSITE_SCORE',
    'COMPOSITESCORE',
    'composite-scores',
    'xCompositeScoreV2',
    'score_composite',
    'risk_composite',
    'composite_index',
    'composite_rank',
    'composite_rating',
    'composite_value',
    'shanghai_composite_index',
    'c\u043emposite',
    '\u0441\u043e\u043c\u0440\u043e\u0455\u0456\u0442\u0435',
    'com\u200bposite',
    'c\u00f3mposite',
  ])('%s', (key) => {
    expect(banOf(key)).toBe('any value');
  });
  test.each([
    'causal_score',
    'causality score',
    'causal_effect',
    'causal_rating',
    'scoreCausal',
    'culpability',
    '_culpability_',
    'culpability_rank',
    'culpability_rating',
    'isCulpable',
    'guilt',
    'guilt.score',
    'guilt_rating',
    'guilt_rank',
    'is_guilty',
    'ＧＵＩＬＴ',
    'blame_score',
    'shared_score',
    'sharedRiskScore',
    'combined_score',
    'COMBINEDINDEX',
    'combined_market_ranking',
    'score_shared',
    'indexCombined',
  ])('%s', (key) => {
    expect(banOf(key)).toBe('any value');
  });
  test.each([
    'score',
    'index',
    'credit_rating',
    'market_rank',
    'composition',
    'shared_franking_machine',
    'combined_volume',
    'shareholders_index',
    'casualties',
    'quilt',
    'because_also',
    'latency_μs',
    'значение',
    'value',
    '',
  ])('%s may stand', (key) => {
    expect(banOf(key)).toBeNull();
  });

  test.each(['composite_generation', 'causal_inference', 'culpability_inference', 'causalityBoundary'])(
    '%s may stand as the words of a policy, never as evidence',
    (key) => {
      for (const said of ['prohibited', false]) expect(hasForbiddenKey({ [key]: said })).toBe(false);
      for (const told of [0.7, null, true, { effect: 1 }, ['a']])
        expect(hasForbiddenKey({ a: [{ [key]: told }] })).toBe(true);
    },
  );

  test('stand in no published contract and no valid answer', () => {
    const keys = (schema: object): boolean => hasForbiddenKey(JSON.parse(JSON.stringify(schema)) as never);
    expect([worldMarketsSchema, moneyMarketsSchema].map(keys)).toEqual([false, false]);
    const answers = [worldMarkets('summary'), worldMarkets('capital_markets'), moneyMarkets()];
    expect(answers.map(keys)).toEqual([false, false, false]);
  });

  test('are found wherever they stand, and only as keys', () => {
    const wrap = (inner: object, depth: number): object =>
      depth === 0 ? inner : { a: [wrap(inner, depth - 1)] };
    expect(hasForbiddenKey(JSON.parse(JSON.stringify(wrap({ guilt_score: null }, 60))) as never)).toBe(true);
    expect(hasForbiddenKey({ a: ['composite_score', { b: 'guilt' }], c: null, d: 0 })).toBe(false);
    expect(hasForbiddenKey([null, 0, [{ a: { composite: 1 } }]])).toBe(true);
  });
});
