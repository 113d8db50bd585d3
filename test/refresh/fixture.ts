/** One table of a stand-in publisher, its address on the stand-in, and the refresh of its family. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, type Ran } from '../_support/command-line.ts';
import { file, startPublisher, type Publisher } from '../_support/publisher.ts';
import { temporaryFolder } from '../_support/tree.ts';

export const FAMILY = 'informal-employment';
/** Path and query of the table, as build/import/informal-employment.yaml has it. */
export const PATH = '/data/indicator/?id=EMP_NIFL_SEX_RT_A&type=label&format=.csv';

/** The headings of the table. */
export const HEAD =
  '"ref_area.label","source.label","indicator.label","sex.label","time","obs_value","obs_status.label","note_indicator.label","note_source.label"';
export const AREAS = [
  'Angola',
  'Brazil',
  'Chile',
  'Egypt',
  'France',
  'Ghana',
  'India',
  'Kenya',
  'Mexico',
  'Peru',
];

/** What a table of the publisher holds; by default 10 areas in 5 years. */
export interface Table {
  areas?: string[];
  years?: number[];
  head?: string;
  value?: (area: number, year: number) => number | string;
}

/** The table as the publisher sends it. */
export function table({
  areas = AREAS,
  years = [2018, 2019, 2020, 2021, 2022],
  head = HEAD,
  value,
}: Table = {}): string {
  const valueOf = value ?? ((area: number, year: number) => 10 + area + (year % 10) / 10);
  const rows = areas.flatMap((area) =>
    years.map(
      (year) =>
        `"${area}","LFS - Labour Force Survey","Informal employment rate by sex (%)","Sex: Total","${year}",${valueOf(AREAS.indexOf(area), year)},,,`,
    ),
  );
  return `${[head, ...rows].join('\r\n')}\r\n`;
}

/** A publisher's response with the table, last changed on a day of 2024. */
export const sent = (text: string, day: string, headers: Record<string, string> = {}) =>
  file(text, { 'last-modified': new Date(`2024-${day}T12:00:00Z`).toUTCString(), ...headers });

export interface Refreshing {
  publisher: Publisher;
  datasets: string;
  cache: string;
  /** Runs `npm run refresh -- informal-employment` with further words. */
  refresh(...words: string[]): Promise<Ran & { lines: string[] }>;
  /** Every file of the datasets with its content. */
  files(): Record<string, string>;
  /** Names of the editions. */
  editions(): string[];
}

/** Datasets with one edition of the table, 2024-01-10, which the publisher still sends. */
export async function refreshing(): Promise<Refreshing> {
  const publisher = await startPublisher();
  const folder = temporaryFolder();
  const datasets = join(folder, 'datasets');
  const cache = join(folder, 'cache');
  mkdirSync(datasets);
  const folders = { '--datasets': datasets, '--cache': cache };
  const started: Refreshing = {
    publisher,
    datasets,
    cache,
    async refresh(...more) {
      // A flag is given once.
      const own = Object.entries(folders).filter(([flag]) => !more.includes(flag));
      const base = `${FAMILY}=${publisher.origin}`;
      const ran = await run(['refresh', FAMILY, ...own.flat(), '--base', base, ...more]);
      return { ...ran, lines: ran.stdout.trim().split('\n') };
    },
    files: () =>
      Object.fromEntries(
        readdirSync(datasets, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
          .map((path) => [path.slice(datasets.length + 1), readFileSync(path, 'utf8')]),
      ),
    editions: () => {
      const place = join(datasets, FAMILY);
      const found = existsSync(place) ? readdirSync(place, { withFileTypes: true }) : [];
      return found.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
    },
  };
  publisher.on(PATH, sent(table(), '01-10', { etag: '"one"' }));
  await started.refresh('--apply');
  return started;
}
