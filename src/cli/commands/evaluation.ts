import {
  baselineOf,
  type CheckEvent,
  type CheckOptions,
  fileReporters,
  githubAnnotations,
  readKnown,
  Recorder,
  type Report,
  TerminalReporter,
} from '../../conformance/index.js';
import { parseDialectCard } from '../../engine/index.js';
import { readJson } from '../json-file.js';
import { anyGlob, defined, visibleJson } from '../../common/index.js';
import type { Values } from '../args.js';
import type { Terminal } from '../terminal.js';
import type { Environment } from '../network/proxy.js';
import { version } from '../version.js';
import { UsageError } from '../usage-error.js';
import type { checkFlags } from './check-flags.js';
import { lateReports, openResultFiles } from '../result-files.js';

/** The flags, and what only a file of targets can say. */
export type CheckValues = Values<typeof checkFlags> & Pick<CheckOptions, 'severities'>;

/** The output of a run. */
interface CheckOutput {
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
  const { report: reports = [], 'dialect-out': card, 'write-known': baseline, leftovers } = values;
  const others = [card, baseline, leftovers].filter((file) => file !== undefined);
  const files = [...reports.map(({ file }) => file), ...others];
  const { line, write, ...terminalOptions } = await openResultFiles(files, terminal);
  const recorder = new Recorder(version);
  const isLate = lateReports(values.deadline, reports.length);
  const summary = new TerminalReporter({ line, ...terminalOptions, quiet: values.quiet === true });
  return {
    onEvent(event) {
      recorder.onEvent(event);
      summary.onEvent(event);
    },
    async finish({ dialect, rules, litter, exitCode }) {
      if (env['GITHUB_ACTIONS'] === 'true') githubAnnotations(recorder.run).forEach(line);
      const texts = reports.map(
        ({ format }) =>
          () =>
            fileReporters[format](recorder.run),
      );
      const json = (value: unknown) => () => `${visibleJson(value, 2)}\n`;
      await write(
        [
          ...texts,
          ...(card === undefined ? [] : [json(dialect)]),
          ...(baseline === undefined ? [] : [json(baselineOf(rules))]),
          ...(leftovers === undefined ? [] : [json(litter)]),
        ],
        isLate,
      );
      return exitCode;
    },
  };
}

type EvaluationOptions = Pick<
  CheckOptions,
  | 'only'
  | 'skip'
  | 'failOn'
  | 'minConclusive'
  | 'maxP95'
  | 'showPersonalData'
  | 'known'
  | 'card'
  | 'severities'
  | 'explain'
>;

export function inBytes(mib: number | undefined): number | undefined {
  return mib === undefined ? undefined : Math.ceil(mib * 1024 * 1024);
}

/** How rules are evaluated, for runs and recordings alike. */
export async function evaluationOptionsOf(values: CheckValues): Promise<EvaluationOptions> {
  const { only, skip, known, dialect, explain } = values;
  if (explain !== undefined && (!anyGlob(only ?? ['*'])(explain) || anyGlob(skip ?? [])(explain))) {
    throw new UsageError(`--explain ${explain} needs that rule, which --only and --skip leave out.`);
  }
  const card = dialect === undefined ? undefined : await readJson(dialect, 'dialect', parseDialectCard);
  return defined({
    only,
    skip,
    failOn: values['fail-on'],
    minConclusive: values['min-conclusive'],
    maxP95: values['max-p95'],
    showPersonalData: values['show-personal-data'],
    known: known === undefined ? undefined : await readJson(known, 'baseline', readKnown),
    card: card?.answers,
    severities: values.severities,
    explain,
  });
}
