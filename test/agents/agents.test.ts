/** [BENCH-AGENTS] The benchmark for agents: its questions are true, its scorer finds each failure, and a naive agent gets far. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOG, PACK_MANIFEST, RELEASE } from '../../shim/core/paths.ts';
import { restAnswer, testContext, operationNamed } from '../_support/doors.ts';
import { treeOf } from '../_support/made-tree.ts';
import { packManifest } from '../_support/records.ts';
import { builtTree, temporaryFolder, treeFile } from '../_support/tree.ts';
import { naiveAgent } from './naive.ts';
import { programAgent } from './program.ts';
import { KINDS, questionsOf, type Question } from './questions.ts';
import { run, toolsOf } from './run.ts';
import { CARELESS, carelessAgent, carelessInTurn, perfectAgent } from './scripted.ts';
import { FAILURES, failureOf, isWithinLimits, LIMITS, summaryOf } from './score.ts';

const tree = builtTree();
const all = questionsOf(tree);
/** A part of each kind: enough for the properties, quick to ask. */
const some = Object.keys(KINDS).flatMap((kind) =>
  all.filter((question) => question.kind === kind).slice(0, 8),
);
const tools = await toolsOf(tree);

/** What questions are made of, of one dataset: where every record of the tree need not be read. */
function smallTree(): string {
  const manifest = packManifest();
  const packs = manifest.packs.filter(({ id }) => id === 'coca-cultivation');
  const files = [CATALOG, RELEASE, ...packs.map(({ path }) => path)].map(
    (path) => [path, treeFile(path)] as const,
  );
  const list = JSON.stringify({ ...manifest, packs, revisions: null });
  return treeOf({ ...Object.fromEntries(files), [PACK_MANIFEST]: list });
}

describe('questions', () => {
  it('are at least 300, of every kind, each once', () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    for (const [kind, most] of Object.entries(KINDS))
      expect([kind, all.filter((question) => question.kind === kind).length]).toEqual([kind, most]);
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
  });

  it('are the same every time; a share of them is the first of each kind', () => {
    const small = smallTree();
    const whole = questionsOf(small);
    expect(whole.length).toBeGreaterThan(40);
    expect(questionsOf(small, 0.02)).toEqual(
      Object.entries(KINDS).flatMap(([kind, most]) =>
        whole.filter((question) => question.kind === kind).slice(0, Math.max(1, Math.round(most * 0.02))),
      ),
    );
  });

  it('come from every market dataset, and hold no code and no id', () => {
    const datasets = new Set(
      all.flatMap(({ expected }) =>
        'id' in expected && expected.id !== undefined ? [expected.id.split('.')[0]] : [],
      ),
    );
    expect(datasets.size).toBeGreaterThan(15);
    for (const { text, expected, request } of all) {
      const { geo, indicator, iso3 } = request?.arguments ?? {};
      for (const code of [geo, iso3]) if (typeof code === 'string') expect(text).not.toContain(code);
      if (typeof indicator === 'string' && indicator.includes('-')) expect(text).not.toContain(indicator);
      if ('id' in expected) expect(text).not.toContain(expected.id);
    }
  });

  it('have the answers of REST', async () => {
    const context = testContext();
    const operation = operationNamed('market-observations');
    const asked = some.filter(({ request }) => request?.tool === 'query_market_observations');
    expect(asked.length).toBeGreaterThan(40);
    for (const { expected, request } of asked) {
      const { body } = await restAnswer(operation, request?.arguments ?? {}, context);
      const { observations } = body['data'] as { observations: Record<string, unknown>[] };
      expect(observations).toHaveLength(expected.answer === 'absent' ? 0 : 1);
      if (expected.answer === 'value')
        expect(observations[0]).toMatchObject({ value: expected.value, id: expected.id });
      if (expected.answer === 'unavailable')
        expect(observations[0]).toMatchObject({ value: null, unavailableReason: expected.reason });
    }
  });
});

