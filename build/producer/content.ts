/** What the documents of a release must agree on with each other, beyond bytes and schemas. */
import { DATA } from './contract.ts';
import type {
  EconomicObservations,
  EconomicRegistry,
  ObservatoryRegister,
  ReleaseFiles,
} from './contract.ts';
import { collectionId, COUNTRIES, economicCoverage, readEconomicCsv, type EconomicRow } from './coverage.ts';
import { sha256Hex } from './hash.ts';
import { releaseFinding } from './json.ts';
import type { Finding } from '../lib/findings.ts';

/** Prefix of every claim of an interested party: such a claim is never an observation. */
const OFFICIAL_CLAIM = 'official claim: ';

/** Ids are unique, targets name sources there are, interested parties only claim. */
export function observatoryFindings({ sources, targetAreas }: ObservatoryRegister): Finding[] {
  const messages: string[] = [];
  const ids = new Set(sources.map(({ sourceId }) => sourceId));
  if (ids.size !== sources.length) messages.push('a sourceId stands twice');
  const targets = targetAreas.flatMap((area) => area.targets);
  if (new Set(targets.map(({ targetId }) => targetId)).size !== targets.length)
    messages.push('a targetId stands twice');
  for (const { targetId, sourceIds } of targets)
    for (const id of sourceIds)
      if (!ids.has(id)) messages.push(`target ${targetId} names the unknown source ${id}`);
  for (const { sourceId, interestedParty, claimClasses } of sources)
    if (interestedParty && !claimClasses.every((claim) => claim.startsWith(OFFICIAL_CLAIM)))
      messages.push(`${sourceId} is an interested party: each claim must start with "${OFFICIAL_CLAIM}"`);
  return messages.map((message) => releaseFinding(`release/${DATA.observatory}`, 'content', message));
}

/** Hash pointers, collection id, rows against the registry's windows, and every count. */
export function economicFindings(
  economics: EconomicObservations,
  registry: EconomicRegistry,
  files: ReleaseFiles,
): Finding[] {
  const file = `release/${DATA.economics}`;
  const observations = files.get(`release/${DATA.observations}`);
  const registryBytes = files.get(`release/${DATA.registry}`);
  if (!observations || !registryBytes) return [];
  const pointers = {
    observationsSha256: sha256Hex(observations),
    registrySha256: sha256Hex(registryBytes),
    rawResponseSha256s: [...new Set(registry.series.map(({ rawSha256 }) => rawSha256))].sort(),
  };
  const findings: Finding[] = [];
  if (!same(economics.hashPointers, pointers))
    findings.push(releaseFinding(file, 'hash', 'hashPointers are not those of the files'));
  if (economics.collectionId !== collectionId(pointers))
    findings.push(releaseFinding(file, 'hash', 'collectionId is not that of the hash pointers'));
  let rows: EconomicRow[];
  try {
    rows = readEconomicCsv(observations);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'not readable';
    return [...findings, releaseFinding(`release/${DATA.observations}`, 'content', message)];
  }
  findings.push(...windowFindings(rows, registry));
  if (!same(economics.coverage, economicCoverage(rows, registry)))
    findings.push(releaseFinding(file, 'content', 'coverage is not what is counted from the rows'));
  return findings;
}

/** Every series has exactly one row for each country and year of its window; no row lies outside. */
function windowFindings(rows: readonly EconomicRow[], registry: EconomicRegistry): Finding[] {
  const wanted = new Set(
    registry.series.flatMap(({ indicatorId, fromYear, toYear }) =>
      COUNTRIES.flatMap(([country]) =>
        Array.from(
          { length: Math.max(0, toYear - fromYear + 1) },
          (_, offset) => `${country} ${indicatorId} ${fromYear + offset}`,
        ),
      ),
    ),
  );
  const messages: string[] = [];
  for (const { country, indicator, year } of rows)
    if (!wanted.delete(`${country} ${indicator} ${year}`))
      messages.push(`${country} ${indicator} ${year} is in no window of the registry`);
  for (const key of wanted) messages.push(`no row for ${key}`);
  return messages.map((message) => releaseFinding(`release/${DATA.observations}`, 'content', message));
}

/** Equality of JSON values whatever the order of their members. */
function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
