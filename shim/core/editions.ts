/** Editions of sources: `YYYY-MM-DD` or `YYYY-MM`, where a month counts as its last day, so that nothing is claimed too early. */

/** The day from which an edition counts as published. */
export function lastDay(edition: string): string {
  if (edition.length !== 7) return edition;
  const [year = 0, month = 0] = edition.split('-').map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return `${edition}-${days}`;
}

const RECORD_ID = /^[A-Za-z0-9.~_-]{1,96}$/;

/** Whether a text has the form of a record id: short, readable, safe in a URL. */
export function isRecordId(text: string): boolean {
  return RECORD_ID.test(text);
}
