/**
 * What an importer states outside of its code: a YAML file per family next to its importer, checked against family.schema.json when
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
import { foldSpace } from '../lib/text.ts';
import familySchema from './family.schema.json' with { type: 'json' };
import type { Importer } from './importer.ts';

/** A source of a family. Its facts hold for every edition, unless an edition on record has its own. */
export interface SourceFacts extends Omit<Source, 'dated' | 'retrievedAt' | 'sha256' | 'bytes'> {
  /** The editions on record, by the publisher's date. */
  editions: Record<string, EditionFacts>;
  /** How a file prints its date above its table, or has it in its name: regular expressions with the groups year, month and day. */
  dates?: { cell?: string[]; name?: string };
}

/** What is known of one edition. */
export interface EditionFacts extends Partial<Pick<Source, 'id' | 'title' | 'url' | 'path'>> {
  /** A title that only this edition prints above its table, as a regular expression. */
  says?: string;
  /** Further notes on this edition. */
  notes?: string[];
  /** The sha256 of the copies on record. They were obtained on the day of the edition. */
  copies?: string[];
}

/** An indicator; `printed`, `sheet`, `unit` and `says` are what the publisher's file prints for it. */
export interface IndicatorFacts extends Omit<Indicator, 'sourceId'> {
  printed?: string;
  sheet?: string;
  unit?: string;
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

/** A column to find: its key in the result and the spellings that mean it (compared folded, case-insensitive). */
export type Columns<K extends string> = Record<K, readonly string[]>;

/** The content of a family's YAML file; family.schema.json says what each part is. */
export interface Family extends Pick<Importer, 'name' | 'summary' | 'files'> {
  sources: Record<string, SourceFacts>;
  datasets: Record<string, DatasetFacts>;
  indicators: IndicatorFacts[];
  countries: string[];
  /** The publisher's own codes that stand for no country. */
  regions: string[];
  series: Record<string, string>;
  origins: Record<string, string>;
  borrowed: { evidence: string; notes: string[] };
  spellings: Record<string, string[]>;
  since: Record<string, number>;
  aggregates: Record<string, Geography>;
  concepts: { says: string; category?: string }[];
  /** The headings of each column that is read, the present one first. */
  columns: Record<string, string[]>;
  /** Headings of columns that are knowingly not read: any other one is refused. */
  unreadColumns: string[];
  /** Words of sheets that are knowingly not read, in their name or their first row. */
  unreadSheets: string[];
  /** Label as an edition prints it -> label of the key, where editions print one label in several ways. */
  drift: Record<string, string>;
  /** Parts of a label that say something about the value and are not part of the key. */
  flags: string[];
}

/** The parts that a YAML file may leave out. */
const DEFAULTS = {
  series: {},
  origins: {},
  borrowed: { evidence: '', notes: [] },
  spellings: {},
  since: {},
  aggregates: {},
  indicators: [],
  countries: [],
  regions: [],
  concepts: [],
  columns: {},
  unreadColumns: [],
  unreadSheets: [],
  drift: {},
  flags: [],
};

const known = new Map<string, Family>();

/** The content of `<name>.yaml`, which is read once. */
export function readFamily(name: string): Family {
  const found = known.get(name);
  if (found) return found;
  const text = readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8');
  const family = familyIn(text, `build/import/${name}.yaml`);
  known.set(name, family);
  return family;
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
  return { ...DEFAULTS, ...(found as Partial<Family>) } as Family;
}

/** All families, one YAML file each. */
export function readFamilies(): Family[] {
  return readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => readFamily(name.slice(0, -'.yaml'.length)));
}

/** Notes about a single copy, which are therefore not in the YAML file of a family. */
export const COPY_NOTES = {
  otherCopy: 'This copy is not the one on record for its edition, so its address is that of the page.',
  stated: 'The date of the edition was stated at the import; the file does not print it.',
  modified:
    'The edition is dated by the day on which the publisher last changed the file; the file prints no date.',
};

/** What a YAML file states about a source: for an edition on record, or where `edition` is null for any other. */
export function factsOfEdition(
  { editions: _editions, dates: _dates, ...always }: SourceFacts,
  edition: EditionFacts | null,
): Omit<SourceFacts, 'editions' | 'dates'> {
  const { says: _says, copies: _copies, notes = [], ...own } = edition ?? {};
  return { ...always, ...own, notes: [...always.notes, ...notes] };
}

