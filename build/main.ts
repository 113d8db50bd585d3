/** The entry of the command line. */
import { setFlagsFromString } from 'node:v8';
import { commandLine } from './commands.ts';
import { ignoreClosedPipes, runCommand } from './lib/command-line.ts';

// Garbage is collected when the heap is twice what was in use: left to itself, V8 lets that of a long build grow to four times as much.
setFlagsFromString('--heap-growing-percent=100');
ignoreClosedPipes();
process.exitCode = await runCommand((done) => commandLine(process.env, done), process.argv.slice(2));
