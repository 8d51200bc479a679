/** What `check` (and a replay) knows of a deployment, as the model of a report. */
import { counted, quoted } from '../../common/index.js';
import { rules as catalogue, isAmong, operationNames } from '../../contract/index.js';
import type { Exchange } from '../client/exchange.js';
import type { KnownFinding, Reach } from '../client/report-parts.js';
import {
  type FaultKind,
  type FindingGroup,
  type Report,
  type RuleResult,
  type Verdict,
  verdicts,
} from '../client/types.js';
import { grouped } from '../facts/facts.js';
import { answerText, boundText } from '../run/dialect.js';
import { findingsAmong } from '../run/summary/finding-groups.js';
import { valueText } from '../run/summary/values.js';
import {
  type Cause,
  type ReportItem,
  listed,
  type ReportModel,
  type ReportPage,
  type Row,
  type RowKind,
  type Section,
  staleSection,
  staleText,
  type Table,
  type Text,
  leftInShort,
} from './model.js';
import { cutExchange, type RecordedRun } from './recorder.js';

const banners: Readonly<Record<Report['verdict'], string>> = {
  conformant: 'Conformant',
  'conformant-as-far-as-it-went': 'Conformant as far as it went',
  'not-conformant': 'Not conformant',
  'too-little-judged': 'Too little evaluated',
  unhealthy: 'Unhealthy',
  unreachable: 'Unreachable',
  refused: 'Refused',
};

export function checkReport(run: RecordedRun): ReportModel {
  const { report, exchanges, version } = run;
  const page = checkPage(run);
  const { verdict, exitCode, message, banner } = page;
  const { target, durationMs, stale, health } = report;
  const { judged, observable, conclusive } = report.coverage;
  const { baseUrl, runId } = target;
  const byId = new Map<string, ReportItem>(page.items.map((item) => [item.id, item]));
  const word = verdict === 'conformant-as-far-as-it-went' ? banner.toLowerCase() : verdict;
  const requests = requestsOf(report);
  const isUnsure = exitCode === 3 || exitCode === 4;
  // If nothing was evaluated, there is little between the first line and the last, which says the same.
  const isAlarming = !health.healthy && judged > 0;
  return {
    ...page,
    tool: 'teebox check',
    version,
    durationMs,
    baseUrl,
    findings: findingsAmong(report.rules).map(({ id }) => byId.get(id)!),
    stale,
    warnings: slowOf(report).map((text) => `Slower than max-p95: ${text}.`),
    hints: report.hints,
    opening: isAlarming ? [`UNHEALTHY ${message}`, ''] : [],
    closing: `${baseUrl}: ${judged} of ${observable} observable rules evaluated (${conclusive}%) with ${requests} in ${durationMs} ms`,
    subject: { code: baseUrl },
    title: `${banner}: ${baseUrl.replace(/^\w+:\/\//, '')}`,
    badge: judged > 0 && exitCode !== 3 ? `${word}, ${conclusive}% evaluated` : word,
    figures: requests,
    footer: [
      `teebox ${version}, run ${runId}. Secrets are masked. Bodies are cut; the `,
      { code: 'har' },
      ' report has more of them.',
    ],
    junit: {
      suite: 'run',
      hostname: new URL(baseUrl).hostname || 'localhost',
      properties: { baseUrl, runId, verdict, exitCode, version },
      durationMs,
      failure: isUnsure ? faultsOf(report).join('\n') : undefined,
    },
    sarif: {
      automationId: `teebox-check/${new URL(baseUrl).host}/${runId}`,
      notes: [...(isUnsure ? [message] : []), ...stale.map(staleText)],
    },
    har: {
      exchanges: exchanges.values(),
      about: { _command: 'check', _baseUrl: baseUrl, _runId: runId, _verdict: verdict },
    },
    json: () => ({ ...report, exchanges: namedExchanges(run, new Set(page.shown)) }),
  };
}

