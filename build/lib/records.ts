/**
 * The records of the three kinds of dataset and the document of a dataset, as their schemas define them. Generated from schemas/ by
 * test/build/record-types.test.ts: change a schema, then run that test with -u.
 */

/** One source cell: value in its unit as printed, status, source and locator. value is null exactly when status is unavailable. */
export type Observation = {
  /** Record id, unique and stable while the source cell stays where it is. */
  id: string;
  /** Dataset id of the market catalog. */
  datasetId: string;
  /** Indicator id of the market catalog. */
  indicatorId: string;
  /** ISO 3166-1 alpha-3 code, or an x- code where none exists. */
  geoCode: string;
  /** Name of the geography. */
  geoName: string;
  /** Level of the geography. */
  geoLevel: 'country' | 'territory' | 'subnational' | 'aggregate';
  /** Year YYYY or month YYYY-MM. */
  period: string;
  /** Category as printed; empty when the source has none. */
  category: string;
  /** Subgroup as printed; empty when the source has none. */
  subgroup: string;
  /** Value in the unit of the row; null is unavailable, 0 is a zero the source printed. */
  value: number | null;
  /** Lower bound as printed; null when the source gives none. */
  lower: number | null;
  /** Upper bound as printed; null when the source gives none. */
  upper: number | null;
  /** Unit as printed by the source, never converted; empty when the source prints none. */
  unit: string;
  /** unavailable exactly when value is null. */
  status: 'reported' | 'estimated' | 'unavailable';
  /** Why the value is missing; null unless status is unavailable. */
  unavailableReason:
    | 'blank_in_source'
    | 'suppressed_by_source'
    | 'placeholder_in_source'
    | 'broken_formula_in_source'
    | 'conflicting_source_rows'
    | 'no_point_value_in_source'
    | null;
  /** Id of the source in the dataset descriptor. */
  sourceId: string;
  /** Cell of the publisher file that holds the value. */
  sourceLocator: string;
};

/** A country and year in the fields of its source. null is unavailable, 0 an observed zero. */
export interface AtlasRecord {
  /** Domain of the atlas. */
  domain: 'firearms_tracing' | 'organized_crime';
  meta: {
    /** observed, partial or unavailable. */
    availability: 'observed' | 'partial' | 'unavailable';
    /** Fields (or groups) of data that are missing: not reported, never zero. */
    unavailable_fields: string[];
    /** Id of the source in the dataset descriptor. */
    source: string;
    /** Page of the source. */
    source_url: string;
    /** sha256 of the publisher file. */
    source_sha256: string;
    /** Cells of the publisher file. */
    locator: string;
    /** When the copy was obtained. */
    downloaded_at: string;
    /** Rights statement. */
    rights: string;
    /** What a reader must know. */
    caveats: string[];
  };
  data: {
    /** ISO 3166-1 alpha-3 code. */
    iso3: string;
    /** Country as printed. */
    country: string;
    /** Year of the record. */
    year: number;
    [k: string]: unknown;
  };
}

/** A public designation, official fields only. A designation is an administrative action, not an adjudication. */
export interface Entity {
  /** Number of the entry in the official list. */
  sanctions_entity_number: number;
  /** Primary name as the official list prints it. */
  name: string;
  /** aircraft, individual, organization or vessel. */
  entity_type: 'aircraft' | 'individual' | 'organization' | 'vessel';
  /** Sanctions programs of the entry. */
  programs: ('ILLICIT-DRUGS-EO14059' | 'SDNT' | 'SDNTK' | 'TCO')[];
  /** Countries the official list names in the entry. */
  countries: string[];
  meta: {
    /** administrative_action: a designation is no judgment of a court. */
    evidence_class: 'administrative_action';
    /** false: the record is no adjudication. */
    adjudication: false;
    /** Title of the source. */
    source: string;
    /** Page of the source. */
    source_url: string;
    /** When the copy was obtained. */
    downloaded_at: string;
  };
}

