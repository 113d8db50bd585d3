/**
 * A published number is the file's number: what a double cannot hold, so that JSON would print another (underflow, overflow,
 * digits lost), is refused rather than rounded.
 */

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?$/;

/** The number a cell holds, or what is wrong with it. A blank cell is not a number. */
export function parseNumber(cell: string): number | string {
  if (!NUMBER.test(cell)) return 'must be a number or blank';
  const value = Number(cell);
  if (String(value) === cell && Number.isSafeInteger(Math.trunc(value))) return value;
  if (!Number.isFinite(value)) return 'must not exceed the range of numbers';
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'must be a number without loss, at most 9007199254740991';
  if (normalized(JSON.stringify(value)) !== normalized(cell))
    return `must be a number without loss; it would be published as ${JSON.stringify(value)}`;
  return value;
}

/** Sign, significant digits and power of ten of a decimal: equal for equal numbers, however they are written. */
function normalized(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return `${sign}0`;
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
