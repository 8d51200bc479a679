import { xmlText } from './markup.js';
import { curlOf } from './curl.js';
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

interface Case {
  readonly name: string;
  readonly suite: string;
  readonly seconds: number;
  readonly outcome?: { readonly tag: 'failure' | 'error' | 'skipped'; readonly type: string };
  readonly message?: string;
  readonly text?: string;
}

/**
 * A suite for each resource and a case for each rule. A case fails exactly where the rule counts towards the exit
 * code: a warning and a known finding are skipped with all they have to say, so that a green run stays green.
 */
export const junitReporter: FileReporter = (run) => {
  const cases = [...ofTheRun(run.report), ...run.report.rules.map((result) => caseOf(result, run))];
  const suites = [...new Set(cases.map(({ suite }) => suite))];
  const written = suites.map((suite, id) =>
    suiteOf(
      suite,
      id,
      cases.filter((one) => one.suite === suite),
      run,
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${written.join('')}</testsuites>\n`;
};

/** What is wrong with the run as a whole and stands with no rule. */
function ofTheRun(report: Report): Case[] {
  const { verdict, exitCode, message, stale, durationMs } = report;
  const stood = { suite: 'run', seconds: durationMs / 1000 };
  const gone = stale.map((id): Case => {
    const words = `The baseline has ${id}, which no longer fails; please remove it.`;
    return { ...stood, name: `baseline: ${id}`, outcome: { tag: 'failure', type: 'stale' }, message: words };
  });
  if (exitCode !== 3 && exitCode !== 4) return gone;
  const text = faultsOf(report).join('\n');
  return [{ ...stood, name: 'verdict', outcome: { tag: 'error', type: verdict }, message, text }, ...gone];
}

function caseOf(result: RuleResult, run: RecordedRun): Case {
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

function suiteOf(name: string, id: number, cases: readonly Case[], run: RecordedRun): string {
  const { report } = run;
  const { target, rules } = report;
  const count = (tag: string): number => cases.filter(({ outcome }) => outcome?.tag === tag).length;
  const seconds = cases.reduce((sum, one) => sum + one.seconds, 0);
  const observed = resultsWith(rules, 'observed').filter((result) => resourceOf(result) === name);
  const attributes = {
    name,
    package: 'teebox',
    id,
    timestamp: target.startedAt.slice(0, 19),
    hostname: new URL(target.baseUrl).hostname || 'localhost',
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds.toFixed(3),
  };
  const about = { baseUrl: target.baseUrl, runId: target.runId, verdict: report.verdict, exitCode: report.exitCode };
  const properties = Object.entries(about).map(([key, value]) => `${element('property', { name: key, value })}\n`);
  const lines = [...observed.map((result) => `${result.id}: ${headlineOf(result)}`), ...curlsOf(name, run)];
  const said = lines.map((line) => `${line}\n`).join('');
  return [
    `<testsuite${attributesOf(attributes)}>\n<properties>\n${properties.join('')}</properties>\n`,
    ...cases.map(caseElement),
    `<system-out>${xmlText(said)}</system-out>\n<system-err></system-err>\n</testsuite>\n`,
  ].join('');
}

function caseElement({ name, suite, seconds, outcome, message = '', text = '' }: Case): string {
  const inner = outcome && outcomeElement(outcome, message, text);
  return `${element('testcase', { name, classname: suite, time: seconds.toFixed(3) }, inner && `\n${inner}\n`, true)}\n`;
}

/** A skipped case may have no type by the schema, so that its message begins with it. */
function outcomeElement({ tag, type }: NonNullable<Case['outcome']>, message: string, text: string): string {
  return element(tag, tag === 'skipped' ? { message: `${type}: ${message}` } : { type, message }, text);
}

/** An element; `raw` content is markup already. */
function element(tag: string, attributes: Readonly<Record<string, unknown>>, content = '', raw = false): string {
  const inner = raw ? content : xmlText(content);
  return inner === '' ? `<${tag}${attributesOf(attributes)}/>` : `<${tag}${attributesOf(attributes)}>${inner}</${tag}>`;
}

function attributesOf(attributes: Readonly<Record<string, unknown>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${xmlText(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
}
