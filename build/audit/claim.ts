/** What the audit compares: a claim of the API about one value, and what a second reading of the raw file says of it. */

/** One published value: an observation, or one field of an atlas record. */
export interface Claim {
  dataset: string;
  source: string;
  /** As published: `Seizures!H3`, `row 17`, `2021_dataset!D115:AG115`. */
  locator: string;
  /** Dotted path of the atlas field; empty for an observation. */
  field: string;
  code: string;
  name: string;
  period: string;
  category: string;
  unit: string;
  value: number | null;
  lower: number | null;
  upper: number | null;
  status: string;
  reason: string | null;
}

/** The same value as the audit reads it from the raw file. */
export interface Reread {
  locator: string;
  field: string;
  value: number | null;
  /** Null where the value is there, and for atlas fields, which carry no reason. */
  reason: string | null;
  lower: number | null;
  upper: number | null;
  /** The code printed beside the value, or null where the source prints none. */
  code: string | null;
  country: string;
  period: string;
  /** Words of the row that the category, or the unit, must be among; null where the source prints neither. */
  categories: string[] | null;
  unit: string | null;
}

/** Values by status; a zero is counted among reported or estimated as well. */
export interface Counts {
  records: number;
  reported: number;
  estimated: number;
  unavailable: number;
  zeros: number;
}

/** The key both sides share: a cell and, in an atlas, the field that stands in it. */
export function keyOf({ locator, field }: { locator: string; field: string }): string {
  return field === '' ? locator : `${locator} ${field}`;
}

/** Letters and digits alone, without case, accents or white space. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Text with white space folded, as printed otherwise. */
export function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A value read again; what a table does not print has a neutral default. */
export function reread(
  read: Pick<Reread, 'locator' | 'value' | 'country' | 'period'> & Partial<Reread>,
): Reread {
  const reason = read.value === null ? 'blank_in_source' : null;
  return { field: '', lower: null, upper: null, code: null, categories: null, unit: null, reason, ...read };
}
