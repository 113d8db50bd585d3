/** Behaviours of the answer itself: its JSON, its contract, what it may not carry. */
import { answering, changed, rewritten } from './exchange.ts';
import type { Case } from './transport-faults.ts';

const DEEP = 100_000;

/** Bodies that are not strict JSON. */
export const JSON_FAULTS: Case[] = [
  ['empty body', 'invalid_upstream_json', rewritten(() => '')],
  ['invalid UTF-8', 'invalid_upstream_json', answering((url) => latin1(url, '\xff'))],
  ['overlong UTF-8', 'invalid_upstream_json', answering((url) => latin1(url, '\xc0\xaf'))],
  ['UTF-16', 'invalid_upstream_json', answering(() => Buffer.from('{"ok":true}', 'utf16le'))],
  ['byte order mark', 'invalid_upstream_json', rewritten((text) => `\ufeff${text}`)],
  ['invalid JSON', 'invalid_upstream_json', rewritten((text) => text.replace('{', '{,'))],
  ['single quotes', 'invalid_upstream_json', rewritten((text) => text.replaceAll('"', "'"))],
  ['comment', 'invalid_upstream_json', rewritten((text) => `/* x */${text}`)],
  ['trailing comma', 'invalid_upstream_json', rewritten((text) => `${text.slice(0, -1)},}`)],
  ['NaN', 'invalid_upstream_json', rewritten((text) => text.replace('"value":0', '"value":NaN'))],
  [
    'infinite number',
    'invalid_upstream_json',
    rewritten((text) => text.replace('"value":0', '"value":1e999')),
  ],
  [
    'number under zero',
    'invalid_upstream_json',
    rewritten((text) => text.replace('"value":0', '"value":1e-999')),
  ],
  [
    'integer that does not fit',
    'invalid_upstream_json',
    rewritten((text) => text.replace('"value":0', '"value":9007199254740993')),
  ],
  [
    'whole number that does not fit, as a fraction',
    'invalid_upstream_json',
    rewritten((text) => text.replace('"value":0', '"value":9007199254740993.0')),
  ],
  ['two documents', 'invalid_upstream_json', rewritten((text) => text + text)],
  ['trailing bytes', 'invalid_upstream_json', rewritten((text) => `${text}\0`)],
  ['duplicate key', 'invalid_upstream_json', rewritten((text) => `{"ok":true,${text.slice(1)}`)],
  [
    'duplicate key, escaped',
    'invalid_upstream_json',
    rewritten((text) => `{"\\u006fk":true,${text.slice(1)}`),
  ],
  [
    'duplicate key below',
    'invalid_upstream_json',
    rewritten((text) => text.replace('"unit":', '"value":1,"unit":')),
  ],
  [
    'half a surrogate pair',
    'invalid_upstream_json',
    rewritten((text) => text.replace('"percent"', '"\\ud800"')),
  ],
  ['control character', 'invalid_upstream_json', rewritten((text) => text.replace('percent', 'per\ncent'))],
  ['deep and open', 'invalid_upstream_json', rewritten(() => '['.repeat(DEEP))],
];

