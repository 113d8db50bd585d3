/**
 * What an importer states besides code: a YAML file per family next to its importer, checked against family.schema.json when
 * it is read, and the sources and descriptors made from it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { validator } from '../../shim/core/schema.ts';
import type {
  AtlasDescriptor,
  Geography,
  Indicator,
  ObservationRow,
  ObservationsDescriptor,
  Source,
} from '../lib/dataset.ts';
import familySchema from './family.schema.json' with { type: 'json' };
import {
  newAudit,
  onlyFile,
  type Audit,
  type Importer,
  type ImportOptions,
  type SourceFile,
} from './importer.ts';
import { countUnavailable, newGeographies, type Geographies } from './observations.ts';

/** A source of a family, whatever the copy. */
export interface SourceFacts extends Omit<Source, 'dated' | 'retrievedAt' | 'sha256' | 'bytes'> {
  /** The copies on record, by sha256: the date of the edition, on which the copy was obtained as well. */
  copies: Record<string, string>;
  /** What to say of a copy that is not on record, where its edition cannot be known. */
  otherCopies?: Pick<Source, 'id' | 'title' | 'url' | 'path'>;
}

/**
 * An indicator; `printed`, `sheet`, `unit` and `says` are what the publisher's file prints for it. Two editions whose values
 * differ by less than `tolerance` print the same value.
 */
export interface IndicatorFacts extends Omit<Indicator, 'sourceId'> {
  printed?: string;
  sheet?: string;
  unit?: string;
  tolerance?: number;
  says?: string;
}

type AtlasFacts = Pick<AtlasDescriptor, 'domain' | 'unit' | 'rights' | 'caveats'>;

/** The texts of a dataset; those of an atlas with its fields, the place of each and its printed name. */
export interface DatasetFacts extends Pick<Source, 'title'>, Partial<AtlasFacts> {
  description: string;
  limitations: string[];
  programs?: string[];
  fields?: Record<string, string>;
}

/** The content of a family's YAML file; family.schema.json says what each part is. */
export interface Family extends Pick<Importer, 'name' | 'summary' | 'files'> {
  sources: Record<string, SourceFacts>;
  datasets: Record<string, DatasetFacts>;
  indicators: IndicatorFacts[];
  countries: string[];
  series: Record<string, string>;
  origins: Record<string, string>;
  borrowed: { evidence: string; notes: string[] };
  spellings: Record<string, string[]>;
  since: Record<string, number>;
  aggregates: Record<string, Geography>;
  concepts: { says: string; category: string }[];
}

const TABLES = {
  series: {},
  origins: {},
  borrowed: { evidence: '', notes: [] },
  spellings: {},
  since: {},
  aggregates: {},
};
const NONE = { ...TABLES, indicators: [], countries: [], concepts: [] };

/** Reads `<name>.yaml`. */
export function readFamily(name: string): Family {
  const text = readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8');
  return familyIn(text, `build/import/${name}.yaml`);
}

/** Reads the text of a YAML file; throws an error that names the file and each place in it that is wrong. */
export function familyIn(text: string, file: string): Family {
  const document = parseDocument(text);
  const [broken] = document.errors;
  if (broken) throw new Error(`${file}: ${broken.message}`);
  const found: unknown = document.toJS();
  const faults = validator(familySchema)(found) ?? [];
  const lines = faults.map(({ instancePath, message }) => `${file}: ${instancePath || '/'} ${message}`);
  if (lines.length > 0) throw new Error(lines.join('\n'));
  return { ...NONE, ...(found as Partial<Family>) } as Family;
}

let allFamilies: Family[] | undefined;

/** The families there are, one YAML file each; they are read once. */
export function readFamilies(): Family[] {
  allFamilies ??= readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => readFamily(name.slice(0, -'.yaml'.length)));
  return allFamilies;
}

/** The date of the newest copy on record: no machine whose clock is right can be before it. */
export function newestCopy(families: readonly Family[]): string {
  const sources = families.flatMap((family) => Object.values(family.sources));
  return (
    sources
      .flatMap(({ copies }) => Object.values(copies))
      .sort()
      .at(-1) ?? ''
  );
}

/** The note of a copy that is not on record. */
export const UNKNOWN_EDITION =
  'Edition and file address of this copy are not on record; its date is the date of retrieval.';

