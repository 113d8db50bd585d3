/**
 * What a descriptor says in words must be what the YAML file of its importer says: every text is compared with the texts the
 * file states for that member, so nothing can be added, changed or left to a list of words. A text with braces stands for many:
 * the braces hold a text or name of the same file, a label of the dataset, a year or a hash.
 */
import { EDITION_NOTES } from '../import/edition.ts';
import { filled, seriesWords, type Family } from '../import/family.ts';
import { labelKey } from '../import/observations.ts';
import { descriptorFinding, type Finding } from '../lib/findings.ts';
import { DATA_PACKAGE, licensesOf, resourcesOf } from '../lib/package.ts';
import type { Descriptor, Indicator, Source, Written } from '../lib/dataset.ts';
import type { FoundEdition } from '../load/datasets.ts';
import type { LabelKeys } from './rows.ts';

/** Members that are no prose: they follow rules of their own (the schema, the closed list of labels, references). */
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

/** The texts a file states: by member, and those that can fill braces. */
interface Stated {
  file: string;
  family: Family;
  texts: Map<string, Set<string>>;
  words: Set<string>;
}

/** What is stated for each dataset. */
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
  for (const note of EDITION_NOTES) add('notes', note);
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
  const finding = (rule: string, message: string): Finding => descriptorFinding(loaded, rule, message);
  const stated = texts.get(descriptor.name);
  if (!stated)
    return [
      finding(
        'stated',
        `no YAML file in build/import/ states the dataset "${descriptor.name}"; add it to one`,
      ),
    ];
  const labels = new Set(vocabulary.flatMap(({ term }) => [term.value, term.name]));
  const isWord = (text: string): boolean =>
    stated.words.has(text) ||
    labels.has(text) ||
    /^(\d{4}([-–]\d{2,4})?(, \d{4})*( and \d{4})?|[0-9a-f]{64})$/.test(text);
  const indicators = 'indicators' in own ? own.indicators.map((one) => ({ ...one, id: null })) : [];
  const foreign = textsOf({ ...own, indicators }, '').filter(([member, text]) => {
    const known = [...(stated.texts.get(member) ?? [])];
    return !known.includes(text) && !known.some((template) => fillsBraces(template, text, isWord));
  });
  const findings = foreign.map(([member, text]) =>
    finding(
      'stated',
      `${member} ${JSON.stringify(text)} is not stated in ${stated.file}; change the text there and import again`,
    ),
  );
  for (const [member, text] of missingCaveats(stated.family, descriptor))
    findings.push(
      finding('stated', `${member} ${JSON.stringify(text)} of ${stated.file} is missing; import again`),
    );
  for (const indicator of 'indicators' in own ? own.indicators : [])
    if (!isStatedTogether(stated.family, indicator))
      findings.push(
        finding(
          'stated',
          `indicator "${indicator.id}" is not what ${stated.file} states of it: ${TOGETHER.join(', ')}; import again`,
        ),
      );
  for (const source of own.sources)
    if (!isStatedSource(stated.family, source))
      findings.push(
        finding(
          'stated',
          `source "${source.id}" is not what ${stated.file} states of it: ${OF_A_SOURCE.join(', ')}, rights; import again`,
        ),
      );
  for (const [label, key] of 'labelKeys' in own ? Object.entries(own.labelKeys ?? {}) : [])
    if (key !== labelKey(stated.family, label))
      findings.push(
        finding('stated', `labelKeys ${JSON.stringify({ [label]: key })} is not stated in ${stated.file}`),
      );
  const made = {
    $schema: DATA_PACKAGE,
    licenses: licensesOf(descriptor),
    resources: resourcesOf(descriptor),
  };
  for (const [member, expected] of Object.entries(made))
    if (
      JSON.stringify({ $schema, licenses, resources }[member as keyof typeof made]) !==
      JSON.stringify(expected)
    )
      findings.push(finding('stated', `${member} is not what an import makes it; import the dataset again`));
  return findings;
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

/** What the file says of one indicator. */
const TOGETHER = ['market', 'label', 'measureType', 'description', 'tolerance'] as const;

/**
 * Whether the file says all of this of one indicator: of the one with this id, where it has one. Words in braces are checked as those
 * of any text.
 */
function isStatedTogether({ indicators, series }: Family, own: Indicator): boolean {
  const { [own.id]: title } = series;
  const words = { ...seriesWords(own.id), ...(title !== undefined && { title }) };
  const all = indicators.map((facts) => filled(facts, words));
  const named = all.filter(({ id }) => isSame(id, own.id));
  return (named.length > 0 ? named : all).some((stated) =>
    TOGETHER.every((member) => isSame(stated[member], own[member])),
  );
}

/** What the file says of one source: who publishes it, and on what terms. */
const OF_A_SOURCE = ['publisher', 'license', 'licenseUrl'] as const;

/** Whether the file says all of this of one source: of the one with this id, where it has one. */
function isStatedSource({ sources }: Family, own: Source): boolean {
  const all = Object.values(sources);
  const named = all.filter(({ id, editions }) =>
    [id, ...Object.values(editions).map((edition) => edition.id)].some((one) => isSame(one, own.id)),
  );
  return (named.length > 0 ? named : all).some(
    (stated) =>
      stated.rights.verdict === own.rights.verdict &&
      OF_A_SOURCE.every((member) => isSame(stated[member], own[member])),
  );
}

/** Whether this is what a file states, any words in its braces. */
function isSame(stated: unknown, there: unknown): boolean {
  return (
    stated === there ||
    (typeof stated === 'string' && typeof there === 'string' && fillsBraces(stated, there, () => true))
  );
}

/**
 * What the file states as a limit of the dataset or of one of its indicators, and the descriptor does not say. A limit with braces
 * is of what fills them: an edition that has none of that does not have it.
 */
function missingCaveats(
  { datasets, indicators }: Family,
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
      indicators.find((one) => one.id === id)?.limitations ?? [],
      texts,
    ]),
  ];
  return pairs.flatMap(([member, texts, there]) =>
    texts
      .filter((text) => !/\{\w+\}/.test(text) && !there.includes(text))
      .map((text): [string, string] => [member, text]),
  );
}

/** Whether a text is a template with each of its braces filled. */
function fillsBraces(template: string, text: string, isWord: (text: string) => boolean): boolean {
  if (!template.includes('{')) return false;
  const pattern = template
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('(.+?)');
  const [, ...found] = new RegExp(`^${pattern}$`).exec(text) ?? [];
  return found.length > 0 && found.every(isWord);
}
