/** The command line of `npm run audit`. */
import { audit } from './audit.ts';
import { flags } from '../lib/flags.ts';

const HELP = `Reads every raw source file a second time, without the importers, and compares the published values with it.
usage: npm run audit -- <folder of raw source files> [options]
  --base <url or folder>  the server or built tree to audit (public)
  --datasets <folder>     the packaged datasets, which name the raw files by sha256 (datasets)
  --cells <n>             cells per source that are looked up by their locators (300)
  --seed <n>              another choice of those cells (1)
  --json                  every mismatch as JSON
Ends with exit code 1 if anything differs.`;

const { values, positionals } = flags({
  allowPositionals: true,
  options: {
    base: { type: 'string', default: 'public' },
    datasets: { type: 'string', default: 'datasets' },
    cells: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const [raw] = positionals;
const [cells, seed] = [Number(values.cells), Number(values.seed)];
if (values.help) console.log(HELP);
else if (raw === undefined || positionals.length > 1 || !(cells >= 0) || !Number.isInteger(seed)) {
  console.error(HELP);
  process.exitCode = 2;
} else process.exitCode = await audit({ ...values, raw, cells, seed }, console.log);
