/** Parameters that several operations share, written once. */
import type { Parameter } from './operation.ts';

/** `limit`: an integer from 1 to `most`. */
export function limitParameter(byDefault: number, most: number): Parameter {
  return {
    name: 'limit',
    description: `Records a page, ${byDefault} by default, ${most} at most. It may change between pages.`,
    accepts: `an integer from 1 to ${most}`,
    schema: { type: 'integer', minimum: 1, maximum: most, default: byDefault },
  };
}

/** `cursor`: where the next page starts. */
export function cursorParameter(): Parameter {
  return {
    name: 'cursor',
    description:
      'page.next_cursor of the page before, unchanged, with the same filters. When it is refused as stale, restart from the first page.',
    accepts: 'a next_cursor of this resource, unchanged and with the same filters',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 2048 },
  };
}

/** A text parameter of so many characters. */
export function textParameter(
  name: string,
  description: string,
  accepts: string,
  least = 1,
  most = 120,
): Parameter {
  return { name, description, accepts, schema: { type: 'string', minLength: least, maxLength: most } };
}

/** A parameter with a closed list of values. */
export function choiceParameter(
  name: string,
  description: string,
  values: string[],
  byDefault?: string,
): Parameter {
  return {
    name,
    description,
    accepts: `one of ${values.join(', ')}`,
    schema: { type: 'string', enum: values, ...(byDefault === undefined ? {} : { default: byDefault }) },
  };
}
