/** schema.org in a page: data blocks that search engines read and nothing executes. */
import type { JsonObject } from '../core/types.ts';
import { el, trusted, type Child } from './node.ts';

/** A block of these facts. JSON inside a script element ends at `</script`: no `<` is left in it. */
export function dataBlock(facts: JsonObject): Child {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...facts });
  return el('script', { type: 'application/ld+json' }, trusted(text.replaceAll('<', String.raw`\u003c`)));
}

/** The steps to a page, for search engines. */
export function breadcrumbs(
  steps: readonly (readonly [name: string, address: string])[],
  siteUrl: string,
): Child {
  const items = steps.map(([name, address], index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: `${siteUrl}/${address}`,
  }));
  return dataBlock({ '@type': 'BreadcrumbList', itemListElement: items });
}
