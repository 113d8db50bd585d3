/**
 * `node .build/server/main.cjs [folder]`: the built server, which needs nothing but its own folder and a published site: in `public`
 * or in the folder named. Settings come from the environment. Exit code 2: a setting or the folder is wrong.
 */
import { BadSetting } from './core/faults.ts';
import { RELEASE, SUMS } from './core/paths.ts';
import { runServer, startServer } from './node.ts';
import { statOf } from './store/disk.ts';

export { runServer, startServer };

/** Runs until it is stopped. load.cjs calls it where it is what node was started with. */
export async function run([root = 'public']: string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    if (!env['DATA_FROM'] && ![SUMS, RELEASE].some((name) => statOf(`${root}/${name}`)))
      throw new BadSetting('The folder of the site', root, `the one that "npm run build" made`);
    await runServer(root, env);
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
