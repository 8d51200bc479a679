import { resolve } from 'node:path';
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
  /**
   * Writes each text to its file, in the order of the files.
   *
   * @param isLate Whether there is no time for the file at a position; stderr names those that are left out.
   */
  write(texts: readonly (() => string)[], isLate?: (index: number) => boolean): Promise<void>;
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
    async write(texts, isLate = () => false) {
      const failures: unknown[] = [];
      const left: string[] = [];
      // One after the other, since each text may be large. One failed write must not stop the others.
      for (const [index, write] of targets.entries()) {
        if (isLate(index)) left.push(files[index]!);
        else await write(texts[index]!()).catch((error: unknown) => failures.push(error));
      }
      if (left.length > 0)
        terminal.err(`The time of the run (--deadline) was over before ${left.join(', ')} could be written.`);
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Says of each report but the first whether the time of a run is over. It starts now; 0 is no limit. */
export function lateReports(deadline: number | undefined, count: number): (index: number) => boolean {
  const end = deadline ? performance.now() + deadline : Infinity;
  return (index) => index > 0 && index < count && performance.now() > end;
}

async function openTargets(files: readonly string[], terminal: Terminal): Promise<readonly Target[]> {
  const paths = files.map((file) => (file === '-' ? file : resolve(file)));
  const twice = files.find((_, index) => paths.indexOf(paths[index]!) < index);
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
  choices: reportFormats.map((format) => `${format}=`),
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