/** The date of the newest copy on record: no system clock that is right can be before it. */
export function newestCopy(all: readonly Family[]): string {
  const editions = all
    .flatMap(({ sources }) => Object.values(sources))
    .flatMap((source) => Object.entries(source.editions));
  const dates = editions.filter(([, { copies }]) => copies !== undefined).map(([date]) => date);
  return dates.sort().at(-1) ?? '';
}

/** The same facts with words in place of their names in braces, such as `{series}`. Names without a word stay. */
export function filled<Facts>(facts: Facts, words: Readonly<Record<string, string>>): Facts {
  const fill = (_key: string, value: unknown): unknown =>
    typeof value === 'string'
      ? value.replaceAll(/\{(\w+)\}/g, (name, word: string) => words[word] ?? name)
      : value;
  return JSON.parse(JSON.stringify(facts), fill) as Facts;
}

/** The words for one series in the texts of a source that stands for many. */
export function seriesWords(series: string): { series: string; SERIES: string } {
  return { series, SERIES: series.toUpperCase() };
}

/** The words for one drug in the texts of an indicator that stands for many: `Tranquillizers and sedatives` has the id `use-tranquillizers`. */
export function drugWords(sheet: string): { drug: string; sheet: string } {
  const [drug = ''] = sheet.toLowerCase().split(' and ');
  return { drug: drug.replaceAll(/[^a-z0-9]+/g, '-'), sheet };
}

/** The headings of these columns. */
export function columnsOf<K extends string>({ name, columns }: Family, ...keys: K[]): Columns<K> {
  const missing = keys.find((key) => columns[key] === undefined);
  if (missing !== undefined) throw new Error(`build/import/${name}.yaml: columns lacks ${missing}.`);
  return Object.fromEntries(keys.map((key) => [key, columns[key] ?? []])) as unknown as Columns<K>;
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
  return indicators.filter(({ id }) => used.has(id)).map((facts) => indicatorOf(facts, sourceId));
}

/** The members of an indicator in a descriptor, in their fixed order. */
export function indicatorOf(facts: IndicatorFacts, sourceId: string): Indicator {
  const { id, market, label, measureType, description, limitations, tolerance } = facts;
  const stated = { id, sourceId, market, label, measureType, description, limitations };
  return { ...stated, ...(tolerance !== undefined && { tolerance }) };
}

/** The descriptor of a dataset of observations. */
export function observationsDescriptor(
  family: Family,
  name: string,
  parts: Pick<ObservationsDescriptor, 'sources' | 'geographies' | 'indicators'>,
  rows: readonly ObservationRow[],
): ObservationsDescriptor {
  const { title, description, limitations } = factsOf(family, name);
  const { sources, geographies, indicators } = parts;
  const stated = { name, title, description, sources, limitations, geographies, indicators };
  const labelKeys = labelKeysOf(family, rows);
  const hasKeys = Object.keys(labelKeys).length > 0;
  return { kind: 'observations', ...stated, ...(hasKeys && { labelKeys }) };
}

/** By printed label: the label in the key, for the labels of these rows where the two differ. */
function labelKeysOf(family: Family, rows: readonly ObservationRow[]): Record<string, string> {
  const labels = [...new Set(rows.flatMap(({ category, subgroup }) => [category, subgroup]))].sort();
  return Object.fromEntries(
    labels.flatMap((label) => {
      const key = labelKey(family, label);
      return key === label ? [] : [[label, key]];
    }),
  );
}

/** The label in the key of a record with this printed label; white space of any kind becomes a space. */
export function labelKey({ drift, flags }: Family, label: string): string {
  return foldSpace(label)
    .split('; ')
    .filter((part) => !flags.includes(part))
    .map((part) => (Object.hasOwn(drift, part) ? (drift[part] ?? part) : part))
    .join('; ');
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

/** What the list of importers says about a family. */
export function describeImporter({ name, summary, files, datasets }: Family): Omit<Importer, 'read'> {
  return { name, summary, files, datasets: Object.keys(datasets) };
}
