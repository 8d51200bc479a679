#!/usr/bin/env node
import { type Flags, readArguments, toggle } from './args.js';
import { serveFlags, worldFlags } from './commands/serve-flags.js';
import { commandHelp, generalHelp } from './help.js';
import type { Terminal } from './terminal.js';
import { consoleLine } from '../evidence/visible.js';
import { closest } from '../input/closest.js';
import { UsageError } from './usage-error.js';
import { version } from './version.js';

const EXIT_USAGE = 2;
const common = { help: toggle('print this help'), version: toggle('print the version') } as const satisfies Flags;
const specFlags = { admin: toggle('print the OpenAPI document of the admin API'), ...common } as const satisfies Flags;
const listFlags = { json: toggle('print JSON'), ...common } as const satisfies Flags;
const scenarioFlags = { scenarios: worldFlags.scenarios, ...listFlags } as const satisfies Flags;
const commands = ['serve', 'exec', 'check', 'diff', 'rules', 'questions', 'scenarios', 'spec', 'completion'] as const;
type Command = (typeof commands)[number];

const execHelp = `Starts a sandbox on a free port, runs the command, and exits with its exit code.
The command gets TEEBOX_BASE_URL, TEEBOX_USERNAME, TEEBOX_PASSWORD and TEEBOX_REFRESH_TOKEN as environment variables.`;

const checkHelp = `Checks a deployment against every observable rule. It sends only read requests unless --allow permits more.
Exit codes: 0 conforms, 1 does not conform, 2 usage error, 3 unreachable or access refused, 4 too few rules were judged.`;

const diffHelp = `Compares two reports of \`check --report json=FILE\`: new and fixed findings, changed answers, coverage and latency.
Exit codes: 0 no regression, 1 a new finding or a rule that is no longer judged, 2 usage error.`;

/** The command is the first word, unless that is a flag. The default is `serve`. */
function commandOf(args: readonly string[]): { command: Command; rest: readonly string[]; named: boolean } {
  const [first = '', ...rest] = args;
  if (first === '' || first.startsWith('-')) return { command: 'serve', rest: args, named: false };
  const command = commands.find((name) => name === first);
  if (command) return { command, rest, named: true };
  const guess = closest(first, commands);
  const hint = guess ? `Did you mean ${guess}?` : `The commands are ${commands.join(', ')}.`;
  throw new UsageError(`Unknown command ${first}. ${hint}`);
}

/** Splits the arguments at `--`; without a `--`, `after` is undefined. */
function parted(args: readonly string[]): { own: readonly string[]; after?: readonly string[] } {
  const cut = args.indexOf('--');
  return cut < 0 ? { own: args } : { own: args.slice(0, cut), after: args.slice(cut + 1) };
}

/** Turns `help`, `help COMMAND` and `-h` into `--help`, and `-v` into `--version`, except after `--`. */
function spelledOut(args: readonly string[]): readonly string[] {
  const { own, after } = parted(args);
  const words = own[0] === 'help' ? [...own.slice(1), '--help'] : own;
  const long = new Map([
    ['-h', '--help'],
    ['-v', '--version'],
  ]);
  return [...words.map((word) => long.get(word) ?? word), ...(after ? ['--', ...after] : [])];
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { command, rest, named } = commandOf(spelledOut(args));
  if (command === 'serve') return runServe(rest, named, terminal);
  if (command === 'exec') return runExec(rest, terminal);
  if (command === 'check') return runCheck(rest, terminal);
  if (command === 'diff') return runDiff(rest, terminal);
  if (command === 'completion') return runCompletion(rest, terminal);
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
  // Checked before the flags are read: without a `--`, the flags of the command would be read as ours.
  if (!after && !own.some((word) => word === '--help' || word === '--version')) {
    throw missing('a `--` before the command');
  }
  refuseServeFlags(own);
  const { values, positionals } = readArguments({ ...worldFlags, ...common }, own, process.env);
  if (values.version) return print(version, terminal);
  if (values.help) return print(commandHelp(usage, execHelp, worldFlags), terminal);
  refuseWords(positionals);
  const [command = '', ...words] = after ?? [];
  if (command === '') throw missing('a command after `--`');
  return (await import('./commands/exec.js')).execCommand(values, command, words, terminal);
}

/** What only a server can be told has its own words: the closest flag of exec would be another one altogether. */
function refuseServeFlags(words: readonly string[]): void {
  const names = words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
  const name = names.find((one) => one in serveFlags && !(one in worldFlags));
  if (name === undefined) return;
  const where = name === 'port' || name === 'host' ? ' It uses a free port, and sets TEEBOX_BASE_URL.' : '';
  throw new UsageError(`exec does not take --${name}, which is a flag of serve.${where}`);
}

