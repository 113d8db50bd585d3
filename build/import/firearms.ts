/**
 * Family firearms: UNODC's Illicit Arms Flows Questionnaire workbook, read once into the datasets firearms (every row)
 * and firearms-tracing (the tracing breakdown by country and year).
 */
import type { Indicator, ObservationRow, ObservationsDescriptor, Source } from '../lib/dataset.ts';
import { count, newAudit } from './audit.ts';
import { describeSource, type Family, type Imported, type KnownCopies, type SourceFacts } from './family.ts';
import { readArmsTable, type ArmsRow, type ArmsTable } from './firearms-table.ts';
import { isTracing, tracingDataset, tracingField } from './firearms-tracing.ts';
import { Refusal, shown } from './refusal.ts';
import { UNODC_TERMS } from './unodc.ts';

const PAGE = 'https://data.unodc.org/datareport/firearm-tracing';

const FACTS: SourceFacts = {
  id: 'iafq',
  title: 'Illicit Arms Flows Questionnaire, firearms trafficking',
  publisher: UNODC_TERMS.publisher,
  url: PAGE,
  path: PAGE,
  license: 'UNODC and United Nations terms: attribution; redistribution terms unresolved',
  licenseUrl: null,
  cadence: 'P1Y',
  notes: [
    'Reuse: attribute UNODC; the terms for redistributing the table are unresolved, so ask UNODC before republishing it as a whole.',
    'The page is a report from which the workbook is exported; the file has no address of its own.',
  ],
};

const KNOWN: KnownCopies = {
  c0d1f287ec43ec2e13e5cfb89d9499c84dd7b214c1bc8f784fe34e81b5a5e1f1: {
    dated: '2024-08-26',
    retrievedAt: '2024-08-26',
  },
};

const NEVER_SUM =
  'Breakdowns overlap and totals stand among their parts: never add up categories or dimensions.';
const PLACE_TOTAL =
  'The source does not say whether a plain "Total" under "by location" belongs to the places or to the tracing results; some country-years print two with different values.';

/** Printed indicator -> id, label and what is counted. An indicator not listed is refused. */
const INDICATORS: Record<string, { id: string; label: string; description: string; limitations?: string[] }> =
  {
    'Arms seized': {
      id: 'arms-seized',
      label: 'Arms seized',
      description:
        'Arms seized, in total and by type, marking, condition, place, legal justification and suspected offence.',
      limitations: [PLACE_TOTAL],
    },
    'Arms found': {
      id: 'arms-found',
      label: 'Arms found',
      description: 'Arms found, by type, marking and place.',
    },
    'Arms surrendered': {
      id: 'arms-surrendered',
      label: 'Arms surrendered',
      description: 'Arms surrendered, by type, marking and place.',
    },
    'Ammunition seized': {
      id: 'ammunition-seized',
      label: 'Ammunition seized',
      description: 'Rounds of ammunition seized, as counted by the country.',
    },
    'Parts and components seized': {
      id: 'arms-parts-seized',
      label: 'Parts and components seized',
      description: 'Parts and components of arms seized.',
    },
    'Instances/cases of seizures': {
      id: 'arms-seizure-cases',
      label: 'Instances or cases of seizures',
      description: 'Instances or cases in which arms were seized.',
    },
    'Individuals targeted by criminal justice system due to illicit trafficking in weapons': {
      id: 'arms-targeted',
      label: 'Individuals targeted by the criminal justice system for illicit trafficking in weapons',
      description: 'Individuals targeted by the criminal justice system for illicit trafficking in weapons.',
    },
    'Individuals arrested/suspected for illicit trafficking in weapons': {
      id: 'arms-suspected',
      label: 'Individuals arrested or suspected for illicit trafficking in weapons',
      description:
        'Individuals arrested or suspected for illicit trafficking in weapons, by sex where printed.',
    },
    'Individuals prosecuted for illicit trafficking in weapons': {
      id: 'arms-prosecuted',
      label: 'Individuals prosecuted for illicit trafficking in weapons',
      description: 'Individuals prosecuted for illicit trafficking in weapons, by sex where printed.',
    },
    'Individuals convicted for illicit trafficking in weapons': {
      id: 'arms-convicted',
      label: 'Individuals convicted for illicit trafficking in weapons',
      description: 'Individuals convicted for illicit trafficking in weapons, by sex where printed.',
    },
    'Individuals arrested/suspected': {
      id: 'arms-offences',
      label: 'Individuals arrested or suspected, by type of offences',
      description:
        'Individuals arrested or suspected for illicit trafficking in arms, alone or with other offences.',
    },
  };

