/**
 * UNODC's Illicit Arms Flows Questionnaire workbook, read once into the datasets arms (every row) and firearms-tracing
 * (the tracing breakdown by country and year).
 */
import type { Indicator, ObservationRow, ObservationsDescriptor, Source } from '../lib/dataset.ts';
import { refuse } from './cells.ts';
import { readArmsTable, type ArmsRow, type ArmsTable } from './firearms-table.ts';
import { isTracing, tracingDataset, tracingField } from './firearms-tracing.ts';
import { count, newAudit, onlyFile, type Imported, type Importer } from './importer.ts';
import { countUnavailable, observation } from './observations.ts';
import { describeSource, UNODC_TERMS, type SourceFacts } from './sources.ts';

const PAGE = 'https://data.unodc.org/datareport/firearm-tracing';

const SOURCE: SourceFacts = {
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
  copies: { c0d1f287ec43ec2e13e5cfb89d9499c84dd7b214c1bc8f784fe34e81b5a5e1f1: '2024-08-26' },
};

const NEVER_SUM =
  'Breakdowns overlap and totals stand among their parts: never add up categories or dimensions.';
const PLACE_TOTAL =
  'The source does not say whether a plain "Total" under "by location" belongs to the places or to the tracing results; some country-years print two with different values.';

/** An indicator; its label is the printed name unless it has one of its own. */
interface IndicatorFacts {
  id: string;
  label?: string;
  description: string;
}

/** Printed indicator -> id, label and what is counted. An indicator not listed is refused. */
const INDICATORS: Record<string, IndicatorFacts> = {
  'Arms seized': {
    id: 'arms-seized',
    description:
      'Arms seized, in total and by type, marking, condition, place, legal justification and suspected offence.',
  },
  'Arms found': {
    id: 'arms-found',
    description: 'Arms found, by type, marking and place.',
  },
  'Arms surrendered': {
    id: 'arms-surrendered',
    description: 'Arms surrendered, by type, marking and place.',
  },
  'Ammunition seized': {
    id: 'ammunition-seized',
    description: 'Rounds of ammunition seized, as counted by the country.',
  },
  'Parts and components seized': {
    id: 'arms-parts-seized',
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

/** Imports the arms workbook into arms and firearms-tracing. */
export const firearms: Importer = {
  name: 'firearms',
  summary: 'UNODC Illicit Arms Flows Questionnaire: arms seized, found, surrendered and traced',
  datasets: ['arms', 'firearms-tracing'],
  files: 'the firearms trafficking workbook (.xlsx)',
  read(files, options) {
    const file = onlyFile('firearms', files, 'one workbook');
    const table = readArmsTable(file);
    for (const row of table.rows) refuseUnknown(row);
    const described = describeSource(SOURCE, file, options);
    // The edition prints its own date above the table; it says more than the operator's date of retrieval.
    const source = { ...described, dated: table.dated ?? described.dated };
    return [armsDataset(table, source), tracingDataset(table, source)];
  },
};

function refuseUnknown(row: ArmsRow): void {
  const field = tracingField(row);
  if (INDICATORS[row.indicator] === undefined) refuse(row.cells.indicator, 'a known indicator');
  if (isTracing(row) && field === null) refuse(row.cells.category, 'a known tracing category');
  if (!isTracing(row) && field !== null) refuse(row.cells.dimension, 'the dimension "by location"');
}

function armsDataset(table: ArmsTable, source: Source): Imported {
  const audit = newAudit();
  audit.read = table.rows.length;
  audit.withheld = table.withheld;
  audit.kept = table.rows.length;
  const rows = table.rows.map((row) => armsObservation(row, source.id));
  countUnavailable(rows, audit);
  const zeros = rows.filter(({ value }) => value === 0).length;
  if (zeros > 0) count(audit.notes, 'explicit zero kept as an observed zero', zeros);
  const lost = table.rows.filter(({ isConflicting, value }) => isConflicting && value === 0).length;
  if (lost > 0) count(audit.notes, 'explicit zero unavailable because its row conflicts with another', lost);
  const indicators = Object.entries(INDICATORS).flatMap(([printed, facts]) => {
    const own = table.rows.filter((row) => row.indicator === printed);
    const plain = asIndicator(printed, facts);
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

function asIndicator(printed: string, { id, label = printed, description }: IndicatorFacts): Indicator {
  return {
    id,
    sourceId: SOURCE.id,
    market: 'arms',
    label,
    measureType: 'reported_count',
    description,
    limitations: printed === 'Arms seized' ? [NEVER_SUM, PLACE_TOTAL] : [NEVER_SUM],
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

function armsObservation(row: ArmsRow, sourceId: string): ObservationRow {
  const id = INDICATORS[row.indicator]?.id ?? '';
  const persons = [row.sex === null ? '' : `Sex ${row.sex}`, row.age === null ? '' : `Age ${row.age}`];
  const place = isTracing(row)
    ? { indicatorId: `${id}-tracing`, category: row.category, subgroup: joined(persons) }
    : { indicatorId: id, category: row.dimension, subgroup: joined([row.category, ...persons]) };
  return observation({
    ...place,
    geoCode: row.geography.code,
    period: row.year,
    value: row.value,
    unit: row.unit,
    status: 'reported',
    reason: row.isConflicting ? 'conflicting_source_rows' : null,
    sourceId,
    sourceLocator: row.cells.value.place,
  });
}

/** `Sex Male; Age Total`, without the empty parts. */
function joined(parts: string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}
