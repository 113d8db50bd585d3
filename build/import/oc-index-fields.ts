/**
 * The columns of the Global Organized Crime Index, by the words of its header: spelling and order differ by edition, so a
 * column is its name. The averages are the publisher's own.
 */
import type { AtlasField } from '../lib/dataset.ts';

interface ScoreColumn extends AtlasField {
  /** Header spellings besides the label. */
  spellings: string[];
  /** First edition that assessed it; an older edition has no such column. */
  since: number;
}

const FIRST = 2021;
const EXTENDED = 2023;

/** Every score of an edition: place in the record, printed name, other spellings, first edition. */
export const SCORES: ScoreColumn[] = [
  average('criminality', 'Criminality avg.', ['Criminality avg,']),
  average('markets.average', 'Criminal markets avg.', ['Criminal markets avg,']),
  ...group('markets', FIRST, [
    'Human trafficking',
    'Human smuggling',
    'Arms trafficking',
    'Flora crimes',
    'Fauna crimes',
    'Non-renewable resource crimes',
    'Heroin trade',
    'Cocaine trade',
    'Cannabis trade',
    'Synthetic drug trade',
  ]),
  ...group('markets', EXTENDED, [
    'Extortion and protection racketeering',
    'Trade in counterfeit goods',
    'Illicit trade in excisable goods',
    'Cyber-dependent crimes',
    'Financial crimes',
  ]),
  average('actors.average', 'Criminal actors avg.', ['Criminal actors avg,', 'Criminal actors']),
  ...group('actors', FIRST, [
    'Mafia-style groups',
    'Criminal networks',
    'State-embedded actors',
    'Foreign actors',
  ]),
  ...group('actors', EXTENDED, ['Private sector actors']),
  average('resilience.average', 'Resilience avg.', ['Resilience avg,', 'Resilience']),
  ...group('resilience', FIRST, [
    'Political leadership and governance',
    'Government transparency and accountability',
    'International cooperation',
    'National policies and laws',
    'Judicial system and detention',
    'Law enforcement',
    'Territorial integrity',
    'Anti-money laundering',
    'Economic regulatory capacity',
    'Victim and witness support',
    'Prevention',
    'Non-state actors',
  ]),
];

function average(path: string, label: string, spellings: string[]): ScoreColumn {
  return { path, label, spellings, since: FIRST };
}

function group(branch: string, since: number, labels: string[]): ScoreColumn[] {
  return labels.map((label) => ({
    path: `${branch}.${label.toLowerCase().replaceAll(/[^a-z]+/g, '_')}`,
    label,
    spellings: [],
    since,
  }));
}
