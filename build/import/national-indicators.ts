/** World Development Indicators: national context of China, Myanmar and Pakistan, one source and one indicator per series. */
import { byCodeUnits, type Indicator, type ObservationRow, type Source } from '../lib/dataset.ts';
import { newAudit, type Audit, type Importer, type ImportOptions, type SourceFile } from './importer.ts';
import { newGeographies, observation, type Geographies } from './observations.ts';
import { Refusal, shown } from './refusal.ts';
import { CC_BY, describeSource } from './sources.ts';
import { readWdiFile, readWdiPackage, type WdiFile, type WdiPackage } from './wdi-file.ts';
import { WDI_SERIES, type WdiSeries } from './wdi-series.ts';

/** The countries in scope, by ISO alpha-3 code. */
export const NATIONAL_COUNTRIES = ['CHN', 'MMR', 'PAK'] as const;

const COPIES: Record<string, string> = {
  ...Object.fromEntries(WDI_SERIES.map(({ copy }) => [copy, '2026-07-01'])),
  '8e23eb0103022450c253df44236aa7cedd5c0f524c2d18233106a68aeae87f52': '2024-06-28',
};

/** Organizations the World Bank takes a series from, where their terms matter besides CC BY 4.0. */
const ORIGINS: Record<string, string> = { 'is.shp.good.tu': 'UNCTAD', 'vc.ihr.psrc.p5': 'UNODC' };

const LIMITATIONS = [
  'Only published values are records: a year of a country that is absent from a series is not in the source, and is not zero.',
  'Long-form copies print no date of their own; the day of retrieval stands for it.',
  'Context only: these figures say nothing about any illicit market.',
];

/** Imports any of the known series as `national-indicators`, all files given at once. */
export const nationalIndicators: Importer = {
  name: 'national-indicators',
  summary: 'World Development Indicators of China, Myanmar and Pakistan',
  datasets: ['national-indicators'],
  files: '<series>/data.csv with or without <series>/datapackage.json, or API_<SERIES>_*.csv',
  read(files, options) {
    const audit = newAudit();
    const geographies = newGeographies();
    const read = readAll(files, audit).sort((a, b) => byCodeUnits(a.found.series.id, b.found.series.id));
    if (read.length === 0)
      throw new Refusal('national-indicators', 'the files', 'one CSV file or more', 'none');
    for (const [index, { file, found }] of read.entries())
      if (read[index - 1]?.found.series === found.series)
        throw new Refusal(file.name, 'the file', 'each series once', shown(found.series.id));
    const rows = read.flatMap(({ found }) => rowsOf(found, geographies));
    return [
      {
        dataset: {
          kind: 'observations',
          descriptor: {
            kind: 'observations',
            name: 'national-indicators',
            title: 'National indicators',
            description:
              'World Development Indicators of China, Myanmar and Pakistan, one indicator a series.',
            sources: read.map(({ file, found }) => sourceOf(file, found, options)),
            limitations: LIMITATIONS,
            geographies: geographies.list(),
            indicators: read.map(({ found }) => indicatorOf(found.series)),
          },
          rows,
        },
        audit,
      },
    ];
  },
};

/** The CSV files with what they hold, each with the datapackage.json of its folder if one is given. */
function readAll(files: SourceFile[], audit: Audit): { file: SourceFile; found: WdiFile }[] {
  const packages = new Map<string, WdiPackage>();
  for (const file of files) {
    if (baseOf(file) !== 'datapackage.json') continue;
    if (packages.has(folderOf(file)))
      throw new Refusal(file.name, 'the file', 'one datapackage.json per folder', 'a second one');
    packages.set(folderOf(file), readWdiPackage(file));
  }
  return files
    .filter((file) => baseOf(file) !== 'datapackage.json')
    .map((file) => ({
      file,
      found: readWdiFile(file, packages.get(folderOf(file)) ?? null, NATIONAL_COUNTRIES, audit),
    }));
}

function baseOf({ name }: SourceFile): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function folderOf({ name }: SourceFile): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}

function sourceIdOf({ id }: WdiSeries): string {
  return `wdi-${id}`;
}

function sourceOf(file: SourceFile, { series, updated }: WdiFile, options: ImportOptions): Source {
  const page = `https://data.worldbank.org/indicator/${series.id.toUpperCase()}`;
  const origin = ORIGINS[series.id];
  const facts = {
    ...CC_BY,
    id: sourceIdOf(series),
    title: `World Development Indicators: ${series.title}`,
    publisher: 'World Bank',
    url: page,
    path: page,
    cadence: 'P1Y',
    notes: origin === undefined ? [] : [`The World Bank takes this series from ${origin}.`],
    copies: COPIES,
  };
  const source = describeSource(facts, file, options);
  return { ...source, dated: updated ?? source.dated };
}

function indicatorOf(series: WdiSeries): Indicator {
  return {
    id: series.id,
    sourceId: sourceIdOf(series),
    market: 'context',
    label: series.title,
    measureType: 'official_statistic',
    description: `${series.id.toUpperCase()}.`,
    limitations: [],
  };
}

function rowsOf({ series, values }: WdiFile, geographies: Geographies): ObservationRow[] {
  return values.map(({ code, name, year, value, locator }) =>
    observation({
      indicatorId: series.id,
      geoCode: geographies.coded(code, name),
      period: year,
      value,
      unit: unitOf(series),
      status: 'reported',
      sourceId: sourceIdOf(series),
      sourceLocator: locator,
    }),
  );
}

/** As printed in the last parentheses of the title; `people` where it prints none. */
function unitOf({ title }: WdiSeries): string {
  return /\(([^()]*)\)$/.exec(title)?.[1] ?? 'people';
}
