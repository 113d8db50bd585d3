/** World Development Indicators: national context of China, Myanmar and Pakistan, one source and one indicator per series. */
import {
  byCodeUnits,
  type Indicator,
  type ObservationRow,
  type ObservationsDescriptor,
  type Source,
} from '../lib/dataset.ts';
import {
  newAudit,
  Refusal,
  shown,
  type Audit,
  type Importer,
  type ImportOptions,
  type SourceFile,
} from './importer.ts';
import { newGeographies, observation, type Geographies } from './observations.ts';
import { CC_BY, describeSource } from './sources.ts';
import { readWdiFile, readWdiPackage, type WdiFile, type WdiPackage, type WdiSeries } from './wdi-file.ts';

/** The countries in scope, by ISO alpha-3 code. */
export const NATIONAL_COUNTRIES = ['CHN', 'MMR', 'PAK'] as const;

/** The long-form copies retrieved on 2026-07-01, in the order of the series. */
export const WDI_COPIES = [
  '72318616167aba0139a59a0bca9f52e0c65ece60885352b8d6a4f0c8da6fe6bc',
  '9c90839988c376cdd22ae213f3044cca18a325c18c4e7f2daa1fb6b2cd6cee56',
  '22d64e509c9a69d31d0d82e889f2ce46dab79ebc395ccaf0349799656ebb737c',
  '7b8d86578f44692ae291a3d2074d116af2de57a8802629c9bd7004ea7a0242d7',
  'cbb56c294700970a369ebb3be5b4321b242a79bf39caa3988b31239fd64a8ce3',
  '2411e765cc3ab8bede5f0adc6b5726ecb04cf56a40f9f2d795b895f570d327e0',
  '64f4e3559a5776fa46ce4741ddc7224835fd449b1319923f4e9c51c770655223',
  '6fca62c2568c5876ba35ae7a49bca516d1cb0b09d8640060b8360b57063780f1',
  '6c3c4dcbbe6d2a0fada0d38acd24fad17e45288b36a7f78419eb73eb7124568a',
  '8ebb0c3e09d4bcc28481e663c289ed3330a6b6d4fe4534d121fe0108c4aa36b4',
  '82113415febb0b32411c86a17940fd857970a2b5f369d724c5529432f526bc34',
  '65f9ee19a1c97f0494053b33ec7ac70ade56af5565689809d9862a631ea399b7',
  'f488630ac53a04503f6c4164bd2737d18f7ac7fdecb07dc56042b0e1adc11cf7',
  '5468bc4339dd2ea3e677adea1319b40b98640d9c5997b43961196e726bcf3e8a',
  '77c7f7b01151f21558ad08df402f865b4469aafbd00c6907f0586caec8f5900e',
  'cd7856b882884a41b3473cf74e8c85eb58d7d663d818a07e03f42ebdfb2c6b34',
  '46a3a905a1da917d2a817f21464f606394ae350726ceb4e40c7e84e67b642669',
  'cc4dc88950c1b30a348ffbc764c34d18c629f2564182d22e2173c3d61e5492d7',
  'c64c07cf3000a19495cc2e4e4a89e24696a97aebdab884b2def426f688b4f7af',
  '007e93a4b80664ae02deaf70f753e20f3707e7fc285522e12840e519962c033d',
];

const COPIES: Record<string, string> = {
  ...Object.fromEntries(WDI_COPIES.map((copy) => [copy, '2026-07-01'])),
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
    const descriptor: ObservationsDescriptor = {
      kind: 'observations',
      name: 'national-indicators',
      title: 'National indicators',
      description: 'World Development Indicators of China, Myanmar and Pakistan, one indicator a series.',
      sources: read.map(({ file, found }) => sourceOf(file, found, options)),
      limitations: LIMITATIONS,
      geographies: geographies.list(),
      indicators: read.map(({ found }) => indicatorOf(found.series)),
    };
    return [{ dataset: { kind: 'observations', descriptor, rows }, audit }];
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
