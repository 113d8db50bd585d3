/**
 * The records of the three kinds of dataset, as their schemas define them. Generated from schemas/ by
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
