/**
 * Agents without a model. The perfect one knows the call that leads to each answer and reads it right; careless ones spoil its
 * answers in one way each.
 */
import type { JsonObject } from '../../shim/core/types.ts';
import type { Answer, Question } from './questions.ts';
import type { Agent, Tools } from './run.ts';
import type { Failure } from './score.ts';

/** An agent that makes the right call for each question. It takes the call, not the answer. */
export function perfectAgent(questions: readonly Question[]): Agent {
  const byId = new Map(questions.map((question) => [question.id, question]));
  return async ({ id }, tools) => {
    const question = byId.get(id);
    if (!question?.request) return { answer: 'refused' };
    const { tool, arguments: args } = question.request;
    return answerIn(tool, args, question.text, tools);
  };
}

async function answerIn(tool: string, args: JsonObject, text: string, tools: Tools): Promise<Answer> {
  const { data } = await tools.call(tool, args);
  if (tool === 'get_atlas') return scoreIn(data, text);
  if (tool === 'get_revisions') return revisionIn(data, text);
  return observationIn(data);
}

/** The one record of a page of observations as an answer. */
export function observationIn(data: JsonObject | null): Answer {
  const [record] = rowsOf(data, 'observations');
  if (!record) return { answer: 'absent' };
  const { value, unit, id, edition, sourceId, datasetId } = record;
  if (typeof value !== 'number')
    return { answer: 'unavailable', reason: String(record['unavailableReason']) };
  const source = rowsOf(data, 'sources').find(
    (each) => each['id'] === sourceId && each['datasetId'] === datasetId,
  );
  return {
    answer: 'value',
    value,
    unit: String(unit),
    id: String(id),
    edition: String(edition),
    ...(source ? { sha256: String(source['sha256']) } : {}),
  };
}

/** The score of the market that the question names. */
export function scoreIn(data: JsonObject | null, text: string): Answer {
  const [record] = rowsOf(data, 'records');
  const name = /the market ([a-z ]+)\?/.exec(text)?.[1]?.replaceAll(' ', '_') ?? '';
  if (!record) return { answer: 'absent' };
  const { markets } = record['data'] as { markets: Record<string, number | null> };
  const value = markets[name] ?? null;
  const { locator } = record['meta'] as { locator: string };
  return value === null ? { answer: 'unavailable' } : { answer: 'value', value, id: locator };
}

/** The revision of the period and labels that the question names. */
export function revisionIn(data: JsonObject | null, text: string): Answer {
  const { period, editions } = datesIn(text);
  const found = rowsOf(data, 'revisions').find((row) => {
    const [from, to] = [row['from'], row['to']] as ({ edition: string } | null)[];
    const labels = [row['category'], row['subgroup']].map(String);
    return (
      row['period'] === period &&
      editions.includes(from?.edition ?? '') &&
      editions.includes(to?.edition ?? '') &&
      text.startsWith(
        `${String(row['geoName'])}: ${labels
          .toReversed()
          .filter((label) => label !== '')
          .join(', ')}`,
      )
    );
  });
  if (!found) return { answer: 'absent' };
  const [from, to] = [found['from'], found['to']] as { value: number; unit: string }[];
  return { answer: 'revised', from: from?.value ?? NaN, to: to?.value ?? NaN, unit: to?.unit ?? '' };
}

