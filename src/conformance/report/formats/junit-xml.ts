import { xmlText } from './markup.js';

/** A test case; without an outcome, it passed. */
export interface JunitCase {
  readonly name: string;
  readonly suite: string;
  readonly seconds: number;
  readonly outcome?: { readonly tag: 'failure' | 'error' | 'skipped'; readonly type: string };
  readonly message?: string;
  readonly text?: string;
}

/** A suite of cases. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  /** When the run began, in ISO 8601. */
  readonly startedAt: string;
  readonly hostname: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** What it says beside its cases, line by line. */
  readonly said: readonly string[];
}

/** The cases by their suites, in the order of their first cases. */
export function bySuite(cases: readonly JunitCase[]): ReadonlyMap<string, readonly JunitCase[]> {
  const suites = new Map<string, JunitCase[]>();
  for (const one of cases) suites.set(one.suite, [...(suites.get(one.suite) ?? []), one]);
  return suites;
}

/** The suites as one document of JUnit XML. */
export function junitXml(suites: readonly JunitSuite[]): string {
  const written = suites.map((suite, id) => suiteElement(suite, id));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${written.join('')}</testsuites>\n`;
}

function suiteElement({ name, cases, startedAt, hostname, properties, said }: JunitSuite, id: number): string {
  const count = (tag: string): number => cases.filter(({ outcome }) => outcome?.tag === tag).length;
  const seconds = cases.reduce((sum, one) => sum + one.seconds, 0);
  const attributes = {
    name,
    package: 'teebox',
    id,
    timestamp: startedAt.slice(0, 19),
    hostname,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds.toFixed(3),
  };
  const rows = Object.entries(properties).map(([key, value]) => `${element('property', { name: key, value })}\n`);
  const lines = said.map((line) => `${line}\n`).join('');
  return [
    `<testsuite${attributesOf(attributes)}>\n<properties>\n${rows.join('')}</properties>\n`,
    ...cases.map(caseElement),
    `<system-out>${xmlText(lines)}</system-out>\n<system-err></system-err>\n</testsuite>\n`,
  ].join('');
}

function caseElement({ name, suite, seconds, outcome, message = '', text = '' }: JunitCase): string {
  const inner = outcome && outcomeElement(outcome, message, text);
  return `${element('testcase', { name, classname: suite, time: seconds.toFixed(3) }, inner && `\n${inner}\n`, true)}\n`;
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
