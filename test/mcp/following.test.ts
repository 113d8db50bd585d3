/**
 * A program that knows nothing and does what responses say: "cocaine seized in Belgium, 2020 to 2023", asked in several ways,
 * leads to all four years, two of which are reported as the total of the drug group.
 */
import { expect, test } from 'vitest';
import type { Observation } from '../../shim/core/records.ts';
import { callTool, doorOf } from './asking.ts';
import type { ExploreAnswer } from '../../shim/core/explore-answer.ts';

const TOOL = 'query_market_observations';
const MOST_CALLS = 3;
const MOST_BYTES = 20_000;
const YEARS = ['2020', '2021', '2022', '2023'];

type Arguments = Record<string, string | number>;

const door = doorOf();

/** The arguments that a message corrects, each with the first value it names. */
function corrected(args: Arguments, message: string): Arguments {
  const next = { ...args };
  const [, parameter, id] = /for parameter "(\w+)".*?closest: ([\w-]+)/.exec(message) ?? [];
  if (parameter !== undefined && id !== undefined) next[parameter] = id;
  const [, category] = /with category "((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  if (category !== undefined) next['category'] = category;
  for (const [, given, quoted, code] of message.matchAll(
    /"([^"]*)" is not a [\w ]+ of [\w ]+; closest: (?:("(?:[^"\\]|\\.)*")|(\S+))/g,
  ))
    for (const [name, value] of Object.entries(next))
      if (value === given) next[name] = quoted === undefined ? (code ?? '') : JSON.parse(quoted);
  return next;
}

/** The labels that a limitation names for periods that are missing. */
function elsewhere(limitations: string[]): Arguments | null {
  const note = limitations.find((text) => text.includes('same printed group')) ?? '';
  const [, category, subgroup] =
    /category ("(?:[^"\\]|\\.)*"), subgroup ("(?:[^"\\]|\\.)*") \(/.exec(note) ?? [];
  return category === undefined || subgroup === undefined
    ? null
    : { category: JSON.parse(category), subgroup: JSON.parse(subgroup) };
}

const WAYS: Arguments[] = [
  { indicator: 'seizures', geo: 'Belgium', category: 'cocaine', from: 2020, to: 2023 },
  { indicator: 'cocaine seizures', geo: 'BE', category: 'Cocaine', from: '2020', to: '2023' },
  { dataset: 'drug-seizures', geo: 'bel', category: 'cocaine', from: 2020, to: 2023 },
  {
    dataset: 'drug seizures',
    indicator: 'seizures',
    geo: 'BEL',
    category: 'Cocaine-type',
    from: '2020',
    to: 2023,
  },
  { indicator: 'seizures', geo: 'BEL', subgroup: 'cocaine', from: 2020, to: 2023 },
  { indicator: 'cocaine seizures', geo: 'Belgium', from: 2020, to: 2023 },
  { indicator: 'seizures', geo: 'Bélgica', category: 'cocaína', from: '2020', to: '2023' },
];

test.each(WAYS)('[MCP-FOLLOW] %j leads to all four years', async (first) => {
  let args = first;
  const sent: number[] = [];
  const received: number[] = [];
  const found = new Map<string, Observation>();
  for (let calls = 0; calls < MOST_CALLS; calls += 1) {
    sent.push(JSON.stringify(args).length);
    const result = await callTool(door, TOOL, args);
    const text = result.content[0]?.text ?? '';
    received.push(Buffer.byteLength(text));
    if (result.isError === true) {
      args = corrected(args, text);
      continue;
    }
    const { observations, limitations, absence } = JSON.parse(text) as ExploreAnswer;
    for (const record of observations) found.set(record.id, record);
    if (absence === null) args = { ...args, ...elsewhere(limitations) };
    else {
      const [value] = absence.nearest;
      const named = absence.parameter === null || value === undefined ? {} : { [absence.parameter]: value };
      args = { ...corrected(args, absence.message), ...named };
    }
  }
  const records = [...found.values()];
  expect(records.every(({ geoCode, group }) => geoCode === 'BEL' && group === 'Cocaine-type')).toBe(true);
  expect([...new Set(records.map(({ period }) => period))].sort()).toEqual(YEARS);
  const total = (bytes: number[]): number => bytes.reduce((sum, each) => sum + each, 0);
  expect(total(sent)).toBeLessThan(MOST_BYTES);
  expect(total(received)).toBeLessThan(MOST_BYTES);
  console.log(`${JSON.stringify(first)}: ${received.length} calls, ${total(received)} bytes received`);
});
