/** Where a value is in the publisher's file, in words, and how to get there. */

/** The place of a locator, a sheet and its cells or a row of a text file, and how to see it; empty for a locator of another form. */
export function locatorWords(locator: string): { where: string; how: string } {
  const [, sheet, cells = ''] = /^(.+)!(.+)$/.exec(locator) ?? [];
  if (sheet !== undefined) {
    const isOne = /^[A-Z]+\d+$/.test(cells);
    const [first = cells] = cells.split(',');
    return {
      where: `sheet ${sheet}, ${isOne ? 'cell' : 'cells'} ${cells.replaceAll(',', ', ').replaceAll(':', ' to ')}`,
      how: `Open the file in a spreadsheet program, choose the sheet “${sheet}” and type ${first} into the box to the left of the formula line.`,
    };
  }
  const [, row, column] = /^row (\d+)(?: column (.+))?$/.exec(locator) ?? [];
  if (row === undefined) return { where: locator, how: '' };
  return {
    where: column === undefined ? `row ${row}` : `row ${row}, column “${column}”`,
    how: `Open the file in a spreadsheet program or a text editor and go to row ${row}; the first line of the file is row 1.`,
  };
}
