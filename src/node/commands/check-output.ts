import { readFile } from 'node:fs/promises';
import { githubAnnotations } from '../../conformance/reporters/github.js';
import { fileReporters } from '../../conformance/reporters/index.js';
import { Recorder } from '../../conformance/reporters/reporter.js';
import { TerminalReporter } from '../../conformance/reporters/terminal.js';
import type { CheckEvent, Report } from '../../conformance/types.js';
import type { Values } from '../args.js';
import type { Terminal } from '../terminal.js';
import { openTarget, type Target } from '../target.js';
import { UsageError } from '../usage-error.js';
import { version } from '../version.js';
import type { checkFlags } from './check-flags.js';

export type CheckValues = Values<typeof checkFlags>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a run is told on, and where its results go. */
export interface CheckOutput {
  readonly onEvent: (event: CheckEvent) => void;
  /** Writes the reports and the dialect card; gives back the exit code. */
  finish(report: Report): Promise<number>;
}

/**
 * The terminal and the files that a run of `check` was given.
 *
 * @throws {UsageError} for a file that cannot be written, before anything is sent.
 */
export async function openOutput(values: CheckValues, terminal: Terminal, env: Environment): Promise<CheckOutput> {
  const { report: reports = [], 'dialect-out': card } = values;
  const files = [...reports.map(({ file }) => file), ...(card === undefined ? [] : [card])];
  const targets = await openTargets(files, terminal);
  const recorder = new Recorder(version);
  const quiet = files.includes('-');
  const line = quiet ? terminal.err : terminal.out;
  const colour = quiet ? terminal.colour : process.stdout.isTTY === true && !env['NO_COLOR'];
  const summary = new TerminalReporter({ line, colour, ...progressOf() });
  return {
    onEvent(event) {
      recorder.onEvent(event);
      summary.onEvent(event);
    },
    async finish({ dialect, exitCode }) {
      if (env['GITHUB_ACTIONS'] === 'true') githubAnnotations(recorder.run).forEach(line);
      const texts = reports.map(
        ({ format }) =>
          () =>
            fileReporters[format](recorder.run),
      );
      const all = [...texts, () => `${JSON.stringify(dialect, null, 2)}\n`];
      // One that fails takes none of the others with it.
      const written = await Promise.allSettled(targets.map((write, index) => write(all[index]!())));
      const failed = written.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
      return exitCode;
    },
  };
}

async function openTargets(files: readonly string[], terminal: Terminal): Promise<readonly Target[]> {
  const twice = files.find((file, index) => files.indexOf(file) < index);
  if (twice !== undefined) {
    throw new UsageError(
      `Two results cannot go to ${twice === '-' ? 'stdout' : twice}. Please give each its own file.`,
    );
  }
  const toStdout: Target = async (text) => terminal.out(text.trimEnd());
  return Promise.all(files.map((file) => (file === '-' ? toStdout : openTarget(file))));
}

/**
 * A file of JSON, read.
 *
 * @throws {UsageError} naming the file and what is wrong with it.
 */
export async function readJson<T>(file: string, what: string, read: (value: unknown) => T): Promise<T> {
  try {
    return read(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      error instanceof SyntaxError
        ? `it is not JSON (${message}).`
        : code === 'ENOENT'
          ? 'there is no such file.'
          : code
            ? `it cannot be read (${code}).`
            : message;
    throw new UsageError(`Failed to load ${what} ${file}: ${why}`);
  }
}

/** One line that is written over, where somebody looks. */
function progressOf(): { progress?: (text: string) => void } {
  const { stderr } = process;
  if (!stderr.isTTY) return {};
  return { progress: (text) => void stderr.write(`\r\u001B[K${text}`) };
}
