/** Tokens and what stands beside them: a printed value stays the record's own number. */
import { describe, expect, it } from 'vitest';
import { findingLine } from '../../build/lib/findings.ts';
import { gate, packagedDatasets, storyText } from '../_support/stories.ts';

const datasets = packagedDatasets();
const ID = 'opium-broken-best-estimates';
const sound = storyText(ID);
const CELLS: Record<string, string> = {
  P: '{{opium-cultivation:opium-cultivation.AFG.2022.R6#period}}',
  V: '{{opium-cultivation:opium-cultivation.AFG.2022.R6#value}}',
  U: '{{opium-cultivation:opium-cultivation.AFG.2022.R6#unit}}',
  G: '{{opium-cultivation:opium-cultivation.AFG.2022.R6#geoName}}',
};

/** Findings over a sentence in which @P, @V, @U and @G stand for tokens of period, value, unit and country. */
function findingsOf(sentence: string): string[] {
  const paragraph = sentence.replaceAll(/@([PVUG])/g, (_all, name: string) => CELLS[name] ?? '');
  const text = sound.replace('## What the record shows\n', `## What the record shows\n\n${paragraph}\n`);
  return gate(ID, text, datasets).findings.map(findingLine);
}

describe('[NEWS-GATE] a token joined to what stands beside it', () => {
  it.each([
    'It was @P@V.',
    'It was @P.@V in all.',
    'It was -@V.',
    'It was − @V.',
    'It was – @V.',
    'It was @V%.',
    'It was @V %.',
    'It was @VM.',
    'It was @V M.',
    'It was @V mn.',
    'It was @V bn, it says.',
    'It was @V k.',
    'It was @Ve@V.',
    'It was @V e @V.',
    'It was @V,@V.',
    'It was @V @P.',
    'It was @V/@V.',
    'It was @V-@V.',
    'It was @V**@V**.',
    'It was $@V.',
    'It was US$ @V.',
    'It was USD @V.',
    'It was @V dollars.',
    'It was @V US dollars.',
    'It was @V tonnes.',
    'It was @V metric tonnes.',
    'It was @V kg.',
    'It was (@V) per cent.',
    'It was @V percent.',
    'It was minus @V.',
    'It was @V times more.',
    'It was @V point @V.',
    'It was @Vs in all.',
    'It was the @V’s row.',
    'It was x@V.',
    'It was @Vth.',
  ])('%s', (sentence) => {
    expect(findingsOf(sentence).join('\n')).toMatch(/: (joined-token|characters): story/);
  });

  it.each([
    '@V is printed.',
    'For @G in @P the table prints @V @U.',
    'It prints (@V), “@V” and **@V**; then @V: no more.',
    'It prints @V hectares in @P.',
    'In @P, @V stands there.',
    'The row of @G — @V — stands in the year @P.',
    'It is @G’s row of @P.',
    'From @V to @V, or @P and @P?',
  ])('%s passes', (sentence) => {
    expect(findingsOf(sentence)).toEqual([]);
  });
});