/** data/datasets/<id>.json: what a dataset is, what its records cover, where they come from and in which files they are published. */
export interface DatasetDocument {
  schema: 'svc.dataset.v1';
  /** Dataset id; the NDJSON is data/<id>.ndjson. */
  id: string;
  title: string;
  description: string;
  /** Shape of its records. */
  kind: 'observations' | 'atlas' | 'entities';
  /** Latest retrieval of its sources, date-time. */
  generatedAt: string;
  /** Domain of an atlas. */
  domain?: 'firearms_tracing' | 'organized_crime';
  /** Unit of every value of an atlas. */
  unit?: string;
  /** Rights statement of an atlas. */
  rights?: string;
  /** What a reader of an atlas must know. */
  caveats?: string[];
  /** The designation list's own publication date. */
  listDate?: string;
  /** Designations withheld because they were withdrawn since. */
  withheldAfterWithdrawal?: number;
  /** Sanctions programs of the designations. */
  programs?: string[];
  /** The publisher's files. */
  sources: DatasetSource[];
  /** Number of records. */
  records: number;
  /** First period of the records; null where they have none. */
  firstPeriod: string | null;
  /** Last period of the records; null where they have none. */
  lastPeriod: string | null;
  /** Geographies of the records. */
  geographies: DatasetGeography[];
  /** Indicators of observations; empty for other kinds. */
  indicators: DatasetIndicator[];
  /** Fields of an atlas record below data, in the words of the source; empty for other kinds. */
  fields: DatasetField[];
  /** What a reader of the dataset must know. */
  limitations: string[];
  /** The published forms of the records, the NDJSON first. */
  files: DatasetFile[];
}
export interface DatasetSource {
  /** Id that records and indicators name. */
  id: string;
  /** Title as the publisher prints it. */
  name: string;
  /** Who published the file. */
  publisher: string;
  /** Landing page for people. */
  url: string;
  /** Address of the file itself. */
  downloadUrl: string;
  /** Licence or terms in the publisher's words. */
  license: string;
  /** Address of the licence or terms. */
  licenseUrl: string | null;
  /** Edition as the publisher dates it: YYYY-MM-DD or YYYY-MM. */
  dated: string;
  /** When the copy was obtained: YYYY-MM-DD or YYYY-MM. */
  retrievedAt: string;
  /** How often the publisher renews it, an ISO 8601 duration; null where it is not renewed. */
  cadence: string | null;
  /** Last day the edition is current; null where it is not renewed. */
  staleAfter: string | null;
  /** Whether staleAfter lies before generatedAt of the release. */
  stale: boolean;
  /** sha256 of the publisher's file. */
  sha256: string;
  /** Size of the publisher's file. */
  bytes: number;
  /** What a reader of the source must know. */
  notes: string[];
}
export interface DatasetGeography {
  /** ISO 3166-1 alpha-3 code, or an x- code where none exists. */
  code: string;
  name: string;
  level: 'country' | 'territory' | 'subnational' | 'aggregate';
}
export interface DatasetIndicator {
  /** Id that records name; unique over all datasets. */
  id: string;
  /** Id of its source. */
  sourceId: string;
  /** Market, or context for national indicators. */
  market: 'drugs' | 'arms' | 'informal_economy' | 'context';
  /** Name of the indicator. */
  label: string;
  /** The one unit of all records; null where there are several. */
  unit: string | null;
  /** All units, as printed. */
  units: string[];
  /** How the source came to the values: reported_quantity, survey_estimate, ... */
  measureType: string;
  /** What is measured. */
  description: string;
  /** What a reader of the indicator must know. */
  limitations: string[];
  /** What the records hold. */
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
  /** Codes of its records. */
  geographies: string[];
  /** Categories of its records, as printed. */
  categories: string[];
  /** Subgroups of its records, as printed. */
  subgroups: string[];
}
export interface DatasetField {
  /** Dotted path below data. */
  path: string;
  label: string;
}
export interface DatasetFile {
  /** Path below the site root. */
  path: string;
  mediaType: string;
  bytes: number;
  sha256: string;
}
