/** The audit of every source: descriptors name the raw files, rules read them again, and the published values are compared. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, countsOf, COUNTS, type Draw, type Outcome } from './compare.ts';
import { auditDesignations } from './designations.ts';
import { claimsOf, recordsOf, type Field, type Json, type ReadRecords } from './published.ts';
import { rawFiles, type RawFile } from './raw.ts';
import { RULES } from './rules.ts';

/** The options of `npm run audit`. */
export interface AuditOptions extends Draw {
  /** Folder of the raw source files, read with the folders below it. */
  raw: string;
  /** A built tree or the address of a server. */
  base: string;
  /** Folder of the packaged datasets, whose descriptors name every raw file by sha256. */
  datasets: string;
  /** Print the outcomes as JSON in place of the table. */
  json: boolean;
}

/** Reads every source a second time and prints what differs. Returns the exit code: 0 where nothing does, else 1. */
export async function audit(options: AuditOptions, print: (text: string) => void): Promise<number> {
  const { base, datasets, raw, json, cells, seed } = options;
  const records = recordsOf(base);
  const outcomes = await auditSources({ datasets, raw: rawFiles(raw), records, draw: { cells, seed } });
  print(json ? JSON.stringify(outcomes, null, 2) : report(outcomes));
  return outcomes.length > 0 && outcomes.every(({ mismatches }) => mismatches.length === 0) ? 0 : 1;
}

interface Descriptor {
  name: string;
  kind: string;
  domain?: string;
  sources: { id: string; sha256: string; notes: string[] }[];
  fields?: Field[];
  programs?: string[];
  withheldAfterWithdrawal?: number;
}

interface AuditInput {
  datasets: string;
  raw: Map<string, RawFile>;
  records: ReadRecords;
  draw: Draw;
}

/** One outcome per source, in the order of the datasets; a source without its raw file or without a rule is a mismatch. */
export async function auditSources({ datasets, raw, records, draw }: AuditInput): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const name of readdirSync(datasets).toSorted()) {
    const path = join(datasets, name, 'datapackage.json');
    if (!existsSync(path)) continue;
    const descriptor: Descriptor = JSON.parse(readFileSync(path, 'utf8'));
    const published = await records(descriptor);
    if (descriptor.kind === 'entities') outcomes.push(designations(descriptor, published, raw));
    else outcomes.push(...(await sourceOutcomes(descriptor, published, raw, draw)));
  }
  return outcomes;
}

async function sourceOutcomes(
  { name, sources, fields = [] }: Descriptor,
  published: Json[],
  raw: Map<string, RawFile>,
  draw: Draw,
): Promise<Outcome[]> {
  const claims = published.flatMap((record) => claimsOf(record, fields));
  const outcomes: Outcome[] = [];
  for (const { id, sha256, notes } of sources) {
    const label = `${name} ${id}`;
    const [file, rule] = [raw.get(sha256), RULES[name]];
    if (!file) outcomes.push(failed(label, `no file with sha256 ${sha256}`));
    else if (!rule) outcomes.push(failed(label, `no rule for dataset ${name}`));
    else {
      const sheets = await file.sheets();
      const { status, valueColumn = '' } = rule;
      const opened = { sheets, lines: sheets.length > 0 ? [] : file.lines(), fields, valueColumn };
      const own = claims.filter(({ source }) => source === id);
      const tables = notes.flatMap((note) => raw.get(/sha256 ([0-9a-f]{64})/.exec(note)?.[1] ?? '') ?? []);
      const read = rule.read(
        opened,
        tables.map((table) => table.lines()),
      );
      outcomes.push(compare(label, own, read, { opened, status, draw }));
    }
  }
  const strays = claims.filter(({ source }) => !sources.some(({ id }) => id === source));
  const unknown = [...new Set(strays.map(({ source }) => source))].join(', ');
  if (strays.length > 0)
    outcomes[0]?.mismatches.push(`${strays.length} records of sources that are not described: ${unknown}`);
  return outcomes;
}

function designations(descriptor: Descriptor, published: Json[], raw: Map<string, RawFile>): Outcome {
  const [sdn, add, withdrawn] = descriptor.sources.map(({ sha256 }) => raw.get(sha256)?.lines());
  if (!sdn || !add || !withdrawn) return failed(descriptor.name, 'one of the three files is missing');
  const { withheldAfterWithdrawal: withheld = 0, programs = [] } = descriptor;
  const lists = { sdn, add, withdrawn };
  return auditDesignations(`${descriptor.name} ofac`, { records: published, withheld, programs }, lists);
}

function failed(source: string, mismatch: string): Outcome {
  return { source, api: countsOf([]), reread: countsOf([]), cells: 0, mismatches: [mismatch] };
}

const SHOWN = 5;

/** One line per source: each count once where both sides agree, `published/read again` where not; then what differs. */
export function report(outcomes: Outcome[]): string {
  const lines = outcomes.map(({ source, api, reread, cells, mismatches }) => [
    source,
    ...COUNTS.map((name) => (api[name] === reread[name] ? `${api[name]}` : `${api[name]}/${reread[name]}`)),
    `${cells}`,
    `${mismatches.length}`,
  ]);
  const different = outcomes.flatMap(({ mismatches }) => mismatches).length;
  const cells = outcomes.reduce((sum, one) => sum + one.cells, 0);
  return [
    ...aligned([['source', ...COUNTS, 'cells', 'mismatches'], ...lines]),
    ...outcomes.flatMap(({ source, mismatches }) => [
      ...mismatches.slice(0, SHOWN).map((mismatch) => `  ${source}: ${mismatch}`),
      ...(mismatches.length > SHOWN ? [`  ${source}: and ${mismatches.length - SHOWN} more`] : []),
    ]),
    `${outcomes.length} sources, ${cells} cells, ${different === 0 ? 'no mismatch' : `${different} mismatches`}.`,
  ].join('\n');
}

function aligned(table: string[][]): string[] {
  const width = (at: number): number => Math.max(...table.map((cells) => (cells[at] ?? '').length));
  return table.map((cells) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(width(at)) : cell.padStart(width(at)))).join('  '),
  );
}