describe('the scorer', () => {
  it('finds everything right in the answers of the perfect agent', async () => {
    const summary = summaryOf(await run(some, perfectAgent(some), tools));
    expect([summary.right, summary.failures]).toEqual([some.length, {}]);
    expect(summary.mostCalls).toBe(1);
  });

  it.each(Object.entries(CARELESS))('finds the failure of an agent that %s', async (way, { failures }) => {
    const outcomes = await run(some, carelessAgent(some, way), tools);
    const found = new Set(outcomes.flatMap(({ failure }) => failure ?? []));
    expect([...found]).toEqual([...failures]);
  });

  it('has a careless agent for every failure', () => {
    const shown = Object.values(CARELESS).flatMap(({ failures }) => failures);
    expect(shown.toSorted()).toEqual(Object.keys(FAILURES).sort());
  });

  it('an agent that is careless in turn is clearly worse', async () => {
    expect(summaryOf(await run(some, carelessInTurn(some), tools)).share).toBeLessThan(0.8);
  });

  it('refuses what is no answer', () => {
    const [question] = all as [Question];
    for (const given of [
      null,
      undefined,
      5,
      'value',
      {},
      { answer: 'yes' },
      { answer: 'value' },
      { answer: 'value', value: '5' },
      { answer: 'value', value: NaN },
    ])
      expect(failureOf(question, given)).toBe('malformed');
  });
});

it('[BENCH-NAIVE] a naive agent answers at least 90 % of the value questions in four calls and 30 kB each', async () => {
  const VALUES = new Set(['value', 'zero', 'unavailable', 'unit', 'edition', 'score']);
  const part = all.filter(({ kind }) => VALUES.has(kind)).filter((_, at) => at % 2 === 0);
  const outcomes = await run(part, naiveAgent, tools);
  expect(part.length).toBeGreaterThan(100);
  expect(LIMITS).toEqual({ calls: 4, bytes: 30_000 });
  expect(outcomes.filter(isWithinLimits).length / part.length).toBeGreaterThanOrEqual(0.9);
  const refused = all.filter(({ kind }) => kind === 'refused' || kind === 'absent');
  expect(summaryOf(await run(refused, naiveAgent, tools)).share).toBeGreaterThanOrEqual(0.9);
});

describe('a program over JSON lines', () => {
  const start = (source: string): ReturnType<typeof programAgent> => {
    const file = join(temporaryFolder(), 'agent.mjs');
    writeFileSync(file, source);
    return programAgent(`"${process.execPath}" "${file}"`, tools.listed);
  };
  const LOOP = `import { createInterface } from 'node:readline';
    const send = (message) => console.log(JSON.stringify(message));
    for await (const line of createInterface({ input: process.stdin })) {
      const message = JSON.parse(line);`;

  it('is told the tools and the forms of an answer, calls tools and is scored', async () => {
    const { agent, close } = start(`${LOOP}
      if (message.type === 'start' && !(message.tools.length > 5 && message.instructions.includes('refused'))) process.exit(3);
      if (message.type === 'question') send({ type: 'call', tool: 'find_series', arguments: { query: 'cocaine' } });
      if (message.type === 'result') send({ type: 'answer', answer: { answer: message.isError ? 'absent' : 'refused' } });
    }`);
    const refused = all.filter(({ kind }) => kind === 'refused').slice(0, 3);
    const outcomes = await run(refused, agent, tools);
    close();
    expect(outcomes.map(({ failure, calls }) => [failure, calls])).toEqual(refused.map(() => [null, 1]));
    expect(outcomes[0]?.bytes).toBeGreaterThan(500);
  });

  it.each([
    [
      'prose',
      `${LOOP} if (message.type === 'question') console.log('I think so'); }`,
      'Expected one JSON object per line',
    ],
    [
      'another type',
      `${LOOP} if (message.type === 'question') send({ type: 'done' }); }`,
      'Expected a line of type "call"',
    ],
    ['an end', 'process.exit(0)', 'ended before it answered'],
  ])('that sends %s is refused with a sentence', async (_name, source, message) => {
    const { agent, close } = start(source);
    await expect(run(all.slice(0, 1), agent, tools)).rejects.toThrow(message);
    close();
  });

  it('that ends without reading is refused with a sentence, by the command too', async () => {
    const { agent, close } = programAgent('exit 0', tools.listed);
    await expect(run(all.slice(0, 1), agent, tools)).rejects.toThrow('ended before it answered');
    close();
    const words = ['--tree', smallTree(), '--percent', '1', '--command', 'exit 0'];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'test/agents/main.ts', ...words],
      { encoding: 'utf8' },
    );
    expect([status, stdout, stderr]).toEqual([1, '', 'The program ended before it answered value-1.\n']);
  });

  it('the list of questions may be cut by | head', () => {
    const list = `"${process.execPath}" --import tsx test/agents/main.ts --tree "${smallTree()}" --list | head -n 1`;
    const { stdout, stderr } = spawnSync(list, { shell: true, encoding: 'utf8' });
    expect([JSON.parse(stdout), stderr]).toMatchObject([{ id: 'value-1' }, '']);
  });
});
