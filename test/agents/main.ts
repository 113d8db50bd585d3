/** `npm run bench:agents`: how well agents answer from the tools. Scripted agents prove the scorer; a model is plugged in. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Option } from 'commander';
import { newCommand, wholeNumber } from '../../build/lib/command-line.ts';
import { programOptions } from '../_support/program-options.ts';
import { naiveAgent } from './naive.ts';
import { programAgent } from './program.ts';
import { questionsOf } from './questions.ts';
import { run, toolsOf, type Agent } from './run.ts';
import { carelessInTurn, perfectAgent } from './scripted.ts';
import { FAILURES, summaryOf, type Failure } from './score.ts';

interface Options {
  tree: string;
  agent: string;
  command?: string;
  module?: string;
  percent: number;
  list?: true;
  json?: true;
}

const {
  tree,
  agent: name,
  command,
  module,
  percent,
  list,
  json,
} = programOptions<Options>(
  newCommand('npm run bench:agents', 'Ask an agent questions with exact answers, made from a published tree.')
    .option('--tree <folder>', 'published tree', 'public')
    .addOption(
      new Option('--agent <name>', 'scripted agent')
        .choices(['perfect', 'naive', 'careless'])
        .default('naive'),
    )
    .option('--command <program>', 'a program that speaks JSON lines, in place of a scripted agent')
    .option('--module <file>', 'a module whose default export is an agent, in place of a scripted one')
    .option('--percent <n>', 'share of the questions', wholeNumber(1, 100), 100)
    .option('--list', 'print the questions with their answers, one JSON object per line, and ask nobody')
    .option('--json', 'print one JSON document with every outcome'),
);

const questions = questionsOf(tree, percent / 100);
if (list) {
  for (const question of questions) console.log(JSON.stringify(question));
} else {
  const tools = await toolsOf(tree);
  const program = command === undefined ? null : programAgent(command, tools.listed);
  try {
    const outcomes = await run(questions, program?.agent ?? (await agentOf()), tools);
    const summary = summaryOf(outcomes);
    if (json) console.log(JSON.stringify({ agent: command ?? module ?? name, summary, outcomes }));
    else print(summary);
  } catch (error) {
    // What a module of the reader throws keeps its place in that module.
    if (program === null) throw error;
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    program?.close();
  }
}

async function agentOf(): Promise<Agent> {
  if (module === undefined) {
    if (name === 'perfect') return perfectAgent(questions);
    return name === 'careless' ? carelessInTurn(questions) : naiveAgent;
  }
  const { default: agent } = (await import(pathToFileURL(resolve(module)).href)) as { default?: unknown };
  if (typeof agent !== 'function') throw new Error(`${module} has no function as its default export.`);
  return agent as Agent;
}

function print({
  byKind,
  failures,
  questions: asked,
  right,
  share,
  mostCalls,
  mostBytes,
}: ReturnType<typeof summaryOf>): void {
  console.log(
    `${right} of ${asked} right (${(100 * share).toFixed(1)} %), at most ${mostCalls} calls and ${mostBytes} bytes per response`,
  );
  for (const [kind, counts] of Object.entries(byKind))
    console.log(
      `  ${kind}: ${counts.right} of ${counts.questions} right, ${counts.withinLimits} within 4 calls and 30 kB`,
    );
  for (const [failure, count] of Object.entries(failures))
    console.log(`  ${count} x ${failure}: ${FAILURES[failure as Failure]}`);
}
