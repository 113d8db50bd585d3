/** UNODC World Drug Report annexes 6.1.1 and 6.2.1: areas under illicit cultivation, one dataset per crop. */
import type { Geography, ObservationRow, ObservationsDescriptor, UnavailableReason } from '../lib/dataset.ts';
import { geographyOf } from '../reference/geography.ts';
import { numberOf, type Cell } from './cells.ts';
import { readCultivationTable, type CultivationLine } from './cultivation-table.ts';
import { count, newAudit, onlyFile, Refusal, shown, type Audit, type Importer } from './importer.ts';
import {
  countUnavailable,
  isOutsideBounds,
  newGeographies,
  observation,
  refuseTwin,
} from './observations.ts';
import { describeSource, wdr2025, type SourceFacts } from './sources.ts';
import { cellUnder, rowPlace } from './table.ts';
import { openWorkbook, type Sheet } from './workbook.ts';

/** What differs between the two crops. */
interface Crop {
  importer: string;
  dataset: string;
  title: string;
  label: string;
  description: string;
  source: SourceFacts;
  /** Lines that are not a country, by label in lower case. */
  aggregates: Record<string, Geography>;
  /** Area concepts a line's footnote can state: what the category says. */
  concepts: { says: RegExp; category: string }[];
  limitations: string[];
}

const COCA: Crop = {
  importer: 'coca',
  dataset: 'coca-cultivation',
  title: 'Illicit coca bush cultivation',
  label: 'Area under illicit coca bush cultivation',
  description:
    'Hectares under coca bush by country and year; the category names the area concept of a footnoted line.',
  source: wdr2025('6.1.1', {
    title: 'Global illicit coca bush cultivation',
    file: 'Global_illicit_coca_bush_cultivation.xlsx',
    sha256: '3062b5f9a2bd7e55487e3775064558c3287dd38de8b8480cc2866ba94cf62211',
    notes: [
      'In the edition of 2025 the total of 2020 repeats that of 2019 and the total of 2023 is built on the Bolivian area of 2022; both are kept as printed.',
    ],
  }),
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
  importer: 'opium',
  dataset: 'opium-cultivation',
  title: 'Illicit opium poppy cultivation',
  label: 'Area under illicit opium poppy cultivation',
  description: 'Hectares under opium poppy by country and year, best estimate with the printed bounds.',
  source: wdr2025('6.2.1', {
    title: 'Illicit cultivation of opium poppy',
    file: 'Illicit_cultivation_of_opium_poppy.xlsx',
    sha256: 'c81fa07a6cbc58cfe77d2fa50d91fb5e27fb0ca149d961f1560a5fbcba5fd1e6',
    notes: [
      'In the edition of 2025 the best estimates of 2019 for Afghanistan, Lao PDR, Myanmar and Mexico are broken links to another workbook and are not published here.',
      'In the same edition the rounded total of 2020 does not follow from the total above it; both are kept as printed.',
    ],
  }),
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
export const coca: Importer = importerOf(COCA);

/** Imports annex 6.2.1 as `opium-cultivation`. */
export const opium: Importer = importerOf(OPIUM);

function importerOf(crop: Crop): Importer {
  return {
    name: crop.importer,
    summary: crop.source.title,
    datasets: [crop.dataset],
    files: 'one .xlsx workbook',
    read(files, options) {
      const file = onlyFile(crop.importer, files, 'one workbook');
      const audit = newAudit();
      const isListed = (name: string): boolean => findGeography(crop, name) !== null;
      const { sheet, years, lines } = readCultivationTable(file.name, openWorkbook(file), isListed, audit);
      const geographies = newGeographies();
      const seen = new Map<string, string>();
      const rows = lines.flatMap((line) => {
        const geography = findGeography(crop, line.name);
        if (!geography)
          throw new Refusal(
            file.name,
            rowPlace(sheet, line.row),
            'a known country or total',
            shown(line.name),
          );
        const series = { crop, sheet, line, geoCode: geographies.add(geography) };
        return years.map(({ period, column }) => areaOf(series, period, column, seen, audit));
      });
      countUnavailable(rows, audit);
      count(audit.notes, 'records written', rows.length);
      const descriptor: ObservationsDescriptor = {
        kind: 'observations',
        name: crop.dataset,
        title: crop.title,
        description: crop.description,
        sources: [describeSource(crop.source, file, options)],
        limitations: crop.limitations,
        geographies: geographies.list(),
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
      };
      return [{ dataset: { kind: 'observations', descriptor, rows }, audit }];
    },
  };
}

function findGeography(crop: Crop, name: string): Geography | null {
  return crop.aggregates[name.toLowerCase()] ?? geographyOf(name);
}

/** What the years of one line have in common. */
interface Series {
  crop: Crop;
  sheet: Sheet;
  line: CultivationLine;
  geoCode: string;
}

function areaOf(
  { crop, sheet, line, geoCode }: Series,
  period: string,
  column: number,
  seen: Map<string, string>,
  audit: Audit,
): ObservationRow {
  const concept = crop.concepts.find(({ says }) => line.footnotes.some((text) => says.test(text)));
  const category = line.isRounded ? 'rounded' : (concept?.category ?? '');
  const cell = sheet.cell(line.row, column);
  const best = hectaresIn(cell);
  const [lower, upper] = [line.lower, line.upper].map((row) => {
    const bound = hectaresIn(cellUnder(sheet, row, row === 0 ? 0 : column));
    if (bound.reason === 'broken_formula_in_source') count(audit.notes, 'bound lost to a broken formula');
    return bound.value;
  });
  const bounds = { lower: lower ?? null, upper: upper ?? null };
  if (isOutsideBounds(best.value, bounds.lower, bounds.upper))
    count(audit.notes, 'best estimate outside its bounds kept as printed');
  // Two lines of one country under one concept would be distinguished by nothing but their place.
  const key = [geoCode, category, period].join('|');
  refuseTwin(seen, key, cell, 'line');
  return observation({
    indicatorId: crop.dataset,
    geoCode,
    category,
    period,
    ...best,
    ...bounds,
    unit: 'hectares',
    status: 'estimated',
    sourceId: crop.source.id,
    sourceLocator: cell.place,
  });
}

/** A link to another workbook shows a stale cached value, so it is unavailable whatever it shows. */
function hectaresIn(cell: Cell): { value: number | null; reason: UnavailableReason | null } {
  const { value, formula } = cell;
  if (formula !== null && /\[(?:\d+|[^\]]+\.xls[a-z]?)\][^!\]]*!/i.test(formula))
    return { value: null, reason: 'broken_formula_in_source' };
  if (typeof value === 'string' && ['..', '…'].includes(value.trim()))
    return { value: null, reason: 'placeholder_in_source' };
  return { value: numberOf(cell, 'hectares, ".." or a blank cell'), reason: null };
}
