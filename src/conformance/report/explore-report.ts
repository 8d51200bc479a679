/** What `explore` found of a deployment, as the model of a report. */
import { counted, isObject } from '../../common/index.js';
import { operationNames } from '../../contract/index.js';
import type { Exploration, ExploreFinding, TimelineRow } from '../explore/options.js';
import {
  aloneIn,
  expectForm,
  listed,
  type ReportItem,
  type ReportModel,
  type ReportPage,
  type Row,
  type Section,
  type Table,
  type Text,
  leftInShort,
} from './model.js';
import { reportersOf } from './index.js';

/** The reports of `explore --report FORMAT=FILE`. The console, which needs only the model, is bundled without them. */
export const exploreReporters = /* @__PURE__ */ reportersOf(exploreReport);

const banners: Readonly<Record<Exploration['verdict'], string>> = {
  'no-finding': 'No finding',
  'no-finding-as-far-as-it-went': 'No finding as far as it went',
  found: 'Contradictions found',
  'too-little-explored': 'Too little explored',
  unreachable: 'Unreachable',
  refused: 'Refused',
};

export function exploreReport(exploration: Exploration, version: string): ReportModel {
  const page = explorePage(exploration);
  const { verdict, exitCode, banner, shown } = page;
  const { message, target, durationMs, seed } = exploration;
  const { baseUrl, runId } = target;
  const figures = figuresOf(exploration);
  const isUnsure = exitCode === 3 || exitCode === 4;
  const { times, ended, coverage, pairs, left } = partsOf(exploration);
  return {
    ...page,
    tool: 'teebox explore',
    version,
    durationMs,
    baseUrl,
    findings: page.causes.map(({ first }) => first),
    stale: [],
    sections: {
      ...page.sections,
      terminal: [ended, listed('Left behind', leftInShort(exploration.litter, 'possible write'))],
      markdown: [ended, ...times, coverage, pairs, left],
    },
    warnings: [],
    opening: [],
    closing: `${baseUrl}: ${figures}; seed ${seed}`,
    subject: { code: baseUrl },
    title: `${banner}: ${baseUrl.replace(/^\w+:\/\//, '')}`,
    figures,
    footer: [`teebox ${version}, run ${runId}, seed ${seed}. Secrets are masked.`],
    junit: {
      suite: 'explore',
      hostname: new URL(baseUrl).hostname || 'localhost',
      properties: { baseUrl, runId, verdict, exitCode, seed, version },
      durationMs,
      failure: isUnsure ? message : undefined,
    },
    sarif: { automationId: `teebox-explore/${new URL(baseUrl).host}/${runId}`, notes: isUnsure ? [message] : [] },
    har: { exchanges: shown, about: { _command: 'explore', _baseUrl: baseUrl, _runId: runId, _verdict: verdict } },
    json: () => exploration,
  };
}

/** What a page shows of it: the console is bundled without the other formats. */
export function explorePage(exploration: Exploration): ReportPage {
  const { verdict, exitCode, message, target, durationMs, seed, findings } = exploration;
  const items = findings.map(itemOf);
  const own = items.filter((_, at) => findings[at]!.counts);
  const others = items.filter((_, at) => !findings[at]!.counts);
  const { times, ended, coverage, pairs, triples, open, left } = partsOf(exploration);
  return {
    judged: 'rule',
    verdict,
    exitCode,
    message,
    startedAt: target.startedAt,
    counts: [
      ['fail', own.length],
      ['warn', others.length],
    ],
    items,
    causes: [...own, ...others].map(aloneIn),
    before: [],
    sections: { page: [...times, ended, coverage, pairs, triples, open, left] },
    summary: [
      { code: target.baseUrl },
      `: ${figuresOf(exploration)} in ${durationMs} ms. Seed `,
      { code: String(seed) },
      '.',
    ],
    banner: banners[verdict],
    shown: findings.flatMap(({ exchanges }) => exchanges),
  };
}

function figuresOf({ walks, steps, requests, bookings, pairs }: Exploration): string {
  const parts = [
    counted(walks, 'walk'),
    counted(steps, 'step'),
    counted(requests, 'request'),
    counted(bookings, 'booking'),
  ];
  return `${parts.join(', ')}, ${counted(Object.keys(pairs).length, 'pair')} of operations`;
}

/** How often a finding came again, in words. */
function repeatText({ repeated: { times, of }, isRace, counts }: ExploreFinding): string {
  const how = isRace ? 'a race' : 'not a race';
  if (counts) return `${times} of ${of} repetitions (${how})`;
  return `${times} of ${of} repetitions (${how}); perhaps another client or a passing failure has caused it, so it does not count`;
}

