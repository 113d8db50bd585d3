/** Every requirement is cited by a test, and every citation is of a requirement. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ANSWERED, REFUSED } from './contract/cases.ts';
import REQUIREMENTS from './requirements.json' with { type: 'json' };

/** Ids at the head of a name, such as `'[CURSOR] is short'` or `'[ATLAS] [PAGING] walks'`. */
const NAMED = /['"`]((?:\[[A-Z][A-Z0-9-]*\] ?)+)/g;

/** The comment a file begins with, after which imports come. */
const HEAD = /^\/\*\*[\s\S]*?\*\//;

function citationsOf(text: string): string[] {
  const places = [HEAD.exec(text)?.[0] ?? '', ...[...text.matchAll(NAMED)].map(([, ids = '']) => ids)];
  return places.flatMap((place) => [...place.matchAll(/\[([A-Z][A-Z0-9-]*)\]/g)].map(([, id = '']) => id));
}

const cited = new Map<string, string[]>();
const cite = (id: string, file: string): void => void cited.set(id, [...(cited.get(id) ?? []), file]);
for (const file of readdirSync('test', { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.test.ts') || file === 'requirements.test.ts') continue;
  for (const id of citationsOf(readFileSync(join('test', file), 'utf8'))) cite(id, file);
}
for (const [id] of [...REFUSED, ...ANSWERED]) cite(id, 'contract/cases.ts');

test('citations are read from names and head comments, and from nothing else', () => {
  expect(citationsOf("/** Head. [A-1] */\nconst x = { [STORY]: 1 };\ntest('[B] [C2] name [D]', f);")).toEqual(
    ['A-1', 'B', 'C2'],
  );
});

test('every requirement is cited by a test', () => {
  expect(Object.keys(REQUIREMENTS).filter((id) => !cited.has(id))).toEqual([]);
});

test('every citation is of a requirement', () => {
  const unknown = [...cited].filter(([id]) => !(id in REQUIREMENTS));
  expect(unknown.map(([id, files]) => `${id} in ${files.join(', ')}`)).toEqual([]);
});

test('a requirement is one sentence', () => {
  for (const [id, sentence] of Object.entries(REQUIREMENTS)) expect(sentence, id).toMatch(/^[A-Z`0-9].*\.$/i);
});
