/**
 * The closed list of texts of the context producer, `datasets/producerp/vocabulary.csv`: every text of the documents of a release that
 * its schema leaves open, with the name of its member, and the reasons of unavailable rows. What is not on it is not published.
 */
import { isObject } from '../../shim/core/json.ts';
import type { JsonSchema, JsonValue } from '../../shim/core/types.ts';
import { errorMessage } from '../lib/findings.ts';
import { characterFaultIn } from '../lib/text.ts';
import { readVocabulary, termKey, type Term } from '../lib/vocabulary.ts';
import { FILES, type Documents, type ProducerFiles, type Report } from './contract.ts';
import { referenceId } from './hash.ts';

/** A text of a release: its file, its place in it and the term of the list that it needs. */
export interface ProducerText {
  file: string;
  /** `/sources/21/authorityRole`, or the line of a table. */
  at: string;
  term: Term;
}

/** Members whose texts follow from others, as verify.ts makes sure, or are published as a hash alone. */
const FOLLOWING = new Set([
  'economics.coverage',
  'observatory.targetAreas.targets.sourceIds',
  'pages.servedResources',
  'receipt.sourceCommit',
]);

/** What is said of a text that the list does not have. */
const UNLISTED = `is not in datasets/producerp/${FILES.vocabulary}; a new text is a reviewed line of that file`;

/** The term of a text in a member. */
export function producerTerm(field: string, value: string): Term {
  return { field, value, name: '', level: '', indicator: '' };
}

/** The texts of a document that has passed its schema. */
export function textsOf(
  kind: keyof Documents,
  [file, root]: readonly [file: string, schema: JsonSchema],
  document: JsonValue,
): ProducerText[] {
  const definitions = root['$defs'] as { [name: string]: JsonSchema } | undefined;
  const below = (value: JsonValue, given: JsonSchema, at: string, field: string): ProducerText[] => {
    const reference = given['$ref'];
    const schema = typeof reference === 'string' ? definitions?.[reference.split('/').at(-1) ?? ''] : given;
    // A value without a schema of its own is open.
    const inner = (of: JsonValue | undefined): JsonSchema => (isObject(of) ? of : {});
    if (FOLLOWING.has(field)) return [];
    if (typeof value === 'string')
      return isClosed(schema ?? {}) ? [] : [{ file, at, term: producerTerm(field, value) }];
    if (Array.isArray(value))
      return value.flatMap((item, index) => below(item, inner(schema?.['items']), `${at}/${index}`, field));
    if (!isObject(value)) return [];
    const properties = inner(schema?.['properties']);
    return Object.entries(value).flatMap(([name, member]) =>
      below(member, inner(properties[name]), `${at}/${name}`, `${field}.${name}`),
    );
  };
  return below(document, root, '', kind).filter(
    ({ term }) => term.field !== 'receipt.deploymentId' || term.value !== idOfReference(document),
  );
}

/** The id that a reference release gets from its files. */
function idOfReference(receipt: JsonValue): string {
  return isObject(receipt) ? referenceId(String(receipt['artifactTreeSha256'])) : '';
}

/** Whether a schema leaves a string no words of its own: a constant, one of several, a date or a hash. */
function isClosed({ const: constant, enum: choices, format, pattern }: JsonSchema): boolean {
  return (
    constant !== undefined ||
    choices !== undefined ||
    format === 'date' ||
    format === 'date-time' ||
    (typeof pattern === 'string' && /^\^\(?\[0-9a-f\]/.test(pattern))
  );
}

/** The texts, each where it stands first. */
export function firstOfEach(texts: readonly ProducerText[]): ProducerText[] {
  const first = new Map<string, ProducerText>();
  for (const text of texts) {
    const key = termKey(text.term);
    if (!first.has(key)) first.set(key, text);
  }
  return [...first.values()];
}

/** Reports texts that the list does not have, and texts that no list can accept. */
export function checkTexts(texts: readonly ProducerText[], files: ProducerFiles, report: Report): void {
  const bytes = files.get(FILES.vocabulary);
  if (!bytes) {
    const advice = 'npm run import -- producerp datasets/producerp/release writes it';
    return report(FILES.vocabulary, 'missing', `the producer needs the list of its texts; ${advice}`);
  }
  let known: Set<string>;
  try {
    known = new Set(readVocabulary(bytes).map(({ term }) => termKey(term)));
  } catch (error) {
    return report(FILES.vocabulary, 'vocabulary', errorMessage(error));
  }
  for (const { file, at, term } of texts) {
    const shown = `${at}: ${JSON.stringify(term.value)}`;
    const fault = characterFaultIn(term.value);
    if (fault !== null) report(file, 'vocabulary', `${shown} holds ${fault}`);
    else if (!known.has(termKey(term))) report(file, 'vocabulary', `${shown} ${UNLISTED}`);
  }
}
