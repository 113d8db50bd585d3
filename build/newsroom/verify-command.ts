/** The command line of `verify-story`: where to read, one line a finding, and the review file on request. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reviewedFile } from './load.ts';
import { sourceAt } from '../release/source.ts';
import { reviewFile, verifyStory } from './verify-story.ts';
import { NEWSROOM } from './story.ts';

const USAGE = 'npm run verify-story -- <id> [--base <folder or url>] [--accept [--datasets <folder>]]';

/** Exit code 0 without findings, 1 with, 2 for wrong usage. */
export async function verifyStoryCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      base: { type: 'string', default: 'public' },
      accept: { type: 'boolean', default: false },
      datasets: { type: 'string', default: 'datasets' },
    },
  });
  const [id, ...more] = positionals;
  const { base, accept, datasets } = values;
  if (id === undefined || more.length > 0) {
    console.error(`usage: ${USAGE}`);
    return 2;
  }
  const source = sourceAt(base);
  if (!source) {
    console.error(
      `--base is ${JSON.stringify(base)}; it accepts a folder or an http(s) address of a published tree`,
    );
    return 2;
  }
  const check = await verifyStory(id, source);
  for (const finding of check.findings) console.log(shown(finding));
  if (check.findings.length > 0) {
    console.error(`${id}: ${check.findings.length} findings in ${base}`);
    return 1;
  }
  console.log(`${id}: ${check.checked} cited cells are as the records of ${base} say`);
  if (accept) {
    const file = reviewedFile(`${datasets}/${NEWSROOM}`, id);
    writeFileSync(file, reviewFile(check));
    console.log(`${file}: ${check.values.size} values accepted as reviewed`);
  }
  return 0;
}

/** One line, whatever a hostile mirror put into it. */
function shown(finding: string): string {
  return finding.replaceAll(/\p{Cc}/gu, '?');
}
