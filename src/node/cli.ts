#!/usr/bin/env node
import { type Flags, readArguments, toggle } from './args.js';
import { serveFlags } from './commands/serve-flags.js';
import { commandHelp, generalHelp } from './help.js';
import type { Terminal } from './terminal.js';
import { closest, UsageError } from './usage-error.js';
import { version } from './version.js';

const EXIT_USAGE = 2;
const common = { help: toggle('this text'), version: toggle('the version') } as const satisfies Flags;
const listFlags = { json: toggle('as JSON'), ...common } as const satisfies Flags;
const commands = ['serve', 'rules', 'questions', 'spec'] as const;
type Command = (typeof commands)[number];

/** The command is the first word that is no flag; none means `serve`. */
function commandOf(args: readonly string[]): { command: Command; rest: readonly string[]; named: boolean } {
  const [first = '', ...rest] = args;
  if (first === '' || first.startsWith('-')) return { command: 'serve', rest: args, named: false };
  const command = commands.find((name) => name === first);
  if (command) return { command, rest, named: true };
  const guess = closest(first, commands);
  const hint = guess ? `Did you mean ${guess}?` : `There are ${commands.join(', ')}.`;
  throw new UsageError(`Unknown command ${first}. ${hint}`);
}

/** `help`, `help COMMAND` and `-h` say what `--help` says. */
function spelledOut(args: readonly string[]): readonly string[] {
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  return words.map((word) => (word === '-h' ? '--help' : word));
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { command, rest, named } = commandOf(spelledOut(args));
  if (command === 'serve') return runServe(rest, named, terminal);
  const { values, positionals } = readArguments(command === 'spec' ? common : listFlags, rest, {});
  if (values.version) return print(version, terminal);
  if (values.help) return print(listHelp(command), terminal);
  if (command === 'spec') {
    refuseWords(positionals);
    (await import('./commands/spec.js')).specCommand(terminal);
    return 0;
  }
  const listings = await import('./commands/listings.js');
  const json = 'json' in values && values.json === true;
  listings[command === 'rules' ? 'rulesCommand' : 'questionsCommand'](positionals, json, terminal);
  return 0;
}

async function runServe(args: readonly string[], named: boolean, terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments({ ...serveFlags, ...common }, args, process.env);
  if (values.version) return print(version, terminal);
  if (values.help) {
    const own = () => commandHelp('serve [FLAGS]', 'Runs the sandbox.', serveFlags);
    return print(named ? own() : generalHelp(serveFlags), terminal);
  }
  refuseWords(positionals);
  return (await import('./commands/serve.js')).serveCommand(values, terminal);
}

function listHelp(command: Exclude<Command, 'serve'>): string {
  const { json } = listFlags;
  if (command === 'spec') return commandHelp('spec', 'Prints the contract as one OpenAPI document.', {});
  const what = {
    rules: 'Lists the rules: every statement of the document.',
    questions: 'Lists what the document leaves open.',
  }[command];
  return commandHelp(`${command} [GLOB ...] [--json]`, what, { json });
}

function refuseWords([word]: readonly string[]): void {
  if (word !== undefined) throw new UsageError(`Unexpected \`${word}\`. Run with --help for what can be given.`);
}

function print(text: string, { out }: Terminal): number {
  out(text);
  return 0;
}

/** A reader that closes early, such as `head`, is no error. */
function quietPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

async function main(): Promise<void> {
  const { stdout, stderr, env } = process;
  quietPipe(stdout);
  quietPipe(stderr);
  const terminal: Terminal = {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    colour: stderr.isTTY === true && !env['NO_COLOR'],
  };
  try {
    process.exitCode = await run(process.argv.slice(2), terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`teebox: ${error.message}`);
    process.exitCode = EXIT_USAGE;
  }
}

await main();
