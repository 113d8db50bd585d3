/** What each command of the command line does; all resolve to an exit code. */
import { parseArgs } from 'node:util';
import { buildSettings } from './settings.ts';

type Env = Record<string, string | undefined>;
type Command = (argv: string[], env: Env) => Promise<number>;

export const COMMANDS: Record<string, Command> = {
  async build(argv, env) {
    const { values } = parseArgs({
      args: argv,
      options: {
        out: { type: 'string', default: 'public' },
        datasets: { type: 'string', default: 'datasets' },
      },
    });
    const { build } = await import('./build.ts');
    const { realEffects } = await import('./effects.ts');
    const started = performance.now();
    const tree = await build(
      { datasets: values.datasets, schemas: 'schemas', out: values.out, settings: buildSettings(env) },
      realEffects(),
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.error(`${values.out}: ${tree.files.size} files in ${seconds} s`);
    return 0;
  },

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
    return 0;
  },
};
