/** Compares the claims of one source with the second reading of its file. */
import { createHash } from 'node:crypto';
import { cellsAt, contradiction, type Opened } from './cells.ts';
import { keyOf, type Claim, type Reread } from './published.ts';
import { fold, tidy } from './table.ts';

/** Values by status; a zero is counted among reported or estimated as well. */
export interface Counts {
  records: number;
  reported: number;
  estimated: number;
  unavailable: number;
  zeros: number;
}

/** The names of the counts, in the order of the report. */
export const COUNTS = ['records', 'reported', 'estimated', 'unavailable', 'zeros'] as const;

/** The result for one source. `mismatches` are sentences naming the record and both sides. */
export interface Outcome {
  source: string;
  api: Counts;
  reread: Counts;
  cells: number;
  mismatches: string[];
}

/** How many cells are drawn per source, and from which seed. */
export interface Draw {
  cells: number;
  seed: number;
}

/** Compares counts, places and every value with its row; then looks a sample of cells up by nothing but their locators. */
export function compare(
  source: string,
  claims: Claim[],
  read: Reread[],
  { opened, status, draw }: { opened: Opened; status: 'reported' | 'estimated'; draw: Draw },
): Outcome {
  const api = countsOf(claims);
  const again = countsOf(
    read.map((one) => ({ ...one, status: one.value === null ? 'unavailable' : status })),
  );
  const mismatches = [...countMismatches(api, again), ...placeMismatches(claims, read)];
  const byKey = new Map(read.map((one) => [keyOf(one), one]));
  const add = (claim: Claim, fault: string): void => {
    mismatches.push(`${keyOf(claim)} (${claim.code} ${claim.period}): ${fault}`);
  };
  for (const claim of claims) {
    const row = byKey.get(keyOf(claim));
    for (const fault of row ? rowFaults(claim, row) : []) add(claim, fault);
  }
  // An atlas field without a value has no cell.
  const drawable = claims.filter(({ field, value }) => field === '' || value !== null);
  const drawn = sample(drawable, keyOf, draw, source);
  for (const claim of drawn) {
    const fault = cellFault(claim, opened);
    if (fault !== null) add(claim, fault);
  }
  return { source, api, reread: again, cells: drawn.length, mismatches };
}

/** Counts by status; the records of an atlas are its distinct locators. */
export function countsOf(values: { value: number | null; status: string; locator: string }[]): Counts {
  const of = (status: string): number => values.filter((one) => one.status === status).length;
  return {
    records: new Set(values.map(({ locator }) => locator)).size,
    reported: of('reported'),
    estimated: of('estimated'),
    unavailable: of('unavailable'),
    zeros: values.filter(({ value }) => value === 0).length,
  };
}

/** A sentence for every count that differs. */
export function countMismatches(api: Counts, again: Counts): string[] {
  return COUNTS.flatMap((name) =>
    api[name] === again[name] ? [] : [`${name}: ${api[name]} published, ${again[name]} read again`],
  );
}

/** A choice without repetition: the same keys, seed and salt give the same choice on every machine. */
export function sample<T>(items: T[], keyOfItem: (item: T) => string, draw: Draw, salt: string): T[] {
  const hash = (item: T): string =>
    createHash('sha256')
      .update(`${draw.seed} ${salt} ${keyOfItem(item)}`)
      .digest('hex');
  const ordered = items.map((item) => ({ item, hash: hash(item) }));
  ordered.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return ordered.slice(0, draw.cells).map(({ item }) => item);
}

function placeMismatches(claims: Claim[], read: Reread[]): string[] {
  const [published, again] = [new Set(claims.map(keyOf)), new Set(read.map(keyOf))];
  const shared = claims.length - published.size;
  const onlyPublished = [...published].filter((key) => !again.has(key));
  const onlyRead = [...again].filter((key) => !published.has(key));
  return [
    ...(shared > 0 ? [`${shared} records share a place with another`] : []),
    ...onlyPublished.map((key) => `${key}: published, but not in the file`),
    ...onlyRead.map((key) => `${key}: in the file, but not published`),
  ];
}

function cellFault(claim: Claim, opened: Opened): string | null {
  try {
    return contradiction(claim, cellsAt(claim, opened));
  } catch (error) {
    return `the locator leads nowhere: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function rowFaults(claim: Claim, row: Reread): string[] {
  // ISO 3166-1 leaves X.. codes to their users (XKX): such a geography has a code of our own and is compared by name.
  const code = claim.code.startsWith('x-') && /^X[A-Z]{2}$/.test(row.code ?? '') ? null : row.code;
  const pairs: [string, string | number | null, string | number | null][] = [
    ['value', claim.value, row.value],
    ['lower bound', claim.lower, row.lower],
    ['upper bound', claim.upper, row.upper],
    ['reason', claim.reason, row.reason],
    ['code', claim.code, code ?? claim.code],
    ['period', claim.period, /^\d{4}/.exec(row.period)?.[0] ?? row.period],
    ['unit', claim.unit, row.unit ?? claim.unit],
  ];
  const faults = pairs
    .filter(([, published, again]) => published !== again)
    .map(([what, published, again]) => `${what}: the file prints ${again}, published ${published}`);
  if (code === null && !isSameCountry(claim.country, row.country))
    faults.push(
      `geography: the file prints ${JSON.stringify(row.country)}, published ${JSON.stringify(claim.country)}`,
    );
  if (row.categories && !row.categories.includes(tidy(claim.category)))
    faults.push(`category: the file prints ${row.categories.join(' or ')}, published ${claim.category}`);
  return faults;
}

/** Footnote letters and "(best estimate)" follow a name, and a short form may be part of a long one. */
function isSameCountry(published: string, again: string): boolean {
  const [a, b] = [fold(published), fold(again)];
  return a !== '' && b !== '' && (a.includes(b) || b.includes(a));
}
