import { curlOf } from './formats/curl.js';
import { bySuite, type JunitCase, type JunitSuite, junitXml } from './formats/junit-xml.js';
import {
  decisiveOf,
  detailsOf,
  exchangesOf,
  faultsOf,
  findingsOf,
  headlineOf,
  resourceOf,
  resultsWith,
} from './findings.js';
import type { FileReporter, RecordedRun } from './reporter.js';
import type { Report, RuleResult } from '../client/types.js';

/**
 * A suite for each resource and a case for each rule. A case fails exactly where the rule counts towards the exit
 * code: a warning and a known finding are skipped with all they have to say, so that a green run stays green.
 */
export const junitReporter: FileReporter = (run) => junitXml(junitSuites(run));

/** The suites of {@link junitReporter}. */
export function junitSuites(run: RecordedRun): JunitSuite[] {
  const cases = [...ofTheRun(run.report), ...run.report.rules.map((result) => caseOf(result, run))];
  return [...bySuite(cases)].map(([name, own]) => suiteOf(name, own, run));
}

/** What is wrong with the run as a whole and stands with no rule. */
function ofTheRun(report: Report): JunitCase[] {
  const { verdict, exitCode, message, stale, durationMs } = report;
  const stood = { suite: 'run', seconds: durationMs / 1000 };
  const gone = stale.map((id): JunitCase => {
    const words = `The baseline has ${id}, which no longer fails; please remove it.`;
    return { ...stood, name: `baseline: ${id}`, outcome: { tag: 'failure', type: 'stale' }, message: words };
  });
  if (exitCode !== 3 && exitCode !== 4) return gone;
  const text = faultsOf(report).join('\n');
  return [{ ...stood, name: 'verdict', outcome: { tag: 'error', type: verdict }, message, text }, ...gone];
}

function caseOf(result: RuleResult, run: RecordedRun): JunitCase {
  const { id, verdict, known } = result;
  const milliseconds = exchangesOf(result, run).reduce((sum, { durationMs }) => sum + durationMs, 0);
  const base = { name: id, suite: resourceOf(result), seconds: milliseconds / 1000 };
  if (verdict === 'pass' || verdict === 'observed') return base;
  const tag = verdict === 'fail' && !known ? 'failure' : verdict === 'error' ? 'error' : 'skipped';
  const text = detailsOf(result, run).map(([label, words]) => `${label}: ${words}`);
  const type = known ? 'known' : verdict;
  return { ...base, outcome: { tag, type }, message: headlineOf(result), text: text.join('\n') };
}

/** The command that repeats each finding of a suite. The schema has no place for it in a case. */
function curlsOf(name: string, run: RecordedRun): readonly string[] {
  const own = findingsOf(run.report).filter((result) => resourceOf(result) === name);
  return own.flatMap((result) => {
    const again = decisiveOf(result, run);
    return again ? [`${result.id}: ${curlOf(again)}`] : [];
  });
}

function suiteOf(name: string, cases: readonly JunitCase[], run: RecordedRun): JunitSuite {
  const { target, rules, verdict, exitCode } = run.report;
  const observed = resultsWith(rules, 'observed').filter((result) => resourceOf(result) === name);
  return {
    name,
    cases,
    startedAt: target.startedAt,
    hostname: new URL(target.baseUrl).hostname || 'localhost',
    properties: { baseUrl: target.baseUrl, runId: target.runId, verdict, exitCode },
    said: [...observed.map((result) => `${result.id}: ${headlineOf(result)}`), ...curlsOf(name, run)],
  };
}