/** What a page shows of it: the console is bundled without the other formats. */
export function checkPage(run: Omit<RecordedRun, 'version'>): ReportPage & Pick<ReportModel, 'sections'> {
  const { report } = run;
  const { verdict, exitCode, message, target, durationMs, counts } = report;
  const { judged, observable, conclusive } = report.coverage;
  const items = report.rules.map((result) => findingOf(result, run));
  const byId = new Map<string, ReportItem>(items.map((item) => [item.id, item]));
  return {
    judged: 'rule',
    verdict,
    exitCode,
    message,
    startedAt: target.startedAt,
    counts: verdicts.filter((name) => counts[name] > 0).map((name) => [name, counts[name]]),
    items,
    causes: report.findings.map((group) => causeOf(group, byId)),
    before: [listed('Requests that failed', faultsOf(report))],
    sections: sectionsOf(run),
    summary: [
      { code: target.baseUrl },
      {
        own: `: ${judged} rules evaluated (${conclusive}% of the ${observable} observable rules) with ${requestsOf(report)} in ${durationMs} ms.`,
      },
    ],
    banner: banners[verdict],
    shown: shownExchanges(run),
  };
}

function requestsOf({ requests }: Report): string {
  return counted(requests, 'request');
}

/* The rules and their exchanges */

type Exchanges = Pick<RecordedRun, 'exchanges'>;

/** The exchanges that a result rests on, as far as they were recorded. */
function exchangesOf({ exchanges }: RuleResult, run: Exchanges): readonly Exchange[] {
  return exchanges.map((id) => run.exchanges.get(id)).filter((exchange) => exchange !== undefined);
}

/** The request that reproduces a finding: the one that shows it, or the last one sent for it. */
export function decisiveOf(result: RuleResult, run: Exchanges): Exchange | undefined {
  const shown = result.shownBy === undefined ? undefined : run.exchanges.get(result.shownBy);
  if (shown && shown.caller !== 'deployment') return shown;
  return (shown && searchOf(shown, run)) ?? last(result, run);
}

/** The request whose answer contradicts the one that shows a finding. */
export function otherOf({ against }: RuleResult, { exchanges }: Exchanges): Exchange | undefined {
  return against === undefined ? undefined : exchanges.get(against);
}

/** The search whose result was posted. */
function searchOf({ request: { url } }: Exchange, { exchanges }: Exchanges): Exchange | undefined {
  const asks = ({ request }: Exchange): boolean =>
    URL.canParse(request.url) && new URL(request.url).searchParams.get('callbackUrl') === url;
  return [...exchanges.values()].find((one) => one.caller !== 'deployment' && asks(one));
}

function last(result: RuleResult, run: Exchanges): Exchange | undefined {
  return exchangesOf(result, run).findLast(({ caller }) => caller !== 'deployment');
}

/** The maximum number of exchanges of a finding, the last ones. */
const MOST_EXCHANGES = 6;

/** The exchanges of a finding that a report shows: the one that shows it, the one that it contradicts, then the last ones. */
function shownFor(result: RuleResult, run: Exchanges): readonly Exchange[] {
  const sides = [decisiveOf(result, run), otherOf(result, run)].filter((side) => side !== undefined);
  const last = exchangesOf(result, run).slice(-MOST_EXCHANGES);
  return [...new Set([...sides, ...last])];
}

/** The exchanges that the findings of a run show, each once, in the order of sending. */
function shownExchanges(run: Omit<RecordedRun, 'version'>): readonly Exchange[] {
  const shown = new Set(findingsAmong(run.report.rules).flatMap((result) => shownFor(result, run)));
  return [...run.exchanges.values()].filter((exchange) => shown.has(exchange));
}

/** Characters of a body of an exchange that no finding shows. */
const LEAST_BODY = 400;

/** The exchanges that results name, in the order of sending; those of findings with more of their bodies. */
function namedExchanges(run: RecordedRun, shown: ReadonlySet<Exchange>): readonly Exchange[] {
  const named = new Set(
    run.report.rules.flatMap(({ exchanges, shownBy, against, comparisons = [] }) => [
      ...exchanges,
      shownBy,
      against,
      ...comparisons.flatMap((one) => one.exchanges),
    ]),
  );
  return [...run.exchanges.values()]
    .filter((exchange) => shown.has(exchange) || named.has(exchange.id))
    .map((exchange) => cutExchange(exchange, shown.has(exchange) ? undefined : LEAST_BODY));
}

