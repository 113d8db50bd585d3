import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotStrictJson, readStrictJson } from '../../shim/core/strict-json.ts';
import { words } from '../_support/words.ts';

const read = (text: string, maxDepth = 256): unknown => readStrictJson(Buffer.from(text), maxDepth);

describe('[FED-JSON] strict JSON', () => {
  test('reads what JSON.stringify writes, however it is spaced', () => {
    const written = fc.jsonValue().map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(written, fc.constantFrom(undefined, 1, '\t', '\r\n'), (text, space) => {
        const value: unknown = JSON.parse(text);
        const spaced = JSON.stringify(value, null, typeof space === 'string' ? '\t' : space);
        expect(read(spaced)).toEqual(value);
      }),
    );
  });

  test('takes no text that JSON.parse refuses', () => {
    const pieces = fc.array(fc.constantFrom(...'{ } [ ] , : "a" " \\ 1 - 0 .5 e3 null tru'.split(' '), ' '), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        const sound = attempt(() => JSON.parse(text) as unknown);
        // There are more reasons to refuse than the grammar: equal keys, and numbers that do not fit.
        const refusal = refusalOf(text);
        expect(refusal === null || !sound || /duplicate key|does not fit/.test(refusal)).toBe(true);
        expect(refusal === null && !sound).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  test.each(
    words(`0 -0 1e300 1.0 0.1 9007199254740991 1e22 0e5 0E5 0.000 123456789012345680000 12345678901234568e4
      12345678901234568000.0e1 0.0000123456789012345680000e25 -36607212776904730.000 9007199254740992
      9007199254740991.0 0.12345678901234567890123456789 1.0000000000000000000000001 5e-324`),
  )('keeps %s', (text) => {
    expect(read(text)).toEqual(Number(text));
  });

  test.each([
    ...words(`01 +1 .5 1. 1e 0x1 1e400 -1e400 1e-400 0.0000001e-320 9007199254740993 -9007199254740993
      9007199254740993.0 9007199254740993e0 9.007199254740993e15 90071992547409930E-1 12345678901234567890.5
      9007199254740992.5 1.00000000000000000001e300 Infinity nul`),
    ...words('{a:1} {"a"} {"a":} {"a":1,} [1,] [,] [} {] ]'),
    '"\\x"',
    '"\\u12"',
    '"\\ud83d"',
    '"\\ud83d\\u0041"',
    '"\\ude00"',
    '"\t"',
    '"open',
    '{"a":1,"a":2}',
    '{"a":{"b":1,"\\u0062":2}}',
    '[{"":1,"":2}]',
    '{"__proto__":1,"__proto__":2}',
    '[1 2]',
    '',
    ' ',
    '1 1',
    '\u00a01',
    '\ufeff1',
  ])('refuses %j', (text) => {
    expect(() => read(text)).toThrow(NotStrictJson);
  });

  test('keeps an emoji written as a pair of escapes, and equal keys of different objects', () => {
    expect(read('[{"a":"\\ud83d\\ude00"},{"a":1}]')).toEqual([{ a: '😀' }, { a: 1 }]);
  });

  test('gives nothing deeper than allowed, and does not recurse', () => {
    expect(read('[[[]]]', 3)).toEqual([[[]]]);
    expect(read('[[[]]]', 2)).toBeUndefined();
    expect(read('[[],[{}],[]]', 3)).toEqual([[], [{}], []]);
    const deep = 400_000;
    expect(read(`${'[{"a":'.repeat(deep)}0${'}]'.repeat(deep)}`)).toBeUndefined();
  });

  test('a number of two million digits, nearly all zeros, is judged at once', () => {
    const started = performance.now();
    expect(() => read(`9007199254740993.${'0'.repeat(2_000_000)}1`)).toThrow(NotStrictJson);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('the message has the offset, and nothing of the text', () => {
    expect(() => read('{"secret":1,"secret":2}')).toThrow(/^duplicate key at offset 12$/);
  });
});

function refusalOf(text: string): string | null {
  try {
    read(text);
    return null;
  } catch (error) {
    return String(error);
  }
}

function attempt(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}