/** JSON that is not what the contract promises, or that no lane may carry. */
export const CONTRACT_FAULTS: Case[] = [
  ['deep arrays', 'invalid_upstream_contract', rewritten(() => '['.repeat(DEEP) + ']'.repeat(DEEP))],
  [
    'deep objects',
    'invalid_upstream_contract',
    rewritten((text) => `${text.slice(0, -1)},"x":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}`),
  ],
  ...['null', 'true', '0', '"text"', '[]', '{}'].map((scalar): Case => [
    `only ${scalar}`,
    'invalid_upstream_contract',
    rewritten(() => scalar),
  ]),
  [
    'wrong schema',
    'invalid_upstream_contract',
    changed((p) => void (p['schema'] = 'producers.world-markets.v2')),
  ],
  ['no schema', 'invalid_upstream_contract', changed((p) => void delete p['schema'])],
  ['ok as text', 'invalid_upstream_contract', changed((p) => void (p['ok'] = 'true'))],
  ['bad status', 'invalid_upstream_contract', changed((p) => void (p['status'] = 'fine'))],
  ['no status', 'invalid_upstream_contract', changed((p) => void delete p['status'])],
  [
    'wrong selection',
    'invalid_upstream_contract',
    changed((p) => void (p['selection'] = { section: 'other' })),
  ],
  ['no selection', 'invalid_upstream_contract', changed((p) => void delete p['selection'])],
  [
    'another section',
    'invalid_upstream_contract',
    changed(({ summary, ...p }) => ({ ...p, selection: 'capital_markets', capital_markets: summary })),
  ],
  ['two sections', 'invalid_upstream_contract', changed((p) => void (p['money_markets'] = {}))],
  ['no section', 'invalid_upstream_contract', changed((p) => void delete p['summary'])],
  ['section null', 'invalid_upstream_contract', changed((p) => void (p['summary'] = null))],
  ['section zero', 'invalid_upstream_contract', changed((p) => void (p['summary'] = 0))],
  ['not context only', 'invalid_upstream_contract', changed((p) => void (p['context_only'] = false))],
  ['no scope', 'invalid_upstream_contract', changed((p) => void delete p['scope'])],
  [
    'scope without not_claimed',
    'invalid_upstream_contract',
    changed((p) => void delete inside(p, 'scope')['not_claimed']),
  ],
  ['no clocks', 'invalid_upstream_contract', changed((p) => void delete p['clocks'])],
  ['empty clocks', 'invalid_upstream_contract', changed((p) => void (p['clocks'] = {}))],
  [
    'clock as word',
    'invalid_upstream_contract',
    changed((p) => void (inside(p, 'clocks')['as_of'] = 'yesterday')),
  ],
  ['no citation', 'invalid_upstream_contract', changed((p) => void delete p['citation'])],
  ['citation null', 'invalid_upstream_contract', changed((p) => void (p['citation'] = null))],
  [
    'citation by http',
    'invalid_upstream_contract',
    changed((p) => void (inside(p, 'citation')['canonical_url'] = 'http://producers.example/')),
  ],
  [
    'no publisher',
    'invalid_upstream_contract',
    changed((p) => void delete inside(p, 'citation')['publisher']),
  ],
  [
    'generated_at no moment',
    'invalid_upstream_contract',
    changed((p) => void (p['generated_at'] = '2026-07-32')),
  ],
  ['no as_of', 'invalid_upstream_contract', changed((p) => void delete p['as_of'])],
  ...[
    'composite',
    'composite_score',
    'compositeScore',
    'COMPOSITE-SCORE',
    'overall_composite_score',
    'causal_score',
    'Culpability',
    'guilt_score',
    'risk_composite',
    'causal_effect',
    'shared_score',
    'is_guilty',
    'c\u043emposite',
    'guiltScore2',
    'ｇｕｉｌｔ＿ｓｃｏｒｅ',
    'constructor',
    'prototype',
  ].map((key): Case => [
    `key ${key}`,
    'invalid_upstream_contract',
    changed((p) => void (inside(p, 'summary')[key] = null)),
  ]),
  [
    'key __proto__',
    'invalid_upstream_contract',
    rewritten((text) => `{"__proto__":{"ok":true},${text.slice(1)}`),
  ],
  [
    'forbidden key far down',
    'invalid_upstream_contract',
    rewritten(
      (text) => `${text.slice(0, -1)},"x":${'[{"a":'.repeat(100)}{"guilt_score":0}${'}]'.repeat(100)}}`,
    ),
  ],
  [
    'forbidden key under deep nesting',
    'invalid_upstream_contract',
    rewritten((text) => `${text.slice(0, -1)},"x":${'['.repeat(DEEP)}{"guilt_score":0}${']'.repeat(DEEP)}}`),
  ],
];

/** Answers that say themselves that nothing is available. */
export const UNAVAILABLE: Case[] = [
  ['ok false', 'upstream_unavailable', changed((p) => void (p['ok'] = false))],
  ['status unavailable', 'upstream_unavailable', changed((p) => void (p['status'] = 'unavailable'))],
  ['typed 503', 'upstream_unavailable', changed((p) => ({ ...p, ok: false, status: 'unavailable' }), 503)],
  ['short typed 503', 'upstream_unavailable', changed(() => ({ ok: false, error: 'unavailable' }), 503)],
];

/** Behaviours of the money-markets atlas alone. */
export const ATLAS: Case[] = [
  ['atlas ready', null, changed((p) => void (p['status'] = 'READY'))],
  ['atlas unavailable', 'upstream_unavailable', changed((p) => void (p['status'] = 'UNAVAILABLE'))],
  ['atlas of bad status', 'invalid_upstream_contract', changed((p) => void (p['status'] = 'ready'))],
  ['atlas without markets', 'invalid_upstream_contract', changed((p) => void delete p['markets'])],
  ['atlas without coverage', 'invalid_upstream_contract', changed((p) => void delete p['coverage'])],
  ['atlas without caveats', 'invalid_upstream_contract', changed((p) => void delete p['caveats'])],
  [
    'atlas without role',
    'invalid_upstream_contract',
    changed((p) => void delete inside(p, 'methodology')['role']),
  ],
  [
    'atlas as world-markets',
    'invalid_upstream_contract',
    changed((p) => void (p['schema'] = 'producers.world-markets.v1')),
  ],
];

function inside(payload: Record<string, unknown>, member: string): Record<string, unknown> {
  return (payload[member] ?? {}) as Record<string, unknown>;
}

function latin1(url: URL, characters: string): Buffer {
  return Buffer.from(`{"x":"${characters}","from":"${url.pathname}"}`, 'latin1');
}
