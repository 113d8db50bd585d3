/** `npm run dev`: serves, and starts anew whenever a source file changes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';

const WATCHED = ['datasets', 'schemas', 'build', 'shim'];
const SETTLE_MS = 200;

/** Runs until interrupted. */
export async function dev(env: Record<string, string | undefined>): Promise<number> {
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  const run = (): void => {
    child = spawn(process.execPath, ['--import', 'tsx', 'build/main.ts', 'start'], {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
  };
  const restart = (): void => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => {
      const old = child;
      if (!old || old.exitCode !== null) return run();
      old.once('exit', run);
      old.kill('SIGTERM');
    }, SETTLE_MS);
  };
  for (const folder of WATCHED) watch(folder, { recursive: true }, restart);
  run();
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        child?.kill('SIGTERM');
        resolve(0);
      });
  });
}