function itemOf(finding: ExploreFinding): ReportItem {
  const { id, severity, statement, message, counts, exchanges, shownBy } = finding;
  const exchange = exchanges.find((one) => one.id === shownBy) ?? exchanges.at(-1);
  const asked = new Set(exchanges.map(({ operation }) => operation));
  return {
    id,
    topic: 'explore',
    verdict: counts ? 'fail' : 'warn',
    basis: 'implied',
    severity,
    statement,
    headline: message,
    message,
    rows: rowsOf(finding),
    durationMs: exchanges.reduce((sum, one) => sum + one.durationMs, 0),
    exchange,
    links: { ids: exchanges.map((one) => one.id), all: exchanges.length },
    level: counts ? 'error' : 'warning',
    evidence: { story: finding.story, walk: finding.walk },
    concerns: operationNames.filter(({ id }) => asked.has(id)),
  };
}

/** Commands of a finding; that of a walk that was not made smaller would fill the page. */
const MOST_COMMANDS = 8;

function rowsOf(finding: ExploreFinding): readonly Row[] {
  const { id, statement, expected, actual, story, commands, seen } = finding;
  const value = (word: string, given: unknown): Row[] =>
    given === undefined ? [] : [{ kind: 'fact', label: word, text: { code: JSON.stringify(given) ?? '' } }];
  return [
    { kind: 'statement', label: 'Rule', text: `${statement} (${id})` },
    ...story.map((line): Row => {
      const [, number = '', words = line] = /^(\d+)\. (.*)$/s.exec(line) ?? [];
      return { kind: 'fact', label: `Step ${number}`, text: { prose: words } };
    }),
    ...value('Expected', expected),
    ...value('Actual', actual),
    { kind: 'fact', label: 'Repeats', text: repeatText(finding) },
    { kind: 'fact', label: 'Seen', text: `in ${counted(seen, 'walk')}` },
    ...commands.slice(0, MOST_COMMANDS).map((text): Row => ({ kind: 'command', label: 'Again', text: { code: text } })),
  ];
}

function partsOf(exploration: Exploration) {
  const { notes, litter, canceled, learnt } = exploration;
  const coverage: Section = {
    title: 'Coverage',
    paragraphs: [coverageOf(exploration)],
    rows: [figuresOf(exploration)],
  };
  const triples: Section = {
    title: 'Triples of operations that were tried',
    paragraphs: ['Each cell counts the different operations that came directly after the pair.'],
    table: pairTable(exploration.triples),
  };
  return {
    times: exploration.findings.map(timelineOf),
    ended: listed('Notes', notes),
    coverage,
    pairs: { title: 'Pairs of operations that were tried', table: pairTable(exploration.pairs) },
    triples,
    open: listed('Answers that the deployment had to repeat', Object.entries(learnt).map(([what, answer]) => `${what}: ${answer}`), 5), // oxfmt-ignore
    left: listed(`Left behind after ${counted(canceled, 'cancellation')}`, litter.map(({ what, bookingId }) => (bookingId === undefined ? what : `${bookingId}: ${what}`))), // oxfmt-ignore
  };
}

/** The failing walk, step by step, with the free slots beside it. */
function timelineOf({ id, timeline, message }: ExploreFinding): Section {
  return walkSection(`The smallest walk of ${id}`, timeline, [{ prose: message }]);
}

export function walkSection(title: string, timeline: readonly TimelineRow[], paragraphs: readonly Text[]): Section {
  const rows = timeline.map(({ step, outcome, facts }, at): Text[] => [at + 1, { prose: step }, outcome, facts]);
  return { title, paragraphs, table: { head: ['No.', 'Step', 'Response', 'Free slots by the bookings'], rows } };
}

/** How many pairs and triples of operations were tried. */
function coverageOf({ pairs, triples }: Exploration): string {
  const all = Object.values(triples).reduce((sum, kinds) => sum + kinds, 0);
  return `${counted(Object.keys(pairs).length, 'pair')} and ${counted(all, 'triple')} of operations were tried.`;
}

/** A number for each pair of operations that followed each other. */
function pairTable(pairs: Readonly<Record<string, number>>): Table {
  const names = [...new Set(Object.keys(pairs).flatMap((pair) => pair.split(' > ')))].sort();
  const rows = names.map((one): Text[] => [{ code: one }, ...names.map((other) => pairs[`${one} > ${other}`] ?? '')]);
  return { head: ['then', ...names], rows, look: 'matrix' };
}

/**
 * Reads a report that `explore --report json` has written, from parsed JSON; undefined if it is of another command.
 *
 * @throws {Error} if it is of another form.
 */
export function readExploration(value: unknown): Exploration | undefined {
  const given = Object(value) as Partial<Exploration>;
  const { findings, triples } = given;
  if (!isObject(triples) || !Array.isArray(findings) || !findings.every(isFinding)) return undefined;
  expectForm(given);
  return value as Exploration;
}

function isFinding(value: unknown): boolean {
  const { statement, message, story, commands, timeline } = Object(value) as Partial<ExploreFinding>;
  const areLists = [story, commands, timeline].every(Array.isArray);
  const rows = (): readonly unknown[] => timeline!.flatMap((row) => [row?.step, row?.outcome, row?.facts]);
  return areLists && [statement, message, ...story!, ...commands!, ...rows()].every((text) => typeof text === 'string');
}
