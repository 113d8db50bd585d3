/** The files of a story that print its cells, held against the records: the page and the data of its chart. */
import { readCsv } from '../lib/csv.ts';
import type { Mirror } from './mirror.ts';
import { pageDifferences } from './page-check.ts';
import { tokenOf, type Cell, type Dossier, type Report } from './published-story.ts';

/** The page must read, draw and tabulate what the records say. */
export async function checkPage(
  id: string,
  { citations, charts }: Dossier,
  passages: { place: string; text: string }[],
  values: Map<string, string | null>,
  mirror: Mirror,
  report: Report,
): Promise<void> {
  const file = `news/${id}/index.html`;
  const value = (cell: Cell): string => values.get(tokenOf(cell)) ?? '';
  const points = charts.flatMap((chart) => chart.points);
  const cells = new Map([
    ...citations.flatMap((cell): [string, string][] => [
      [`cite ${cell.number ?? 0} value`, value(cell)],
      [`cite ${cell.number ?? 0} locator`, cell.locator],
      [`source ${cell.dataset} ${cell.source}`, cell.sourceSha256],
      [`dataset ${cell.dataset}`, cell.datasetSha256],
    ]),
    ...points.flatMap((point, position): [string, string][] => [
      ...(value(point) === '' ? [] : [[`bar ${position + 1} value`, value(point)] as [string, string]]),
      ...(['lower', 'upper'] as const).flatMap((bound): [string, string][] =>
        typeof point[bound] === 'number' ? [[`bar ${position + 1} ${bound}`, String(point[bound])]] : [],
      ),
      [`bar ${position + 1} cell`, point.locator],
    ]),
  ]);
  const page = (await mirror.bytes(file))?.toString('utf8') ?? '';
  const printedValues = new Map(citations.map((cell) => [cell.number ?? 0, value(cell)]));
  const bars = points.map(value).filter((text) => text !== '');
  for (const difference of pageDifferences(page, { passages, printed: printedValues, bars, cells }))
    report(file, difference);
}

/** data.csv must hold the bars of the dossier. */
export async function checkChartData(
  id: string,
  { charts }: Dossier,
  mirror: Mirror,
  report: Report,
): Promise<void> {
  const file = `news/${id}/data.csv`;
  const bytes = await mirror.bytes(file);
  if (!bytes) return;
  const rows = readCsv(bytes).slice(1);
  const points = charts.flatMap((chart) => chart.points);
  if (rows.length !== points.length) report(file, `has ${rows.length} bars, the dossier ${points.length}`);
  for (const [position, { line, cells }] of rows.entries()) {
    const point = points[position];
    const wanted = [point?.value, point?.lower, point?.upper].map((amount) => String(amount ?? ''));
    const place = [point?.dataset, point?.recordId, point?.field, point?.locator, point?.sourceSha256];
    if ([...wanted, ...place].join('\n') !== [...cells.slice(2, 5), ...cells.slice(8)].join('\n'))
      report(file, `line ${line} is not bar ${position + 1} of the dossier`);
  }
}
