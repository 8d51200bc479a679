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
/** As of `check`: too little was evaluated. */
const EXIT_NOTHING = 4;

export const command = defineCommand({
  usage: 'diff OLD.json NEW.json [FLAGS]',
  what: `Compares two reports of \`check --report json=FILE\`: new and fixed findings, changed answers, coverage and latency.

Exit codes: 0 no regression, 1 a new finding or a rule that is no longer evaluated, 2 usage error, 4 NEW.json evaluated nothing.`,
  flags: { json: toggle('print JSON') },
  examples: [['teebox diff last.json new.json', 'what changed since the last report']],
  run: ({ values, positionals, terminal }) => diffCommand(positionals, values.json === true, terminal),
});

/** Compares two reports and returns the exit code: 1 if there are new findings or less was evaluated. */
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
  if (comparison.isRegression) return EXIT_REGRESSION;
  return comparison.coverage.after === 0 ? EXIT_NOTHING : 0;
}

function linesOf({ newFindings, fixed, answers, coverage, latency, isRegression }: Comparison): readonly string[] {
  const { before, after, lost, gained } = coverage;
  const seen = newFindings.filter(({ isNewlySeen }) => isNewlySeen);
  const fresh = newFindings.filter(({ isNewlySeen }) => !isNewlySeen);
  return [
    ...section('Now evaluated', countedByTopic(gained)),
    ...section(
      'Latency, 95th percentile',
      latency.map((one) => `${one.operation}: ${one.before} ms, now ${one.after} ms`),
    ),
    ...section(
      'Open questions answered in another way',
      answers.map((one) => `${one.question}: ${answerText(one.before)}, now ${answerText(one.after)}`),
    ),
    ...section('Fixed', groupsOf(fixed).flatMap(groupLines)),
    ...section('No longer evaluated', namedByTopic(lost)),
    ...section('Newly seen findings, of rules that were not evaluated before', groupsOf(seen).flatMap(groupLines)),
    ...section('New findings', groupsOf(fresh).flatMap(groupLines)),
    `Evaluated: ${before}% of the observable rules before, ${after}% now`,
    isRegression
      ? `regression: ${counted(fresh.length, 'new finding')}, ${seen.length} newly seen, ${counted(lost.length, 'rule')} no longer evaluated`
      : after === 0
        ? 'nothing to compare: the new report evaluated no rule'
        : `no regression: ${counted(fixed.length, 'finding')} fixed`,
  ];
}

/** Findings with the same cause, in the order of the first of each. */
function groupsOf(findings: readonly FindingChange[]): readonly (readonly FindingChange[])[] {
  const groups = new Map<string, FindingChange[]>();
  for (const one of findings) {
    const key = one.cause ?? one.id;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** Ids of a group that are named. */
const MOST_IDS = 8;

function groupLines([first, ...others]: readonly FindingChange[]): readonly string[] {
  const { id, before, after, message, operations } = first!;
  const where = operations.length === 0 ? '' : `, in ${operations.join(', ')}`;
  const also = others.length === 0 ? [] : [`  with the same cause: ${named(others.map((one) => one.id))}`];
  return [`${id} (${before}, now ${after}${where})`, `  ${message}`, ...also];
}

function named(ids: readonly string[]): string {
  const more = ids.length > MOST_IDS ? ` and ${ids.length - MOST_IDS} more` : '';
  return `${ids.slice(0, MOST_IDS).join(', ')}${more}`;
}

function byTopic(ids: readonly string[]): readonly (readonly [topic: string, ids: readonly string[]])[] {
  const topics = [...new Set(ids.map((id) => id.split('.', 1)[0]!))];
  return topics.map((topic) => [topic, ids.filter((id) => id.startsWith(`${topic}.`))]);
}

/** How many rules there are of each topic, in one line. */
function countedByTopic(ids: readonly string[]): readonly string[] {
  const topics = byTopic(ids).map(([topic, own]) => `${topic} ${own.length}`);
  return ids.length === 0 ? [] : [`${counted(ids.length, 'rule')}: ${topics.join(', ')}`];
}

function namedByTopic(ids: readonly string[]): readonly string[] {
  return byTopic(ids).map(([topic, own]) => `${topic}, ${counted(own.length, 'rule')}: ${named(own)}`);
}

function section(title: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [`${title}:`, ...rows.map((row) => `  ${row}`), ''];
}