/** What a result says in one sentence. */
export function headlineOf({ message, missing, statement, verdict, reach }: RuleResult): string {
  if (message !== undefined) return message;
  if (verdict === 'pass' && reach) return `${statement} (${reachText(reach)})`;
  return missing === undefined || verdict === 'pass' ? statement : `Missing: ${missing}.`;
}

/** A result of a rule, with what reports say of it. */
export function findingOf(result: RuleResult, run: Exchanges): ReportItem {
  const { id, verdict, basis, severity, statement, source, message, known, exchanges } = result;
  const topic = id.split('.', 1)[0]!;
  const exchange = decisiveOf(result, run);
  const own = exchangesOf(result, run);
  return {
    id,
    topic,
    verdict,
    basis,
    severity,
    statement,
    headline: headlineOf(result),
    message,
    known: known && { justification: known.map(knownText).join('; ') },
    // No format shows more of a rule that holds, and most rules do.
    rows: verdict === 'pass' || verdict === 'observed' ? [] : rowsOf(result, exchange, otherOf(result, run)),
    durationMs: own.reduce((sum, { durationMs }) => sum + durationMs, 0),
    exchange,
    links: { ids: shownFor(result, run).map((one) => one.id), all: own.length },
    description: `${statement} (${source.section}, ${source.item}; ${basis}, ${severity})`,
    level: basis === 'open' ? 'note' : basis === 'implied' && severity === 'minor' ? 'warning' : 'error',
    place: { section: source.section, item: source.item },
    evidence: { verdict, exchanges },
    concerns: concernsOf(result),
  };
}

/** What was expected, what came and where, what the baseline and the team say, and how to send it again. */
function rowsOf(result: RuleResult, again: Exchange | undefined, other: Exchange | undefined): Row[] {
  const { statement, expected, actual, at, severity, severityReason, known = [], expired = [] } = result;
  const { reason, missing, source, exchanges } = result;
  const row = (kind: RowKind, label: string, text: Text | undefined): Row[] =>
    text === undefined ? [] : [{ kind, label, text }];
  const value = (label: string, text: string | undefined): Row[] =>
    row('fact', label, text === undefined ? text : { code: text });
  return [
    ...row('statement', 'Rule', { prose: statement }),
    ...row('fact', 'Kind', other && { own: 'contradicts itself: two of its answers do not fit together' }),
    ...value('Expected', expected === undefined ? undefined : valueText(expected)),
    ...value('Actual', actual === undefined ? undefined : valueText(actual)),
    ...value('Place', at === '' ? undefined : at),
    ...value('Severity', severityReason === undefined ? undefined : `${severity}: ${severityReason}`),
    ...known.flatMap((entry) => value('Known', knownText(entry))),
    ...expired.flatMap((entry) => value('Expired', knownText(entry))),
    ...row('detail', 'Reason', reason),
    ...row('detail', 'Missing', missing),
    ...row('document', 'Specification', `${source.section}, ${source.item}`),
    ...row('command', 'Again', again && curlOf(again)),
    ...row('command', 'Beside', other && curlOf(other)),
    ...row('exchanges', 'Exchanges', exchanges.length === 0 ? undefined : { own: exchanges.join(', ') }),
  ];
}

/** Characters of each part of a command. */
const MOST_PART = 8000;

/**
 * A command that sends the request of an exchange again. Secrets are environment variables, with the names that the
 * suite uses, so that the command can be pasted into a shell that has them.
 */
export function curlOf({ request, caller }: Exchange): string {
  const { method, url, headers, body } = request;
  const prefix = caller === 'second' ? 'TEEBOX_SECOND_' : 'TEEBOX_';
  const parts = ['curl', '-i', ...(method === 'GET' ? [] : ['-X', method]), quoted(shortened(url))];
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'user-agent' || name === 'accept') continue;
    if (/^basic /i.test(value)) parts.push('-u', `"$${prefix}BASIC"`);
    else if (/^bearer /i.test(value)) parts.push('-H', `"${name}: Bearer $${prefix}ACCESS_TOKEN"`);
    else parts.push('-H', quoted(shortened(`${name}: ${value}`)));
  }
  if (body !== undefined) parts.push('--data-raw', quoted(shortened(body)));
  return parts.join(' ');
}

