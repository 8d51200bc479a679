import { xmlText } from './markup.js';
import {
  type ReportItem,
  linesOf,
  type ReportModel,
  rowsOf,
  type ReportSide,
  sidesOf,
  staleText,
  wordsOf,
} from './model.js';

/** A test case; without an outcome, it passed. */
interface JunitCase {
  readonly name: string;
  readonly suite: string;
  readonly durationMs: number;
  readonly outcome?: { readonly tag: 'failure' | 'error' | 'skipped'; readonly type: string };
  readonly message?: string;
  readonly text?: string;
}

/**
 * A suite for each topic and a case for each rule or obligation. A case fails exactly where it counts towards the exit
 * code: a warning, a known finding and what was not seen are skipped with all they have to say, so that a green run
 * stays green.
 */
export function junitReport(report: ReportModel): string {
  const suites = sidesOf(report).flatMap((side) => {
    const cases = casesOf(side);
    const names = [...new Set(cases.map(({ suite }) => suite))];
    return names.map((name) => ({ name, side, cases: cases.filter(({ suite }) => suite === name) }));
  });
  const written = suites.map(({ name, cases, side }, id) => suiteElement(name, id, cases, side));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${written.join('')}</testsuites>\n`;
}

/** What is wrong with the run as a whole and is no rule's, and then the rules. */
function casesOf({ junit, verdict, message, stale, items }: ReportSide): JunitCase[] {
  const { suite, durationMs, failure: text } = junit;
  const whole: JunitCase = { suite, durationMs, name: 'verdict', outcome: { tag: 'error', type: verdict }, message };
  const gone = stale.map((id): JunitCase => {
    const outcome = { tag: 'failure', type: 'stale' } as const;
    return { suite, durationMs, name: `baseline: ${id}`, outcome, message: staleText(id) };
  });
  return [...(text === undefined ? [] : [{ ...whole, text }]), ...gone, ...items.map(caseOf)];
}

function caseOf(finding: ReportItem): JunitCase {
  const { id: name, topic: suite, durationMs, verdict, known, headline: message } = finding;
  if (verdict === 'pass' || verdict === 'observed') return { name, suite, durationMs };
  const tag = verdict === 'fail' && !known ? 'failure' : verdict === 'error' ? 'error' : 'skipped';
  const outcome = { tag, type: known ? 'known' : verdict } as const;
  return { name, suite, durationMs, outcome, message, text: linesOf(finding.rows).join('\n') };
}

function suiteElement(name: string, id: number, cases: readonly JunitCase[], side: ReportSide): string {
  const count = (tag: string): number => cases.filter(({ outcome }) => outcome?.tag === tag).length;
  const attributes = {
    name,
    package: 'teebox',
    id,
    timestamp: side.startedAt.slice(0, 19),
    hostname: side.junit.hostname,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: cases.reduce((sum, one) => sum + one.durationMs / 1000, 0).toFixed(3),
  };
  const hints = side.hints?.length ? { hints: side.hints.join(' ') } : {};
  const rows = Object.entries({ ...side.junit.properties, ...hints }).map(([key, value]) =>
    element('property', { name: key, value }),
  );
  return [
    `<testsuite${attributesOf(attributes)}>\n<properties>\n${rows.map((row) => `${row}\n`).join('')}</properties>\n`,
    ...cases.map(caseElement),
    `<system-out>${xmlText(saidIn(name, side))}</system-out>\n<system-err></system-err>\n</testsuite>\n`,
  ].join('');
}

/** What was observed, and the command that repeats each finding. The schema has no place for them in a case. */
function saidIn(suite: string, { items, findings }: ReportSide): string {
  const observed = items.filter(({ topic, verdict }) => topic === suite && verdict === 'observed');
  const own = findings.filter(({ topic }) => topic === suite);
  const said = [
    ...observed.map(({ id, headline }) => `${id}: ${headline}`),
    ...own.flatMap((finding) => rowsOf(finding, 'command').map(({ text }) => `${finding.id}: ${wordsOf(text)}`)),
  ];
  return said.map((line) => `${line}\n`).join('');
}

function caseElement({ name, suite, durationMs, outcome, message = '', text = '' }: JunitCase): string {
  const inner = outcome && outcomeElement(outcome, message, text);
  const attributes = { name, classname: suite, time: (durationMs / 1000).toFixed(3) };
  return `${element('testcase', attributes, inner && `\n${inner}\n`, true)}\n`;
}

/** A skipped case may have no type by the schema, so that its message begins with it. */
function outcomeElement({ tag, type }: NonNullable<JunitCase['outcome']>, message: string, text: string): string {
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
