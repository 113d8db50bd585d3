/**
 * A story's chart: bars from a common zero in plain SVG. Every number drawn is a cited cell, so there is no axis of round
 * numbers; bounds are lines as printed; an unavailable cell is labelled so and never drawn as zero.
 */
import { lines, markup, type Markup } from '../../lib/html.ts';
import type { Point } from '../printed-story.ts';

const ROW = 26;
/** Width of a character of a label, in per cent of the narrowest chart. */
const CHARACTER = 1.7;

/** The SVG; `id` makes its ids unique in a page. Widths are per cent, so text keeps its size on any screen. */
export function chartSvg(points: Point[], title: string, id: string): Markup {
  const from = between(12, longest(points.map(({ label }) => label)) * CHARACTER + 2, 40);
  const room = between(12, longest(points.map(({ value }) => String(value ?? ''))) * CHARACTER + 4, 40);
  const most = Math.max(
    0,
    ...points.flatMap(({ value, upper, lower }) => [value ?? 0, upper ?? 0, lower ?? 0]),
  );
  const rows: Markup[] = [];
  let y = 4;
  let group: string | null = null;
  for (const point of points) {
    if (point.series !== group && point.series !== null) {
      y += group === null ? 0 : 8;
      rows.push(markup`<text class="group" x="0" y="${y + 17}">${point.series}</text>`);
      y += ROW;
    }
    group = point.series;
    rows.push(...barOf(point, y, { from, span: 100 - from - room, most }));
    y += ROW;
  }
  return markup`<svg role="img" aria-labelledby="${id}-t ${id}-d" height="${y + 4}">
<title id="${id}-t">${title}</title><desc id="${id}-d">Values are in the table below.</desc>
<line class="base" x1="${percent(from)}%" x2="${percent(from)}%" y1="0" y2="${y + 4}"/>
${lines(rows)}
</svg>`;
}

/** Where bars begin and how far the largest amount reaches, in per cent of the width. */
interface Scale {
  from: number;
  span: number;
  most: number;
}

function barOf(
  { label, value, lower, upper, unavailableReason }: Point,
  y: number,
  { from, span, most }: Scale,
): Markup[] {
  const middle = y + ROW / 2;
  const place = (amount: number): string => `${percent(most === 0 ? from : from + (amount / most) * span)}%`;
  const parts = [markup`<text x="0" y="${middle + 4}">${label}</text>`];
  if (value !== null) {
    const width = percent(most === 0 ? 0 : (value / most) * span);
    parts.push(
      markup`<rect class="bar" x="${percent(from)}%" y="${y + 5}" width="${width}%" height="${ROW - 10}" rx="1"/>`,
    );
    parts.push(
      markup`<text class="value" x="100%" y="${middle + 4}" text-anchor="end">${String(value)}</text>`,
    );
  } else {
    const why = (unavailableReason ?? 'unavailable').replaceAll('_', ' ');
    parts.push(markup`<text class="gone" x="100%" y="${middle + 4}" text-anchor="end">${why}</text>`);
  }
  const ends = [lower, upper].filter((bound) => bound !== null);
  const open = value === null ? ' open' : '';
  if (lower !== null && upper !== null)
    parts.push(
      markup`<line class="range${open}" x1="${place(lower)}" x2="${place(upper)}" y1="${middle}" y2="${middle}"/>`,
    );
  for (const bound of ends)
    parts.push(
      markup`<line class="range" x1="${place(bound)}" x2="${place(bound)}" y1="${y + 6}" y2="${y + ROW - 6}"/>`,
    );
  return parts;
}

function percent(amount: number): string {
  return String(Math.round(amount * 100) / 100);
}

function longest(texts: string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}

function between(least: number, amount: number, most: number): number {
  return Math.min(most, Math.max(least, amount));
}
