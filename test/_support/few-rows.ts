/** The packaged datasets with few rows each, for builds that are about something else than the rows. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Rows that are kept: of small datasets all of them. */
const ROWS = 250;

/** Writes every dataset to `to`, the first rows of each edition, and these stories; resolves to the folder. */
export function fewRows(to: string, stories: readonly string[]): string {
  const files = readdirSync('datasets', { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  for (const { parentPath, name } of files) {
    if (parentPath.endsWith('newsroom') && !stories.some((id) => name.startsWith(`${id}.`))) continue;
    const from = join(parentPath, name);
    const file = join(to, relative('datasets', from));
    mkdirSync(dirname(file), { recursive: true });
    if (name !== 'records.csv') copyFileSync(from, file);
    else
      writeFileSync(
        file,
        `${readFileSync(from, 'utf8')
          .split('\n')
          .slice(0, ROWS + 1)
          .join('\n')
          .trimEnd()}\n`,
      );
  }
  return to;
}
