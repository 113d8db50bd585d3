/**
 * The safety gate: what may never be packaged, whoever wrote it. It reads every text of a descriptor and every text cell of
 * records.csv, locators and codes too: labels and cells strictly, prose for what it names without saying that it is left out.
 */
import type { Finding } from '../lib/findings.ts';
import { columnsOf } from '../lib/fields.ts';
import type { LoadedDataset } from '../load/datasets.ts';
import { forbiddenIn, forbiddenInProse } from './forbidden.ts';
import { coordinatesIn } from './places.ts';
import { descriptorFinding } from './rule.ts';

/** Members of a descriptor, at any depth, that are labels or ids; every other text is prose or a web address. */
const LABELS = new Set(['code', 'id', 'label', 'measureType', 'name', 'path', 'sourceId', 'title', 'unit']);

const LOCATORS = new Set(['locator', 'sourceLocator']);

/** The cells of a sheet that a locator names after its last `!`; the sheet before it is text like any other. */
const CELLS_OF_SHEET = /![A-Z]{1,3}\d+([:,][A-Z]{1,3}\d+)*$/;

/** Findings of the safety gate over one dataset. */
export function checkSafety(loaded: LoadedDataset): Finding[] {
  return [...checkDescriptor(loaded), ...checkCells(loaded)];
}

function checkDescriptor(loaded: LoadedDataset): Finding[] {
  const columns = new Set(columnsOf(loaded.descriptor).map(({ name }) => name));
  return textsOf(loaded.descriptor, '').flatMap(([member, text]) => {
    // Our own column names; those of an atlas are also the paths of its fields, which are read below.
    if (member === 'name' && columns.has(text)) return [];
    const what = characterFaultIn(text) ?? gateOf(member, text)(text);
    return what === null ? [] : [descriptorFinding(loaded, 'safety', refusal(text, what))];
  });
}

function gateOf(member: string, text: string): (text: string) => string | null {
  if (text.startsWith('https://')) return coordinatesIn;
  return LABELS.has(member) ? forbiddenLabel : forbiddenInProse;
}

/** Ids and paths part their words by dots. */
function forbiddenLabel(label: string): string | null {
  return forbiddenIn(label) ?? forbiddenIn(label.replaceAll('.', ' '));
}

/** Every text below a value, with the name of its member. */
function textsOf(value: unknown, member: string): [member: string, text: string][] {
  if (typeof value === 'string') return [[member, value]];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, member));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsOf(item, name));
}

function checkCells({ descriptor, folder, table: { header, records } }: LoadedDataset): Finding[] {
  const texts = columnsOf(descriptor)
    .filter(({ type }) => type === 'string' || type === 'list')
    .map(({ name }) => ({ name, position: header.indexOf(name) }));
  // Official names have rules of their own (entities.ts): they may be any word.
  const gate = descriptor.kind === 'entities' ? () => null : forbiddenIn;
  const known = new Map<string, string | null>();
  return records.flatMap(({ line, cells }) =>
    texts.flatMap(({ name, position }) => {
      const cell = cells[position] ?? '';
      const read = LOCATORS.has(name) ? cell.replace(CELLS_OF_SHEET, '') : cell;
      let what = known.get(read);
      if (what === undefined) known.set(read, (what = characterFaultIn(read) ?? gate(read)));
      if (what === null) return [];
      return [{ file: `${folder}/records.csv`, row: line, rule: 'safety', message: refusal(cell, what) }];
    }),
  );
}

function refusal(text: string, what: string): string {
  return `${JSON.stringify(text)} names ${what}, which is never published`;
}

/** Characters and markup that no text of a dataset may hold: what cannot be seen cannot be reviewed. */
const FAULTS: [pattern: RegExp, what: string][] = [
  [/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u, 'a control, bidirectional or invisible character'],
  // A letter of another script that looks like a Latin one would carry a word past every rule over words.
  [
    /\p{Script=Latin}\p{M}*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{M}*\p{Script=Latin}/u,
    'letters of two scripts in one word',
  ],
  [/(?![0-9])\p{Nd}/u, 'digits other than 0 to 9'],
  // `<slug>` is how column descriptions write a placeholder.
  [/<(?!slug>)\s*[a-z/!?]|&(#\d+|#x[0-9a-f]+|[a-z]+);|\bjavascript:/i, 'markup'],
];

/** What text holds that no text may, or null. */
export function characterFaultIn(text: string): string | null {
  return FAULTS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
