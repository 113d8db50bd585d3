import { describe, expect, test } from 'vitest';
import moneyMarketsSchema from '../../schemas/upstream-money-markets.schema.json' with { type: 'json' };
import worldMarketsSchema from '../../schemas/upstream-world-markets.schema.json' with { type: 'json' };
import { moneyMarkets, worldMarkets } from '../../build/stand-in/responses.ts';
import { banOf, hasForbiddenKey } from '../../shim/federation/contract.ts';
import { words } from '../_support/words.ts';
describe('[FED-FORBIDDEN] forbidden keys', () => {
  test.each([
    ...words(`composite Composite compositeScore COMPOSITE_SCORE COMPOSITESCORE composite-scores xCompositeScoreV2
      score_composite risk_composite composite_index composite_rank composite_rating composite_value
      shanghai_composite_index causal_score causal_effect causal_rating scoreCausal culpability _culpability_
      culpability_rank culpability_rating isCulpable guilt guilt.score guilt_rating guilt_rank is_guilty blame_score
      shared_score sharedRiskScore combined_score COMBINEDINDEX combined_market_ranking score_shared indexCombined
      cause_score causative_score CausedBy culprit_rank unified_score blendedIndex joint_rating
      latitude gpsLongitude coordinates geo_hash GeoJSON street_address
      __proto__ constructor prototype`),
    'causality score',
  ])('%s', (key) => {
    expect(banOf(key)).toBe('any value');
  });
  test.each([
    ...words(`score index credit_rating market_rank composition shared_franking_machine combined_volume
      LON LNG flat_rate coordinator address shareholders_index casualties quilt because_also cause joint_venture_index criminality_score value`),
    'x'.repeat(256),
    '',
  ])('%s is allowed', (key) => {
    expect(banOf(key)).toBeNull();
  });

  test.each([
    ...words(`c\u043emposite com\u200bposite ＧＵＩＬＴ latency_μs значение`),
    'tab\t',
    'x'.repeat(257),
  ])('%j is not plain ASCII of at most 256 characters', (key) => {
    expect(banOf(key)).toBe('any value');
  });

  test.each(['scor ', 'shared ', 'a_B', 'causal'])('a key of 200,000 times %j is judged at once', (part) => {
    const started = performance.now();
    expect(hasForbiddenKey({ [part.repeat(200_000)]: 0 })).toBe(true);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test.each(['composite_generation', 'causal_inference', 'culpability_inference', 'causalityBoundary'])(
    '%s is allowed as the words of a policy, never as evidence',
    (key) => {
      for (const said of ['prohibited', 'No causal claim is made.', 'not_supported', false])
        expect(hasForbiddenKey({ [key]: said })).toBe(false);
      for (const evidence of [
        0.7,
        null,
        true,
        { effect: 1 },
        ['a'],
        '',
        '0.97',
        'Y caused it',
        'none below 0.97',
      ])
        expect(hasForbiddenKey({ a: [{ [key]: evidence }] })).toBe(true);
    },
  );

  test('are in no published contract and no valid response', () => {
    const keys = (schema: object): boolean => hasForbiddenKey(JSON.parse(JSON.stringify(schema)) as never);
    expect([worldMarketsSchema, moneyMarketsSchema].map(keys)).toEqual([false, false]);
    const responses = [worldMarkets('summary'), worldMarkets('capital_markets'), moneyMarkets()];
    expect(responses.map(keys)).toEqual([false, false, false]);
  });

  test('are found at any depth, and only as keys', () => {
    const wrap = (inner: object, depth: number): object =>
      depth === 0 ? inner : { a: [wrap(inner, depth - 1)] };
    expect(hasForbiddenKey(JSON.parse(JSON.stringify(wrap({ guilt_score: null }, 60))) as never)).toBe(true);
    expect(hasForbiddenKey({ a: ['composite_score', { b: 'guilt' }], c: null, d: 0 })).toBe(false);
    expect(hasForbiddenKey([null, 0, [{ a: { composite: 1 } }]])).toBe(true);
  });
});
