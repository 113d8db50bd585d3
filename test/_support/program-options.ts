/** The command line of the programs among the tests. */
import { CommanderError, type Command } from 'commander';

/** The options of a program with only one command, such as a benchmark; help and wrong usage end the process. */
export function programOptions<T extends object>(command: Command): T {
  try {
    return command.usage('-- [options]').parse().opts<T>();
  } catch (error) {
    return process.exit(error instanceof CommanderError && error.exitCode === 0 ? 0 : 2);
  }
}
