/** The output schemas that tools list accept what the published schemas accept, and refuse what those refuse. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { newAjv } from '../../shim/core/schema.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../../shim/core/types.ts';
import { compactSchema } from '../../shim/mcp/compact-schema.ts';
import { restAnswer, testContext } from '../_support/doors.ts';

const context = testContext();

/** Copies of a value, each with one member left out, added or of another type; `most` of them, spread over the value. */
function changed(value: JsonObject, most: number): JsonObject[] {
  const paths: (string | number)[][] = [];
  const visit = (at: JsonValue, path: (string | number)[]): void => {
    if (path.length > 0) paths.push(path);
    if (Array.isArray(at))
      for (const [index, each] of at.slice(0, 2).entries()) visit(each, [...path, index]);
    else if (typeof at === 'object' && at !== null)
      for (const [name, each] of Object.entries(at)) visit(each, [...path, name]);
  };
  visit(value, []);
  const step = Math.max(1, Math.floor(paths.length / most));
  return paths
    .filter((_, index) => index % step === 0)
    .flatMap((path) =>
      (['drop', 'type', 'add'] as const).map((kind) => {
        const copy = structuredClone(value);
        let parent: JsonValue = copy;
        for (const name of path.slice(0, -1))
          parent = (parent as Record<string | number, JsonValue>)[name] ?? null;
        const holder = parent as Record<string | number, JsonValue>;
        const last = path.at(-1) ?? '';
        if (kind === 'drop') delete holder[last];
        else if (kind === 'type') holder[last] = typeof holder[last] === 'string' ? 7 : 'another type';
        else if (!Array.isArray(parent)) holder['added by the test'] = 1;
        return copy;
      }),
    );
}

describe('[MCP-TOOLS] the short output schema', () => {
  const TOOLS = OPERATIONS.filter(({ tool }) => tool !== null);
  it.each(TOOLS.map(({ name, output }) => [name, output] as const))(
    'of %s accepts and refuses the same values in fewer bytes',
    async (name, output) => {
      const operation = TOOLS.find((each) => each.name === name);
      if (!operation) throw new Error(name);
      const short = compactSchema(output);
      expect(JSON.stringify(short).length).toBeLessThan(JSON.stringify(output).length);
      const { body } = await restAnswer(operation, operation.agents ?? {}, context);
      const data = body['data'] as JsonObject;
      const [whole, compact] = [output, short].map((schema) => newAjv().compile(schema as JsonSchema));
      expect([whole?.(data), compact?.(data)]).toEqual([true, true]);
      const cases = changed(data, 60);
      const verdicts = cases.map((value) => [whole?.(value), compact?.(value)]);
      expect(verdicts.filter(([one, other]) => one !== other)).toEqual([]);
      expect(verdicts.filter(([one]) => one === false).length).toBeGreaterThan(cases.length / 4);
    },
  );

  it('keeps the descriptions of members that the schema leaves open, and no others', () => {
    const closed: JsonSchema = {
      type: 'object',
      additionalProperties: false,
      properties: { a: { description: 'x' } },
    };
    const open: JsonSchema = {
      title: 't',
      type: 'object',
      properties: { a: { description: 'x', type: 'string' } },
    };
    expect(compactSchema(closed)['properties']).toEqual({ a: {} });
    expect(compactSchema(open)).toEqual({
      type: 'object',
      properties: { a: { description: 'x', type: 'string' } },
    });
  });

  it('refers to each repeated part, and keeps both sides where a reference has neighbours', () => {
    const part: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$', minLength: 64 };
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/hash' }, b: part, c: { $ref: '#/$defs/hash', minLength: 65 } },
      additionalProperties: false,
      $defs: { hash: part },
    };
    const short = compactSchema(schema);
    expect(short['properties']).toMatchObject({ a: { $ref: '#/$defs/0' }, b: { $ref: '#/$defs/0' } });
    const valid = newAjv().compile(short);
    expect([valid({ a: 'a'.repeat(64) }), valid({ c: 'a'.repeat(64) })]).toEqual([true, false]);
  });
});
