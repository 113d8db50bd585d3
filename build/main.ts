/** The entry of the command line. */
import { commandLine } from './commands.ts';
import { runCommand, watchOutput } from './lib/command-line.ts';

watchOutput();
process.exitCode = await runCommand((done) => commandLine(process.env, done), process.argv.slice(2));