/** A part of a command that a report can show. The `har` report has it whole. */
function shortened(text: string): string {
  return text.length <= MOST_PART ? text : `${text.slice(0, MOST_PART)}...`;
}

/** An entry of the baseline: its issue, its last day, and the operations that it is limited to. */
function knownText({ issue, until, operation, version }: KnownFinding): string {
  const place = [version, operation].filter((part) => part !== undefined).join(' ');
  return [issue ?? 'no issue', ...(until ? [`until ${until}`] : []), ...(place ? [`in ${place}`] : [])].join(', ');
}

const ruleById = new Map<string, (typeof catalogue)[number]>(catalogue.map((rule) => [rule.id, rule]));

/** A finding is about the operations in which it is, any other result about those of its rule. */
function concernsOf({ id, operations: where }: RuleResult): NonNullable<ReportItem['concerns']> {
  const own = operationNames.filter((operation) => where?.includes(operation.id));
  if (own.length > 0) return own;
  const rule = ruleById.get(id)!;
  return operationNames.filter((operation) => isAmong(operation, rule));
}

function causeOf(group: FindingGroup, byId: ReadonlyMap<string, ReportItem>): Cause {
  const [first, ...others] = group.rules.map((id) => byId.get(id)!);
  return { first: first!, others, shared: sharedBy(group), verdict: group.verdict, isKnown: group.known === true };
}

/** What a report says of the findings that share a cause with the one it shows: none, where that is alone. */
function sharedBy({ rules, operations: where, cause }: FindingGroup): string | undefined {
  if (rules.length < 2) return undefined;
  return `${rules.length} rules${where.length === 0 ? '' : `, in ${where.join(', ')}`}: ${cause}`;
}

/* The sections */

