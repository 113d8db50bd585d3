/** UNODC World Drug Report annexes 6.1.1 and 6.2.1: areas under illicit cultivation, one dataset a crop. */
import type { Geography, ObservationRow, Status, UnavailableReason } from '../lib/dataset.ts';
import { count, newAudit, type Audit } from './audit.ts';
import { readCultivationTable, type CultivationLine, type CultivationTable } from './cultivation-table.ts';
import { describeSource, type Family, type KnownCopies, type SourceFacts } from './family.ts';
import { geographyOf } from '../reference/geography.ts';
import { Refusal, shown } from './refusal.ts';
import { UNODC_TERMS, WDR_2025 } from './unodc.ts';
import { openWorkbook, type Cell } from './workbook.ts';

/** What differs between the two crops. */
interface Crop {
  family: string;
  dataset: string;
  title: string;
  label: string;
  description: string;
  source: SourceFacts;
  known: KnownCopies;
  /** Lines that are no country, by label in lower case. */
  aggregates: Record<string, Geography>;
  /** Area concepts a line's footnote can state: what the category says. */
  concepts: { says: RegExp; category: string }[];
  limitations: string[];
}

const FILE_BASE = 'https://www.unodc.org/documents/data-and-analysis/WDR_2025/Annex/';

const COCA: Crop = {
  family: 'coca',
  dataset: 'coca-cultivation',
  title: 'Illicit coca bush cultivation',
  label: 'Area under illicit coca bush cultivation',
  description:
    'Hectares under coca bush by country and year; the category names the area concept of a footnoted line.',
  source: {
    ...UNODC_TERMS,
    id: 'wdr2025-6.1.1',
    title: 'World Drug Report 2025, annex 6.1.1: Global illicit coca bush cultivation',
    url: WDR_2025,
    path: `${FILE_BASE}6.1.1_Global_illicit_coca_bush_cultivation.xlsx`,
    cadence: 'P1Y',
    notes: [
      'In the edition of 2025 the total of 2020 repeats that of 2019 and the total of 2023 is built on the Bolivian area of 2022; both are kept as printed.',
    ],
  },
  known: {
    '3062b5f9a2bd7e55487e3775064558c3287dd38de8b8480cc2866ba94cf62211': {
      dated: '2025-06',
      retrievedAt: '2025-06',
    },
  },
  aggregates: { total: { code: 'x-coca-total', name: 'Total', level: 'aggregate' } },
  concepts: [
    { says: /^net area on 31 december/i, category: 'Net area on 31 December' },
    { says: /as interpreted on satellite imagery/i, category: 'Area as interpreted on satellite imagery' },
  ],
  limitations: [
    'Area concepts differ between countries and are not comparable; Peru stands under both concepts, each a series of its own, and both are printed for 2011.',
    'Bolivia carries no footnote; the source describes its area as interpreted on satellite imagery.',
    'The total of 2011 uses the satellite-imagery area of Peru; Peru in 2021 includes five new areas.',
    'Totals are the source’s own and are never recomputed.',
  ],
};

const OPIUM: Crop = {
  family: 'opium',
  dataset: 'opium-cultivation',
  title: 'Illicit opium poppy cultivation',
  label: 'Area under illicit opium poppy cultivation',
  description: 'Hectares under opium poppy by country and year, best estimate with the printed bounds.',
  source: {
    ...UNODC_TERMS,
    id: 'wdr2025-6.2.1',
    title: 'World Drug Report 2025, annex 6.2.1: Illicit cultivation of opium poppy',
    url: WDR_2025,
    path: `${FILE_BASE}6.2.1_Illicit_cultivation_of_opium_poppy.xlsx`,
    cadence: 'P1Y',
    notes: [
      'In the edition of 2025 the best estimates of 2019 for Afghanistan, Lao PDR, Myanmar and Mexico are broken links to another workbook and are not published here.',
      'In the same edition the rounded total of 2020 does not follow from the total above it; both are kept as printed.',
    ],
  },
  known: {
    c81fa07a6cbc58cfe77d2fa50d91fb5e27fb0ca149d961f1560a5fbcba5fd1e6: {
      dated: '2025-06',
      retrievedAt: '2025-06',
    },
  },
  aggregates: {
    'other countries': { code: 'x-opium-other-countries', name: 'Other countries', level: 'aggregate' },
    total: { code: 'x-opium-total', name: 'TOTAL', level: 'aggregate' },
  },
  concepts: [],
  limitations: [
    'Methods and covered areas change over time: Lao PDR from 2016, Mexico up to 2015, and Myanmar in 2014, 2015 and 2018 to 2020 are not directly comparable with other years.',
    'Mexico up to 2014 and Colombia in 2018 rest on reports of the United States, which the Government of Mexico does not validate.',
    'A row of values that the source leaves without a label (where the upper bound of the total would stand) is withheld.',
    'Totals are the source’s own, rounded ones in a category of their own, and are never recomputed.',
  ],
};

/** Imports annex 6.1.1 as `coca-cultivation`. */
export const coca: Family = familyOf(COCA);