/** Completes a source with the file's own facts: hash, size, and its dates (of the record, or as the operator states). */
export function describeSource(
  facts: SourceFacts | undefined,
  file: SourceFile,
  options: ImportOptions,
): Source {
  if (!facts) throw new Error(`${file.name}: its source is missing in the YAML file of the importer.`);
  const { copies, otherCopies, ...known } = facts;
  const dated = copies[file.sha256];
  const other = dated === undefined ? otherCopies : undefined;
  const { id, title, publisher, url, path, license, licenseUrl, rights, cadence, notes, refresh } = {
    ...known,
    ...other,
  };
  const first = { id, title, publisher, url, path, license, licenseUrl, rights };
  const date = dated ?? options.edition ?? options.retrieved;
  const copy = { sha256: file.sha256, bytes: file.bytes.length };
  const allNotes = other ? [...notes, UNKNOWN_EDITION] : notes;
  const checked = refresh === undefined ? {} : { refresh };
  return { ...first, dated: date, retrievedAt: date, cadence, ...copy, notes: allNotes, ...checked };
}

/** A text of a source that stands for many series, with the code of one of them. */
export function forSeries(text: string, series: string): string {
  return text.replace('{series}', series).replace('{SERIES}', series.toUpperCase());
}

/** The texts of a dataset. */
export function factsOf({ name, datasets }: Family, id: string): DatasetFacts {
  const facts = datasets[id];
  if (!facts) throw new Error(`build/import/${name}.yaml: dataset ${id} is missing.`);
  return facts;
}

/** The indicators of a family that have rows. */
export function usedIndicators(
  { indicators }: Family,
  rows: ObservationRow[],
  sourceId: string,
): Indicator[] {
  const used = new Set(rows.map(({ indicatorId }) => indicatorId));
  return indicators
    .filter(({ id }) => used.has(id))
    .map(({ id, market, label, measureType, description, limitations }) => {
      const texts = { market, label, measureType, description, limitations };
      return { id, sourceId, ...texts };
    });
}

/** The descriptor of a dataset of observations. */
export function observationsDescriptor(
  family: Family,
  name: string,
  parts: Pick<ObservationsDescriptor, 'sources' | 'geographies' | 'indicators'>,
): ObservationsDescriptor {
  const { title, description, limitations } = factsOf(family, name);
  const { sources, geographies, indicators } = parts;
  return { kind: 'observations', name, title, description, sources, limitations, geographies, indicators };
}

/** The descriptor of an atlas. */
export function atlasDescriptor(family: Family, name: string, sources: Source[]): AtlasDescriptor {
  const { domain, title, description, limitations, unit, rights, caveats, fields } = factsOf(family, name);
  if (!domain || !unit || !rights || !caveats || !fields)
    throw new Error(
      `build/import/${family.name}.yaml: ${name} needs domain, unit, rights, caveats and fields.`,
    );
  const described = { name, kind: 'atlas', domain, title, description, sources, limitations } as const;
  const labelled = Object.entries(fields).map(([path, label]) => ({ path, label }));
  return { ...described, unit, rights, caveats, fields: labelled };
}

/** What the list of importers says of a family. */
export function describeImporter({ name, summary, files, datasets }: Family): Omit<Importer, 'read'> {
  return { name, summary, files, datasets: Object.keys(datasets) };
}

/** What an importer of one file and one dataset of observations reads with. */
export interface Reading {
  family: Family;
  file: SourceFile;
  source: Source;
  geographies: Geographies;
  audit: Audit;
}

/** An importer that reads one file, `takes` in words, into one dataset of observations. */
export function observationsImporter(
  family: Family,
  takes: string,
  readRows: (reading: Reading) => ObservationRow[] | { rows: ObservationRow[]; indicators: Indicator[] },
): Importer {
  const about = describeImporter(family);
  const [dataset = ''] = about.datasets;
  return {
    ...about,
    read(files, options) {
      const file = onlyFile(family.name, files, takes);
      const source = describeSource(family.sources['table'], file, options);
      const audit = newAudit();
      const geographies = newGeographies(audit);
      const found = readRows({ family, file, source, geographies, audit });
      const rows = Array.isArray(found) ? found : found.rows;
      const indicators = Array.isArray(found) ? usedIndicators(family, rows, source.id) : found.indicators;
      countUnavailable(rows, audit);
      const parts = { sources: [source], geographies: geographies.list(), indicators };
      const descriptor = observationsDescriptor(family, dataset, parts);
      return [{ dataset: { kind: 'observations', descriptor, rows }, audit }];
    },
  };
}
