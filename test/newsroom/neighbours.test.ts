/** What stands next to a value: the unit of its record and words that state nothing; all else makes another number of it. */
import { describe, expect, it } from 'vitest';
import { findingsOver, packagedDatasets } from '../_support/stories.ts';
import { items } from '../_support/words.ts';

const datasets = packagedDatasets();
const SEIZED = '{{drug-seizures:seizures.BEL.2023.cocaine-type-cocaine-hydrochloride~2295f3@2025-06#unit}}';

const withSentence = (sentence: string): string[] => findingsOver(sentence, datasets);

describe('[NEWS-GATE] next to a value', () => {
  it.each([
    ['a vague word before a value', 'It is over @V @U in @P.'],
    ['two vague words before a value', 'It is up to @V @U in @P.'],
    ['another vague word', 'It is nearly @V @U in @P.'],
    ['vague words of several parts', 'It is in excess of @V @U in @P.'],
    ['a unit that is not the record’s', 'It is @V quintals in @P.'],
    ['a share that the unit is not', 'It is @V percent in @P.'],
    ['a currency before a value', 'It is CHF @V in @P.'],
    ['what a value does not count', 'It has @V arrests in @P.'],
    ['a unit of no list', 'It is @V bushels in @P.'],
    ['a word that is a unit only here', 'It is @V lorries in @P.'],
    ['a vague word with a point', 'It is ca. @V @U in @P.'],
    ['a vague letter with a point', 'It is c. @V @U in @P.'],
    ['a short form that ends like a sentence', 'It is max. @V @U in @P.'],
    ['a vague word before an article', 'It is about the @V @U in @P.'],
    ['a vague word of no list', 'It is well-nigh @V @U in @P.'],
    ['a vague word after a value', 'It is @V @U or so in @P.'],
    ['a vague word after a comma', 'It is @V, roughly, in @P.'],
    ['a unit in brackets', 'It is @V (tonnes) in @P.'],
    ['a unit after a comma', 'It is @V, tonnes of it in @P.'],
    ['a unit in single quotes', 'It is ‘tonnes’ @V in @P.'],
    ['a unit between dashes', 'It is @V — tonnes — in @P.'],
    ['a vague word between dashes', 'It is — nearly — @V @U in @P.'],
    ['a unit further behind a comma', 'It is @V, that is tonnes, in @P.'],
    ['a word of estimation', 'It is, say, @V @U in @P.'],
    ['a unit before a colon', 'In dollars: @V in @P.'],
    ['a unit after a preposition', 'It is @V in tonnes for @P.'],
    ['a verb that makes less of it', 'The area exceeded @V @U in @P.'],
    ['a verb that makes an average of it', 'The rows averaging @V @U are of @P.'],
    ['a magnitude of a year', 'It is @P mn of @V.'],
    ['a step of arithmetic', 'It is @V squared in @P.'],
    ['a share of the unit', 'It is @V @U per day in @P.'],
    ['a rate of the unit', 'It is @V hectares a week in @P.'],
    ['a month of a year', 'The row of January @P has @V.'],
    ['a part of a year', 'The row of early @P has @V.'],
    ['a level as a change', 'The area rose by @V @U in @P.'],
    ['a level as a change, without "by"', 'The area increased @V @U in @P.'],
    ['a level as an increase', 'It is an increase of @V @U in @P.'],
    ['a level as what is more', 'It is @V @U more than in @P.'],
    ['a denied value', 'The area was not @V @U in @P.'],
    ['a value without', 'The row of @P is without @V @U.'],
    ['the unit of another record', `It is @V ${SEIZED} in @P.`],
  ])('%s stops', (_name, sentence) => {
    expect(withSentence(sentence).join('\n')).toMatch(/: joined-token: story \S+, sentence 1 /);
  });

  it.each([
    'The table of @G prints @V @U under opium poppy for @P.',
    'The row of Afghanistan has @V @U for @P.',
    'The table covers areas over the years, from @V to @V @U.',
    'In the @P edition the table’s @V, which is printed again for @P, is an area.',
    'Of poppy @G cultivated @V @U in @P, the area reached @V @U, and covering @V @U it was printed.',
    'It is @V surveyed for @P.',
    'The area is @V @U (@P).',
    'Nothing else is printed. @V @U is the area of @P.',
    'The index gives a score of {{organized-crime-index:organized_crime.BEL.2023#data.markets.cocaine_trade}}.',
    'In @P Afghanistan had @V @U, and the @P areas are printed.',
    'The area rose to @V @U by @P, and the table does not say why.',
    'It reads @V ha for @P, and the @P rows differ.',
    'In @P, other rows and people apart, the table has @V, in hectares.',
    'Of the area, @V hectares are printed (@P), then @V @U under the same label.',
  ])('%s passes', (sentence) => {
    expect(withSentence(sentence)).toEqual([]);
  });
});

describe('[NEWS-GATE] a value of another quantity', () => {
  it.each([
    'Growers in @G numbered @V in @P.',
    'In @P the price was @V.',
    'For @P the exports of @G were @V.',
    'Of the population of @G it was @V in @P.',
  ])('%s stops', (sentence) => {
    expect(withSentence(sentence).join('\n')).toMatch(/: subject: story \S+, sentence 1 /);
  });

  it('is named where a record of it is cited, or no value is', () => {
    const people = '{{national-indicators:sp.pop.totl.MMR.2019#value}}';
    const about = `The population was ${people}.`;
    for (const sentence of [about, 'The table of @G says nothing about prices in @P.'])
      expect(withSentence(sentence).join('\n')).not.toContain(': subject: ');
  });
});

describe('[NEWS-GATE] a token joined to its neighbour', () => {
  it.each(
    items(`@P@V | @P.@V in all | -@V | − @V | – @V | @V% | @V % | @VM | @V M | @V mn | @V bn, it says |
      @V k | @Ve@V | @V e @V | @V,@V | @V @P | @V/@V | @V-@V | @V**@V** | $@V | US$ @V | USD @V |
      @V dollars | @V US dollars | @V tonnes | @V metric tonnes | @V kg | (@V) per cent |
      @V percent | minus @V | @V times more | @V point @V | @Vs in all | the @V’s row | x@V | @Vth`).map(
      (words) => `It was ${words}.`,
    ),
  )('%s', (sentence) => {
    expect(withSentence(sentence).join('\n')).toMatch(/: (joined-token|characters): story/);
  });

  it.each([
    '@V is printed.',
    'For @G in @P the table prints @V @U.',
    'It prints (@V), “@V” and **@V**; then @V: no more.',
    'It prints @V hectares in @P.',
    'In @P, @V stands there.',
    'The row of @G — @V — is of the year @P.',
    'It is @G’s row of @P.',
    'From @V to @V, or @P and @P?',
  ])('%s passes', (sentence) => {
    expect(withSentence(sentence)).toEqual([]);
  });
});
