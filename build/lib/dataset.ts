/**
 * What a folder datasets/<id>/<edition>/ holds: a Frictionless data package (`datapackage.json`) and `records.csv`.
 * Importers make it, `load` reads it back, `check` applies the rules. Nothing here knows a publisher's format.
 */
import type { AtlasRecord, DatasetDocument, DatasetIndicator } from '../../shim/core/records.ts';
import type { DatasetSource, Entity, Observation } from '../../shim/core/records.ts';
import { lastDay } from '../../shim/core/editions.ts';
import { fold } from '../../shim/core/words.ts';

/** The datasets of the market catalog: one that is not packaged is named unavailable there, never left out in silence. */
export const MARKET_DATASETS = [
  'arms',
  'border-drug-seizures',
  'coca-cultivation',
  'drug-prices',
  'drug-seizures',
  'drug-use-prevalence',
  'informal-economy',
  'informal-employment',
  'opium-cultivation',
];

/** One raw publisher file a dataset was read from; Frictionless calls its name `title` and its address `path`. */
export interface Source extends Omit<DatasetSource, 'name' | 'downloadUrl' | 'staleAfter' | 'stale'> {
  title: string;
  path: string;
  refresh?: Refresh;
  /** Set where the file looked doubtful when it was fetched and an operator accepted it. */
  accepted?: { sha256: string; reason: string; doubts: string[] };
}

/** Where a later edition of a source comes from: an address, or what a person has to do; both where each edition has its own address. */
export interface Refresh {
  address?: string;
  /** Further hosts that may send the file after a redirect. */
  hosts?: string[];
  format?: 'csv' | 'xlsx' | 'zip';
  /** Name of the data file in a zip archive, as a regular expression. */
  member?: string;
  byHand?: string;
  /** Day of the last check that the publisher answered, `YYYY-MM-DD`. */
  lastChecked?: string;
}

/** Whether data may be passed on, as the check of a source's terms found it. */
export type Verdict = Source['rights']['verdict'];

/** Every verdict, the freest first. */
export const VERDICTS: readonly Verdict[] = ['open', 'non_commercial', 'unresolved'];

/** A geography, named once per dataset. */
export type Geography = DatasetDocument['geographies'][number];

/** An indicator; its coverage is counted from its records. */
export interface Indicator extends Pick<
  DatasetIndicator,
  'id' | 'sourceId' | 'market' | 'label' | 'measureType' | 'description' | 'limitations'
> {
  /** Values of two editions that differ by less count as the same value, rounded differently. */
  tolerance?: number;
}

export type UnavailableReason = NonNullable<Observation['unavailableReason']>;

/** One row of records.csv in a dataset of kind `observations`: what packing does not add. */
export type ObservationRow = Omit<Observation, 'id' | 'datasetId' | 'edition' | 'geoName' | 'geoLevel'>;

/** One row of a dataset of kind `atlas`: a country-year. `values` are the descriptor's fields by dotted path; null is unavailable. */
export type AtlasRow = Pick<AtlasRecord['data'], 'iso3' | 'country' | 'year'> &
  Pick<AtlasRecord['meta'], 'source' | 'locator'> & { values: Record<string, number | null> };

/** One row of the dataset of kind `entities`; nothing else about a subject may be packaged. */
export type EntityRow = Omit<Entity, 'meta'>;

interface DescriptorBase {
  /** Dataset id = name of the folder that holds its editions. */
  name: string;
  title: string;
  description: string;
  sources: Source[];
  limitations: string[];
}

export interface ObservationsDescriptor extends DescriptorBase {
  kind: 'observations';
  geographies: Geography[];
  indicators: Indicator[];
  /** By printed label: the spelling in the key of its records, where this edition spells the label differently. */
  labelKeys?: Record<string, string>;
}

/** A field of an atlas record: `path` is its dotted place in `data`, `label` the source's own words. */
export type AtlasField = DatasetDocument['fields'][number];

export interface AtlasDescriptor extends DescriptorBase {
  kind: 'atlas';
  domain: 'organized_crime' | 'firearms_tracing';
  unit: string;
  rights: string;
  /** One sentence each, carried by every record. Keep them short: they are repeated. */
  caveats: string[];
  fields: AtlasField[];
}

export interface EntitiesDescriptor extends DescriptorBase {
  kind: 'entities';
  /** The publication date that the list itself states. */
  listDate: string;
  withheldAfterWithdrawal: number;
  /** Entities whose name may hold more than a name and was not accepted. */
  withheldInDoubt: number;
  programs: string[];
}

/** Members that every descriptor on disk has in addition, for readers of Frictionless data packages. */
export interface Written {
  $schema: string;
  licenses: { name: string; title: string; path?: string }[];
  resources: [
    {
      [member: string]: unknown;
      schema: { fields: { name: string; type: string; description: string }[]; missingValues: string[] };
    },
  ];
}

export type Descriptor = ObservationsDescriptor | AtlasDescriptor | EntitiesDescriptor;

/** A dataset in memory. */
export type Dataset =
  | { kind: 'observations'; descriptor: ObservationsDescriptor; rows: ObservationRow[] }
  | { kind: 'atlas'; descriptor: AtlasDescriptor; rows: AtlasRow[] }
  | { kind: 'entities'; descriptor: EntitiesDescriptor; rows: EntityRow[] };

/** Order by code units, the only order used in packaged data: no locale. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The edition of a dataset, `YYYY-MM-DD` or `YYYY-MM`: the date of the list, else the latest date among the sources. */
export function editionOf(descriptor: Descriptor): string {
  return descriptor.kind === 'entities' ? descriptor.listDate : newestDate(descriptor.sources);
}

/** The latest date among sources; empty where there are none. */
export function newestDate(sources: readonly Pick<Source, 'dated'>[]): string {
  const dates = sources.map(({ dated }) => dated);
  return dates.sort(byEdition).at(-1) ?? '';
}

/** Order of editions: a month counts as its last day. */
export function byEdition(a: string, b: string): number {
  return byCodeUnits(lastDay(a), lastDay(b));
}

/** The fixed order of observations inside a dataset: indicator, geo, category, subgroup, period; rows with the same key as in the source. */
export function byObservationOrder(a: ObservationRow, b: ObservationRow): number {
  return (
    byCodeUnits(a.indicatorId, b.indicatorId) ||
    byCodeUnits(a.geoCode, b.geoCode) ||
    byCodeUnits(a.category, b.category) ||
    byCodeUnits(a.subgroup, b.subgroup) ||
    byCodeUnits(a.period, b.period)
  );
}

/** The fixed order of an atlas: iso3, year. */
export function byAtlasOrder(a: AtlasRow, b: AtlasRow): number {
  return byCodeUnits(a.iso3, b.iso3) || a.year - b.year;
}

/** The fixed order of designations: folded name, entity number. */
export function byEntityOrder(a: EntityRow, b: EntityRow): number {
  return byCodeUnits(fold(a.name), fold(b.name)) || a.sanctions_entity_number - b.sanctions_entity_number;
}

/** These members of an object, in this order. */
export function pick<T extends object, K extends keyof T>(from: T, ...members: K[]): Pick<T, K> {
  return Object.fromEntries(members.map((member) => [member, from[member]])) as Pick<T, K>;
}

/** The members of a list that differ by key (by themselves, unless one is given): the first of each, in their order. */
export function distinct<T>(items: readonly T[], key: (item: T) => unknown = (item) => item): T[] {
  const firsts = new Map<unknown, T>();
  for (const item of items) if (!firsts.has(key(item))) firsts.set(key(item), item);
  return [...firsts.values()];
}
