/** Holds the claims of one source to the second reading of its file. */
import { cellsAt, contradiction } from './cells.ts';
import { fold, keyOf, tidy, type Claim, type Counts, type Reread } from './claim.ts';
import { sample } from './random.ts';
import type { RawFile } from './raw-files.ts';
import type { Field } from './reread-atlas.ts';
import type { Rule } from './rules.ts';

/** What came of one source. `mismatches` are sentences naming the record and both sides. */
export interface Outcome {
  source: string;
  api: Counts;
  reread: Counts;
  cells: number;
  mismatches: string[];
}

/** How many cells are drawn, and from which seed. */
export interface Draw {
  cells: number;
  seed: number;
}

/** Compares counts, places and every value with its row; then looks a sample of cells up by nothing but their locators. */
export function compare(
  source: string,
  claims: Claim[],
  read: Reread[],
  { file, fields, rule, draw }: { file: RawFile; fields: Field[]; rule: Rule; draw: Draw },
): Outcome {
  const api = countsOf(
    claims.map(({ value, status }) => ({ value, status })),
    claims,
  );
  const again = countsOf(
    read.map(({ value }) => ({ value, status: value === null ? 'unavailable' : rule.status })),
    read,
  );
  const mismatches = [...countMismatches(api, again), ...placeMismatches(claims, read)];
  const byKey = new Map(read.map((one) => [keyOf(one), one]));
  for (const claim of claims)
    for (const fault of rowFaults(claim, byKey.get(keyOf(claim)))) mismatches.push(sentence(claim, fault));
  const drawn = sample(drawable(claims), draw.cells, draw.seed, source);
  for (const claim of drawn) {
    const fault = cellFault(claim, file, fields, rule);
    if (fault !== null) mismatches.push(sentence(claim, fault));
  }
  return { source, api, reread: again, cells: drawn.length, mismatches };
}

/** Counts by status; the records of an atlas are its distinct locators. */
export function countsOf(
  values: { value: number | null; status: string }[],
  places: { locator: string; field: string }[],
): Counts {
  const of = (status: string): number => values.filter((one) => one.status === status).length;
  return {
    records: new Set(places.map((place) => place.locator)).size,
    reported: of('reported'),
    estimated: of('estimated'),
    unavailable: of('unavailable'),
    zeros: values.filter(({ value }) => value === 0).length,
  };
}

/** A sentence for every count that differs. */
export function countMismatches(api: Counts, again: Counts): string[] {
  const names = ['records', 'reported', 'estimated', 'unavailable', 'zeros'] as const;
  return names.flatMap((name) =>
    api[name] === again[name] ? [] : [`${name}: ${api[name]} published, ${again[name]} read again`],
  );
}

// In the order of places, so that a sample is the same however the records were read. A field without a value has no cell.
function drawable(claims: Claim[]): Claim[] {
  return claims
    .filter(({ field, value }) => field === '' || value !== null)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function sentence(claim: Claim, fault: string): string {
  return `${keyOf(claim)} (${claim.code} ${claim.period}): ${fault}`;
}

function placeMismatches(claims: Claim[], read: Reread[]): string[] {
  const [published, again] = [new Set(claims.map(keyOf)), new Set(read.map(keyOf))];
  return [
    ...(published.size < claims.length
      ? [`${claims.length - published.size} records share a place with another`]
      : []),
    ...[...published]
      .filter((key) => !again.has(key))
      .map((key) => `${key}: published, but no such value in the file`),
    ...[...again].filter((key) => !published.has(key)).map((key) => `${key}: in the file, but not published`),
  ];
}

function cellFault(claim: Claim, file: RawFile, fields: Field[], rule: Rule): string | null {
  try {
    return contradiction(claim, cellsAt(claim, file, fields, rule.valueColumn));
  } catch (error) {
    return `the locator leads nowhere: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function rowFaults(claim: Claim, row: Reread | undefined): string[] {
  if (!row) return [];
  // ISO 3166-1 leaves X.. codes to their users (XKX): such a geography is published under a code of its own, held by name.
  const code = claim.code.startsWith('x-') && /^X[A-Z]{2}$/.test(row.code ?? '') ? null : row.code;
  const pairs: [string, string | number | null, string | number | null][] = [
    ['value', claim.value, row.value],
    ['lower bound', claim.lower, row.lower],
    ['upper bound', claim.upper, row.upper],
    ['reason', claim.reason, row.reason],
    ['code', claim.code, code ?? claim.code],
    ['period', claim.period, /^\d{4}/.exec(row.period)?.[0] ?? row.period],
    ['unit', claim.unit, row.unit === null ? claim.unit : row.unit],
  ];
  const faults = pairs.flatMap(([what, published, printed]) =>
    published === printed ? [] : [`${what}: the file prints ${printed}, published ${published}`],
  );
  if (code === null && !isSameCountry(claim.name, row.country))
    faults.push(
      `geography: the file prints ${JSON.stringify(row.country)}, published ${JSON.stringify(claim.name)}`,
    );
  if (row.categories && !row.categories.includes(tidy(claim.category)))
    faults.push(`category: the file prints ${row.categories.join(' or ')}, published ${claim.category}`);
  return faults;
}

// Footnote letters and "(best estimate)" follow a name; a short form stands inside a long one.
function isSameCountry(published: string, printed: string): boolean {
  const [a, b] = [fold(published), fold(printed)];
  return a !== '' && b !== '' && (a.includes(b) || b.includes(a));
}
