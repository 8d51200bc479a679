import { readFile, writeFile } from 'node:fs/promises';
import { githubAnnotations } from '../../conformance/reporters/github.js';
import { fileReporters } from '../../conformance/reporters/index.js';
import { Recorder } from '../../conformance/reporters/reporter.js';
import { TerminalReporter } from '../../conformance/reporters/terminal.js';
import type { CheckEvent, Report } from '../../conformance/types.js';
import type { Values } from '../args.js';
import type { Terminal } from '../terminal.js';
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

/** The terminal and the files that a run of `check` was given. */
export function openOutput(values: CheckValues, terminal: Terminal, env: Environment): CheckOutput {
  const recorder = new Recorder(version);
  const quiet = values.report?.some(({ file }) => file === '-');
  const line = quiet ? terminal.err : terminal.out;
  const summary = new TerminalReporter({ line, colour: terminal.colour, ...progressOf() });
  return {
    onEvent(event) {
      recorder.onEvent(event);
      summary.onEvent(event);
    },
    async finish({ dialect, exitCode }) {
      for (const { format, file } of values.report ?? []) {
        await write(file, fileReporters[format](recorder.run), terminal);
      }
      if (env['GITHUB_ACTIONS'] === 'true') githubAnnotations(recorder.run).forEach(line);
      const card = values['dialect-out'];
      if (card !== undefined) await write(card, `${JSON.stringify(dialect, null, 2)}\n`, terminal);
      return exitCode;
    },
  };
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
    const why = code === 'ENOENT' ? 'there is no such file.' : code ? `it cannot be read (${code}).` : message;
    throw new UsageError(`Failed to load ${what} ${file}: ${why}`);
  }
}

async function write(file: string, text: string, terminal: Terminal): Promise<void> {
  if (file === '-') return terminal.out(text.trimEnd());
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`Failed to write ${file}: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

/** One line that is written over, where somebody looks. */
function progressOf(): { progress?: (text: string) => void } {
  const { stderr } = process;
  if (!stderr.isTTY) return {};
  return { progress: (text) => void stderr.write(`\r\u001B[K${text}`) };
}
