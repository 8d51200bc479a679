import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { quoted } from '../../common/index.js';
import { startOnWindows } from './windows-command.js';

/** The exit code of a command that a signal ended is above this, as in shells. */
export const BY_SIGNAL = 128;

/** Whether a command can have a group of processes of its own. A signal to the group reaches what the command has started. */
export const HAS_GROUPS = process.platform !== 'win32';

/** Sends a signal to a command that was started with a group of its own, and to all that it has started. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (HAS_GROUPS) process.kill(-child.pid!, signal);
    else child.kill(signal);
  } catch {
    // All of them have ended.
  }
}

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Passes the signals that this process gets on to the command that runs. */
export class PassedSignals {
  /** The commands, and whether each has a group of its own. */
  readonly #children = new Map<ChildProcess, boolean>();

  /**
   * Made before a command starts: otherwise an early signal would end us and leave the command running.
   *
   * @param heard Hears of each signal first.
   */
  constructor(heard: (signal: NodeJS.Signals) => void = () => {}) {
    for (const signal of passedOn) {
      process.on(signal, () => {
        heard(signal);
        // A terminal sends Ctrl-C to the other commands as well, and many programs stop immediately on a second one.
        this.#pass(signal, (isApart) => isApart || signal !== 'SIGINT' || !isatty(0));
      });
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#pass(signal, () => true);
  }

  #pass(signal: NodeJS.Signals, isMeant: (isApart: boolean) => boolean): void {
    for (const [child, isApart] of this.#children) {
      if (!isMeant(isApart)) continue;
      if (isApart) signalGroup(child, signal);
      else child.kill(signal);
    }
  }

  /** Passes signals on to a command as long as it runs. */
  passTo(child: ChildProcess, isApart: boolean): void {
    this.#children.set(child, isApart);
    child.once('exit', () => this.#children.delete(child));
  }
}

/** A command to run, with variables of the environment besides those of this process. */
export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly signals: PassedSignals;
  readonly stdio?: StdioOptions;
  /** Whether the command has a group of processes of its own: see `signalGroup`. It then has no terminal. */
  readonly isApart?: boolean;
  /** Sees the process as soon as it exists. */
  readonly begun?: (child: ChildProcess) => void;
}

/**
 * Runs a command, and returns its exit code.
 *
 * @throws {NodeJS.ErrnoException} if it cannot be started.
 */
export function runChild({
  command,
  args,
  variables,
  signals,
  stdio = 'inherit',
  isApart = false,
  begun = () => {},
}: ChildCommand): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = HAS_GROUPS ? { file: command, args } : startOnWindows(command, args, process.env, existsSync);
    const { file, args: words, ...how } = start;
    const env = { ...process.env, ...variables };
    const child = spawn(file, words, { stdio, env, detached: isApart && HAS_GROUPS, ...how });
    signals.passTo(child, isApart);
    // A failed kill is an error event too, for example if the command runs under sudo.
    child.on('error', (error) => child.pid === undefined && reject(error));
    child.once('exit', (code, signal) => resolve(code ?? BY_SIGNAL + constants.signals[signal!]));
    begun(child);
  });
}

/** Why a command could not be started, and what to do. */
export function whyNotStarted({ code, message }: NodeJS.ErrnoException, { command, args }: CommandWords): string {
  if (code === 'ENOENT' && args.length === 0 && /\s/.test(command)) return `${ONE_WORD} ${unquotedForm(command)}`;
  const why: Record<string, string> = {
    ENOENT: 'the command, or the interpreter in its first line, was not found. Check the name and PATH.',
    EACCES: 'it is not executable. Run chmod +x on it, or name its interpreter, such as `-- sh FILE`.',
  };
  return why[code ?? ''] ?? message;
}

type CommandWords = Pick<ChildCommand, 'command' | 'args'>;

const ONE_WORD = 'the quotation marks make it one word, which is the name of no program.';

/** What somebody meant who wrote a whole command in quotation marks. Only a shell knows what its other characters mean. */
function unquotedForm(command: string): string {
  const needsShell = /[|&;<>()$`"'*?~#=\\\n]/.test(command);
  const byShell = `\`-- sh -c ${quoted(command)}\``;
  return needsShell ? `Run it by a shell: ${byShell}.` : `Leave them out, as in \`-- ${command}\`, or use ${byShell}.`;
}
