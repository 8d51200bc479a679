import type { Report, RuleResult } from '../client/types.js';
import { decisiveOf, detailsOf, findingsOf, headlineOf, knownText, resourceOf } from './findings.js';
import { sarifInvocation, sarifLocation, sarifMessages, sarifText } from './formats/sarif-log.js';
import type { FileReporter, RecordedRun } from './reporter.js';

/** The level of a breach, as a run without `--fail-on` judges it. */
function levelOf({ basis, severity }: RuleResult): 'error' | 'warning' | 'note' {
  if (basis === 'open') return 'note';
  return basis === 'implied' && severity === 'minor' ? 'warning' : 'error';
}

/** A log of SARIF with a result for each finding. */
export const sarifReporter: FileReporter = (run) => {
  const { report, version } = run;
  const { baseUrl, runId } = report.target;
  return sarifText({
    tool: 'teebox check',
    version,
    rules: report.rules.map(descriptorOf),
    automationId: `teebox-check/${new URL(baseUrl).host}/${runId}`,
    invocation: invocationOf(report),
    baseUrl,
    results: findingsOf(report).map((result) => resultOf(result, report.rules.indexOf(result), run)),
  });
};

function descriptorOf(result: RuleResult): object {
  const { id, statement, basis, severity, source } = result;
  return {
    id,
    shortDescription: { text: statement },
    fullDescription: { text: `${statement} (${source.section}, ${source.item}; ${basis}, ${severity})` },
    defaultConfiguration: { level: levelOf(result) },
    properties: { basis, severity, section: source.section, item: source.item, tags: [id.split('.', 1)[0]] },
  };
}

function resultOf(result: RuleResult, ruleIndex: number, run: RecordedRun): object {
  const { id, verdict, known, exchanges } = result;
  const { baseUrl } = run.report.target;
  const again = decisiveOf(result, run);
  const details = detailsOf(result, run).map(([label, words]) => `${label}: ${words}`);
  return {
    ruleId: id,
    ruleIndex,
    kind: 'fail',
    level: verdict === 'warn' ? 'warning' : 'error',
    message: { text: [headlineOf(result), ...details].join('\n') },
    locations: [
      sarifLocation(again?.request.url ?? baseUrl, baseUrl, resourceOf(result), again?.operation ?? result.id),
    ],
    partialFingerprints: { 'teebox/rule/v1': id },
    ...(known ? { suppressions: [{ kind: 'external', justification: known.map(knownText).join('; ') }] } : {}),
    ...sarifMessages(again),
    properties: { verdict, exchanges },
  };
}

function invocationOf(report: Report): object {
  const { exitCode, message, target, durationMs, stale } = report;
  return sarifInvocation(report, { startedAt: target.startedAt, durationMs }, [
    ...(exitCode === 3 || exitCode === 4 ? [message] : []),
    ...stale.map((id) => `The baseline has ${id}, which no longer fails; please remove it.`),
  ]);
}
