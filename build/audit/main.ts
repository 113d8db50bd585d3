/**
 * `npm run audit -- <folder of raw source files>`: reads every source file a second time, without the importers, and holds
 * the API to it. Options: --base <url or built tree> (public), --datasets <folder> (datasets), --cells <n> (300 a source),
 * --seed <n> (1), --json. Ends with 1 where anything differs.
 */
import { recordsOf } from './api.ts';
import { auditSources } from './audit.ts';
import { rawFiles } from './raw-files.ts';
import { report } from './report.ts';
import { flags } from '../lib/flags.ts';

const { values, positionals } = flags({
  allowPositionals: true,
  options: {
    base: { type: 'string', default: 'public' },
    datasets: { type: 'string', default: 'datasets' },
    cells: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

const [folder] = positionals;
const draw = { cells: Number(values.cells), seed: Number(values.seed) };
if (folder === undefined || positionals.length > 1 || !(draw.cells >= 0) || !Number.isInteger(draw.seed)) {
  console.error(
    'usage: npm run audit -- <folder of raw source files> [--base <url or built tree>] [--datasets <folder>] [--cells 300] [--seed 1] [--json]',
  );
  process.exitCode = 2;
} else {
  const records = recordsOf(values.base);
  const outcomes = await auditSources({ datasets: values.datasets, raw: rawFiles(folder), records, draw });
  console.log(values.json ? JSON.stringify(outcomes, null, 2) : report(outcomes));
  if (outcomes.length === 0 || outcomes.some(({ mismatches }) => mismatches.length > 0)) process.exitCode = 1;
}
