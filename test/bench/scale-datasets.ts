/**
 * Writes folders of datasets with generated records that the build takes for packaged ones: descriptor, rows and list of labels,
 * edition by edition, row by row. The words of the descriptors are those of the packaged datasets; the records mean nothing.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import countries from 'i18n-iso-countries';
import { csvText } from '../../shim/core/csv.ts';
import type { Indicator, ObservationRow, ObservationsDescriptor, Written } from '../../build/lib/dataset.ts';
import { orderedColumns, licensesOf, resourcesOf } from '../../build/lib/package.ts';
import { termCounter, VOCABULARY, vocabularyText, type Term } from '../../build/lib/vocabulary.ts';
import { DATASET_ROWS, GEOS, observationRows } from './scale-records.ts';

/** Datasets whose words are used, in this order. */
const NAMES = ['arms', 'border-drug-seizures', 'drug-prices', 'drug-seizures'];

/** The month of the newest edition; each edition before it is a month older. */
const NEWEST = '2026-06';

const CHUNK_ROWS = 5000;

/** What is generated; without a number of datasets, as many as so many records are published in. */
interface ScaleSize {
  rows: number;
  editions: number;
  datasets?: number;
}

/** So many editions are taken by the build: the texts of the descriptors name no year that the oldest of them is too old for. */
export const MOST_EDITIONS = 36;

/** Writes datasets of `rows` records in all, spread over so many editions; `progress` hears of every finished edition. */
export async function writeScaleDatasets(
  root: string,
  { rows, editions, datasets = Math.ceil(rows / DATASET_ROWS) }: ScaleSize,
  progress: (line: string) => void,
): Promise<void> {
  const count = Math.min(NAMES.length, datasets);
  for (const [at, name] of NAMES.slice(0, count).entries()) {
    const terms: Term[] = [];
    for (let edition = 0; edition < editions; edition += 1) {
      const dated = monthBefore(NEWEST, editions - 1 - edition);
      const part = partOf(rows, count * editions, at * editions + edition);
      terms.push(...(await writeEdition(join(root, name, dated), name, dated, part)));
      progress(`${name} ${dated}: ${part} records written`);
    }
    writeFileSync(join(root, name, VOCABULARY), vocabularyText(terms));
  }
}

async function writeEdition(folder: string, name: string, dated: string, rows: number): Promise<Term[]> {
  const packaged = packagedDescriptor(name);
  const [first] = packaged.indicators;
  if (!first) throw new Error(`${name} has no indicator`);
  const indicators = new Map<string, Indicator>();
  const indicatorOf = (number: number): Indicator => {
    const like = packaged.indicators[number % packaged.indicators.length] ?? first;
    const id = `${name}-${String(number).padStart(4, '0')}`;
    const known = indicators.get(id) ?? { ...like, id };
    indicators.set(id, known);
    return known;
  };
  const described = (): ObservationsDescriptor => ({
    ...packaged,
    sources: packaged.sources.map((source) => ({ ...source, dated, retrievedAt: dated })),
    geographies: GEOS.map((code) => ({
      code,
      name: countries.getName(code, 'en') ?? code,
      level: 'country',
    })),
    indicators: [...indicators.values()],
  });
  const columns = orderedColumns(packaged).map((column) => column.name);
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, 'records.csv'), 'w');
  const write = (lines: string[][]): void => {
    const bytes = Buffer.from(csvText(lines), 'utf8');
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
  };
  write([columns]);
  let waiting: string[][] = [];
  const counter = termCounter({ ...described(), indicators: [] });
  for (const row of observationRows(rows, dated, indicatorOf)) {
    counter.row(row, 0);
    waiting.push(columns.map((column) => String(row[column as keyof ObservationRow] ?? '')));
    if (waiting.length < CHUNK_ROWS) continue;
    write(waiting);
    waiting = [];
    // A signal is heard between these.
    await setImmediate();
  }
  write(waiting);
  closeSync(file);
  const descriptor = described();
  const made = { licenses: licensesOf(descriptor), resources: resourcesOf(descriptor) };
  writeFileSync(join(folder, 'datapackage.json'), JSON.stringify({ ...descriptor, ...made }, null, 2));
  const used = counter.finish().rows.map(({ term }) => term);
  return [...used, ...termCounter(descriptor).finish().descriptor];
}

/** The descriptor of the oldest edition of a packaged dataset. */
function packagedDescriptor(name: string): ObservationsDescriptor & Written {
  const editions = readdirSync(join('datasets', name), { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map((one) => one.name)
    .sort();
  const file = join('datasets', name, editions[0] ?? '', 'datapackage.json');
  return JSON.parse(readFileSync(file, 'utf8')) as ObservationsDescriptor & Written;
}

function monthBefore(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const months = year * 12 + number - 1 - count;
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** The size of one of `parts` equal parts, which add up to the whole. */
function partOf(whole: number, parts: number, part: number): number {
  return Math.floor((whole * (part + 1)) / parts) - Math.floor((whole * part) / parts);
}
