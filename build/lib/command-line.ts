/** What the commands share: help, hints for typing errors and exit codes. The only importer of commander besides commands.ts. */
import { existsSync, statSync } from 'node:fs';
import { Command, CommanderError, Help, InvalidArgumentError, type Option } from 'commander';
import { SITE_ADDRESS, siteAddress } from '../../shim/core/hosts.ts';
import { isCalendarDate } from './clock.ts';
import { adviceOn } from './findings.ts';

const FINDINGS = 1;
const USAGE = 2;
/** What most commands say of their exit codes in their help. */
const EXIT_CODES = 'Exit codes: 0 fine, 1 findings or a failure, 2 wrong usage or a bad setting.';

/** Takes the exit code of a command that ran. */
export type Done = (code: number) => void;

/** Wrong usage that the parser of flags cannot see; the message is one line that says what to do. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** A command that reports wrong usage by throwing, and says where its help is. */
export function newCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', `\n${EXIT_CODES}`)
    .showHelpAfterError('Add --help to see what the command takes.')
    .configureHelp({ optionDescription: described })
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
    })
    .exitOverride();
}

/** What the help says of a flag: a default that is nothing is left out. */
function described(option: Option): string {
  const { defaultValue } = option as { defaultValue: unknown };
  const isNothing = defaultValue === false || String(defaultValue) === '';
  return isNothing ? option.description : Help.prototype.optionDescription.call(new Help(), option);
}

/** Adds a command, with what its help says of its exit codes. */
export function add(program: Command, name: string, description: string, codes = EXIT_CODES): Command {
  return program.command(name).description(description).addHelpText('after', `\n${codes}`);
}

/** Parses and runs a command; resolves to its exit code. Every failure is one message on standard error. */
export async function runCommand(make: (done: Done) => Command, argv: string[]): Promise<number> {
  let exitCode = 0;
  try {
    const program = make((code) => (exitCode = code));
    program.commands.forEach(refuseUnclearFlags);
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    console.error(messageOf(error));
    return isUsage(error) ? USAGE : FINDINGS;
  }
}

/** Refuses a flag that takes one value where it is given twice, and where the next flag is in the place of its value. */
function refuseUnclearFlags(command: Command): void {
  for (const { flags, defaultValue, required, ...option } of command.options) {
    const given: string[] = [];
    const name = option.long?.slice(2);
    if (required && !Array.isArray(defaultValue))
      command.on(`option:${name}`, (text: string) => {
        if (text.startsWith('--'))
          command.error(`error: option '${flags}' argument missing before '${text}'`);
        if (given.push(text) > 1)
          command.error(
            `error: option '${flags}' takes one value; got ${given.map((one) => `'${one}'`).join(' and ')}`,
          );
      });
  }
}

/** The message of an error; for a system error, the file or folder it concerns and the reason. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path, dest, message } = error as NodeJS.ErrnoException & { dest?: string };
  const [, reason] = /^[A-Z]+: ([^,]+), /.exec(message) ?? [];
  if (reason === undefined) return message;
  return `${dest ?? path ?? 'A file or folder'} cannot be used: ${reason} (${code}).${adviceOn(code)}`;
}

/**
 * `npm run get ... | head -1` closes the pipe early: the command goes on without an error. Output that cannot be written for another
 * reason, such as a full disk, ends it with one message.
 */
export function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      if (stream === process.stdout)
        console.error(messageOf(Object.assign(error, { path: 'Standard output' })));
      process.exit(FINDINGS);
    });
}

/** Reads a flag that takes a whole number. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]{1,15}$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
    return value;
  };
}

/** Reads a flag that takes one or more of these words, separated by commas. */
export function choices<Word extends string>(words: readonly Word[]): (text: string) => Word[] {
  return (text) =>
    text.split(',').map((given) => {
      const word = words.find((known) => known === given);
      if (word === undefined) throw new InvalidArgumentError(`Expected one or more of ${words.join(', ')}.`);
      return word;
    });
}

/** Today in UTC, YYYY-MM-DD: the only use of the clock for dates on the command line. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Reads a flag that takes a date, YYYY-MM-DD, not in the future. */
export function pastDate(text: string): string {
  if (text.length !== 'YYYY-MM-DD'.length || !isCalendarDate(text) || text > today())
    throw new InvalidArgumentError(
      'Expected a date, YYYY-MM-DD, not in the future by the clock of this machine.',
    );
  return text;
}

/** Reads a flag that takes the publisher's date of an edition, YYYY-MM-DD or YYYY-MM, not in the future. */
export function editionDate(text: string): string {
  if (!isCalendarDate(text) || text > today().slice(0, text.length))
    throw new InvalidArgumentError(
      'Expected a date, YYYY-MM-DD or YYYY-MM, not in the future by the clock of this machine.',
    );
  return text;
}

/** Reads an argument that takes an http or https address. */
export function address(text: string): string {
  if (siteAddress(text) === null) throw new InvalidArgumentError(`Expected ${SITE_ADDRESS}.`);
  return text;
}

/** Reads a flag that takes a file or folder that exists. */
export function existing(kind: 'file' | 'folder'): (path: string) => string {
  return (path) => {
    if (!existsSync(path)) throw new InvalidArgumentError(`This ${kind} does not exist.`);
    if (statSync(path).isDirectory() !== (kind === 'folder'))
      throw new InvalidArgumentError(`This is not a ${kind}.`);
    return path;
  };
}

/** Reads a flag or an argument that names a file or folder to write, which need not exist. */
export function place(kind: 'file' | 'folder'): (path: string) => string {
  return (path) => {
    if (path === '') throw new InvalidArgumentError(`Expected the name of a ${kind}.`);
    return existsSync(path) ? existing(kind)(path) : path;
  };
}

/** Throws a UsageError unless the folder holds a published site; an address is not checked. */
export function requireBuild(where: string): void {
  if (siteAddress(where) === null && !existsSync(`${where}/release.json`))
    throw new UsageError(`${where} holds no published site: run "npm run build" first.`);
}

/** Compares names, because the bundled server that `npm start` runs has its own copies of these classes. */
function isUsage(error: unknown): boolean {
  return error instanceof Error && ['BadSetting', 'NotATree', 'UsageError'].includes(error.name);
}
