/** The audit: descriptors name the raw files, rules read them without the importers, and every published record is compared. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { claimsOf, compare, COUNTS, countsOf, NOTHING_COMPARED, object } from './compare.ts';
import type { Field, Json, Outcome } from './compare.ts';
import { auditDesignations } from './designations.ts';
import { comparePair, differenceLines, pairLines, type PairOutcome, type RawEdition } from './editions.ts';
import { packPath } from '../../shim/core/paths.ts';
import { causeOf } from '../../shim/remote/source.ts';
import { rawFiles, type RawFile } from './raw.ts';
import { RULES } from './rules.ts';

/** The options of `npm run audit`. */
export interface AuditOptions {
  /** Folder of the raw source files, read with the folders below it. */
  raw: string;
  /** A built tree or the address of a server. */
  base: string;
  /** Folder of the packaged datasets, whose descriptors name every raw file by sha256. */
  datasets: string;
  /** Print the outcomes as JSON in place of the table. */
  json: boolean;
}

/** Compares every source and prints what differs. Returns the exit code: 0 where nothing does, else 1. */
export async function audit(
  { json, raw, ...where }: AuditOptions,
  print: (text: string) => void,
): Promise<number> {
  const open = rawFiles(raw);
  const outcomes = await auditSources({ ...where, open });
  const pairs = await auditPairs({ ...where, open });
  print(
    json
      ? JSON.stringify([...outcomes, ...pairs], null, 2)
      : [report(outcomes), ...pairLines(pairs)].join('\n'),
  );
  const agree = [...outcomes, ...pairs].every(({ differences }) => differences.length === 0);
  return outcomes.length > 0 && agree ? 0 : 1;
}

interface Descriptor {
  name: string;
  kind: string;
  sources: { id: string; sha256: string; notes: string[] }[];
  fields?: Field[];
  programs?: string[];
  labelKeys?: Record<string, string>;
  withheldAfterWithdrawal?: number;
  withheldInDoubt?: number;
}

type OpenFile = ReturnType<typeof rawFiles>;
/** What is compared: datasets and a published site, with the raw files. */
type Compared = Pick<AuditOptions, 'datasets' | 'base'> & { open: OpenFile };

/** One outcome per source, in the order of the datasets; a source without its raw file or without a rule is a difference. */
export async function auditSources({ datasets, base, open }: Compared): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const paths = fastGlob.globSync('*/*/datapackage.json', { cwd: datasets }).toSorted();
  for (const [position, path] of paths.entries()) {
    const [name = '', edition = ''] = path.split('/');
    if (name === 'producerp') continue;
    const isCurrent = !paths[position + 1]?.startsWith(`${name}/`);
    const descriptor: Descriptor = JSON.parse(readFileSync(join(datasets, path), 'utf8'));
    const pack = isCurrent ? name : `${name}@${edition}`;
    const records = ndjson(await publishedText(base, packPath(pack)));
    if (descriptor.kind === 'entities') outcomes.push(await designations(descriptor, records, open));
    else outcomes.push(...(await sourceOutcomes(descriptor, records, open)));
  }
  return outcomes;
}

/** One outcome per pair of neighbouring editions that is published; an edition without its raw files is a difference. */
export async function auditPairs({ datasets, base, open }: Compared): Promise<PairOutcome[]> {
  const { data } = object(JSON.parse(await publishedText(base, 'api/v1/revisions.json')));
  const revisions = ndjson(await publishedText(base, 'data/revisions.ndjson'));
  const outcomes: PairOutcome[] = [];
  for (const pair of (object(data)['pairs'] as unknown[]).map(object)) {
    const [id, from, to] = [pair['datasetId'], pair['from'], pair['to']].map(String);
    const own = revisions.filter(
      (one) => one['datasetId'] === id && String(one['id']).endsWith(`@${from}..${to}`),
    );
    const [older, newer] = await Promise.all(
      [from, to].map((edition) => rawEdition(join(datasets, `${id}/${edition}/datapackage.json`), open)),
    );
    if (older && newer) outcomes.push(comparePair(older, newer, pair, own));
    else {
      const counts = { printed: 0, published: own.length, revisions: own.length, unmatched: 0 };
      const differences = ['one of its files is missing'];
      outcomes.push({ pair: `${id} ${from} to ${to}`, ...counts, differences });
    }
  }
  return outcomes;
}

