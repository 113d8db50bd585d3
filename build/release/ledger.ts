/**
 * datasets/releases.json: what was published, a row a release, written by `npm run release` and never by the build. The build
 * reads a release's place in time from it, so serial, predecessor and expiry come from no clock.
 */
import type { Release, ReleaseName } from './manifest.ts';

/** One published release of one site. */
export interface LedgerEntry extends ReleaseName {
  siteUrl: string;
  generatedAt: string;
  expires: string;
}

/** The ledger file. */
export interface Ledger {
  schema: 'svc.releases.v1';
  releases: LedgerEntry[];
}

/** A tree's place in time. */
export interface ReleasePlace {
  serial: number;
  previous: ReleaseName | null;
  expires: string;
}

/** The ledger's file name in the folder of the datasets. */
export const LEDGER = 'releases.json';

/** Reads the ledger; no file is an empty one. Throws an Error when it is malformed. */
export function parseLedger(bytes: Uint8Array | null): Ledger {
  if (bytes === null) return { schema: 'svc.releases.v1', releases: [] };
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (isLedger(value)) return value;
  throw new Error(
    `${LEDGER} must be {"schema":"svc.releases.v1","releases":[...]}, serials ascending per site`,
  );
}

/** The ledger as it is written. */
export function ledgerText(ledger: Ledger): string {
  return `${JSON.stringify(ledger, null, 2)}\n`;
}

/**
 * Where a tree stands: after the last published release of the site that has another tree. The published tree itself thus
 * keeps its serial however often it is built, and going back to an old tree is a new release.
 */
export function placeOf(
  { releases }: Ledger,
  tree: Pick<LedgerEntry, 'siteUrl' | 'treeSha256' | 'generatedAt'>,
): ReleasePlace {
  const own = releases.filter(({ siteUrl }) => siteUrl === tree.siteUrl);
  const before = own.findLast(({ treeSha256 }) => treeSha256 !== tree.treeSha256);
  const serial = (before?.serial ?? 0) + 1;
  const published = own.find((entry) => entry.serial === serial && entry.treeSha256 === tree.treeSha256);
  return {
    serial,
    previous: before ? { serial: before.serial, treeSha256: before.treeSha256 } : null,
    expires: published?.expires ?? oneYearAfter(tree.generatedAt),
  };
}

/** The ledger with a release recorded: a new row, or the same release with another expiry. */
export function recorded({ schema, releases }: Ledger, release: Release, expires = release.expires): Ledger {
  const { siteUrl, serial, treeSha256, generatedAt } = release;
  const others = releases.filter((entry) => entry.siteUrl !== siteUrl || entry.serial !== serial);
  const replaced = releases.find((entry) => entry.siteUrl === siteUrl && entry.serial === serial);
  if (replaced && replaced.treeSha256 !== treeSha256)
    throw new Error(
      `serial ${serial} of ${siteUrl} was published with another tree: build again, then release`,
    );
  if (others.some((entry) => entry.siteUrl === siteUrl && entry.serial > serial))
    throw new Error(`serial ${serial} of ${siteUrl} is not its latest release`);
  return { schema, releases: [...others, { siteUrl, serial, treeSha256, generatedAt, expires }] };
}

function oneYearAfter(clock: string): string {
  const date = new Date(clock);
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return `${date.toISOString().slice(0, 19)}Z`;
}

function isLedger(value: unknown): value is Ledger {
  if (typeof value !== 'object' || value === null || !('schema' in value) || !('releases' in value))
    return false;
  if (value.schema !== 'svc.releases.v1' || !Array.isArray(value.releases)) return false;
  const last = new Map<string, number>();
  return value.releases.every((entry: unknown) => {
    if (!isEntry(entry) || entry.serial <= (last.get(entry.siteUrl) ?? 0)) return false;
    last.set(entry.siteUrl, entry.serial);
    return true;
  });
}

function isEntry(value: unknown): value is LedgerEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry: Partial<Record<keyof LedgerEntry, unknown>> = value;
  return (
    Number.isSafeInteger(entry.serial) &&
    typeof entry.siteUrl === 'string' &&
    typeof entry.treeSha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(entry.treeSha256) &&
    typeof entry.generatedAt === 'string' &&
    typeof entry.expires === 'string' &&
    Number.isFinite(Date.parse(entry.expires))
  );
}
