/** The element that shows a figure of the explorer in a page elsewhere, without a script; a figure that is higher is scrolled in it. */
import type { Exploration } from '../core/explore-answer.ts';
import { seriesOf } from './chart/series.ts';
import { allRecords } from './explore-figure.ts';
import { embedded } from './explore-link.ts';
import { escaped } from './node.ts';

/** Pixels of a frame. */
export interface FrameSize {
  width: number;
  height: number;
}

/** The size of a frame within the given bounds: one series has one panel, anything else is higher. */
export function frameSize(model: Exploration, most: Partial<FrameSize> = {}): FrameSize {
  const height = seriesOf(allRecords(model) ?? []).length === 1 ? 500 : 720;
  return { width: Math.min(700, most.width ?? Infinity), height: Math.min(height, most.height ?? Infinity) };
}

/** The element as HTML; `at` is the address of the site with `/` at its end. */
export function embedSnippet(
  model: Exploration,
  title: string,
  at: string,
  { width, height } = frameSize(model),
): string {
  const address = escaped(`${at}${embedded(model)}`);
  return `<iframe src="${address}" title="${escaped(title)}" width="${width}" height="${height}" loading="lazy" style="border:0;max-width:100%"></iframe>`;
}
