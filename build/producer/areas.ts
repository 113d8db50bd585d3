/**
 * The five target areas and what each needs evidence for. An area has two targets: itself, and the national statistics of its
 * countries, which are context only and never evidence about the area.
 */
import { Refusal } from '../import/importer.ts';
import { COUNTRIES, type ObservatoryRegister, type RegisterSource, type RegisterTarget } from './contract.ts';
import { isBuildReady, type ParsedRegister } from './register.ts';

type CountryCode = (typeof COUNTRIES)[number][0];
type Area = [letter: string, areaId: string, label: string, targetType: string, countries: CountryCode[]];

/** The letter is that of the register. */
const AREAS: Area[] = [
  ['C', 'cpec', 'China-Pakistan Economic Corridor', 'corridor_programme', ['CHN', 'PAK']],
  ['G', 'gwadar', 'Gwadar port and town', 'port_area', ['PAK']],
  ['M', 'cmec', 'China-Myanmar Economic Corridor', 'corridor_programme', ['CHN', 'MMR']],
  ['K', 'kyaukpyu', 'Kyaukpyu port and economic zone', 'port_area', ['MMR']],
  ['B', 'balochistan', 'Balochistan province', 'province', ['PAK']],
];

/** Top-level domains of the countries: they distinguish a national body from an international one. */
const DOMAINS: [suffix: string, country: CountryCode][] = [
  ['.cn', 'CHN'],
  ['.mm', 'MMR'],
  ['.pk', 'PAK'],
];

/** What an area needs; each item is covered by the sources of one class. */
const AREA_COVERAGE = ['official_or_administrative', 'independent_observation'] as const;

/** Areas with their targets, and one gap per required coverage that no build-ready source has. */
export function targetAreas(
  file: string,
  { sources }: ParsedRegister,
): Pick<ObservatoryRegister, 'targetAreas' | 'buildReadyGaps'> {
  const gaps: string[] = [];
  const areas = AREAS.map(([letter, areaId, label, targetType, countries]) => {
    const chosen = (
      kind: string,
      isChosen: (source: (typeof sources)[number]) => boolean,
    ): typeof sources => {
      const found = sources.filter(isChosen);
      if (found.length > 0) return found;
      throw new Refusal(file, `area ${letter}`, `a source for the ${kind} target`, 'none');
    };
    const local = chosen('area', (source) => source.areas.has(letter));
    const national = chosen(
      'national',
      (source) => source.areas.has('N') && countriesOf(source).some((code) => countries.includes(code)),
    );
    for (const needed of AREA_COVERAGE)
      if (!local.some((source) => isBuildReady(source) && source.classes.includes(needed)))
        gaps.push(`${areaId}: no build-ready source of class ${needed}`);
    const isLive = national.some(({ implementationState }) => implementationState === 'live');
    const targets: RegisterTarget[] = [
      {
        targetId: `${areaId}_area`,
        label,
        targetType,
        evidenceStatus: local.some(isBuildReady) ? 'build_ready_sources_exist' : 'no_build_ready_source',
        requiredCoverage: [...AREA_COVERAGE],
        sourceIds: local.map(({ sourceId }) => sourceId),
      },
      {
        targetId: `${areaId}_national_context`,
        label: `National context of ${countries.join(' and ')} (not evidence about the area)`,
        targetType: 'national_context',
        evidenceStatus: isLive ? 'national_observations_packaged' : 'no_build_ready_source',
        requiredCoverage: ['national_statistics'],
        sourceIds: national.map(({ sourceId }) => sourceId),
      },
    ];
    return { areaId, label, targets };
  });
  return { targetAreas: areas, buildReadyGaps: gaps };
}

function countriesOf({ homepages }: RegisterSource): CountryCode[] {
  const hosts = homepages.map((homepage) => new URL(homepage).hostname);
  const national = DOMAINS.filter(([suffix]) => hosts.some((host) => host.endsWith(suffix)));
  return (national.length > 0 ? national : DOMAINS).map(([, code]) => code);
}
