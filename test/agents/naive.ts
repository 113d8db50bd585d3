/**
 * An agent without a model and without knowledge of the data: it reads the question, the descriptions of the tools, what
 * find_series gives and what refusals say, and nothing else. It knows no code, no id and no label.
 */
import { lastDay } from '../../shim/core/editions.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import type { Answer } from './questions.ts';
import type { Agent, Tools } from './run.ts';
import { datesIn, observationIn, revisionIn, rowsOf, scoreIn } from './scripted.ts';

/** What questions ask for that descriptions forbid to infer: words of the question, words of a description. */
const FORBIDDEN: [asked: RegExp, described: RegExp][] = [
  [/\bcaused\b/i, /infer no [^.]*\bcause\b/],
  [/\bguilty?\b/i, /not proof of guilt/],
  [/\brank\b|\bworst\b/i, /do not rank/i],
  [/\broutes?\b/i, /infer routes/],
  [/how (large|big)\b[^?]*\bmarket/i, /infer no market size/],
];

/** Limits of find_series, as its refusal states them. */
const MOST_CHARACTERS = 120;
const MOST_WORDS = 24;

/** Answers from the question and the tools alone. */
export const naiveAgent: Agent = async ({ text }, tools) => {
  const descriptions = tools.listed.map(({ description }) => description).join(' ');
  if (FORBIDDEN.some(([asked, described]) => asked.test(text) && described.test(descriptions)))
    return { answer: 'refused' };
  const index = 'Global Organized Crime Index';
  const atlas = tools.listed.find(({ description }) => description.includes(index));
  if (text.includes(index) && atlas) return score(atlas.name, text, tools);
  return observation(text, tools);
};

/** A country is given by its name; the refusal says which code is meant. */
async function score(tool: string, text: string, tools: Tools): Promise<Answer> {
  const [, country = '', year = ''] = /^(.+), ([0-9]{4}):/.exec(text) ?? [];
  const first = await tools.call(tool, { iso3: country, year });
  const iso3 = /closest: ([A-Z]{3})/.exec(first.text)?.[1] ?? '';
  const { data } = await tools.call(tool, { domain: 'organized_crime', iso3, year });
  return scoreIn(data, text);
}

async function observation(text: string, tools: Tools): Promise<Answer> {
  const [about = ''] = text.split(/: (?=(?:what|which) )/);
  const { period, editions } = datesIn(text);
  const words = about.slice(0, about.length - period.length).trim();
  const series = await findSeries(words, tools);
  if (!series) return { answer: 'absent' };
  const { dataset = '', indicator = '', geo = '', category = '', subgroup = '' } = series;
  if (editions.length === 2) {
    const { data } = await tools.call('get_revisions', { dataset, indicator, geo, kind: 'changed' });
    return revisionIn(data, text);
  }
  const filters: JsonObject = { dataset, indicator, geo, category, subgroup, from: period, to: period };
  const [edition] = editions;
  const { data } = await tools.call('query_market_observations', {
    ...filters,
    ...(edition === undefined ? {} : { as_of: lastDay(edition) }),
  });
  return observationIn(data);
}

/** The series whose words are most like those of the question; words that the tool does not understand are left out. */
async function findSeries(about: string, tools: Tools): Promise<JsonObject | null> {
  let words = wordsOf(about);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { data } = await tools.call('find_series', { query: shortened(words) });
    const lines = rowsOf(data, 'series');
    const [best] = lines
      .map((line) => ({ line, likeness: likeness(wordsOf(about), line) }))
      .sort((a, b) => b.likeness - a.likeness);
    if (best) return best.line;
    const notes = ((data?.['limitations'] ?? []) as string[]).join(' ');
    const unknown = [...notes.matchAll(/"([^"]+)" is not understood/g)].map(([, word = '']) => word);
    const known = words.filter((word) => !unknown.includes(word));
    words = known.length < words.length ? known : words.slice(0, Math.ceil(words.length / 2));
  }
  return null;
}

/** Shared words count for a series, words that it has alone against it. */
function likeness(asked: readonly string[], line: JsonObject): number {
  const own = ['geoName', 'subgroup', 'category', 'label'].flatMap((member) => wordsOf(String(line[member])));
  const left = [...asked];
  let shared = 0;
  for (const word of own) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    shared += 1;
    left.splice(at, 1);
  }
  return shared - 0.6 * (own.length - shared) - 0.3 * left.length;
}

/** As many words as a query may have: each once, the first ones. */
function shortened(words: readonly string[]): string {
  const kept: string[] = [];
  for (const word of new Set(words))
    if (kept.length < MOST_WORDS && [...kept, word].join(' ').length <= MOST_CHARACTERS) kept.push(word);
  return kept.join(' ');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,'’+-][\p{L}\p{N}]+)*\+?/gu) ?? [];
}
