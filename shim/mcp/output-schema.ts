/** The output schema of a tool: the payload's own, made loadable by clients of both generations. */
import type { Operation } from '../core/operation.ts';
import type { JsonSchema } from '../core/types.ts';

const PLAINLY_UNAVAILABLE: JsonSchema = {
  description: 'The evidence cannot be given now; nothing is substituted for it.',
  type: 'object',
  properties: {
    status: { const: 'unavailable' },
    error: {
      type: 'object',
      properties: { code: { const: 'unavailable' }, message: { type: 'string', minLength: 1 } },
      required: ['code', 'message'],
      additionalProperties: false,
    },
  },
  required: ['status', 'error'],
  additionalProperties: false,
};

/**
 * The payload's schema, or either the payload or the plain unavailable object where the payload itself cannot say so.
 * `$schema` is left out: 2020-12 is the protocol's default, and older clients cannot load a dialect by its address.
 */
export function outputSchema({ output, unavailable }: Operation): JsonSchema {
  const { $schema: _dialect, ...payload } = output;
  if (unavailable) return payload;
  const { $defs, title, description, ...shape } = payload;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    anyOf: [shape, PLAINLY_UNAVAILABLE],
    ...($defs === undefined ? {} : { $defs }),
  };
}