/** Imports annex 6.2.1 as `opium-cultivation`. */
export const opium: Family = familyOf(OPIUM);

function familyOf(crop: Crop): Family {
  return {
    name: crop.family,
    summary: crop.source.title,
    files: 'one .xlsx workbook',
    read(files, options) {
      const [file, ...more] = files;
      if (!file || more.length > 0)
        throw new Refusal(crop.family, 'the files', 'one workbook', `${files.length} files`);
      const audit = newAudit();
      const isListed = (name: string): boolean => findGeography(crop, name) !== null;
      const table = readCultivationTable(file.name, openWorkbook(file.name, file.bytes), isListed, audit);
      const geographies = new Map<string, Geography>();
      const rows = table.lines.flatMap((line) => {
        const geography = findGeography(crop, line.name);
        if (!geography)
          throw new Refusal(
            file.name,
            `${table.sheet.name}!${line.row}:${line.row}`,
            'a known country or total',
            shown(line.name),
          );
        geographies.set(geography.code, geographies.get(geography.code) ?? geography);
        return recordsOf(file.name, crop, table, line, geography.code, audit);
      });
      refuseTwins(file.name, rows);
      count(audit.notes, 'records written', rows.length);
      return [
        {
          dataset: {
            kind: 'observations',
            descriptor: {
              kind: 'observations',
              name: crop.dataset,
              title: crop.title,
              description: crop.description,
              sources: [describeSource(crop.source, file, crop.known, options)],
              limitations: crop.limitations,
              geographies: [...geographies.values()].sort((a, b) => (a.code < b.code ? -1 : 1)),
              indicators: [
                {
                  id: crop.dataset,
                  sourceId: crop.source.id,
                  market: 'drugs',
                  label: crop.label,
                  measureType: 'survey_estimate',
                  description: crop.description,
                  limitations: [],
                },
              ],
            },
            rows,
          },
          audit,
        },
      ];
    },
  };
}

function findGeography(crop: Crop, name: string): Geography | null {
  return crop.aggregates[name.toLowerCase()] ?? geographyOf(name);
}

function recordsOf(
  file: string,
  crop: Crop,
  table: CultivationTable,
  line: CultivationLine,
  geoCode: string,
  audit: Audit,
): ObservationRow[] {
  const { sheet, unit } = table;
  const concept = crop.concepts.find(({ says }) => line.footnotes.some((text) => says.test(text)));
  const category = line.rounded ? 'rounded' : (concept?.category ?? '');
  return table.years.map(({ period, column }) => {
    const areaAt = (row: number): Area =>
      row === 0
        ? { value: null, reason: 'blank_in_source' }
        : areaOf(file, sheet.name, sheet.cell(row, column));
    const best = areaAt(line.row);
    const [lower, upper] = [areaAt(line.lower).value, areaAt(line.upper).value];
    for (const row of [line.lower, line.upper])
      if (areaAt(row).reason === 'broken_formula_in_source')
        count(audit.notes, 'bound lost to a broken formula');
    const isBounded = lower !== null || upper !== null;
    const reason = best.reason === 'blank_in_source' && isBounded ? 'no_point_value_in_source' : best.reason;
    const status: Status = best.value === null ? 'unavailable' : 'estimated';
    if (reason !== null) count(audit.unavailable, reason);
    if (best.value !== null && ((lower ?? best.value) > best.value || (upper ?? best.value) < best.value))
      count(audit.notes, 'best estimate outside its bounds kept as printed');
    return {
      indicatorId: crop.dataset,
      geoCode,
      category,
      subgroup: '',
      period,
      value: best.value,
      lower,
      upper,
      unit,
      status,
      unavailableReason: reason,
      sourceId: crop.source.id,
      sourceLocator: sheet.locator(line.row, column),
    };
  });
}

interface Area {
  value: number | null;
  reason: UnavailableReason | null;
}

/** A link to another workbook shows a stale cached value, so it is unavailable whatever it shows. */
function areaOf(file: string, sheetName: string, { value, formula, address }: Cell): Area {
  if (formula !== null && /\[(?:\d+|[^\]]+\.xls[a-z]?)\][^!\]]*!/i.test(formula))
    return { value: null, reason: 'broken_formula_in_source' };
  if (value === null) return { value: null, reason: 'blank_in_source' };
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return { value, reason: null };
  if (typeof value === 'string' && ['..', '…'].includes(value.trim()))
    return { value: null, reason: 'placeholder_in_source' };
  throw new Refusal(file, `${sheetName}!${address}`, 'hectares, ".." or a blank cell', shown(value));
}

/** Two lines of one country under one concept would be told apart by nothing but their place. */
function refuseTwins(file: string, rows: ObservationRow[]): void {
  const seen = new Map<string, string>();
  for (const { geoCode, category, period, sourceLocator } of rows) {
    const key = [geoCode, category, period].join('|');
    const first = seen.get(key);
    if (first !== undefined)
      throw new Refusal(file, sourceLocator, `one line of ${key}`, `another at ${first}`);
    seen.set(key, sourceLocator);
  }
}
