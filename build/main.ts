/** The command line: words in, exit code out. Every command is one line of the table. */
import { parseArgs } from 'node:util';

const [command = '', ...rest] = process.argv.slice(2);

/** The commands, each loading only what it needs. */
const COMMANDS: Record<string, (argv: string[]) => Promise<void>> = {
  async import(argv) {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { datasets: { type: 'string', default: 'datasets' }, retrieved: { type: 'string' } },
    });
    const { runImport } = await import('./import/run.ts');
    const retrieved = values.retrieved ?? new Date().toISOString().slice(0, 10);
    const [family = '', ...files] = positionals;
    for (const line of runImport({ family, files, datasets: values.datasets, retrieved })) console.log(line);
  },
};

const run = COMMANDS[command];
if (!run) {
  console.error(`unknown command ${JSON.stringify(command)}; there are: ${Object.keys(COMMANDS).join(', ')}`);
  process.exit(2);
}
try {
  await run(rest);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
