/** Periods in words: `2003, 2005 to 2009`. */

/** Periods without repetition, ascending; neighbours, years or months, as one span. */
export function periodsInWords(periods: Iterable<string>): string {
  const spans: [first: string, last: string][] = [];
  for (const period of [...new Set(periods)].sort()) {
    const span = spans.at(-1);
    if (span && isNext(span[1], period)) span[1] = period;
    else spans.push([period, period]);
  }
  return spans.flatMap(([first, last]) => spanOf(first, last)).join(', ');
}

/** The first and the last of some periods in words. */
export function rangeInWords(periods: readonly string[]): string {
  const sorted = periods.toSorted();
  return spanWords(sorted[0] ?? '', sorted.at(-1) ?? '');
}

/** A span of periods: `2019 to 2023`; empty where there is none. */
export function spanWords(first: string | null, last: string | null): string {
  if (first === null || last === null) return '';
  return first === last ? first : `${first} to ${last}`;
}

function spanOf(first: string, last: string): string[] {
  if (first === last) return [first];
  return isNext(first, last) ? [first, last] : [`${first} to ${last}`];
}

/** Whether a period follows another without a gap; a year and a month are never neighbours. */
function isNext(before: string, after: string): boolean {
  const [one, other] = [months(before), months(after)];
  return before.length === after.length && other - one === (before.length === 4 ? 12 : 1);
}

function months(period: string): number {
  return Number(period.slice(0, 4)) * 12 + Number(period.slice(5) || 1);
}
