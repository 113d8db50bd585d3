/**
 * One contract at every door: what is asked, what must be answered. Runs at call, REST in process and a served port.
 * [OPENAPI] Answers of REST must be such as openapi.json describes.
 */
import { afterAll, expect, test } from 'vitest';
import { responseSchema, errorSchema } from '../../build/render/schemas.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { validator, type Validator } from '../../shim/core/schema.ts';
import { callDoor, portDoor, restDoor, type Answered } from '../_support/doors.ts';
import { description, judge } from '../_support/openapi.ts';
import { ANSWERED, REFUSED } from './cases.ts';
import { words } from '../_support/words.ts';

const doors = [callDoor(), restDoor(), await portDoor()];
afterAll(async () => {
  for (const door of doors) await door.close();
});

const judged = judge(description());
const isError = validator(errorSchema());
const responses = new Map(
  OPERATIONS.map((operation) => [operation.name, validator(responseSchema(operation))]),
);

function validatorOf(resource: string): Validator {
  const found = responses.get(resource);
  if (!found) throw new Error(`no resource ${resource}`);
  return found;
}

/** What all doors answer, which is the same; as openapi.json describes it. */
async function asked(target: string): Promise<Answered> {
  const [answer, ...others] = await Promise.all(doors.map((door) => door.ask(target)));
  if (!answer) throw new Error('there is no door');
  expect(others).toEqual([answer, answer]);
  expect(judged(target, answer.status, answer.text)).toEqual([]);
  return answer;
}

test.each(REFUSED)('[DOORS] [%s] %s is refused', async (_id, target, status, shows) => {
  const answer = await asked(target);
  expect(answer.status).toBe(status);
  const body = JSON.parse(answer.text) as { error: string; message: string };
  expect(isError(body)).toBeNull();
  expect(body.error).toBe('invalid_request');
  expect(body.message).toMatch(shows);
});

test.each(ANSWERED)('[DOORS] [%s] %s is answered and valid', async (_id, target, status, shows) => {
  const answer = await asked(target);
  expect(answer.status).toBe(status);
  expect(answer.text).toMatch(shows);
  const body = JSON.parse(answer.text) as { resource: string };
  expect(validatorOf(body.resource)(body)).toBeNull();
});

test('[RESOURCES] the resources and tools are those of the contract', () => {
  expect(OPERATIONS.map(({ name }) => name)).toEqual(
    words(`capabilities markets series market-observations editions revisions
    atlas entities federation producerp-corridors producerp-bri`),
  );
  expect(OPERATIONS.flatMap(({ tool }) => tool ?? [])).toEqual(
    words(`get_market_catalog find_series query_market_observations get_revisions
    get_atlas get_entities get_federation get_producerp_corridors get_producerp_bri_context`),
  );
});
