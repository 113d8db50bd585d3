/** The command line of the programs among the tests. */
import { CommanderError, type Command } from 'commander';
import { requireBuild, UsageError, watchOutput } from '../../build/lib/command-line.ts';

/**
 * The options of a program with only one command, such as a benchmark; help, wrong usage and a `--tree` without a published site
 * end the process. A closed pipe, as of `| head`, is not an error.
 */
export function programOptions<T extends object>(command: Command): T {
  watchOutput();
  try {
    const options = command.usage('-- [options]').parse().opts<T & { tree?: string }>();
    if (options.tree !== undefined) requireBuild(options.tree);
    return options;
  } catch (error) {
    if (error instanceof UsageError) console.error(error.message);
    else if (!(error instanceof CommanderError)) throw error;
    return process.exit(error instanceof CommanderError && error.exitCode === 0 ? 0 : 2);
  }
}
