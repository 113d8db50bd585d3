/**
 * What a descriptor says in words must be what the YAML file of its importer says: every text is compared with the texts the
 * file states for that member, so nothing can be added, changed or left to a list of words. A text with braces is a template:
 * they are filled by a text or name of the same file, a label of the dataset, a month, years, or by a hash if so named.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  COPY_NOTES,
  drugWords,
  factsOfEdition,
  filled,
  labelKey,
  seriesWords,
  type Family,
  type IndicatorFacts,
} from '../import/family.ts';
import { descriptorFinding, type Finding } from '../lib/findings.ts';
import { DATA_PACKAGE, licensesOf, resourcesOf } from '../lib/package.ts';
import type { Descriptor, Indicator, Source, Written } from '../lib/dataset.ts';
import type { FoundEdition } from '../load/datasets.ts';
import type { LabelKeys } from './rows.ts';

/** A month, or years in their order. */
const YEARS = /^(19|20)\d\d(-(0[1-9]|1[0-2])|(, (19|20)\d\d)*( and (19|20)\d\d)?)$/;

/** Whether a text is a month or years, each later than the one before it and none after the fiscal year of the newest source. */
function areYears(text: string, sources: readonly Source[]): boolean {
  const years = text.split(/, | and /);
  const newest = Math.max(...sources.map(({ dated }) => Number(dated.slice(0, 4))));
  const isInOrder = years.join() === [...new Set(years)].sort().join();
  return YEARS.test(text) && isInOrder && Number(years.at(-1)?.slice(0, 4)) <= newest + 1;
}

/** Members that are not prose and are checked by other rules (the schema, the closed list of labels, references). */
const OTHER_RULES = [
  'geographies',
  'labelKeys',
  'name',
  'kind',
  'sha256',
  'dated',
  'retrievedAt',
  'listDate',
  'sourceId',
  'lastChecked',
  'accepted',
];

/** The texts that a file states, by member, and those that can fill braces. */
interface Stated {
  file: string;
  family: Family;
  texts: Map<string, Set<string>>;
  words: Set<string>;
}

/** What the files of its family state, by dataset. */
export type StatedTexts = ReadonlyMap<string, Stated>;

/** What the files of these families state. */
export function statedTexts(families: readonly Family[]): StatedTexts {
  return new Map(
    families.flatMap((family) => Object.keys(family.datasets).map((id) => [id, statedIn(family)] as const)),
  );
}

function statedIn(family: Family): Stated {
  const texts = new Map<string, Set<string>>();
  const words = new Set<string>();
  const add = (member: string, text: string): void => {
    texts.set(member, (texts.get(member) ?? new Set()).add(text));
    words.add(text);
  };
  for (const [member, text] of textsOf(family, '')) add(member, text);
  for (const { fields = {} } of Object.values(family.datasets))
    for (const [path, label] of Object.entries(fields)) {
      add('path', path);
      add('label', label);
    }
  for (const id of Object.keys(family.series)) words.add(id).add(id.toUpperCase());
  for (const note of Object.values(COPY_NOTES)) add('notes', note);
  return { file: `build/import/${family.name}.yaml`, family, texts, words };
}

/** Every text below a value, with the name of its member. */
function textsOf(value: unknown, member: string): [member: string, text: string][] {
  if (typeof value === 'string') return [[member, value]];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, member));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    OTHER_RULES.includes(name) ? [] : textsOf(item, name),
  );
}

