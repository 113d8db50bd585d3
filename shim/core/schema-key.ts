/** The key by which a bundle finds the compiled validator of a schema. */
import type { JsonSchema } from './types.ts';

/** A hash that differs between the schemas of one bundle. */
export function schemaKey(schema: JsonSchema): number {
  const text = JSON.stringify(schema);
  let key = 0;
  // By index: a loop over the characters makes a text of each, which the first request of a server would wait for.
  for (let at = 0; at < text.length; at += 1) key = (Math.imul(key, 31) + text.charCodeAt(at)) | 0;
  return key;
}
