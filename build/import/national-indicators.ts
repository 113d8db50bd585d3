/** World Development Indicators: national context of China, Myanmar and Pakistan, one source and one indicator per series. */
import { byCodeUnits, type Indicator, type ObservationRow, type Source } from '../lib/dataset.ts';
import { describeImporter, describeSource, observationsDescriptor } from './family.ts';
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
import {
  NATIONAL,
  readWdiFile,
  readWdiPackage,
  type WdiFile,
  type WdiPackage,
  type WdiSeries,
} from './wdi-file.ts';

/** Imports any of the known series as `national-indicators`, all files given at once. */
export const nationalIndicators: Importer = {
  ...describeImporter(NATIONAL),
  read(files, options) {
    const audit = newAudit();
    const geographies = newGeographies();
    const read = readAll(files, audit).sort((a, b) => byCodeUnits(a.found.series.id, b.found.series.id));
    if (read.length === 0)
      throw new Refusal('national-indicators', 'the files', 'one CSV file or more', 'none');
    for (const [index, { file, found }] of read.entries())
      if (read[index - 1]?.found.series.id === found.series.id)
        throw new Refusal(file.name, 'the file', 'each series once', shown(found.series.id));
    const rows = read.flatMap(({ found }) => rowsOf(found, geographies));
    const descriptor = observationsDescriptor(NATIONAL, 'national-indicators', {
      sources: read.map(({ file, found }) => sourceOf(file, found, options)),
      geographies: geographies.list(),
      indicators: read.map(({ found }) => indicatorOf(found.series)),
    });
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
    .map((file) => ({ file, found: readWdiFile(file, packages.get(folderOf(file)) ?? null, audit) }));
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
  const filled = (text: string): string =>
    text
      .replace('{series}', series.id)
      .replace('{SERIES}', series.id.toUpperCase())
      .replace('{title}', series.title);
  const described = describeSource(NATIONAL.sources['table'], file, options);
  const { id, title, url, path, dated } = described;
  const origin = NATIONAL.origins[series.id];
  return {
    ...described,
    id: filled(id),
    title: filled(title),
    url: filled(url),
    path: filled(path),
    dated: updated ?? dated,
    notes: origin === undefined ? [] : [`The World Bank takes this series from ${origin}.`],
  };
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
