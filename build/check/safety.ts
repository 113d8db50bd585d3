/**
 * The safety gate: what may never be packaged, whoever wrote it. It reads every name and label of a descriptor, every column
 * of records.csv and every text cell, not the prose of limitations, which may say what is withheld.
 */
import type { Descriptor } from '../dataset.ts';
import { readCsv } from '../csv.ts';
import type { Finding } from '../findings.ts';
import type { LoadedDataset } from '../load/datasets.ts';
import { descriptorFinding } from './rule.ts';

/** Forbidden content: a pattern over text, and what it is. */
export const FORBIDDEN: [pattern: RegExp, what: string][] = [
  [/\bpurit(y|ies)\b|\bpotency\b|\badulterants?\b|\bcutting agents?\b/i, 'purity or composition of a drug'],
  [/\byields?\b|\bpotential (production|manufacture)\b/i, 'yield or potential production'],
  [
    /\bsynthes(is|es|ize|ise)\b|\bsynthesis[- ]route\b|\breagents?\b|\bchemistry\b|\brecipes?\b/i,
    'synthesis or chemistry',
  ],
  [/\b(latitude|longitude|lat|lon|lng|coordinates?|geohash|geolocation|gps)\b/i, 'coordinates'],
  [/-?\d{1,3}\.\d{3,}\s*[,;]\s*-?\d{1,3}\.\d{3,}|\d{1,3}\s*°/, 'coordinates'],
  [/\b(street|home|postal) address\b|\baddress(es)?\b|\bpostal code\b/i, 'an address'],
  [/\b(date of birth|birth ?date|place of birth)\b|\b[DP]OB[: ]+\d/i, 'birth data'],
  [/\b(alias|aliases|a\.k\.a\.|aka)\b/i, 'an alias'],
  [/\b(passport|identity document|document number|national id|tax id)\b/i, 'a document number'],
  [
    /\b(composite|causal|causality|culpability|guilt|risk)[ _-]?(score|index|rating|rank)\b|\bcomposite\b|\bculpability\b/i,
    'a composite, causal or culpability score',
  ],
];

/** Columns records.csv may have besides an atlas descriptor's fields; anything else is refused. */
const COLUMNS: Record<Descriptor['kind'], string[]> = {
  observations: [
    'indicator',
    'geo',
    'category',
    'subgroup',
    'period',
    'value',
    'lower',
    'upper',
    'unit',
    'status',
    'reason',
    'source',
    'locator',
  ],
  atlas: ['iso3', 'country', 'year', 'source', 'locator'],
  entities: ['number', 'name', 'type', 'programs', 'countries'],
};

/** What text holds that it must not, or null. */
export function forbiddenIn(text: string): string | null {
  const words = text.replaceAll('_', ' ');
  return FORBIDDEN.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** Findings of the safety gate over one dataset. */
export function checkSafety(loaded: LoadedDataset): Finding[] {
  return [...checkLabels(loaded), ...checkCells(loaded)];
}

function checkLabels(loaded: LoadedDataset): Finding[] {
  const { descriptor } = loaded;
  const labels: string[] = [descriptor.name, descriptor.title];
  if (descriptor.kind === 'observations') {
    for (const { id, label, measureType, description } of descriptor.indicators)
      labels.push(id, label, measureType, description);
    for (const { name } of descriptor.geographies) labels.push(name);
  }
  if (descriptor.kind === 'atlas')
    for (const { path, label } of descriptor.fields) labels.push(path.replaceAll('.', ' '), label);
  return labels.flatMap((label) => {
    const what = forbiddenIn(label);
    return what === null
      ? []
      : [
          descriptorFinding(
            loaded,
            'safety',
            `${JSON.stringify(label)} names ${what}, which is never published`,
          ),
        ];
  });
}

function checkCells({ descriptor, folder, recordsBytes }: LoadedDataset): Finding[] {
  const file = `${folder}/records.csv`;
  const [header, ...rows] = readCsv(recordsBytes);
  const names = header?.cells ?? [];
  const allowed = new Set([
    ...COLUMNS[descriptor.kind],
    ...(descriptor.kind === 'atlas' ? descriptor.fields.map(({ path }) => path) : []),
  ]);
  const findings: Finding[] = names
    .filter((name) => !allowed.has(name))
    .map((name) => ({
      file,
      row: 1,
      rule: 'columns',
      message: `column "${name}" is not one a dataset of ${descriptor.kind} may have`,
    }));
  if (descriptor.kind === 'entities') return findings;
  const known = new Map<string, string | null>();
  for (const { line, cells } of rows) {
    for (const [position, cell] of cells.entries()) {
      if (names[position] === 'locator' || cell === '' || /^[-0-9.e+]+$/.test(cell)) continue;
      let what = known.get(cell);
      if (what === undefined) known.set(cell, (what = forbiddenIn(cell)));
      if (what !== null)
        findings.push({
          file,
          row: line,
          rule: 'safety',
          message: `${JSON.stringify(cell)} names ${what}, which is never published`,
        });
    }
  }
  return findings;
}
