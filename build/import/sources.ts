/** How a raw file is described as the source of a dataset, and what several publishers' tables have in common. */
import type { Source } from '../lib/dataset.ts';
import type { ImportOptions, SourceFile } from './importer.ts';

/** What an importer knows by heart about its table, whatever the copy. */
export type SourceFacts = Pick<
  Source,
  'id' | 'title' | 'publisher' | 'url' | 'path' | 'license' | 'licenseUrl' | 'cadence' | 'notes'
> & {
  /** The copies on record, by sha256: the date of the edition, on which the copy was obtained as well. */
  copies: Record<string, string>;
  /** What to say of a copy that is not on record, where its edition cannot be known. */
  otherCopies?: Pick<Source, 'id' | 'title' | 'url' | 'path'>;
};

/** Completes the facts with the file's own: hash, size, and its dates (of the record, or as the operator states). */
export function describeSource(facts: SourceFacts, file: SourceFile, options: ImportOptions): Source {
  const known = facts.copies[file.sha256];
  const other = known === undefined ? facts.otherCopies : undefined;
  const { id, title, url, path } = other ?? facts;
  const { publisher, license, licenseUrl, cadence, notes } = facts;
  const date = known ?? options.retrieved;
  return {
    id,
    title,
    publisher,
    url,
    path,
    license,
    licenseUrl,
    dated: date,
    retrievedAt: date,
    cadence,
    sha256: file.sha256,
    bytes: file.bytes.length,
    notes: other ? [...notes, UNKNOWN_EDITION] : notes,
  };
}

const UNKNOWN_EDITION =
  'Edition and file address of this copy are not on record; its date is the date of retrieval.';

/** Publisher and reuse terms of the World Drug Report annexes, as stated by UNODC. */
export const UNODC_TERMS = {
  publisher: 'United Nations Office on Drugs and Crime (UNODC)',
  license:
    'UNODC terms: reproduction for educational or non-profit purposes with acknowledgement; no commercial use without UNODC permission',
  licenseUrl: null,
} as const;

/** Landing page of the World Drug Report 2025. */
export const WDR_2025 = 'https://www.unodc.org/unodc/en/data-and-analysis/world-drug-report-2025.html';

/** The source of an annex of the World Drug Report 2025, whose copy on record has this sha256. */
export function wdr2025(
  annex: string,
  facts: { title: string; file: string; sha256: string; notes: string[] },
): SourceFacts {
  return {
    ...UNODC_TERMS,
    id: `wdr2025-${annex}`,
    title: `World Drug Report 2025, annex ${annex}: ${facts.title}`,
    url: WDR_2025,
    path: `https://www.unodc.org/documents/data-and-analysis/WDR_2025/Annex/${annex}_${facts.file}`,
    cadence: 'P1Y',
    notes: facts.notes,
    copies: { [facts.sha256]: '2025-06' },
  };
}

/** The licence of the World Bank's and the ILO's tables. */
export const CC_BY = {
  license: 'CC BY 4.0',
  licenseUrl: 'https://creativecommons.org/licenses/by/4.0/',
} as const;
