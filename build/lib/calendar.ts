/** Dates as a calendar has them: a pattern alone lets the thirtieth of February through. */

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether `YYYY-MM-DD` or `YYYY-MM` names a day or month there is. Whether it has come yet is no matter: a build reads no clock. */
export function isCalendarDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text) ?? [];
  const days = daysOf(Number(year), Number(month));
  return days > 0 && (day === undefined || (Number(day) >= 1 && Number(day) <= days));
}

/** Days of a month; 0 where there is no such month. */
function daysOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}
