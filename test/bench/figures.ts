/** How the benches sum up what they measure. */

/** The middle value. */
export function median(values: number[]): number {
  return percentile(values, 1 / 2);
}

/** To so many decimal places, two unless stated. */
export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** The value that a share of the others is below: 0.99 for the slowest hundredth. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