async function runCheck(args: readonly string[], terminal: Terminal): Promise<number> {
  const { checkFlags } = await import('./commands/check-flags.js');
  const flags = { ...checkFlags, ...common };
  const { values: given, positionals } = readArguments(flags, args, {});
  if (given.version) return print(version, terminal);
  if (given.help) return print(commandHelp('check [BASE_URL | TARGET] [FLAGS]', checkHelp, checkFlags), terminal);
  const [name = '', ...rest] = positionals;
  refuseWords(rest);
  const target = isTarget(name, given.config)
    ? await (await import('./commands/check-config.js')).readTarget(name, given.config, process.env)
    : undefined;
  const word = target ? target.url : positionals[0];
  const read = readArguments(flags, args, process.env, target?.settings).values;
  const values = target?.severities ? { ...read, severities: target.severities } : read;
  if (values.replay !== undefined) {
    // TEEBOX_BASE_URL names the deployment to check now, not the recorded one.
    const recorded = word === undefined ? undefined : baseUrlOf(word);
    return (await import('./commands/replay.js')).replayCommand(values.replay, recorded, values, terminal, process.env);
  }
  const baseUrl = baseUrlOf(word ?? process.env['TEEBOX_BASE_URL'] ?? '');
  return (await import('./commands/check.js')).checkCommand(baseUrl, values, terminal, process.env);
}

async function runDiff(args: readonly string[], terminal: Terminal): Promise<number> {
  const { diffCommand, diffFlags } = await import('./commands/diff.js');
  const { values, positionals } = readArguments({ ...diffFlags, ...common }, args, process.env);
  if (values.version) return print(version, terminal);
  if (values.help) return print(commandHelp('diff OLD.json NEW.json [FLAGS]', diffHelp, diffFlags), terminal);
  return diffCommand(positionals, values.json === true, terminal);
}

async function runCompletion(args: readonly string[], terminal: Terminal): Promise<number> {
  const { completionCommand, shells } = await import('./commands/completion.js');
  const { values, positionals } = readArguments(common, args, {});
  if (values.version) return print(version, terminal);
  const what = `Prints a script for ${shells.join(', ')} that completes commands and flags.`;
  if (values.help) return print(commandHelp(`completion ${shells.join('|')}`, what, {}), terminal);
  const { checkFlags } = await import('./commands/check-flags.js');
  const { diffFlags } = await import('./commands/diff.js');
  const vocabulary = {
    serve: { flags: { ...serveFlags, ...common } },
    exec: { flags: { ...worldFlags, ...common } },
    check: { flags: { ...checkFlags, ...common } },
    diff: { flags: { ...diffFlags, ...common } },
    rules: { flags: listFlags },
    questions: { flags: listFlags },
    scenarios: { flags: scenarioFlags },
    spec: { flags: specFlags },
    completion: { flags: common, words: shells },
  } satisfies Record<Command, unknown>;
  completionCommand(positionals, vocabulary, terminal);
  return 0;
}

/** Whether a word names a target of a file, and no deployment. */
function isTarget(word: string, config: string | undefined): boolean {
  if (config !== undefined && word === '') throw new UsageError('--config needs a target: teebox check TARGET.');
  return /^[\w.-]+$/.test(word) && (config !== undefined || !word.includes('.'));
}

function baseUrlOf(word: string): string {
  if (word === '')
    throw new UsageError(
      'check needs the base URL of a deployment: run `npx teebox check https://HOST` or set TEEBOX_BASE_URL.',
    );
  if (!/^https?:\/\/[^\s/]/.test(word) || !URL.canParse(word)) {
    throw new UsageError(
      `check needs the base URL of a deployment, starting with http:// or https://; got \`${word}\`.`,
    );
  }
  const { username, password, search, hash } = new URL(word);
  // The message does not repeat the URL, because it may end up in the log of a CI job.
  if (username !== '' || password !== '') {
    throw new UsageError(
      'The base URL must not contain a user name or a password. Use --basic, or --gateway-basic for a gateway.',
    );
  }
  if (search !== '' || hash !== '') {
    throw new UsageError(`The base URL must not have a query or a fragment; got \`${word}\`.`);
  }
  return word;
}

function listHelp(command: Exclude<Command, 'serve' | 'exec' | 'check' | 'diff' | 'completion'>): string {
  const { json } = listFlags;
  if (command === 'spec') {
    const what = 'Prints the OpenAPI document of the service, or that of the admin API.';
    return commandHelp('spec [--admin]', what, { admin: specFlags.admin });
  }
  const what = {
    rules: 'Lists the rules of the document.',
    questions: 'Lists the questions that the document leaves open.',
    scenarios: 'Lists the failures that you can inject, and the state after each.',
  }[command];
  const flags = command === 'scenarios' ? { json, scenarios: scenarioFlags.scenarios } : { json };
  return commandHelp(`${command} [GLOB ...] [FLAGS]`, what, flags);
}

function refuseWords([word]: readonly string[]): void {
  if (word !== undefined) throw new UsageError(`Unexpected \`${word}\`. Run with --help for usage.`);
}

function print(text: string, { out }: Terminal): number {
  out(text);
  return 0;
}

/** Ignores a reader or a terminal that closes early: what is left to report and to save, and the exit code, still follow. */
function quietPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
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
    terminal.err(consoleLine(`teebox: ${error.message}`));
    process.exitCode = EXIT_USAGE;
  }
}

await main();