function answersKnown({ dialect: { answers, atLeast = {} } }: Report): readonly (readonly [string, string])[] {
  return [
    ...Object.entries(answers).map(([question, answer]) => [question, answerText(answer)] as const),
    ...Object.entries(atLeast).map(([question, number]) => [question, boundText(number)] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Each format has its own order, and a terminal has less room. */
function sectionsOf({ report, exchanges }: Omit<RecordedRun, 'version'>): ReportModel['sections'] {
  const { stale, unjudged = [], unknownProperties } = report;
  const known = answersKnown(report);
  const answers = known.map(([question, answer]): Text[] => [{ code: question }, { code: answer }]);
  const observed = listed(
    'Open questions answered',
    known.map(([question, answer]) => `${question}: ${answer}`),
    Infinity,
  );
  const wants = wantsOf(report);
  const wanted = wants.map(([missing, rules]): Text => {
    const ids = rules.slice(0, MOST_IDS);
    const more = rules.length > ids.length ? ` and ${rules.length - ids.length} more` : '';
    const named = ` (${ids.join(', ')}${more})`;
    return [missing, { own: `: ${counted(rules.length, 'rule')}${named}` }];
  });
  const slow = slowOf(report);
  const latency = latencyTable(report);
  const covered = coverageTable(report);
  const left = listed(
    'Recorded, and not evaluated',
    unjudged.map(({ method, url, why }) => `${method} ${url}: ${why}`),
  );
  const unknown = (textOf: (property: Report['unknownProperties'][number]) => Text): Section =>
    listed('Properties that are not in the contract', unknownProperties.map(textOf));
  const reach = { title: 'Reach', rows: reachRows(report) };
  const hints = listed('About this run', report.hints, Infinity);
  return {
    terminal: [
      explained(report, exchanges),
      hints,
      reach,
      listed('Not evaluated, missing', wanted),
      listed(leftoversTitle(report), leftInShort(report.litter, MAY_BE, MAY_BE)),
      unknown(({ place }) => place),
      staleSection(stale),
      observed,
      { ...left, title: 'Not evaluated' },
      listed('Slower than max-p95', slow),
      { title: 'Latency in ms, the slowest operations', table: latency, most: 5 },
      { title: 'Rules evaluated, by operation and version', table: covered, most: Infinity },
    ],
    markdown: [
      hints,
      staleSection(stale, true),
      { title: 'Open questions answered', table: { head: ['Question', 'Answer'], rows: answers } },
      listed(leftoversTitle(report), leftoversOf(report)),
      reach,
      listed('Not evaluated, missing', wanted),
      { title: 'Rules evaluated, by operation and version', table: covered },
      listed('Slower than max-p95', slow),
      { title: 'Latency in ms', table: latency },
      unknown(({ place, operation }) => [{ code: place }, { own: ` (${operation})` }]),
      left,
    ],
    page: [
      hints,
      staleSection(stale),
      listed(leftoversTitle(report), leftoversOf(report)),
      { title: 'Open questions answered', count: answers.length, table: { head: [], rows: answers, look: 'pairs' } },
      {
        title: 'Not evaluated',
        table: { head: ['Rules', 'What they lack'], rows: wants.map(([missing, rules]) => [rules.length, missing]) },
      },
      reach,
      coverageSection(report, covered),
      {
        title: 'Latency in ms',
        paragraphs: slow.map((text) => [{ verdict: 'warn', word: 'slow' }, ' ', text]),
        table: latency,
      },
      unknown(({ place, operation, exchange }) => `${place} in ${operation} (${exchange})`),
      left,
    ],
  };
}

/** What the rule that `--explain` names has compared, or the requests of one that compares no answers. */
function explained({ rules }: Report, exchanges: RecordedRun['exchanges']): Section {
  const result = rules.find(({ comparisons }) => comparisons);
  if (!result?.comparisons) return listed('', []);
  const requestLines = (ids: readonly string[]): string[] =>
    ids.flatMap((id) => exchanges.get(id) ?? []).map(({ request: { method, url } }) => `  ${method} ${url}`);
  const rows = result.comparisons.flatMap(({ holds, facility, day, currency, count, exchanges: ids }) => [
    [
      `${holds ? 'held' : 'differed'}: ${counted(count, 'comparison')}`,
      ...(facility === undefined ? [] : [`facility ${facility}`]),
      ...[day, currency].filter((one) => one !== undefined),
    ].join(', '),
    ...requestLines(ids),
  ]);
  const others = [headlineOf(result), ...requestLines(result.exchanges)];
  return listed(`${result.id}, ${result.verdict}`, rows.length > 0 ? rows : others, Infinity);
}

/** Over how much a rule held. */
function reachText({ comparisons, facilities, days, currencies, zones, versions, channels }: Reach): string {
  const parts = [
    [comparisons, 'comparison', 'comparisons'],
    [facilities, 'facility', 'facilities'],
    [days, 'day', 'days'],
    [currencies.length, 'currency', 'currencies'],
    [zones.length, 'time zone', 'time zones'],
    [versions.length, 'version', 'versions'],
    [channels, 'channel', 'channels'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => counted(number, one, many))
    .join(', ');
}

/** On how much the rules about agreement held, and what the run has never met. */
function reachRows({ reach }: Report): readonly Text[] {
  const { comparisons, facilities, days, currencies, zones, versions, channels, never } = reach;
  if (comparisons === 0) return [];
  const named = (number: string, names: readonly string[]): string =>
    names.length === 0 ? number : `${number} (${names.join(', ')})`;
  const parts = [
    counted(facilities, 'facility', 'facilities'),
    counted(days, 'day'),
    named(counted(currencies.length, 'currency', 'currencies'), currencies),
    named(counted(zones.length, 'time zone'), zones),
    named(counted(versions.length, 'version'), versions),
    counted(channels, 'channel'),
  ];
  return [
    `${comparisons} comparisons between answers: ${parts.join(', ')}`,
    ...(never.length === 0 ? [] : [`never met: ${never.join(', ')}`]),
  ];
}

/** What the rules that were not evaluated need, with the rules that need it, most first. */
function wantsOf({ rules }: Report): readonly (readonly [missing: string, rules: readonly string[]])[] {
  const lacking = rules.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'not-run');
  const wants = grouped(lacking, ({ missing = 'nothing known' }) => missing);
  return [...wants]
    .map(([missing, all]) => [missing, all.map(({ id }) => id)] as const)
    .sort(([, a], [, b]) => b.length - a.length);
}

/** What is said of writes whose answer does not tell. */
const MAY_BE = 'that may have been made';

/** Rules that a terminal names beside what they lack. */
const MOST_IDS = 8;

/** What was left behind, one line each. */
function leftoversOf({ litter }: Report): readonly string[] {
  return litter.map(({ kind, bookingId, what, channel, exchange }) => {
    const where = ` (${channel}, ${exchange})`;
    if (kind === 'payment' || what.startsWith('perhaps')) return `${what}${where}`;
    return `${kind === 'booking' ? 'booking' : 'perhaps booking'} ${bookingId ?? 'without an id'}: ${what}${where}`;
  });
}

function leftoversTitle({ canceled }: Report): string {
  if (canceled === 0) return 'Left behind, since the service cannot take it back';
  return `Left behind after ${canceled} ${canceled === 1 ? 'booking was' : 'bookings were'} cancelled`;
}

const faultNames: Readonly<Record<FaultKind, string>> = {
  network: 'without a response',
  timeout: 'too slow',
  unavailable: 'with 502, 503 or 504',
  limited: 'with 429, to the last attempt',
  'too-large': 'with a body that is too long',
};

/** The operations that failed, one line each, those that failed most often first. */
function faultsOf({ health }: Report): readonly string[] {
  return health.operations
    .filter(({ failed }) => failed > 0)
    .map(({ operation, requests, failed, faults }) => {
      const kinds = Object.entries(faults).map(([kind, times]) => `${times} ${faultNames[kind as FaultKind]}`);
      return `${operation}: ${failed} of ${requests} requests failed (${kinds.join(', ')})`;
    });
}

/** The latency of each operation, in milliseconds, the slowest first. */
function latencyTable({ latency }: Report): Table {
  const rows = latency.map(({ operation, count: answers, median, p95, max, isSlow }): Text[] => [
    { code: isSlow ? `${operation} (slow)` : operation },
    answers,
    median,
    p95,
    max,
  ]);
  return { head: ['operation', 'answers', 'median', 'p95', 'max'], rows, look: 'matrix' };
}

/** Operations that are slower than `max-p95`, one line each. */
function slowOf({ latency }: Report): readonly string[] {
  return latency
    .filter(({ isSlow }) => isSlow)
    .map(({ operation, count: answers, p95 }) => `${operation}: 95 % of ${answers} answers within ${p95} ms`);
}

/**
 * How many rules about each operation were evaluated in each version; `*` is an operation whose version is a parameter.
 */
function coverageTable({ coverage: { cells, selected } }: Report): Table {
  if (selected === 0) return { head: [], rows: [] };
  const versions = [...new Set<string>(cells.map(({ version }) => version))].sort();
  const rows = [...new Set(cells.map(({ operation }) => operation))].map((operation): Text[] => [
    { code: operation },
    ...versions.map((version) => {
      const cell = cells.find((one) => one.operation === operation && one.version === version);
      return !cell ? '' : cell.extent === 'some' ? `${cell.judged}/${cell.observable}` : cell.extent;
    }),
  ]);
  return { head: ['operation', ...versions], rows, look: 'coverage' };
}

/** The share of the API specification that was evaluated, what it is made of, and the verdicts on each resource. */
function coverageSection({ coverage, rules }: Report, table: Table): Section {
  const { statements, observable, written, selected, judged, conclusive } = coverage;
  const resourceOf = ({ id }: RuleResult): string => id.split('.', 1)[0]!;
  const resources = [...new Set(rules.map(resourceOf))].sort().map((resource): Text => {
    const own = rules.filter((rule) => resourceOf(rule) === resource);
    const countOf = (verdict: Verdict): number => own.filter((rule) => rule.verdict === verdict).length;
    const shown = verdicts.map((verdict) => ({ verdict, count: countOf(verdict) })).filter(({ count: all }) => all > 0);
    return [{ strong: resource }, ' ', shown];
  });
  return {
    title: 'Coverage',
    meter: conclusive,
    paragraphs: [`${conclusive}% of the ${observable} observable rules were evaluated.`],
    table: {
      head: [],
      rows: [
        [statements, 'Statements of the API specification'],
        [observable, 'that can be seen from outside, of what the deployment has'],
        [written, 'that the suite has a rule for'],
        [selected, 'selected for this run'],
        [judged, 'evaluated'],
      ],
    },
    inner: { title: 'Rules evaluated, by operation and version', table },
    rows: resources,
    look: 'resources',
  };
}
