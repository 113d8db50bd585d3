/** Long lists of short texts, as they are read. */

/** The words of a text. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The items of a text, separated by bars. */
export function items(text: string): string[] {
  return text.trim().split(/\s*\|\s*/);
}
