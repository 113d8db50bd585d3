/** The key by which a bundle finds the compiled validator of a schema. */
import type { JsonSchema } from './types.ts';

/** A hash that differs between the schemas of one bundle. */
export function schemaKey(schema: JsonSchema): number {
  let key = 0;
  for (const character of JSON.stringify(schema)) key = (Math.imul(key, 31) + character.charCodeAt(0)) | 0;
  return key;
}
