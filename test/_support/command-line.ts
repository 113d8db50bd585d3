/** The command line in process: words and environment in, exit code and printed lines out. */
import { vi } from 'vitest';
import { commandLine } from '../../build/commands.ts';
import { runCommand } from '../../build/lib/command-line.ts';
import { TEST_SITE } from './tree.ts';

export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs `npm run <words>`. */
export async function run(words: string[], env: Record<string, string> = {}): Promise<Ran> {
  const printed = { log: '', error: '' };
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...parts: unknown[]) => {
      printed[name] += `${parts.join(' ')}\n`;
    }),
  );
  try {
    const status = await runCommand((done) => commandLine({ SITE_URL: TEST_SITE, ...env }, done), words);
    return { status, stdout: printed.log, stderr: printed.error };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
