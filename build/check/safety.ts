/**
 * The safety gate: what may never be packaged, whoever wrote it. It reads every text of a descriptor and every text cell of
 * records.csv, locators and codes too: labels and cells strictly, prose for what it names without saying that it is left out.
 */
import { columnsOf } from '../lib/fields.ts';
import { descriptorFinding, rowFinding, type Finding } from '../lib/findings.ts';
import { characterFaultIn } from '../lib/text.ts';
import type { LoadedDataset } from '../load/datasets.ts';
import { coordinatesIn, forbiddenIn, forbiddenInProse } from './forbidden.ts';

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

/** Ids and paths separate their words by dots. */
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

function checkCells(loaded: LoadedDataset): Finding[] {
  const { descriptor, table } = loaded;
  const texts = columnsOf(descriptor)
    .filter(({ type }) => type === 'string' || type === 'list')
    .map(({ name }) => ({ name, position: table.header.indexOf(name) }));
  // Official names have rules of their own (subject-detail.ts): they may be any word.
  const gate = descriptor.kind === 'entities' ? () => null : forbiddenIn;
  const known = new Map<string, string | null>();
  return table.records.flatMap(({ line, cells }) =>
    texts.flatMap(({ name, position }) => {
      const cell = cells[position] ?? '';
      const read = LOCATORS.has(name) ? cell.replace(CELLS_OF_SHEET, '') : cell;
      let what = known.get(read);
      if (what === undefined) known.set(read, (what = characterFaultIn(read) ?? gate(read)));
      return what === null ? [] : [rowFinding(loaded, line, 'safety', refusal(cell, what))];
    }),
  );
}

function refusal(text: string, what: string): string {
  return `${JSON.stringify(text)} names ${what}, which is never published`;
}
