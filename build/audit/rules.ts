/** One rule per dataset: how its raw files are read a second time. What a rule does not cover is a mismatch, never a skip. */
import type { Opened } from './cells.ts';
import type { Reread } from './published.ts';
import type { Line } from './raw.ts';
import {
  rereadArms,
  rereadLabour,
  rereadPrices,
  rereadScores,
  rereadSeizures,
  rereadSeries,
  rereadTracing,
  spellings,
} from './reread-rows.ts';
import { rereadCultivation, rereadInformality, rereadPrevalence } from './reread-years.ts';

/** A second reading of one source; `status` is what every value that is there must be published as. */
export interface Rule {
  status: 'reported' | 'estimated';
  /** Header word of the value's column in a CSV of one value per line. */
  valueColumn?: string;
  /** `notes` are the project's own tables, which the notes of a source name by sha256. */
  read: (opened: Opened, notes: Line[][]) => Reread[];
}

/** Dataset id -> rule. */
export const RULES: Record<string, Rule> = {
  arms: { status: 'reported', read: ({ sheets }) => sheets.flatMap(rereadArms) },
  'coca-cultivation': { status: 'estimated', read: ({ sheets }) => sheets.flatMap(rereadCultivation) },
  'drug-prices': {
    status: 'reported',
    read: ({ sheets }) => sheets.filter(({ name }) => name.startsWith('Prices')).flatMap(rereadPrices),
  },
  'drug-seizures': { status: 'reported', read: ({ sheets }) => sheets.flatMap(rereadSeizures) },
  'drug-use-prevalence': { status: 'estimated', read: ({ sheets }) => sheets.flatMap(rereadPrevalence) },
  'firearms-tracing': {
    status: 'reported',
    read: ({ sheets, fields }) => sheets.flatMap((sheet) => rereadTracing(sheet, fields)),
  },
  'informal-economy': {
    status: 'estimated',
    read: ({ sheets }) =>
      sheets.filter(({ name }) => /^((DGE|MIMIC)_p|WBentp\d)$/.test(name)).flatMap(rereadInformality),
  },
  'informal-employment': {
    status: 'estimated',
    valueColumn: 'obs_value',
    read: ({ lines }) => rereadLabour(lines),
  },
  'national-indicators': {
    status: 'reported',
    valueColumn: 'Value',
    read: ({ lines }) => rereadSeries(lines),
  },
  'opium-cultivation': { status: 'estimated', read: ({ sheets }) => sheets.flatMap(rereadCultivation) },
  'organized-crime-index': {
    status: 'reported',
    read: ({ sheets, fields }, [table = []]) => {
      const codes = table.length > 0 ? spellings(table) : new Map<string, string>();
      return sheets.flatMap((sheet) => rereadScores(sheet, fields, codes));
    },
  },
};
