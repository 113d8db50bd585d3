/** Thousands of values that no record has, each a known one written otherwise: the closest values name the right one. */
import countries from 'i18n-iso-countries';
import german from 'i18n-iso-countries/langs/de.json' with { type: 'json' };
import spanish from 'i18n-iso-countries/langs/es.json' with { type: 'json' };
import french from 'i18n-iso-countries/langs/fr.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { call } from '../../shim/core/call.ts';
import { marketObservations } from '../../shim/core/operations/market-observations.ts';
import type { Input } from '../../shim/core/types.ts';
import { testContext } from '../_support/doors.ts';
import { allObservations, packManifest } from '../_support/records.ts';
import { casesOf, shareOf } from '../_support/share.ts';

countries.registerLocale(german);
countries.registerLocale(spanish);
countries.registerLocale(french);

const context = testContext();
const records = allObservations();
const FIRST = 3;

/** The longest word without its middle letter; none where no word is long enough to be known again. */
function dropped(text: string): string[] {
  const word = longestWord(text);
  const middle = Math.floor(word.length / 2);
  return word.length < 5 ? [] : [text.replace(word, word.slice(0, middle) + word.slice(middle + 1))];
}

/** The longest word with two letters swapped. */
function swapped(text: string): string[] {
  const word = longestWord(text);
  const [a = '', b = ''] = word.slice(2, 4);
  return word.length < 6 || a === b ? [] : [text.replace(word, word.slice(0, 2) + b + a + word.slice(4))];
}

function longestWord(text: string): string {
  return (text.match(/\p{L}+/gu) ?? []).reduce(
    (longest, word) => (word.length > longest.length ? word : longest),
    '',
  );
}

/** A label as people write it who do not copy it. */
function written(label: string): string[] {
  return [
    label.toLowerCase(),
    label.toUpperCase(),
    label.replaceAll(/[“”"]/g, '"'),
    label.replaceAll('"', '“'),
    label.replaceAll(/[’']/g, ''),
    label.replaceAll('+', ' '),
    label.replaceAll('-', ' '),
    label.normalize('NFD').replaceAll(/\p{M}/gu, ''),
    ...dropped(label),
    ...swapped(label),
  ];
}

/** A place as people call it. */
function called(code: string, name: string): string[] {
  const alpha2 = countries.alpha3ToAlpha2(code);
  const names =
    alpha2 === undefined
      ? []
      : ['de', 'es', 'fr'].map((language) => countries.getName(alpha2, language) ?? '');
  return [
    code.toLowerCase(),
    alpha2 ?? '',
    name,
    name.toLowerCase(),
    ...names,
    ...dropped(name),
    ...swapped(name),
  ];
}

type Parameter = 'dataset' | 'indicator' | 'geo' | 'category' | 'subgroup';

interface Question {
  parameter: Parameter;
  given: string;
  value: string;
  filters: Input;
}

const known = {
  geo: new Set(records.map(({ geoCode }) => geoCode)),
  category: new Set(records.map(({ category }) => category)),
  subgroup: new Set(records.map(({ subgroup }) => subgroup)),
};

function questions(): Question[] {
  const all: Question[] = [];
  const add = (parameter: Parameter, value: string, variants: string[], filters: Input = {}): void => {
    for (const given of new Set(variants))
      if (given !== '' && given !== value)
        all.push({ parameter, given, value, filters: { ...filters, [parameter]: given } });
  };
  for (const { id, kind, meta } of packManifest().packs) {
    if (kind !== 'observations') continue;
    add('dataset', id, written(id));
    for (const indicator of meta['indicators'] as string[]) add('indicator', indicator, written(indicator));
  }
  for (const [code, name] of new Map(records.map(({ geoCode, geoName }) => [geoCode, geoName])))
    add(
      'geo',
      code,
      called(code, name).filter((text) => !known.geo.has(text)),
    );
  for (const parameter of ['category', 'subgroup'] as const) {
    const pairs = new Map(records.map((record) => [`${record.indicatorId} ${record[parameter]}`, record]));
    for (const { indicatorId: indicator, [parameter]: value } of pairs.values())
      add(
        parameter,
        value,
        written(value).filter((text) => !known[parameter].has(text)),
        { indicator },
      );
  }
  return all;
}

/** The first values a response names, and whether it gave none of the records. */
function namedFor({ parameter, filters }: Question): { named: string[]; isEmpty: boolean } {
  const result = call(marketObservations, filters, context, (error) => {
    throw error;
  });
  if (result instanceof Promise) throw new Error('observations are given at once');
  if (!result.ok) {
    const [, listed = ''] = /closest: ([^.]*)/.exec(result.fault.message) ?? [];
    return { named: listed.split(', ').slice(0, FIRST), isEmpty: result.fault.code === 'invalid_request' };
  }
  const { page, absence } = result.payload as unknown as {
    page: { matched: number };
    absence: { parameter: string; nearest: string[] };
  };
  return {
    named: absence.parameter === parameter ? absence.nearest.slice(0, FIRST) : [],
    isEmpty: page.matched === 0,
  };
}

test('[MARKETS-NEAREST] a known value written otherwise is among the first three that are named, and never accepted', () => {
  const all = shareOf(questions(), 4);
  const missed: string[] = [];
  for (const question of all) {
    const { named, isEmpty } = namedFor(question);
    if (!isEmpty) throw new Error(`${JSON.stringify(question.filters)} matches records`);
    if (!named.includes(question.value))
      missed.push(`${question.parameter} ${question.given} -> ${question.value}: ${named.join(' | ')}`);
  }
  const share = 1 - missed.length / all.length;
  console.log(`${all.length} values, ${(share * 100).toFixed(2)} % named among the first ${FIRST}`);
  expect(all.length).toBeGreaterThanOrEqual(casesOf(5000, 1250));
  expect(share, missed.slice(0, 40).join('\n')).toBeGreaterThanOrEqual(0.95);
});