/** The period that a question is about, and the dates of the editions that it names. */
export function datesIn(text: string): { period: string; editions: string[] } {
  const [about = '', ...rest] = text.split(/: (?=(?:what|which) )/);
  const period = /, ([0-9]{4}(?:-[0-9]{2})?)$/.exec(about)?.[1] ?? '';
  return { period, editions: rest.join(' ').match(/[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?/g) ?? [] };
}

/** A way to be careless: what it does to a right answer, and the failures that come of it. */
export interface Carelessness {
  spoil(answer: Answer): unknown;
  failures: readonly Failure[];
}

/** One row for each failure that the scorer knows, or several that belong together. */
export const CARELESS: Record<string, Carelessness> = {
  'reads a missing value as zero': {
    spoil: (answer) => (answer.answer === 'unavailable' ? { answer: 'value', value: 0 } : answer),
    failures: ['unavailable_as_zero'],
  },
  'reads a missing record as zero': {
    spoil: (answer) => (answer.answer === 'absent' ? { answer: 'value', value: 0 } : answer),
    failures: ['absent_as_zero'],
  },
  'fills gaps from memory': {
    spoil: (answer) =>
      answer.answer === 'unavailable' || answer.answer === 'absent' ? { answer: 'value', value: 12 } : answer,
    failures: ['invented'],
  },
  'reads a zero as missing': {
    spoil: (answer) => (answer.answer === 'value' && answer.value === 0 ? { answer: 'unavailable' } : answer),
    failures: ['zero_as_unavailable'],
  },
  'finds nothing': {
    spoil: (answer) => (answer.answer === 'value' && answer.value !== 0 ? { answer: 'absent' } : answer),
    failures: ['value_missed'],
  },
  'calls everything without a value absent': {
    spoil: (answer) => (answer.answer === 'unavailable' ? { answer: 'absent' } : answer),
    failures: ['unavailable_as_absent'],
  },
  'calls everything without a value unavailable': {
    spoil: (answer) => (answer.answer === 'absent' ? { answer: 'unavailable' } : answer),
    failures: ['absent_as_unavailable'],
  },
  'guesses reasons': {
    spoil: (answer) => (answer.answer === 'unavailable' ? { ...answer, reason: 'unknown' } : answer),
    failures: ['wrong_reason'],
  },
  'converts units': {
    spoil: (answer) =>
      answer.answer === 'value' && answer.unit !== undefined && answer.value !== 0
        ? { ...answer, value: answer.value / 1000, unit: `thousand ${answer.unit}` }
        : answer,
    failures: ['converted'],
  },
  'writes units its own way': {
    spoil: (answer) =>
      (answer.answer === 'value' || answer.answer === 'revised') && answer.unit !== undefined
        ? { ...answer, unit: answer.unit.toUpperCase().concat('.') }
        : answer,
    failures: ['wrong_unit'],
  },
  'takes another edition': {
    spoil: (answer) => (answer.answer === 'value' ? { ...answer, edition: '1999-01' } : answer),
    failures: ['wrong_edition'],
  },
  rounds: {
    spoil: (answer) =>
      answer.answer === 'value' ? { ...answer, value: Math.round(answer.value) + 1 } : answer,
    failures: ['wrong_value'],
  },
  'does not cite': {
    spoil: (answer) => (answer.answer === 'value' ? { ...answer, id: '' } : answer),
    failures: ['not_cited'],
  },
  'gives one value of two': {
    spoil: (answer) => (answer.answer === 'revised' ? { answer: 'value', value: answer.to } : answer),
    failures: ['revision_missed'],
  },
  'answers everything': {
    spoil: (answer) => (answer.answer === 'refused' ? { answer: 'value', value: 1 } : answer),
    failures: ['answered_prohibited'],
  },
  'refuses everything': { spoil: () => ({ answer: 'refused' }), failures: ['refused_answerable'] },
  'writes prose': { spoil: (answer) => `The answer is ${answer.answer}.`, failures: ['malformed'] },
};

/** The perfect agent, careless in one way. */
export function carelessAgent(questions: readonly Question[], way: string): Agent {
  const perfect = perfectAgent(questions);
  return async (question, tools) =>
    CARELESS[way]?.spoil((await perfect(question, tools)) as Answer) ?? { answer: 'refused' };
}

/** Careless in another way at each question. */
export function carelessInTurn(questions: readonly Question[]): Agent {
  const ways = Object.keys(CARELESS).map((way) => carelessAgent(questions, way));
  let asked = 0;
  return async (question, tools) => {
    asked += 1;
    return ways[asked % ways.length]?.(question, tools);
  };
}

/** The rows of a member of a response. */
export function rowsOf(data: JsonObject | null, member: string): JsonObject[] {
  return (data?.[member] ?? []) as JsonObject[];
}
