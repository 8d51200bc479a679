import { existsSync } from 'node:fs';
import { type Flags, readArguments, toggle, type Values, withSources } from '../args.js';
import { commandHelp, type CommandSummary, type HelpSource } from '../help/usage.js';
import type { Environment } from '../network/proxy.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import { version } from '../version.js';
import { consoleLine } from '../../common/index.js';
import { misspelledVariables } from './variables.js';
import { usualFiles } from './config-flag.js';

/** What a command is run with. */
export interface CommandInput<F extends Flags> {
  /** The flags as given, then the environment; of a command that reads itself, the flags as given alone. */
  readonly values: Values<F>;
  /** The flags as given, then the settings, such as those of a file, then the environment. */
  read(settings?: Readonly<Record<string, unknown>>): Values<F>;
  readonly positionals: readonly string[];
  /** The words after a `--`; undefined without one, and for commands that do not take a command. */
  readonly after: readonly string[] | undefined;
  readonly terminal: Terminal;
  readonly env: Environment;
  /** Every command, by its name. */
  readonly commands: Readonly<Record<string, CommandEntry>>;
}

/** A command in the general help, and how its code is loaded: none loads what another one needs. */
export interface CommandEntry extends CommandSummary {
  /** Whether it runs in a thread of its own, which bounds the memory of what a deployment answers. */
  readonly inThread?: true;
  load(): Promise<CommandModule>;
}

export interface CommandModule<F extends Flags = Flags> extends HelpSource {
  readonly flags: F;
  /** Words that can follow it, for completion. */
  readonly completes?: readonly string[];
  /** Words that can follow one of those. */
  readonly completesAfter?: Readonly<Record<string, readonly string[]>>;
  /** Whether it runs a command that follows a `--`. */
  readonly takesCommand?: true;
  /** Its section of the configuration file; flags and the environment override it. */
  readonly section?: 'serve' | 'proxy' | 'certify';
  /** Whether it calls `read` with settings of its own. */
  readonly readsItself?: true;
  /** Looks at the words before the flags are read. */
  prepare?(own: readonly string[], after: readonly string[] | undefined): void;
  /** Returns the exit code. */
  run(input: CommandInput<F>): Promise<number> | number;
}

/** The flags of every command. */
export const commonFlags = {
  help: toggle('print this help'),
  version: toggle('print the version'),
} as const satisfies Flags;

/** Defines a command; the types of its values follow from its flags. */
export function defineCommand<const F extends Flags>(command: CommandModule<F>): CommandModule<F> {
  return command;
}

/** Splits the arguments at `--`; without a `--`, `after` is undefined. */
export function parted(args: readonly string[]): { own: readonly string[]; after?: readonly string[] } {
  const cut = args.indexOf('--');
  return cut < 0 ? { own: args } : { own: args.slice(0, cut), after: args.slice(cut + 1) };
}

/**
 * Reads the arguments of a command, and runs it unless they ask for its help.
 *
 * @param help The text for `--help`, in place of the command's own.
 * @throws {UsageError} for what the command does not take.
 */
export async function runCommand(
  command: CommandModule,
  args: readonly string[],
  { help, ...host }: Pick<CommandInput<Flags>, 'terminal' | 'env' | 'commands'> & { readonly help?: () => string },
): Promise<number> {
  const { own, after } = command.takesCommand ? parted(args) : { own: args };
  command.prepare?.(own, after);
  const flags: Flags = { ...command.flags, ...commonFlags };
  const section = command.section && `\`${command.section}\``;
  // A bad variable of the environment must not keep anybody from the help.
  const { values: given, positionals } = readArguments(flags, own, {}, {}, {}, section);
  const text = given['version']
    ? version
    : given['help']
      ? (help?.() ?? commandHelp(command, host.terminal.width))
      : undefined;
  if (text !== undefined) {
    host.terminal.out(text);
    return 0;
  }
  for (const line of misspelledVariables(host.env)) host.terminal.err(consoleLine(`teebox: ${line}`));
  const fallbacks = await settingsOf(command, configOf(given), host.env);
  let latest = given;
  const read: CommandInput<Flags>['read'] = (settings) =>
    (latest = readArguments(flags, own, host.env, settings, fallbacks).values);
  const values = command.readsItself ? given : read();
  try {
    return await command.run({ values, read, positionals, after, ...host });
  } catch (error) {
    throw withSources(error, latest, configOf(given));
  }
}

/** The configuration file, if there is one. */
function configOf({ config }: Values<Flags>): string | undefined {
  return (config as string | undefined) ?? usualFiles.find((name) => existsSync(name));
}

/** The settings of a command in the configuration file. Its code is loaded only if there is a file. */
async function settingsOf(
  { section, flags }: CommandModule,
  path: string | undefined,
  env: Environment,
): Promise<Readonly<Record<string, unknown>>> {
  if (section === undefined || path === undefined) return {};
  return (await import('./check-config.js')).readSection(section, flags, path, env);
}

/** @throws {UsageError} for a word that the command has no use for. */
export function refuseWords([word]: readonly string[]): void {
  if (word === undefined) return;
  const hint = /^:?\d{1,5}$/.test(word)
    ? `Did you mean --port ${word.replace(':', '')}?`
    : 'Run with --help for usage.';
  throw new UsageError(`Unexpected \`${word}\`. ${hint}`);
}
