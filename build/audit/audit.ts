/** The audit of every source: descriptors name the files, rules read them again, and the API is held to the result. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimsOf, object, type Json, type ReadRecords } from './api.ts';
import { compare, countsOf, type Draw, type Outcome } from './compare.ts';
import { auditDesignations } from './designations.ts';
import type { RawFile } from './raw-files.ts';
import type { Field } from './reread-atlas.ts';
import { RULES } from './rules.ts';

interface Descriptor {
  name: string;
  kind: string;
  domain?: string;
  sources: { id: string; sha256: string; notes: string[] }[];
  fields?: Field[];
  programs?: string[];
  withheldAfterWithdrawal?: number;
}

/** What an audit is given. */
export interface AuditInput {
  /** Folder of the packaged datasets, whose descriptors name every raw file by sha256. */
  datasets: string;
  raw: Map<string, RawFile>;
  records: ReadRecords;
  draw: Draw;
}

/** One outcome a source, in the order of the datasets; a source without its raw file or without a rule is a mismatch. */
export async function auditSources({ datasets, raw, records, draw }: AuditInput): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const name of readdirSync(datasets).toSorted()) {
    const path = join(datasets, name, 'datapackage.json');
    if (!existsSync(path)) continue;
    const descriptor: Descriptor = JSON.parse(readFileSync(path, 'utf8'));
    const published = await records(descriptor);
    if (descriptor.kind === 'entities') outcomes.push(designationsOutcome(descriptor, published, raw));
    else outcomes.push(...sourceOutcomes(descriptor, published, raw, draw));
  }
  return outcomes;
}

function sourceOutcomes(
  descriptor: Descriptor,
  published: Json[],
  raw: Map<string, RawFile>,
  draw: Draw,
): Outcome[] {
  const fields = descriptor.fields ?? [];
  const claims = published.flatMap((record) => claimsOf(descriptor.name, record, fields));
  const rule = RULES[descriptor.name];
  const known = new Set(descriptor.sources.map(({ id }) => id));
  const strays = claims.filter(({ source }) => !known.has(source)).map(({ source }) => source);
  return descriptor.sources.map((source, at) => {
    const own = claims.filter((claim) => claim.source === source.id);
    const label = `${descriptor.name} ${source.id}`;
    const file = raw.get(source.sha256);
    if (!file) return failed(label, `no file with sha256 ${source.sha256}`);
    if (!rule) return failed(label, `no rule for dataset ${descriptor.name}`);
    const notes = source.notes.flatMap(
      (note) => raw.get(/sha256 ([0-9a-f]{64})/.exec(note)?.[1] ?? '') ?? [],
    );
    const outcome = compare(label, own, rule.read(file, { fields, notes }), { file, fields, rule, draw });
    if (at === 0 && strays.length > 0)
      outcome.mismatches.push(
        `${strays.length} records of sources that are not described: ${[...new Set(strays)].join(', ')}`,
      );
    return outcome;
  });
}

function designationsOutcome(descriptor: Descriptor, published: Json[], raw: Map<string, RawFile>): Outcome {
  const [sdn, add, withdrawn] = descriptor.sources.map(({ sha256 }) => raw.get(sha256));
  if (!sdn || !add || !withdrawn) return failed(descriptor.name, 'one of the three files is missing');
  const { withheldAfterWithdrawal = 0, programs = [] } = descriptor;
  const files = { sdn, add, withdrawn };
  return auditDesignations(
    `${descriptor.name} ofac`,
    published.map(object),
    withheldAfterWithdrawal,
    programs,
    files,
  );
}

function failed(source: string, mismatch: string): Outcome {
  return { source, api: countsOf([], []), reread: countsOf([], []), cells: 0, mismatches: [mismatch] };
}
