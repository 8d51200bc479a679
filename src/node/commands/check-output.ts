import { visibleJson } from '../../evidence/visible.js';
import { githubAnnotations } from '../../conformance/reporters/github.js';
import { fileReporters } from '../../conformance/reporters/index.js';
import { Recorder } from '../../conformance/reporters/reporter.js';
import type { CheckOptions } from '../../conformance/run/check-options.js';
import { baselineOf } from '../../conformance/run/known.js';
import { TerminalReporter } from '../../conformance/reporters/terminal.js';
import type { CheckEvent, Report } from '../../conformance/client/types.js';
import type { Values } from '../args.js';
import type { Terminal } from '../terminal.js';
import { openTarget, type Target } from '../target.js';
import type { Environment } from '../network/proxy.js';
import { UsageError } from '../usage-error.js';
import { version } from '../version.js';
import type { checkFlags } from './check-flags.js';

/** The flags, and what only a file of targets can say. */
export type CheckValues = Values<typeof checkFlags> & Pick<CheckOptions, 'severities'>;

/** The output of a run. */
export interface CheckOutput {
  readonly onEvent: (event: CheckEvent) => void;
  /** Writes the reports and the dialect card; returns the exit code. */
  finish(report: Report): Promise<number>;
}

/**
 * Opens the terminal output and the files for the results of a run of `check`.
 *
 * @throws {UsageError} if a file cannot be written, before any request is sent.
 */
export async function openOutput(values: CheckValues, terminal: Terminal, env: Environment): Promise<CheckOutput> {
  const { report: reports = [], 'dialect-out': card, 'write-known': baseline } = values;
  const files = [...reports.map(({ file }) => file), ...[card, baseline].filter((file) => file !== undefined)];
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
    async finish({ dialect, rules, exitCode }) {
      if (env['GITHUB_ACTIONS'] === 'true') githubAnnotations(recorder.run).forEach(line);
      const texts = reports.map(
        ({ format }) =>
          () =>
            fileReporters[format](recorder.run),
      );
      const json = (value: unknown) => () => `${visibleJson(value, 2)}\n`;
      const all = [
        ...texts,
        ...(card === undefined ? [] : [json(dialect)]),
        ...(baseline === undefined ? [] : [json(baselineOf(rules))]),
      ];
      const failures: unknown[] = [];
      // One after the other, since each text may be large. One failed write must not stop the others.
      for (const [index, write] of targets.entries()) {
        await write(all[index]!()).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
      return exitCode;
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

/** One progress line that is overwritten, only on a terminal. */
function progressOf(): { progress?: (text: string) => void } {
  const { stderr } = process;
  if (!stderr.isTTY) return {};
  return { progress: (text) => void stderr.write(`\r\u001B[K${text}`) };
}
