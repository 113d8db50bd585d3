/** The command line: words in, exit code out. Every command is one line of the table and loads only what it needs. */
import { COMMANDS } from './commands.ts';

const [command = '', ...argv] = process.argv.slice(2);
const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;

if (run) {
  try {
    process.exitCode = await run(argv, process.env);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = isBadSetting(error) || isUsage(error) ? 2 : 1;
  }
} else {
  console.error(`unknown command ${JSON.stringify(command)}; there are: ${Object.keys(COMMANDS).join(', ')}`);
  process.exitCode = 2;
}

/** By name: the server that is started is a bundle with classes of its own. */
function isBadSetting(error: unknown): boolean {
  return error instanceof Error && error.name === 'BadSetting';
}

/** node:util's parseArgs names the flag it does not know. */
function isUsage(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
