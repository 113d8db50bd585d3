/** Flags of the commands that live among the tests: what a command does not know is one line and exit code 2. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** What the command line says, read as node does. */
export function flags<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return process.exit(2);
  }
}
