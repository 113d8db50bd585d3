/**
 * The subgroup of a prevalence row: `Male 15-64; d, e; Heroin`. Sex and age come first; then what sets the value apart
 * from its neighbours: UNODC's adjustment letters, and the few specific notes that change what was measured.
 * Other notes are free text of the publisher and stay at the locator's row.
 */
import { foldSpace } from '../lib/text.ts';

/** Notes that say another measure than use of the sheet's drug by the general population in the past year. */
const MEASURES: { says: RegExp; qualifier: string }[] = [
  { says: /\bpast month use\b|\blast 30 days\b/i, qualifier: 'past month' },
  { says: /\b(?:problem|high-risk)\b/i, qualifier: 'problem users' },
];

/** Notes that narrow the sheet's drug to one substance when a whole sentence says nothing else. */
const SUBSTANCES = [
  'Amphetamine',
  'Benzodiazepines',
  'Cannabis herb',
  'Cannabis resin',
  'Cocaine hydrochloride',
  'Cocaine salt',
  'Cocaine salts',
  'Crack',
  'Fentanyl',
  'Hashish',
  'Heroin',
  'Herb',
  'MDMA',
  'Methadone',
  'Methamphetamine',
  'Opium',
  'Tramadol',
];

/** What a row prints beside its values. */
export interface SubgroupParts {
  sex: 'Male' | 'Female' | null;
  /** Age as printed, white space around the dash removed; empty where the source has none. */
  age: string;
  /** UNODC's letters, ordered: `d, e`. */
  adjustment: string;
  qualifier: string;
}

/** One line: `15-64`, `Female 16-59; a`, `Male`; empty where the source says nothing. */
export function subgroupOf({ sex, age, adjustment, qualifier }: SubgroupParts): string {
  const who = [sex ?? '', age].filter((part) => part !== '').join(' ');
  return [who, adjustment, qualifier].filter((part) => part !== '').join('; ');
}

/** `18-65 `, `12 -70`, `15+` as printed, or null for anything that is no age group. */
export function ageOf(printed: string): string | null {
  const age = foldSpace(printed).replaceAll(/\s*-\s*/g, '-');
  return /^\d{1,2}(?:-\d{1,3}|\+)$/.test(age) ? age : null;
}

/** The letters of an adjustment cell (`d,e ` gives `d, e`), or null where the cell holds words. */
export function adjustmentOf(printed: string): string | null {
  const letters = foldSpace(printed)
    .split(',')
    .map((part) => part.trim());
  return letters.every((letter) => /^[a-z]\*{0,2}$/.test(letter)) ? letters.sort().join(', ') : null;
}

/** The measure or substance a specific note names, or an empty string. */
export function qualifierOf(note: string): string {
  const measure = MEASURES.find(({ says }) => says.test(note));
  if (measure) return measure.qualifier;
  const sentences = note.split(/[.;](?:\s|$)/).map((sentence) => foldSpace(sentence).toLowerCase());
  return SUBSTANCES.find((substance) => sentences.includes(substance.toLowerCase())) ?? '';
}
