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
    const { realEffects } = await import('./write/effects.ts');
    const started = performance.now();
    const tree = await build(
      { datasets: values.datasets, schemas: 'schemas', out: values.out, settings: buildSettings(env) },
      realEffects(),
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.error(`${values.out}: ${tree.files.size} files in ${seconds} s`);
    return 0;
  },

  async start(argv, env) {
    parseArgs({ args: argv });
    const { start } = await import('./serve/start.ts');
    return start(env);
  },

  async dev(argv, env) {
    parseArgs({ args: argv });
    const { dev } = await import('./serve/dev.ts');
    return dev(env);
  },

  async get(argv, env) {
    const { positionals } = parseArgs({ args: argv, allowPositionals: true });
    const { get } = await import('./serve/get.ts');
    return get(positionals[0] ?? '/', 'public', env);
  },

  async host(argv) {
    parseArgs({ args: argv });
    const { netlifyToml } = await import('./deploy/netlify-toml.ts');
    const { OPERATIONS } = await import('../shim/core/operations/all.ts');
    const { writeFileSync } = await import('node:fs');
    writeFileSync('netlify.toml', netlifyToml(OPERATIONS));
    return 0;
  },

  async 'bundle-function'(argv, env) {
    parseArgs({ args: argv });
    const { bundleFunction, FUNCTIONS_FOLDER } = await import('./deploy/function.ts');
    console.error(`${FUNCTIONS_FOLDER}: ${await bundleFunction(FUNCTIONS_FOLDER, env)} bytes`);
    return 0;
  },

  async smoke(argv) {
    const { smoke } = await import('./deploy/smoke.ts');
    return smoke(argv[0] ?? '', fetch, (line) => console.log(line));
  },

  async emulate(argv, env) {
    const { emulate } = await import('./deploy/emulate.ts');
    return emulate(argv, env);
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
    const { importRelease, RELEASE_FAMILIES } = await import('./producer/import.ts');
    if (RELEASE_FAMILIES.includes(family)) {
      const { realEffects } = await import('./write/effects.ts');
      for (const line of importRelease({ family, files, datasets: values.datasets }, realEffects()))
        console.log(line);
      return 0;
    }
    for (const line of runImport({ family, files, datasets: values.datasets, retrieved })) console.log(line);
    return 0;
  },

  async verify(argv) {
    const { verifyCommand } = await import('./release/command.ts');
    return verifyCommand(argv);
  },

  async mirror(argv) {
    const { mirrorCommand } = await import('./release/command.ts');
    return mirrorCommand(argv);
  },

  async release(argv) {
    const { releaseCommand } = await import('./release/command.ts');
    return releaseCommand(argv);
  },

  async delta(argv) {
    const { deltaCommand } = await import('./release/command.ts');
    return deltaCommand(argv);
  },

  async 'verify-story'(argv) {
    const { verifyStoryCommand } = await import('./newsroom/verify-command.ts');
    return verifyStoryCommand(argv);
  },
};
