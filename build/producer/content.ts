/** What the producer's documents must agree on with each other, beyond bytes and schemas. */
import { sha256 } from '../lib/hash.ts';
import { COUNTRIES, DATA } from './contract.ts';
import type {
  EconomicObservations,
  EconomicRegistry,
  ObservatoryRegister,
  ProducerFiles,
} from './contract.ts';
import { economicCoverage, readEconomicCsv, yearsOf, type EconomicRow } from './coverage.ts';
import { collectionId } from './hash.ts';

/** Reports that a file (by its path below datasets/producerp) breaks a rule; `hash` and `link` are recomputed from the bytes. */
export type Report = (
  file: string,
  rule: 'missing' | 'unlisted' | 'json' | 'schema' | 'hash' | 'link' | 'content',
  message: string,
) => void;

/** Prefix of every claim of an interested party: such a claim is never an observation. */
const OFFICIAL_CLAIM = 'official claim: ';

/** Ids are unique, targets name known sources, interested parties only claim. */
export function checkObservatory({ sources, targetAreas }: ObservatoryRegister, report: Report): void {
  const add = (message: string): void => report(`release/${DATA.observatory}`, 'content', message);
  const ids = new Set(sources.map(({ sourceId }) => sourceId));
  if (ids.size !== sources.length) add('a sourceId is duplicated');
  const targets = targetAreas.flatMap((area) => area.targets);
  if (new Set(targets.map(({ targetId }) => targetId)).size !== targets.length)
    add('a targetId is duplicated');
  for (const { targetId, sourceIds } of targets)
    for (const id of sourceIds) if (!ids.has(id)) add(`target ${targetId} names the unknown source ${id}`);
  for (const { sourceId, interestedParty, claimClasses } of sources)
    if (interestedParty && !claimClasses.every((claim) => claim.startsWith(OFFICIAL_CLAIM)))
      add(`${sourceId} is an interested party: each claim must start with "${OFFICIAL_CLAIM}"`);
}

/** Hash pointers, collection id, rows against the registry's windows, and every count. */
export function checkEconomics(
  economics: EconomicObservations,
  registry: EconomicRegistry,
  files: ProducerFiles,
  report: Report,
): void {
  const file = `release/${DATA.economics}`;
  const rowsFile = `release/${DATA.observations}`;
  const observations = files.get(rowsFile);
  const registryBytes = files.get(`release/${DATA.registry}`);
  if (!observations || !registryBytes) return;
  const pointers = {
    observationsSha256: sha256(observations),
    registrySha256: sha256(registryBytes),
    rawResponseSha256s: [...new Set(registry.series.map(({ rawSha256 }) => rawSha256))].sort(),
  };
  if (!isSame(economics.hashPointers, pointers))
    report(file, 'hash', 'hashPointers are not those of the files');
  if (economics.collectionId !== collectionId(pointers))
    report(file, 'hash', 'collectionId is not that of the hash pointers');
  let rows: EconomicRow[];
  try {
    rows = readEconomicCsv(observations);
  } catch (error) {
    return report(rowsFile, 'content', error instanceof Error ? error.message : 'not readable');
  }
  for (const fault of windowFaults(rows, registry)) report(rowsFile, 'content', fault);
  if (!isSame(economics.coverage, economicCoverage(rows, registry)))
    report(file, 'content', 'coverage is not what is counted from the rows');
}

/** Every series has exactly one row for each country and year of its window; no row is outside. */
function windowFaults(rows: readonly EconomicRow[], registry: EconomicRegistry): string[] {
  const wanted = new Set(
    registry.series.flatMap((series) =>
      COUNTRIES.flatMap(([country]) =>
        yearsOf(series).map((year) => `${country} ${series.indicatorId} ${year}`),
      ),
    ),
  );
  const faults = rows
    .map(({ country, indicator, year }) => `${country} ${indicator} ${year}`)
    .filter((key) => !wanted.delete(key))
    .map((key) => `${key} is not in a window of the registry`);
  return [...faults, ...[...wanted].map((key) => `no row for ${key}`)];
}

/** Equality of JSON values whatever the order of their members. */
function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
