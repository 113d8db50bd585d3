/** schema.org in a page: data blocks that search engines read and nothing executes. */
import type { JsonObject } from '../core/types.ts';
import { el, trusted, type Child } from './node.ts';

/** A block of these facts. JSON inside a script element ends at `</script`: no `<` is left in it. */
export function dataBlock(facts: JsonObject): Child {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...facts });
  return el('script', { type: 'application/ld+json' }, trusted(text.replaceAll('<', String.raw`\u003c`)));
}
