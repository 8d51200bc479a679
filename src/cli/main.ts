import { closest, consoleLine } from '../common/index.js';
import { type CommandEntry, parted, runCommand } from './commands/command.js';
import { listKinds } from './commands/list-kinds.js';
import { type CommandName, commands } from './commands/table.js';
import { generalHelp } from './help/usage.js';
import { runInThread } from './process/own-thread.js';
import { processTerminal, type Terminal, threadTerminal } from './terminal.js';
import { UsageError } from './usage-error.js';
import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';

/**
 * Lets Node keep what it compiles, among the temporary files, from Node 22 on. Where nothing can be written there, it is
 * left alone: on some paths it would look for a folder for ever.
 */
function keepCompiled(): void {
  // The types are those of Node 20.
  const { enableCompileCache } = module as typeof module & { readonly enableCompileCache?: () => unknown };
  const isDecided = process.env['NODE_COMPILE_CACHE'] || process.env['NODE_DISABLE_COMPILE_CACHE'];
  if (!enableCompileCache || isDecided || !canMake(join(tmpdir(), 'node-compile-cache'))) return;
  enableCompileCache();
}

function canMake(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}

const EXIT_USAGE = 2;

/** The command is the first word, unless that is a flag. The default is `serve`. */
function commandOf(args: readonly string[]): { command: CommandName; rest: readonly string[]; named: boolean } {
  const [first = '', ...rest] = args;
  if (first === '' || first.startsWith('-')) return { command: 'serve', rest: args, named: false };
  const names = Object.keys(commands) as CommandName[];
  const command = names.find((name) => name === first);
  if (command) return { command, rest, named: true };
  const near = closest(first, [...names, ...listKinds]);
  const guess = near === undefined || Object.hasOwn(commands, near) ? near : `list ${near}`;
  const hint = guess ? `Did you mean ${guess}?` : `The commands are ${names.join(', ')}.`;
  throw new UsageError(`Unknown command ${first}. ${hint}`);
}

/** Turns `help COMMAND` and `-h` into `--help`, and `-v` into `--version`, except after `--`. */
function spelledOut(args: readonly string[]): readonly string[] {
  const { own, after } = parted(args);
  const isOfCommand = own[0] === 'help' && own.length === 2 && Object.hasOwn(commands, own[1]!);
  const words = isOfCommand ? [own[1]!, '--help'] : own;
  const long = new Map([
    ['-h', '--help'],
    ['-v', '--version'],
  ]);
  return [...words.map((word) => long.get(word) ?? word), ...(after ? ['--', ...after] : [])];
}

async function run(program: URL, args: readonly string[], terminal: Terminal): Promise<number> {
  const { command: name, rest, named } = commandOf(spelledOut(args));
  const entry: CommandEntry = commands[name];
  // The width of the terminal is known here alone.
  const isHelp = rest.includes('--help');
  if (entry.inThread && !parentPort && !isHelp) return runInThread(program, args, terminal);
  const command = await entry.load();
  const help = named ? {} : { help: () => generalHelp(commands, terminal.width) };
  return runCommand(command, rest, { terminal, env: process.env, commands, ...help });
}

/**
 * Ignores a reader or a terminal that closes early: what is left to report and to save, and the exit code, still follow.
 * A result that cannot be written, for example because the disk is full, is told, and ends the command as a signal does.
 */
function watchOutput({ stdout, stderr }: NodeJS.Process): void {
  // Nobody can be told that.
  stderr.on('error', () => {});
  let isTold = false;
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || code === 'EIO' || isTold) return;
    isTold = true;
    const why = code === 'ENOSPC' ? 'no space is left' : message;
    stderr.write(`teebox: Failed to write the output: ${why}. Free some space, or send stdout elsewhere.\n`);
    process.on('exit', () => (process.exitCode = EXIT_USAGE));
    // What runs until a signal would go on without anybody knowing its address.
    process.emit('SIGTERM', 'SIGTERM');
  });
}

/**
 * Runs the command that the arguments name.
 *
 * @param program The module that runs it again, in a thread.
 */
export async function main(program: URL): Promise<void> {
  keepCompiled();
  watchOutput(process);
  const terminal = parentPort ? threadTerminal(parentPort, process.env) : processTerminal(process);
  try {
    process.exitCode = await run(program, process.argv.slice(2), terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.err(consoleLine(`teebox: ${shortened(error.message)}`));
    process.exitCode = EXIT_USAGE;
  }
}

/** Characters of a message of which the end is kept: what to do. */
const [MOST_OF_MESSAGE, END_OF_MESSAGE] = [4000, 1000];

/** A message without its middle if it is too long: a file can give a key of any length. */
function shortened(message: string): string {
  if (message.length <= MOST_OF_MESSAGE) return message;
  return `${message.slice(0, MOST_OF_MESSAGE - END_OF_MESSAGE)} ... ${message.slice(-END_OF_MESSAGE)}`;
}
