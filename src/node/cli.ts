#!/usr/bin/env node
import { type Flags, readArguments, toggle } from './args.js';
import { serveFlags, worldFlags } from './commands/serve-flags.js';
import { commandHelp, generalHelp } from './help.js';
import type { Terminal } from './terminal.js';
import { closest, UsageError } from './usage-error.js';
import { version } from './version.js';

const EXIT_USAGE = 2;
const common = { help: toggle('this text'), version: toggle('the version') } as const satisfies Flags;
const specFlags = { admin: toggle('the document of the admin API'), ...common } as const satisfies Flags;
const listFlags = { json: toggle('as JSON'), ...common } as const satisfies Flags;
const scenarioFlags = { scenarios: worldFlags.scenarios, ...listFlags } as const satisfies Flags;
const commands = ['serve', 'exec', 'check', 'rules', 'questions', 'scenarios', 'spec'] as const;
type Command = (typeof commands)[number];

const execHelp = `Runs a command against a sandbox of its own, on a free port, and gives back its exit code.
The command finds TEEBOX_BASE_URL, TEEBOX_USERNAME, TEEBOX_PASSWORD and TEEBOX_REFRESH_TOKEN in its environment.`;

const checkHelp = `Judges a deployment by every rule that can be seen from outside. It only reads unless --allow says more.
Exit codes: 0 conformant, 1 not, 2 usage, 3 unreachable or refused, 4 too little was judged.`;

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

/** What is ours, and what comes after `--`; without a `--` the latter is undefined. */
function parted(args: readonly string[]): { own: readonly string[]; after?: readonly string[] } {
  const cut = args.indexOf('--');
  return cut < 0 ? { own: args } : { own: args.slice(0, cut), after: args.slice(cut + 1) };
}

/** `help`, `help COMMAND` and `-h` say what `--help` says, unless they come after `--`. */
function spelledOut(args: readonly string[]): readonly string[] {
  const { own, after } = parted(args);
  const words = own[0] === 'help' ? [...own.slice(1), '--help'] : own;
  return [...words.map((word) => (word === '-h' ? '--help' : word)), ...(after ? ['--', ...after] : [])];
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { command, rest, named } = commandOf(spelledOut(args));
  if (command === 'serve') return runServe(rest, named, terminal);
  if (command === 'exec') return runExec(rest, terminal);
  if (command === 'check') return runCheck(rest, terminal);
  const flags = { spec: specFlags, scenarios: scenarioFlags, rules: listFlags, questions: listFlags }[command];
  const { values, positionals } = readArguments<Flags>(flags, rest, process.env);
  if (values['version']) return print(version, terminal);
  if (values['help']) return print(listHelp(command), terminal);
  if (command === 'spec') {
    refuseWords(positionals);
    await (await import('./commands/spec.js')).specCommand(values['admin'] === true, terminal);
    return 0;
  }
  const listings = await import('./commands/listings.js');
  const json = values['json'] === true;
  if (command !== 'scenarios') listings[`${command}Command`](positionals, json, terminal);
  else await listings.scenariosCommand(positionals, json, terminal, values['scenarios'] as string | undefined);
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

async function runExec(args: readonly string[], terminal: Terminal): Promise<number> {
  const { own, after } = parted(args);
  const usage = 'exec [FLAGS] -- COMMAND [ARG ...]';
  const missing = (what: string) => new UsageError(`exec needs ${what}: teebox ${usage}.`);
  // Before the flags are read: without a `--` those of the command would be taken for ours.
  if (!after && !own.some((word) => word === '--help' || word === '--version')) {
    throw missing('a `--` before the command');
  }
  const { values, positionals } = readArguments({ ...worldFlags, ...common }, own, process.env);
  if (values.version) return print(version, terminal);
  if (values.help) return print(commandHelp(usage, execHelp, worldFlags), terminal);
  refuseWords(positionals);
  const [command = '', ...words] = after ?? [];
  if (command === '') throw missing('a command after `--`');
  return (await import('./commands/exec.js')).execCommand(values, command, words, terminal);
}

async function runCheck(args: readonly string[], terminal: Terminal): Promise<number> {
  const { checkFlags } = await import('./commands/check-flags.js');
  const { values, positionals } = readArguments({ ...checkFlags, ...common }, args, process.env);
  if (values.version) return print(version, terminal);
  if (values.help) return print(commandHelp('check [BASE_URL] [FLAGS]', checkHelp, checkFlags), terminal);
  const [word, ...rest] = positionals;
  refuseWords(rest);
  if (values.replay !== undefined) {
    // The environment names the deployment to be judged now, not the one that was recorded.
    const recorded = word === undefined ? undefined : baseUrlOf(word);
    return (await import('./commands/replay.js')).replayCommand(values.replay, recorded, values, terminal, process.env);
  }
  const baseUrl = baseUrlOf(word ?? process.env['TEEBOX_BASE_URL'] ?? '');
  return (await import('./commands/check.js')).checkCommand(baseUrl, values, terminal, process.env);
}

function baseUrlOf(word: string): string {
  if (word === '')
    throw new UsageError('check needs the base URL of a deployment: teebox check https://HOST, or TEEBOX_BASE_URL.');
  if (!/^https?:\/\/[^\s/]/.test(word) || !URL.canParse(word)) {
    throw new UsageError(`check needs the base URL of a deployment, http or https; got \`${word}\`.`);
  }
  const { username, password, search, hash } = new URL(word);
  // Not repeated: the line may end up in the log of a job.
  if (username !== '' || password !== '') {
    throw new UsageError('The base URL must not hold a user name or a password. Please give them with --basic.');
  }
  if (search !== '' || hash !== '') {
    throw new UsageError(`The base URL must end with its path, since paths are added to it; got \`${word}\`.`);
  }
  return word;
}

function listHelp(command: Exclude<Command, 'serve' | 'exec' | 'check'>): string {
  const { json } = listFlags;
  if (command === 'spec') {
    const what = 'Prints the contract as one OpenAPI document, or the admin API of the sandbox.';
    return commandHelp('spec [--admin]', what, { admin: specFlags.admin });
  }
  const what = {
    rules: 'Lists the rules: every statement of the document.',
    questions: 'Lists what the document leaves open.',
    scenarios: 'Lists the failures that can be switched on, and what holds after each.',
  }[command];
  const flags = command === 'scenarios' ? { json, scenarios: scenarioFlags.scenarios } : { json };
  return commandHelp(`${command} [GLOB ...] [FLAGS]`, what, flags);
}

function refuseWords([word]: readonly string[]): void {
  if (word !== undefined) throw new UsageError(`Unexpected \`${word}\`. Run with --help for what can be given.`);
}

function print(text: string, { out }: Terminal): number {
  out(text);
  return 0;
}

/** A reader that closes early, such as `head`, is no error, and no end either: reports and the exit code are to come. */
function quietPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
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
