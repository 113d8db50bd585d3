/** Reads JSON, and values of it whose form is not known: the documents of a release, members of any value. */
import type { JsonObject, JsonValue, Release } from './types.ts';

/** A parsed JSON document; the caller names its type, which is not checked. Throws an unavailable Fault as `release.document` does. */
export function readJson<T>(release: Pick<Release, 'document'>, path: string): T {
  return JSON.parse(new TextDecoder().decode(release.document(path))) as T;
}

/** Parses JSON; undefined where the text is not JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Whether a JSON value is an object: a group of members, not a list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of a JSON value at a path, a list of names or names joined by dots; every member of a null is null. */
export function memberAt(
  value: JsonValue | undefined,
  path: string | readonly string[],
): JsonValue | undefined {
  let found = value;
  for (const name of typeof path === 'string' ? path.split('.') : path) {
    if (found === null) return null;
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** The list of objects that is a member of a value; empty where it has no such member. What is in the list is not checked. */
export function rowsOf(value: JsonValue | undefined, member: string): JsonObject[] {
  return isObject(value) ? ((value[member] ?? []) as JsonObject[]) : [];
}

/** The members of an object with these names; those that it lacks are null. */
export function membersOf(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, value[name] ?? null]));
}
