/** The addresses of figures for frames of pages elsewhere, apart from those of pages: what searches load is not to grow by them. */
import { queryText } from '../core/paths.ts';
import type { Filters } from './address.ts';

/** The figure of the explorer with these filters, alone; answered by the service only. */
export function embedAddress(filters: Filters): string {
  return `embed/${queryText(filters)}`;
}

/** What embeds the figure of an address of this site, for programs that ask as oEmbed says. */
export function oembedAddress(filters: Filters): string {
  return `oembed${queryText(filters)}`;
}
