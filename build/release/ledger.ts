/**
 * datasets/releases.json: what was published, one row per release, written by `npm run release` and never by the build. The build
 * reads serial, predecessor and expiry of a release from it, so they come from no clock.
 */
import { parseDocument, type Release, type ReleaseName } from './manifest.ts';

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

/** The ledger's file name in the folder of the datasets. */
export const LEDGER = 'releases.json';

const SCHEMA = {
  type: 'object',
  required: ['schema', 'releases'],
  properties: {
    schema: { const: 'svc.releases.v1' },
    releases: {
      type: 'array',
      items: {
        type: 'object',
        required: ['siteUrl', 'serial', 'treeSha256', 'generatedAt', 'expires'],
        properties: {
          siteUrl: { type: 'string' },
          serial: { type: 'integer', minimum: 1 },
          treeSha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          generatedAt: { type: 'string', format: 'date-time' },
          expires: { type: 'string', format: 'date-time' },
        },
      },
    },
  },
};

/** Reads the ledger; no file means an empty one. Throws an Error when it is malformed. */
export function parseLedger(bytes: Uint8Array | null): Ledger {
  if (bytes === null) return { schema: 'svc.releases.v1', releases: [] };
  try {
    const ledger = parseDocument(bytes, SCHEMA, 'ledger') as Ledger;
    const last = new Map<string, number>();
    for (const { siteUrl, serial } of ledger.releases) {
      if (serial <= (last.get(siteUrl) ?? 0)) throw new Error(`has the serials of ${siteUrl} out of order`);
      last.set(siteUrl, serial);
    }
    return ledger;
  } catch (cause) {
    throw new Error(`${LEDGER} ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

/** The ledger as it is written. */
export function ledgerText(ledger: Ledger): string {
  return `${JSON.stringify(ledger, null, 2)}\n`;
}

/**
 * Serial, predecessor and expiry of a tree: it follows the last published release of the site that has another tree. The published
 * tree itself keeps its serial however often it is built, and going back to an old tree is a new release.
 */
export function placeOf(
  { releases }: Ledger,
  tree: Pick<LedgerEntry, 'siteUrl' | 'treeSha256' | 'generatedAt'>,
): Pick<Release, 'serial' | 'previous' | 'expires'> {
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
