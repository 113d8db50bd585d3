/** Text as HTML. */

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text escaped for element content and quoted attributes. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** The text of markup: tags removed, entities of `escaped` put back, white space as one space. */
export function textOfHtml(html: string): string {
  const plain = html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return Object.entries(ENTITIES)
    .toReversed()
    .reduce((text, [character, entity]) => text.replaceAll(entity, character), plain);
}
