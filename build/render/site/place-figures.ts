/** The figures of a place page: the coverage matrix of its indicators and years, and its series of at least three periods. */
import type { IndicatorAt, PlacePage } from './coverage.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { apiAddress, rowAddress, rowsAddress } from '../../../shim/view/address.ts';
import { coverageMatrix } from '../../../shim/view/chart/matrix.ts';
import { seriesFigure } from '../../../shim/view/chart/panels.ts';
import { el, p, type Child } from '../../../shim/view/node.ts';
import { recordsBySeries } from '../../../shim/view/rows.ts';
import { figureSources } from '../../../shim/view/chart/figure.ts';
import { section } from '../../../shim/view/table.ts';
import { counted } from '../../../shim/view/words.ts';

/** Panels that are open when the page is; the others are one click away, by dataset. */
const MOST_OPEN = 12;
/** A shorter series is read faster in the tables. */
const FEWEST_PERIODS = 3;

/** Indicators by years: a cell says what each has, and that there is no row where there is none. */
export function matrixSection({ coverage, name, root }: PlacePage): Child {
  const shown = coverage.flatMap(({ indicators }) => indicators).filter(({ records }) => records.length > 0);
  const years = shown.flatMap(({ records }) => records.map(({ period }) => Number(period.slice(0, 4))));
  if (years.length === 0) return '';
  const first = Math.min(...years);
  const periods = Array.from({ length: Math.max(...years) - first + 1 }, (_, index) => String(first + index));
  const rows = shown.map(({ indicator, records }) => {
    const starts = groupedBy(records, ({ period }) => period.slice(0, 4));
    const hrefOf = (year: string): string => {
      const [start] = starts.get(year) ?? [];
      return start ? rowAddress(start) : '';
    };
    return { label: indicator.label, records, hrefOf };
  });
  return section('coverage', 'Coverage', [
    p(`What the sources print for ${name}; each cell leads to its rows.`),
    coverageMatrix('Rows by indicator and year', rows, periods, root),
  ]);
}

/** A figure for each indicator that has a series of at least three periods. */
export function figuresSection(page: PlacePage): Child {
  let free = MOST_OPEN;
  const open: Child[] = [];
  const folded: Child[] = [];
  for (const dataset of page.coverage) {
    const later: IndicatorAt[] = [];
    for (const at of dataset.indicators) {
      const series = recordsBySeries(at.records);
      if (!series.some((records) => new Set(records.map(({ period }) => period)).size >= FEWEST_PERIODS))
        continue;
      if (series.length > free) later.push(at);
      else {
        free -= series.length;
        open.push(figureOf(at, page));
      }
    }
    if (later.length > 0)
      folded.push(
        el('details', {}, [
          el('summary', {}, `${dataset.document.title}: ${counted(later.length, 'figure')}`),
          later.map((at) => figureOf(at, page)),
        ]),
      );
  }
  return open.length + folded.length > 0 ? section('figures', 'Series', open, folded) : '';
}

function figureOf({ document, indicator, records }: IndicatorAt, { place, name, root }: PlacePage): Child {
  const months = records.some(({ period }) => period.length > 4);
  return seriesFigure(records, {
    id: `figure-${indicator.id}`,
    root,
    caption: `${indicator.label}, ${name}`,
    sources: figureSources(document, records),
    boundary: indicator.limitations[0] ?? document.limitations[0] ?? null,
    query: apiAddress('market-observations', { indicator: indicator.id, geo: place.code }),
    rows: `${rowsAddress(document.id, place.code)}${months ? '' : `#rows-${indicator.id}`}`,
  });
}
