/** One rule a dataset: how its raw files are read a second time. What a rule does not cover is a mismatch, never a skip. */
import type { Reread } from './claim.ts';
import type { RawFile } from './raw-files.ts';
import { rereadScores, rereadTracing, spellings, type Field } from './reread-atlas.ts';
import { rereadArms, rereadLabour, rereadPrices, rereadSeizures, rereadSeries } from './reread-rows.ts';
import { rereadCultivation, rereadInformality, rereadPrevalence } from './reread-sheets.ts';
import type { Sheet } from './sheets.ts';

/** What a rule is given besides the file: the fields of an atlas, and the project's own tables by their hash in the notes. */
export interface RuleContext {
  fields: Field[];
  notes: RawFile[];
}

/** A second reading of one source; `status` is what every value that is there must be published as. */
export interface Rule {
  status: 'reported' | 'estimated';
  /** Header word of the value's column in a CSV of one value a line. */
  valueColumn?: string;
  read: (file: RawFile, context: RuleContext) => Reread[];
}

/** Dataset id -> rule. */
export const RULES: Record<string, Rule> = {
  arms: { status: 'reported', read: (file) => everySheet(file, rereadArms) },
  'coca-cultivation': { status: 'estimated', read: (file) => everySheet(file, rereadCultivation) },
  'drug-prices': { status: 'reported', read: (file) => sheets(file, /^Prices/).flatMap(rereadPrices) },
  'drug-seizures': { status: 'reported', read: (file) => everySheet(file, rereadSeizures) },
  'drug-use-prevalence': { status: 'estimated', read: (file) => everySheet(file, rereadPrevalence) },
  'firearms-tracing': {
    status: 'reported',
    read: (file, { fields }) => everySheet(file, (sheet) => rereadTracing(sheet, fields)),
  },
  'informal-economy': {
    status: 'estimated',
    read: (file) => sheets(file, /^((DGE|MIMIC)_p|WBentp\d)$/).flatMap(rereadInformality),
  },
  'informal-employment': {
    status: 'estimated',
    valueColumn: 'obs_value',
    read: (file) => rereadLabour(file.bytes),
  },
  'national-indicators': {
    status: 'reported',
    valueColumn: 'Value',
    read: (file) => rereadSeries(file.bytes),
  },
  'opium-cultivation': { status: 'estimated', read: (file) => everySheet(file, rereadCultivation) },
  'organized-crime-index': {
    status: 'reported',
    read: (file, { fields, notes: [table] }) => {
      const codes = table ? spellings(table.bytes) : new Map<string, string>();
      return everySheet(file, (sheet) => rereadScores(sheet, fields, codes));
    },
  },
};

function everySheet(file: RawFile, read: (sheet: Sheet) => Reread[]): Reread[] {
  return sheets(file, /^/).flatMap(read);
}

function sheets(file: RawFile, names: RegExp): Sheet[] {
  return [...file.sheets()].flatMap(([name, open]) => (names.test(name) ? [open()] : []));
}
