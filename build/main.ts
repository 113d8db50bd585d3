/** The entry of the command line. */
import { commandLine } from './commands.ts';
import { ignoreClosedPipes, runCommand } from './lib/command-line.ts';

ignoreClosedPipes();
process.exitCode = await runCommand((done) => commandLine(process.env, done), process.argv.slice(2));
