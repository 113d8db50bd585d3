/** Pages of docs/ and README.md as their tests read them. */

/** What is between a heading of the second level and the next. */
export function chapterOf(page: string, heading: string): string {
  const [, text = ''] = page.split(`\n## ${heading}\n`);
  return text.split('\n## ')[0] ?? '';
}

/** The cells of a chapter's table, row by row, without its two head rows. */
export function tableOf(page: string, heading: string): string[][] {
  const lines = chapterOf(page, heading)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What a cell has as code. */
export function quoted(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}
