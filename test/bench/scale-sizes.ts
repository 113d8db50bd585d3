/** The sizes a run of the scale bench is asked for. */

const MOST_ROWS = 100_000_000;

/** Numbers of records from `1000000,10000000`; throws RangeError. */
export function sizesOf(text: string): number[] {
  return text.split(',').map((part) => {
    const rows = Number(part);
    if (!/^[0-9]{1,9}$/.test(part) || rows < 1 || rows > MOST_ROWS)
      throw new RangeError(
        `--rows is ${JSON.stringify(text)}; it accepts whole numbers from 1 to ${MOST_ROWS}, separated by commas`,
      );
    return rows;
  });
}
