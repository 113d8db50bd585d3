/** The gates by themselves: one packaged dataset, changed in memory, read and checked as the build does. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { checkDatasets } from '../../build/check/check.ts';
import { readCsv } from '../../build/lib/csv.ts';
import { csvText } from '../../shim/core/csv.ts';
import type { Finding } from '../../build/lib/findings.ts';
import { loadDatasets } from '../../build/load/datasets.ts';

type Member = 'datapackage.json' | 'records.csv' | 'vocabulary.csv' | 'accepted.csv';
type Change = (text: string) => string | Buffer;

/** Findings over the current edition of one dataset after changes to its files, on a day. */
export function findingsOf(
  id: string,
  changes: Partial<Record<Member, Change>> = {},
  today = '2026-11-22',
): Finding[] {
  const read = (path: string): Buffer | null => {
    const bytes = existsSync(path) ? readFileSync(path) : null;
    const change = changes[path.split('/').at(-1) as Member];
    return change ? Buffer.from(change(String(bytes ?? ''))) : bytes;
  };
  const { datasets, findings } = loadDatasets('datasets', {
    read,
    folders: (path) =>
      path === 'datasets'
        ? [id]
        : readdirSync(path)
            .filter((name) => /^\d{4}-/.test(name))
            .slice(-1),
  });
  return [...findings, ...checkDatasets(datasets, today)];
}

/** Writes cells of the first row, by column name. */
export function firstRow(cells: Record<string, string>): Change {
  return (text) => {
    const [header = [], first = [], ...rest] = readCsv(Buffer.from(text)).map((record) => record.cells);
    const changed = header.map((name, position) => cells[name] ?? first[position] ?? '');
    return csvText([header, changed, ...rest]);
  };
}

/** A descriptor with what the gates' tests change in it. */
export interface LooseDescriptor {
  [member: string]: unknown;
  title: string;
  description: string;
  limitations: string[];
  sources: Record<string, unknown>[];
  geographies: Record<string, string>[];
  indicators: { label: string; description: string; limitations: string[] }[];
  resources: { schema: { fields: { name: string }[] } }[];
}

/** Changes a descriptor in place. */
export function descriptor(change: (value: LooseDescriptor) => void): Change {
  return (text) => {
    const value = JSON.parse(text) as LooseDescriptor;
    change(value);
    return JSON.stringify(value);
  };
}

/** The rules that found something, each once. */
export function rulesOf(findings: Finding[]): string[] {
  return [...new Set(findings.map(({ rule }) => rule))];
}