/** Imports the arms workbook into firearms and firearms-tracing. */
export const firearms: Family = {
  name: 'firearms',
  summary: 'UNODC Illicit Arms Flows Questionnaire: arms seized, found, surrendered and traced',
  files: 'the firearms trafficking workbook (.xlsx)',
  read(files, options) {
    const [file, ...others] = files;
    if (!file || others.length > 0)
      throw new Refusal('firearms', 'the files', 'one workbook', `${files.length}`);
    const table = readArmsTable(file);
    for (const row of table.rows) refuseUnknown(file.name, row);
    const described = describeSource(FACTS, file, KNOWN, options);
    // The edition prints its own date above the table; it says more than the operator's date of retrieval.
    const source = table.dated === null ? described : { ...described, dated: table.dated };
    return [observations(table, source), tracingDataset(table, source)];
  },
};

function refuseUnknown(file: string, row: ArmsRow): void {
  if (INDICATORS[row.indicator] === undefined)
    throw new Refusal(file, row.place.indicator, 'a known indicator', shown(row.indicator));
  const field = tracingField(row);
  if (isTracing(row) && field === null)
    throw new Refusal(file, row.place.category, 'a known tracing category', shown(row.category));
  if (!isTracing(row) && field !== null)
    throw new Refusal(file, row.place.dimension, 'the dimension "by location"', shown(row.dimension));
}

function observations(table: ArmsTable, source: Source): Imported {
  const audit = newAudit();
  audit.read = table.rows.length;
  audit.withheld = table.withheld;
  const rows = table.rows.map((row) => observation(row, source.id));
  for (const { unavailableReason: reason, value } of rows) {
    audit.kept += 1;
    if (reason !== null) count(audit.unavailable, reason);
    if (value === 0) count(audit.notes, 'explicit zero kept as an observed zero');
  }
  const lost = table.rows.filter(({ conflicting, value }) => conflicting && value === 0).length;
  if (lost > 0) count(audit.notes, 'explicit zero unavailable because its row conflicts with another', lost);
  const indicators = Object.entries(INDICATORS).flatMap(([printed, facts]) => {
    const own = table.rows.filter((row) => row.indicator === printed);
    const plain = asIndicator(facts, source.id);
    return [
      ...(own.some((row) => !isTracing(row)) ? [plain] : []),
      ...(own.some(isTracing) ? [asTracing(plain)] : []),
    ];
  });
  const descriptor: ObservationsDescriptor = {
    name: 'arms',
    kind: 'observations',
    title: 'Arms seized, found, surrendered and traced',
    description:
      'What countries reported to UNODC on illicit arms flows: arms seized, found and surrendered, tracing results, ammunition, parts, cases and individuals.',
    sources: [source],
    limitations: [
      NEVER_SUM,
      'Two rows of one key with different values are both unavailable (conflicting_source_rows): the source does not say which holds.',
      'Two rows of one key with the same value are both kept.',
      'A zero is a reported zero; an absent row means not reported.',
      'A few figures reached UNODC through other channels than the questionnaire; the column naming the channel is not packaged.',
      'This is not SDG indicator 16.4.2 and that indicator cannot be computed from it.',
    ],
    geographies: table.geographies,
    indicators,
  };
  return { dataset: { kind: 'observations', descriptor, rows }, audit };
}

function asIndicator(facts: (typeof INDICATORS)[string], sourceId: string): Indicator {
  return {
    id: facts.id,
    sourceId,
    market: 'arms',
    label: facts.label,
    measureType: 'reported_count',
    description: facts.description,
    limitations: [NEVER_SUM, ...(facts.limitations ?? [])],
  };
}

function asTracing(indicator: Indicator): Indicator {
  return {
    ...indicator,
    id: `${indicator.id}-tracing`,
    label: `${indicator.label}: tracing results`,
    description: `${indicator.label}, by identifiability and tracing result.`,
    limitations: [
      NEVER_SUM,
      'The source files these rows under the dimension "by location"; they are not places.',
    ],
  };
}

function observation(row: ArmsRow, sourceId: string): ObservationRow {
  const tracing = isTracing(row);
  const id = INDICATORS[row.indicator]?.id ?? '';
  const reason = row.conflicting ? 'conflicting_source_rows' : row.value === null ? 'blank_in_source' : null;
  return {
    indicatorId: tracing ? `${id}-tracing` : id,
    geoCode: row.geography.code,
    category: tracing ? row.category : row.dimension,
    subgroup: tracing ? persons(row) : [row.category, persons(row)].filter((part) => part !== '').join('; '),
    period: String(row.year),
    value: reason === null ? row.value : null,
    lower: null,
    upper: null,
    unit: row.unit,
    status: reason === null ? 'reported' : 'unavailable',
    unavailableReason: reason,
    sourceId,
    sourceLocator: row.locator,
  };
}

/** `Sex Male; Age Total`; empty where neither applies. */
function persons({ sex, age }: ArmsRow): string {
  return [sex === null ? '' : `Sex ${sex}`, age === null ? '' : `Age ${age}`]
    .filter((part) => part !== '')
    .join('; ');
}