/** Findings of the texts of a descriptor. */
export function checkStated(
  loaded: FoundEdition & { descriptor: Descriptor & Written },
  texts: StatedTexts,
): Finding[] {
  const { descriptor, vocabulary } = loaded;
  const { $schema, licenses, resources, ...own } = descriptor;
  const finding = (message: string): Finding => descriptorFinding(loaded, 'stated', message);
  const stated = texts.get(descriptor.name);
  if (!stated)
    return [finding(`no YAML file in build/import/ states the dataset "${descriptor.name}"; add it to one`)];
  const { file, family } = stated;
  const labels = new Set(vocabulary.flatMap(({ term }) => [term.value, term.name]));
  const isWord: IsWord = (text, name) =>
    stated.words.has(text) ||
    labels.has(text) ||
    (name === 'sha256' ? /^[0-9a-f]{64}$/.test(text) : areYears(text, own.sources));
  const indicators = 'indicators' in own ? own.indicators : [];
  const withoutIds = indicators.map((one) => ({ ...one, id: null }));
  const foreign = textsOf({ ...own, indicators: withoutIds }, '').filter(([member, text]) => {
    const known = [...(stated.texts.get(member) ?? [])];
    return !known.includes(text) && !known.some((template) => fillsBraces(template, text, isWord));
  });
  const faults = foreign.map(
    ([member, text]) =>
      `${member} ${JSON.stringify(text)} is not stated in ${file}; change the text there and import again`,
  );
  for (const [member, text] of missingCaveats(family, descriptor))
    faults.push(`${member} ${JSON.stringify(text)} of ${file} is missing; import again`);
  for (const indicator of indicators)
    if (!isStatedIndicator(family, indicator))
      faults.push(
        `indicator "${indicator.id}" is not what ${file} states of it: ${INDICATOR_MEMBERS.join(', ')}, limitations; import again`,
      );
  const names = own.sources.map((source) => statedSource(family, source));
  for (const [at, { id }] of own.sources.entries()) {
    const name = names[at] ?? null;
    if (name === null)
      faults.push(
        `source "${id}" is not what ${file} states of it: ${SOURCE_MEMBERS.join(', ')}, path, rights, cadence, refresh, notes; import again`,
      );
    // A stated source with braces in its id stands for many.
    else if (names.indexOf(name) < at && !family.sources[name]?.id.includes('{'))
      faults.push(`source "${id}" is a second source "${name}" of ${file}, which has one`);
  }
  for (const [label, key] of 'labelKeys' in own ? Object.entries(own.labelKeys ?? {}) : [])
    if (key !== labelKey(family, label))
      faults.push(`labelKeys ${JSON.stringify({ [label]: key })} is not stated in ${file}`);
  const compared = [
    ['$schema', $schema, DATA_PACKAGE],
    ['licenses', licenses, licensesOf(descriptor)],
    ['resources', resources, resourcesOf(descriptor)],
  ] as const;
  for (const [member, there, made] of compared)
    if (JSON.stringify(there) !== JSON.stringify(made))
      faults.push(`${member} is not what an import makes it; import the dataset again`);
  return faults.map(finding);
}

/** The keys of the labels of a dataset that are not their own key. */
export function statedKeys(
  { descriptor, vocabulary }: FoundEdition & { descriptor: Descriptor },
  texts: StatedTexts,
): LabelKeys {
  const stated = texts.get(descriptor.name);
  const labels = vocabulary.flatMap(({ term: { field, value } }) =>
    field === 'category' || field === 'subgroup' ? [value] : [],
  );
  const keys = labels.map((label) => [label, stated ? labelKey(stated.family, label) : label] as const);
  return Object.fromEntries(keys.filter(([label, key]) => key !== label));
}

/** Members of an indicator that must be as the file states them. */
const INDICATOR_MEMBERS = ['market', 'label', 'measureType', 'description', 'tolerance'] as const;

/** Whether the file states all of this for one indicator: the one with this id, or any where no id matches. `foreign` checks the words in braces. */
function isStatedIndicator(family: Family, own: Indicator): boolean {
  const named = statedIndicators(family).filter(({ id }) => id === own.id);
  return (named.length > 0 ? named : family.indicators).some(
    (stated) =>
      INDICATOR_MEMBERS.every((member) => isSame(stated[member], own[member])) &&
      own.limitations.every((text) => stated.limitations.some((one) => isSame(one, text))),
  );
}

/** The indicators of a file; one with braces in its id is repeated for each series. */
function statedIndicators({ indicators, series }: Pick<Family, 'indicators' | 'series'>): IndicatorFacts[] {
  const words = Object.entries(series).map(([id, title]) => wordsOf(id, title));
  return indicators.flatMap((facts) =>
    facts.id.includes('{') ? words.map((own) => filled(facts, own)) : facts,
  );
}

/** The words of a series that fill the braces of templates. */
function wordsOf(id: string, title: string): Record<string, string> {
  return { ...seriesWords(id), title, ...drugWords(title) };
}

