/** The scorer: an answer is right or it has one named failure. Deterministic; numbers and texts must be exactly as published. */
import type { Answer, Question } from './questions.ts';

/** What can be wrong with an answer, and what it means. */
export const FAILURES = {
  malformed: 'not an answer of the protocol',
  refused_answerable: 'refuses a question that the data answers',
  answered_prohibited:
    'answers what no data of the service supports: cause, guilt, market size, rank or route',
  unavailable_as_zero: 'gives 0 for a value that is unavailable',
  absent_as_zero: 'gives 0 where there is no record',
  invented: 'gives a value where none is published',
  zero_as_unavailable: 'calls an observed zero unavailable or absent',
  value_missed: 'calls a published value unavailable or absent',
  unavailable_as_absent: 'says there is no record where one says why it has no value',
  absent_as_unavailable: 'calls a record unavailable that does not exist',
  wrong_reason: 'gives another reason for a missing value than the record',
  converted: 'gives another unit and another value',
  wrong_unit: 'gives another unit than the source prints',
  wrong_edition: 'gives another edition or source file',
  wrong_value: 'gives another value',
  not_cited: 'does not name the record',
  revision_missed: 'does not give both values of a revision',
} as const;

export type Failure = keyof typeof FAILURES;

/** Null for a right answer. */
export function failureOf({ expected }: Question, given: unknown): Failure | null {
  if (!isAnswer(given)) return 'malformed';
  if (expected.answer === 'refused') return given.answer === 'refused' ? null : 'answered_prohibited';
  if (given.answer === 'refused') return 'refused_answerable';
  if (expected.answer === 'value') return valueFailure(expected, given);
  if (expected.answer === 'revised') return revisionFailure(expected, given);
  if (given.answer === 'value') {
    if (given.value !== 0) return 'invented';
    return expected.answer === 'absent' ? 'absent_as_zero' : 'unavailable_as_zero';
  }
  if (given.answer === 'revised') return 'invented';
  if (expected.answer === 'absent') return given.answer === 'absent' ? null : 'absent_as_unavailable';
  if (given.answer === 'absent') return 'unavailable_as_absent';
  return expected.reason === undefined || expected.reason === given.reason ? null : 'wrong_reason';
}

function valueFailure(expected: Extract<Answer, { answer: 'value' }>, given: Answer): Failure | null {
  if (given.answer !== 'value') return expected.value === 0 ? 'zero_as_unavailable' : 'value_missed';
  const isUnit = expected.unit === undefined || given.unit === expected.unit;
  if (given.value !== expected.value) {
    if (!isUnit) return 'converted';
    return isOtherEdition(expected, given) ? 'wrong_edition' : 'wrong_value';
  }
  if (!isUnit) return 'wrong_unit';
  if (isOtherEdition(expected, given)) return 'wrong_edition';
  return expected.id === undefined || given.id === expected.id ? null : 'not_cited';
}

function isOtherEdition(
  expected: Extract<Answer, { answer: 'value' }>,
  given: Extract<Answer, { answer: 'value' }>,
): boolean {
  if (expected.edition !== undefined && given.edition !== expected.edition) return true;
  return expected.sha256 !== undefined && given.sha256 !== expected.sha256;
}

function revisionFailure(expected: Extract<Answer, { answer: 'revised' }>, given: Answer): Failure | null {
  if (given.answer !== 'revised') return 'revision_missed';
  if (given.from !== expected.from || given.to !== expected.to) return 'wrong_value';
  return given.unit === expected.unit ? null : 'wrong_unit';
}

function isAnswer(given: unknown): given is Answer {
  if (typeof given !== 'object' || given === null || !('answer' in given)) return false;
  const { answer, value, from, to } = given as Record<string, unknown>;
  if (answer === 'value') return Number.isFinite(value);
  if (answer === 'revised') return Number.isFinite(from) && Number.isFinite(to);
  return answer === 'unavailable' || answer === 'absent' || answer === 'refused';
}

/** What one question came to. `bytes` is the largest response; both are 0 for an agent that called nothing. */
export interface Outcome {
  question: Question;
  answer: unknown;
  failure: Failure | null;
  calls: number;
  bytes: number;
}

/** Results by kind of question, and by failure. */
export interface Summary {
  questions: number;
  right: number;
  share: number;
  mostCalls: number;
  mostBytes: number;
  byKind: Record<string, { questions: number; right: number; withinLimits: number }>;
  failures: Partial<Record<Failure, number>>;
}

/** What a value question may take: calls, and bytes of each response. */
export const LIMITS = { calls: 4, bytes: 30_000 };

/** Whether an answer is right and took no more than the limits. */
export function isWithinLimits({ failure, calls, bytes }: Outcome): boolean {
  return failure === null && calls <= LIMITS.calls && bytes <= LIMITS.bytes;
}

/** The outcomes, counted. */
export function summaryOf(outcomes: readonly Outcome[]): Summary {
  const byKind: Summary['byKind'] = {};
  const failures: Summary['failures'] = {};
  for (const outcome of outcomes) {
    const { question, failure } = outcome;
    const kind = (byKind[question.kind] ??= { questions: 0, right: 0, withinLimits: 0 });
    kind.questions += 1;
    if (failure === null) kind.right += 1;
    else failures[failure] = (failures[failure] ?? 0) + 1;
    if (isWithinLimits(outcome)) kind.withinLimits += 1;
  }
  const right = outcomes.filter(({ failure }) => failure === null).length;
  return {
    questions: outcomes.length,
    right,
    share: outcomes.length === 0 ? 0 : Math.round((1000 * right) / outcomes.length) / 1000,
    mostCalls: Math.max(0, ...outcomes.map(({ calls }) => calls)),
    mostBytes: Math.max(0, ...outcomes.map(({ bytes }) => bytes)),
    byKind,
    failures,
  };
}
