/** By what a bundle finds the compiled validator of a schema. */
import type { JsonSchema } from './types.ts';

/** A number that tells the schemas of one bundle apart. */
export function schemaKey(schema: JsonSchema): number {
  let key = 0;
  for (const character of JSON.stringify(schema)) key = (Math.imul(key, 31) + character.charCodeAt(0)) | 0;
  return key;
}
