/**
 * A story's chart: bars from a common zero in plain SVG. Every number drawn is a cited cell, so there is no axis of round
 * numbers; bounds are lines as printed; an unavailable cell is said to be so and never drawn as zero. Pure.
 */
import type { Point } from '../../newsroom/edition.ts';
import { escaped } from '../../site/html.ts';

const ROW = 26;
const FROM = 24;
const SPAN = 48;

/** The SVG; `id` makes its ids unique in a page. Widths are per cent, so text keeps its size on any screen. */
export function chartSvg(points: Point[], title: string, id: string): string {
  const most = Math.max(
    0,
    ...points.flatMap(({ value, upper, lower }) => [value ?? 0, upper ?? 0, lower ?? 0]),
  );
  const rows: string[] = [];
  let y = 4;
  let group: string | null = null;
  for (const point of points) {
    if (point.series !== group && point.series !== null) {
      y += group === null ? 0 : 8;
      rows.push(`<text class="group" x="0" y="${y + 17}">${escaped(point.series)}</text>`);
      y += ROW;
    }
    group = point.series;
    rows.push(...barOf(point, y, most));
    y += ROW;
  }
  return `<svg role="img" aria-labelledby="${id}-t ${id}-d" height="${y + 4}">
<title id="${id}-t">${escaped(title)}</title><desc id="${id}-d">The values stand in the table below.</desc>
<line class="base" x1="${FROM}%" x2="${FROM}%" y1="0" y2="${y + 4}"/>
${rows.join('\n')}
</svg>`;
}

function barOf({ label, value, lower, upper, reason }: Point, y: number, most: number): string[] {
  const middle = y + ROW / 2;
  const place = (amount: number): string => `${percent(most === 0 ? FROM : FROM + (amount / most) * SPAN)}%`;
  const parts = [`<text x="0" y="${middle + 4}">${escaped(label)}</text>`];
  if (value !== null) {
    const width = percent(most === 0 ? 0 : (value / most) * SPAN);
    parts.push(`<rect class="bar" x="${FROM}%" y="${y + 5}" width="${width}%" height="${ROW - 10}" rx="1"/>`);
    parts.push(`<text class="value" x="100%" y="${middle + 4}" text-anchor="end">${String(value)}</text>`);
  } else {
    const why = reason === null ? 'unavailable' : reason.replaceAll('_', ' ');
    parts.push(`<text class="gone" x="100%" y="${middle + 4}" text-anchor="end">${escaped(why)}</text>`);
  }
  const ends = [lower, upper].filter((bound) => bound !== null);
  const open = value === null ? ' open' : '';
  if (lower !== null && upper !== null)
    parts.push(
      `<line class="range${open}" x1="${place(lower)}" x2="${place(upper)}" y1="${middle}" y2="${middle}"/>`,
    );
  for (const bound of ends)
    parts.push(
      `<line class="range" x1="${place(bound)}" x2="${place(bound)}" y1="${y + 6}" y2="${y + ROW - 6}"/>`,
    );
  return parts;
}

function percent(amount: number): string {
  return String(Math.round(amount * 100) / 100);
}
