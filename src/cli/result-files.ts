import { type ReportFormat, reportFormats } from '../conformance/index.js';
import type { Flags, Reader } from './args.js';
import type { Terminal } from './terminal.js';
import { openTarget, type Target } from './target.js';
import { UsageError } from './usage-error.js';

/** Where the results of a run go: its files, and the lines of its summary. */
export interface ResultFiles {
  /** Writes a line for people. It goes to stderr where a file is stdout. */
  readonly line: (text: string) => void;
  readonly colour: boolean;
  /** One progress line that is overwritten; absent without a terminal. */
  readonly progress?: (text: string) => void;
  /** Writes each text to its file, in the order of the files. */
  write(texts: readonly (() => string)[]): Promise<void>;
}

/**
 * Opens the files for the results of a run; `-` is stdout.
 *
 * @throws {UsageError} if a file cannot be written, before the run begins.
 */
export async function openResultFiles(files: readonly string[], terminal: Terminal): Promise<ResultFiles> {
  const targets = await openTargets(files, terminal);
  const quiet = files.includes('-');
  return {
    line: quiet ? terminal.err : terminal.out,
    colour: quiet ? terminal.colour : terminal.outColour,
    ...(terminal.progress ? { progress: terminal.progress } : {}),
    async write(texts) {
      const failures: unknown[] = [];
      // One after the other, since each text may be large. One failed write must not stop the others.
      for (const [index, write] of targets.entries()) {
        await write(texts[index]!()).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function openTargets(files: readonly string[], terminal: Terminal): Promise<readonly Target[]> {
  const twice = files.find((file, index) => files.indexOf(file) < index);
  if (twice !== undefined) {
    throw new UsageError(`Two results cannot go to ${twice === '-' ? 'stdout' : twice}. Give each its own file.`);
  }
  const toStdout: Target = async (text) => terminal.out(text.trimEnd());
  return Promise.all(files.map((file) => (file === '-' ? toStdout : openTarget(file))));
}

/** A report to write. The file `-` is stdout. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
}

const reportTarget: Reader<ReportTarget> = {
  due: `FORMAT=FILE with one of the formats ${reportFormats.join(', ')}`,
  read(text) {
    const at = text.indexOf('=');
    const format = reportFormats.find((name) => name === text.slice(0, at));
    const path = text.slice(at + 1);
    return format && path !== '' ? { format, file: path } : undefined;
  },
};

/** The flag of commands that write reports. */
export const reportFlags = {
  report: {
    value: 'FORMAT=FILE',
    repeatable: true,
    help: `write a report: ${reportFormats.join(', ')}; - for stdout; repeatable`,
    ...reportTarget,
  },
} as const satisfies Flags;
