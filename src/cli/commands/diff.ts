import { consoleLine, counted, visibleJson } from '../../common/index.js';
import {
  answerText,
  compareReports,
  type Comparison,
  type FindingChange,
  readReport,
} from '../../conformance/index.js';
import { toggle } from '../args.js';
import { readJson } from '../json-file.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import { defineCommand } from './command.js';

const EXIT_REGRESSION = 1;

export const command = defineCommand({
  usage: 'diff OLD.json NEW.json [FLAGS]',
  what: `Compares two reports of \`check --report json=FILE\`: new and fixed findings, changed answers, coverage and latency.
Exit codes: 0 no regression, 1 a new finding or a rule that is no longer judged, 2 usage error.`,
  flags: { json: toggle('print JSON') },
  run: ({ values, positionals, terminal }) => diffCommand(positionals, values.json === true, terminal),
});

/** Compares two reports and returns the exit code: 1 if there are new findings or less was judged. */
async function diffCommand(files: readonly string[], asJson: boolean, { out }: Terminal): Promise<number> {
  const [before, after, ...rest] = files;
  if (before === undefined || after === undefined || rest.length > 0) {
    throw new UsageError(`diff needs two reports: teebox diff OLD.json NEW.json; got ${files.length}.`);
  }
  const comparison = compareReports(
    await readJson(before, 'report', readReport),
    await readJson(after, 'report', readReport),
  );
  if (asJson) out(visibleJson(comparison, 2));
  else for (const line of linesOf(comparison)) out(consoleLine(line));
  return comparison.isRegression ? EXIT_REGRESSION : 0;
}

function linesOf({ newFindings, fixed, answers, coverage, latency, isRegression }: Comparison): readonly string[] {
  const { before, after, lost, gained } = coverage;
  return [
    ...section('New findings', newFindings.flatMap(findingLines)),
    ...section('Fixed', fixed.flatMap(findingLines)),
    ...section('No longer judged', lost),
    ...section('Now judged', gained),
    ...section(
      'Open questions answered in another way',
      answers.map((one) => `${one.question}: ${answerText(one.before)}, now ${answerText(one.after)}`),
    ),
    ...section(
      'Latency, 95th percentile',
      latency.map((one) => `${one.operation}: ${one.before} ms, now ${one.after} ms`),
    ),
    `Judged: ${before}% of the observable rules before, ${after}% now`,
    isRegression
      ? `regression: ${counted(newFindings.length, 'new finding')}, ${counted(lost.length, 'rule')} no longer judged`
      : `no regression: ${counted(fixed.length, 'finding')} fixed`,
  ];
}

function findingLines({ id, before, after, message, operations }: FindingChange): readonly string[] {
  const where = operations.length === 0 ? '' : `, in ${operations.join(', ')}`;
  return [`${id} (${before}, now ${after}${where})`, `  ${message}`];
}

function section(title: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [`${title}:`, ...rows.map((row) => `  ${row}`), ''];
}