/** Members of a source that must be as the file states them, a text each. */
const SOURCE_MEMBERS = ['title', 'publisher', 'url', 'license', 'licenseUrl'] as const;

/** The name under which the file states all of this for a source, in one of its editions or in all; null where it does not. */
function statedSource({ sources, series, origins, borrowed }: Family, own: Source): string | null {
  const { refresh: { lastChecked: _checked, ...refresh } = {}, rights, notes } = own;
  const isStated = (facts: ReturnType<typeof factsOfEdition>): boolean => {
    const words = bracesIn(facts.id, own.id);
    if (words === null) return false;
    const id = words['series'] ?? '';
    const { [id]: title } = series;
    const stated = filled(facts, title === undefined ? words : wordsOf(id, title));
    const { [id]: origin } = origins;
    const more =
      origin === undefined ? { evidence: stated.rights.evidence, notes: [] } : filled(borrowed, { origin });
    const all = [...stated.notes, ...more.notes];
    return (
      SOURCE_MEMBERS.every((member) => isSame(stated[member], own[member])) &&
      [stated.path, own.url].includes(own.path) &&
      [stated.cadence, null].includes(own.cadence) &&
      isDeepStrictEqual(rights, { ...stated.rights, evidence: more.evidence }) &&
      isDeepStrictEqual(refresh, stated.refresh ?? {}) &&
      notes.every((note) => [...all, ...Object.values(COPY_NOTES)].some((text) => isSame(text, note))) &&
      all.every((text) => /\{\w+\}/.test(text) || notes.includes(text))
    );
  };
  const found = Object.entries(sources).find(([, facts]) =>
    [null, ...Object.values(facts.editions)].some((edition) => isStated(factsOfEdition(facts, edition))),
  );
  return found?.[0] ?? null;
}

/** Whether a value is the stated one, with any words in its braces. */
function isSame(stated: unknown, there: unknown): boolean {
  return (
    stated === there ||
    (typeof stated === 'string' && typeof there === 'string' && fillsBraces(stated, there, () => true))
  );
}

/**
 * The limitations and caveats that the file states for the dataset or one of its indicators and the descriptor lacks. One with
 * braces is about what fills them, so an edition without that lacks it rightly.
 */
function missingCaveats(
  { datasets, indicators, series }: Family,
  descriptor: Descriptor,
): [member: string, text: string][] {
  const { limitations = [], caveats = [] } = datasets[descriptor.name] ?? {};
  const said = 'caveats' in descriptor ? descriptor.caveats : [];
  const own = 'indicators' in descriptor ? descriptor.indicators : [];
  const pairs: [member: string, stated: readonly string[], said: readonly string[]][] = [
    ['limitations', limitations, descriptor.limitations],
    ['caveats', caveats, said],
    ...own.map(({ id, limitations: texts }): (typeof pairs)[number] => [
      `limitations of indicator "${id}"`,
      statedIndicators({ indicators, series }).find((one) => one.id === id)?.limitations ?? [],
      texts,
    ]),
  ];
  return pairs.flatMap(([member, texts, there]) =>
    texts
      .filter((text) => !/\{\w+\}/.test(text) && !there.includes(text))
      .map((text): [string, string] => [member, text]),
  );
}

type IsWord = (text: string, name: string) => boolean;

/** Whether a text is a template with each of its braces filled by such a word. */
function fillsBraces(template: string, text: string, isWord: IsWord): boolean {
  const filling = template.includes('{') ? bracesIn(template, text) : null;
  return filling !== null && Object.entries(filling).every(([name, word]) => isWord(word, name));
}

/** What fills the braces of a template in a text; null where the text is not of that form. */
function bracesIn(template: string, text: string): Record<string, string> | null {
  const pattern = template
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('(.+?)');
  const [whole, ...found] = new RegExp(`^${pattern}$`).exec(text) ?? [];
  if (whole === undefined) return null;
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const filling = Object.fromEntries(names.map((name, at) => [name, found[at] ?? '']));
  // The same braces stand for the same words wherever they are.
  return names.every((name, at) => filling[name] === found[at]) ? filling : null;
}
