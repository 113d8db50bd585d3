/**
 * The five target areas and what each needs evidence for. An area has two targets: itself, and the national statistics
 * of its countries, which are context only and never evidence about the area.
 */
import type { AreaId, CountryCode, ObservatoryRegister, RegisterSource, RegisterTarget } from './contract.ts';
import { isBuildReady } from './readiness.ts';
import type { ParsedRegister } from './register.ts';
import { Refusal } from '../import/refusal.ts';

interface Area {
  areaId: AreaId;
  /** Its letter in the register. */
  letter: string;
  label: string;
  targetType: string;
  countries: CountryCode[];
}

const AREAS: Area[] = [
  {
    areaId: 'cpec',
    letter: 'C',
    label: 'China-Pakistan Economic Corridor',
    targetType: 'corridor_programme',
    countries: ['CHN', 'PAK'],
  },
  {
    areaId: 'gwadar',
    letter: 'G',
    label: 'Gwadar port and town',
    targetType: 'port_area',
    countries: ['PAK'],
  },
  {
    areaId: 'cmec',
    letter: 'M',
    label: 'China-Myanmar Economic Corridor',
    targetType: 'corridor_programme',
    countries: ['CHN', 'MMR'],
  },
  {
    areaId: 'kyaukpyu',
    letter: 'K',
    label: 'Kyaukpyu port and economic zone',
    targetType: 'port_area',
    countries: ['MMR'],
  },
  {
    areaId: 'balochistan',
    letter: 'B',
    label: 'Balochistan province',
    targetType: 'province',
    countries: ['PAK'],
  },
];

/** Country top-level domains: how a national body is told from an international one. */
const DOMAINS: [suffix: string, country: CountryCode][] = [
  ['.cn', 'CHN'],
  ['.mm', 'MMR'],
  ['.pk', 'PAK'],
];

/** What an area needs; each item is held by the sources of one class. */
const AREA_COVERAGE = ['official_or_administrative', 'independent_observation'] as const;

/** Areas with their targets, and one gap per required coverage that no build-ready source holds. */
export function targetAreas(
  file: string,
  { sources }: ParsedRegister,
): Pick<ObservatoryRegister, 'targetAreas' | 'buildReadyGaps'> {
  const gaps: string[] = [];
  const areas = AREAS.map(({ areaId, letter, label, targetType, countries }) => {
    const local = sources.filter((source) => source.areas.has(letter));
    const national = sources.filter(
      (source) => source.areas.has('N') && countriesOf(source).some((code) => countries.includes(code)),
    );
    for (const [kind, found] of [
      ['area', local],
      ['national', national],
    ] as const)
      if (found.length === 0)
        throw new Refusal(file, `area ${letter}`, `a source for the ${kind} target`, 'none');
    for (const needed of AREA_COVERAGE)
      if (!local.some((source) => isBuildReady(source) && source.classes.includes(needed)))
        gaps.push(`${areaId}: no build-ready source of class ${needed}`);
    const targets: RegisterTarget[] = [
      {
        targetId: `${areaId}_area`,
        label,
        targetType,
        evidenceStatus: local.some(isBuildReady) ? 'build_ready_sources_exist' : 'no_build_ready_source',
        requiredCoverage: [...AREA_COVERAGE],
        sourceIds: ids(local),
      },
      {
        targetId: `${areaId}_national_context`,
        label: `National context of ${countries.join(' and ')} (not evidence about the area)`,
        targetType: 'national_context',
        evidenceStatus: national.some(({ implementationState }) => implementationState === 'live')
          ? 'national_observations_packaged'
          : 'no_build_ready_source',
        requiredCoverage: ['national_statistics'],
        sourceIds: ids(national),
      },
    ];
    return { areaId, label, targets };
  });
  return { targetAreas: areas, buildReadyGaps: gaps };
}

function countriesOf({ homepages }: RegisterSource): CountryCode[] {
  const hosts = homepages.map((homepage) => new URL(homepage).hostname);
  const national = DOMAINS.filter(([suffix]) => hosts.some((host) => host.endsWith(suffix))).map(
    ([, code]) => code,
  );
  return national.length > 0 ? national : ['CHN', 'MMR', 'PAK'];
}

function ids(sources: readonly RegisterSource[]): string[] {
  return sources.map(({ sourceId }) => sourceId);
}
