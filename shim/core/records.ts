/**
 * The records of the three kinds of dataset, a revision and the document of a dataset, as their schemas define them. Generated from schemas/ by
 * test/build/record-types.test.ts: change a schema, then run that test with -u.
 */

/** One source cell: value in its unit as printed, status, source and locator. value is null exactly when status is unavailable. */
export type Observation = {
  id: string;
  datasetId: string;
  edition: string;
  indicatorId: string;
  geoCode: string;
  geoName: string;
  geoLevel: 'country' | 'territory' | 'subnational' | 'aggregate';
  period: string;
  category: string;
  subgroup: string;
  group: string;
  value: number | null;
  lower: number | null;
  upper: number | null;
  unit: string;
  status: 'reported' | 'estimated' | 'unavailable';
  unavailableReason:
    | 'blank_in_source'
    | 'suppressed_by_source'
    | 'placeholder_in_source'
    | 'broken_formula_in_source'
    | 'conflicting_source_rows'
    | 'no_point_value_in_source'
    | null;
  sourceId: string;
  sourceLocator: string;
};

/** A country and year in the fields of its source. null is unavailable, 0 an observed zero. */
export interface AtlasRecord {
  domain: 'firearms_tracing' | 'organized_crime';
  meta: {
    availability: 'observed' | 'partial' | 'unavailable';
    unavailable_fields: string[];
    source: string;
    source_url: string;
    source_sha256: string;
    locator: string;
    downloaded_at: string;
    rights: string;
    caveats: string[];
  };
  data: { iso3: string; country: string; year: number; [k: string]: unknown };
}

/** A public designation, official fields only. A designation is an administrative action, not an adjudication. */
export interface Entity {
  sanctions_entity_number: number;
  name: string;
  entity_type: 'aircraft' | 'individual' | 'organization' | 'vessel';
  programs: ('ILLICIT-DRUGS-EO14059' | 'SDNT' | 'SDNTK' | 'TCO')[];
  countries: string[];
  meta: {
    evidence_class: 'administrative_action';
    adjudication: false;
    source: string;
    source_url: string;
    downloaded_at: string;
  };
}

/** A record that differs, as one of the two editions prints it. */
export interface RevisedCell {
  edition: string;
  value: number | null;
  lower: number | null;
  upper: number | null;
  unit: string;
  status: 'reported' | 'estimated' | 'unavailable';
  unavailableReason: Observation['unavailableReason'];
  sourceLocator: string;
  sourceSha256: string;
}

/** One record that differs between two neighbouring editions of a dataset, with what each edition prints. It says nothing about why they differ. */
export interface Revision {
  id: string;
  datasetId: string;
  indicatorId: string;
  geoCode: string;
  geoName: string;
  period: string;
  category: string;
  subgroup: string;
  kind: 'changed' | 'added' | 'withdrawn' | 'became_unavailable' | 'became_available' | 'relabelled';
  from: RevisedCell | null;
  to: RevisedCell | null;
}

/** data/datasets/<id>.json: what a dataset is, what its records cover, where they come from and in which files they are published. */
export interface DatasetDocument {
  schema: 'svc.dataset.v1';
  id: string;
  title: string;
  description: string;
  kind: 'observations' | 'atlas' | 'entities';
  edition: string;
  generatedAt: string;
  domain?: 'firearms_tracing' | 'organized_crime';
  unit?: string;
  rights?: string;
  caveats?: string[];
  listDate?: string;
  withheldAfterWithdrawal?: number;
  withheldInDoubt?: number;
  programs?: string[];
  sources: DatasetSource[];
  records: number;
  firstPeriod: string | null;
  lastPeriod: string | null;
  geographies: { code: string; name: string; level: 'country' | 'territory' | 'subnational' | 'aggregate' }[];
  indicators: DatasetIndicator[];
  fields: { path: string; label: string }[];
  limitations: string[];
  files: { path: string; mediaType: string; bytes: number; sha256: string }[];
}
export interface DatasetSource {
  id: string;
  name: string;
  publisher: string;
  url: string;
  downloadUrl: string;
  license: string;
  licenseUrl: string | null;
  rights: { verdict: 'open' | 'non_commercial' | 'unresolved'; evidence: string; checked: string };
  dated: string;
  retrievedAt: string;
  cadence: string | null;
  staleAfter: string | null;
  stale: boolean;
  sha256: string;
  bytes: number;
  notes: string[];
}
export interface DatasetIndicator {
  id: string;
  sourceId: string;
  market: 'drugs' | 'arms' | 'informal_economy' | 'context';
  label: string;
  unit: string | null;
  units: string[];
  measureType: string;
  description: string;
  limitations: string[];
  coverage: {
    observations: number;
    numeric: number;
    reported: number;
    estimated: number;
    unavailable: number;
    zeros: number;
    firstPeriod: string | null;
    lastPeriod: string | null;
    firstNumericPeriod: string | null;
    lastNumericPeriod: string | null;
  };
  geographies: string[];
  categories: string[];
  subgroups: string[];
}