async function rawEdition(path: string, open: OpenFile): Promise<RawEdition | null> {
  const { name, sources, fields = [], labelKeys = {} }: Descriptor = JSON.parse(readFileSync(path, 'utf8'));
  const files = await Promise.all(sources.map(({ sha256 }) => open(sha256)));
  const rule = RULES[name];
  if (!rule || files.includes(null)) return null;
  const statements = files.flatMap((file) => (file ? rule.read({ ...file, fields, tables: [] }) : []));
  return { statements, labelKeys };
}

async function sourceOutcomes(
  { name, sources, fields = [] }: Descriptor,
  records: Json[],
  open: OpenFile,
): Promise<Outcome[]> {
  const claims = records.flatMap((record) => claimsOf(record, fields));
  const outcomes: Outcome[] = [];
  for (const { id, sha256, notes } of sources) {
    const label = `${name} ${id}`;
    const [file, rule] = [await open(sha256), RULES[name]];
    if (!file) outcomes.push(failed(label, `no file with sha256 ${sha256}`));
    else if (!rule) outcomes.push(failed(label, `no rule for dataset ${name}`));
    else {
      const named = notes.flatMap((note) => /sha256 ([0-9a-f]{64})/.exec(note)?.[1] ?? []);
      const tables = (await Promise.all(named.map(open))).filter((table) => table !== null);
      const own = claims.filter(({ source }) => source === id);
      outcomes.push(compare(label, own, rule.read({ ...file, fields, tables }), rule.status));
    }
  }
  const strays = claims.filter(({ source }) => !sources.some(({ id }) => id === source));
  const unknown = [...new Set(strays.map(({ source }) => source))].join(', ');
  if (strays.length > 0)
    outcomes[0]?.differences.push(`${strays.length} values of sources that are not described: ${unknown}`);
  return outcomes;
}

async function designations(descriptor: Descriptor, records: Json[], open: OpenFile): Promise<Outcome> {
  const { name, sources, programs = [] } = descriptor;
  const { withheldAfterWithdrawal: withheld = 0, withheldInDoubt: inDoubt = 0 } = descriptor;
  const files = await Promise.all(sources.map(({ sha256 }) => open(sha256)));
  const found = files.filter((file): file is RawFile => file !== null);
  if (found.length !== sources.length) return failed(`${name} ofac`, 'one of its files is missing');
  return auditDesignations(`${name} ofac`, { records, withheld, inDoubt, programs }, found);
}

function failed(source: string, difference: string): Outcome {
  const none = countsOf([]);
  return { source, published: none, printed: none, ...NOTHING_COMPARED, differences: [difference] };
}

/** One line per source: each count once where both sides agree, `published/printed` where not; then what differs. */
export function report(outcomes: Outcome[]): string {
  const lines = outcomes.map((outcome) => [
    outcome.source,
    ...COUNTS.map((name) => [...new Set([outcome.published[name], outcome.printed[name]])].join('/')),
    ...[outcome.values, outcome.texts, outcome.folded, outcome.differences.length].map(String),
  ]);
  const table = [['source', ...COUNTS, 'values', 'texts', 'folded', 'differences'], ...lines];
  const width = (at: number): number => Math.max(...table.map((cells) => (cells[at] ?? '').length));
  const aligned = table.map((cells) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(width(at)) : cell.padStart(width(at)))).join('  '),
  );
  const sum = (count: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, one) => total + count(one), 0);
  const different = sum(({ differences }) => differences.length);
  return [
    ...aligned,
    ...outcomes.flatMap(({ source, differences }) => differenceLines(source, differences)),
    `${outcomes.length} sources, ${sum(({ published }) => published.records)} records, ${sum(({ values }) => values)} values and ${sum(({ texts }) => texts)} texts compared, ${different} differences.`,
  ].join('\n');
}

/** The text of a published file, in a folder or at an address. */
async function publishedText(base: string, path: string): Promise<string> {
  if (!/^https?:/.test(base)) return readFileSync(join(base, path), 'utf8');
  const url = `${base.replace(/\/$/, '')}/${path}`;
  // A server may close an idle connection while a file is being read: a GET is tried once more on a new one.
  const response = await fetch(url)
    .catch(() => fetch(url))
    .catch((cause: unknown) => {
      throw new Error(`${url} gave no response: ${causeOf(cause)}.`, { cause });
    });
  if (!response.ok) throw new Error(`${url} responded with status ${response.status}.`);
  return response.text();
}

function ndjson(lines: string): Json[] {
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [object(JSON.parse(line))]));
}
