import { answerFor } from '../model/answers.js';
import { UNREADABLE } from '../model/refusal.js';
import {
  type Answers,
  loadCatalogue,
  operations,
  type OperationSpec,
  type Question,
  type QuestionId,
  type Rule,
  type Source,
  type VersionedQuestion,
} from '../../contract/index.js';
import { type EntrySummary, rawPathOf, summaryOf, type ViewContext } from './entry-view.js';
import { areWebHeaders, INTERNAL_ERROR, type JournalEntry, NOT_KEPT, PREFLIGHT } from './journal.js';

/** One rule that was applied to a request. */
export interface ExplainedRule {
  /** The rule id; `scenario`, `internal-error` or `not-kept` if no rule of the API specification decided. */
  readonly rule: string;
  readonly words: string;
  readonly basis?: 'stated' | 'implied' | 'open';
  readonly source?: Source;
  /**
   * `chosen`: the API specification is silent, and the answer to the question decided. `failed`: the sandbox itself has failed.
   */
  readonly outcome: 'held' | 'refused' | 'chosen' | 'failed';
  /** The question that the rule follows, with the version called if each version may answer differently. */
  readonly question?: { readonly id: string; readonly asks: string; readonly version?: string };
  /** The answer in force now; by version if no operation was called. */
  readonly answer?: unknown;
  /** The scenario that was triggered. */
  readonly scenario?: string;
}

/** Explains a response: the rules in the order in which they were applied. */
export interface Explanation {
  readonly request: EntrySummary;
  readonly rules: readonly ExplainedRule[];
}

type Catalogue = readonly [rules: ReadonlyMap<string, Rule>, questions: ReadonlyMap<string, Question>];

/** The input of an explanation. */
export interface ExplainContext extends ViewContext {
  readonly answers: Answers;
}

/** The rules that were applied to one request. The catalogue is large, so it is loaded on demand. */
export async function explain(entry: JournalEntry, context: ExplainContext): Promise<Explanation> {
  const { questions, rules } = await loadCatalogue();
  const catalogue: Catalogue = [
    new Map(rules.map((rule) => [rule.id, rule])),
    new Map(questions.map((question) => [question.id, question])),
  ];
  const cut = entry.state === 'cut' && entry.rule === undefined;
  const decisive = cut ? 'scenario' : entry.rule;
  const refused = entry.detail !== undefined;
  const met = rulesMet(entry, context);
  const before = decisive !== undefined && met.includes(decisive) ? met.slice(0, met.indexOf(decisive)) : met;
  const reasons = [
    ...before.map((id) => reasonOf(catalogue, context, entry, id)),
    ...(decisive === undefined ? [] : [decidedBy(catalogue, context, entry, decisive, refused || cut)]),
    ...(refused ? shaping(entry, context.answers) : []).map((id) => reasonOf(catalogue, context, entry, id)),
  ];
  return { request: summaryOf(entry, context), rules: reasons };
}

/** The rules that were applied before the deciding one, as far as the request shows. */
function rulesMet(entry: JournalEntry, { answers, bearerHeader, prefix }: ExplainContext): string[] {
  const operation = operationOf(entry);
  if (!operation || entry.rule === 'scenario' || entry.unread) return [];
  const met = operation.auth ? authRules(entry, bearerHeader) : [];
  // A request without credentials is not examined any further.
  if (entry.rule?.startsWith('auth.') || (operation.auth && entry.channel === undefined)) return met;
  if (operation.auth && answers['rate-limit.per-minute'] > 0) met.push('limits.rate');
  const query = new URLSearchParams(rawPathOf(entry.url, prefix).split('?')[1] ?? '');
  for (const { name, in: location, rule } of operation.parameters) {
    if (rule === entry.rule && entry.detail !== undefined) return [...new Set([...met, rule])];
    if (location === 'path' || query.has(name)) met.push(rule);
  }
  if (operation.bodies && entry.bodyLength !== undefined) met.push('limits.body-size', 'envelope.json-body');
  return [...new Set(met)];
}

/** The rules of the authentication that the caller used. */
function authRules({ requestHeaders }: JournalEntry, bearerHeader: string): string[] {
  const header = (name: string): string => {
    if (areWebHeaders(requestHeaders)) return requestHeaders.get(name) ?? '';
    return Object.hasOwn(requestHeaders, name) ? String(requestHeaders[name] ?? '') : '';
  };
  const own = bearerHeader.toLowerCase();
  const bearer = own === 'authorization' ? /^bearer /i.test(header(own)) : header(own) !== '';
  if (bearer) return ['auth.required', 'auth.bearer-header', 'auth.bearer'];
  return /^basic /i.test(header('authorization')) ? ['auth.required', 'auth.basic'] : ['auth.required'];
}

function operationOf({ operation }: JournalEntry): OperationSpec | undefined {
  return (operations as readonly OperationSpec[]).find(({ id }) => id === operation);
}

/** What the dialect decides about a refusal: its status and the position of the message. */
function shaping({ rule = '', status, detail = '', operation = '' }: JournalEntry, answers: Answers): string[] {
  if (rule === 'scenario') return [];
  // What is malformed is shown by its name.
  const isMalformed = detail.startsWith('`');
  const creates = /\.create(Bulk)?Booking$/.test(operation) && rule !== 'versions.query-once' && rule !== UNREADABLE;
  const isBody = creates && (isMalformed || detail.startsWith('Linked bookings '));
  const isFailure = isBody && answers['booking.invalid-body'] === 'failed-creation';
  const found: string[] = [];
  if (rule === 'auth.required') found.push('auth.bearer-header', 'auth.basic');
  if (isBody) found.push('errors.create.invalid-body');
  if (rule.startsWith('auth.')) found.push('errors.auth-status');
  else if (isMalformed && !isFailure && status === answers['error.validation']) found.push('errors.validation-status');
  else if (operation === 'refreshToken' && rule.startsWith('tokens.')) found.push('errors.token-status');
  return [...found.filter((id) => id !== rule), 'errors.body'];
}

function reasonOf(
  [rules, questions]: Catalogue,
  context: ExplainContext,
  entry: JournalEntry,
  id: string,
): ExplainedRule {
  const rule = rules.get(id);
  if (id === INTERNAL_ERROR) return { rule: id, words: INTERNAL_WORDS, outcome: 'failed' };
  if (id === PREFLIGHT) return { rule: id, words: PREFLIGHT_WORDS, outcome: 'refused' };
  if (id === NOT_KEPT) return { rule: id, words: NOT_KEPT_WORDS, outcome: 'failed' };
  if (!rule) return { rule: id, words: scenarioWords(entry), outcome: 'held' };
  const { statement: words, basis, source } = rule;
  const question = questions.get(rule.question ?? '');
  const outcome = basis === 'open' ? 'chosen' : 'held';
  if (basis !== 'open' || !question) return { rule: id, words, basis, source, outcome };
  return { rule: id, words, basis, source, outcome, ...questionAnswered(question, context.answers, entry) };
}

const INTERNAL_WORDS =
  'The sandbox failed on this request. This is a defect of the sandbox; no rule of the API specification decided.';

const NOT_KEPT_WORDS = 'The sandbox could not keep its state; no rule of the API specification decided.';

const PREFLIGHT_WORDS =
  'The admin API and the inboxes are closed to pages of other sites; no rule of the API specification decided.';

function scenarioWords({ state }: JournalEntry): string {
  return state === 'cut'
    ? 'A scenario was triggered, and the request was left without an answer.'
    : 'The request asks for a scenario that does not fit.';
}

/** A question with its current answer, for the called version if answers can differ by version. */
function questionAnswered(
  { id, question: asks, versions }: Question,
  answers: Answers,
  entry: JournalEntry,
): Pick<ExplainedRule, 'question' | 'answer'> {
  const version = operationOf(entry)?.version;
  if (version && versions?.includes(version)) {
    return { question: { id, asks, version }, answer: answerFor(answers, id as VersionedQuestion, version) };
  }
  const answer = answers[id as QuestionId] as unknown;
  return { question: { id, asks }, ...(answer === undefined ? {} : { answer }) };
}

function decidedBy(
  catalogue: Catalogue,
  context: ExplainContext,
  entry: JournalEntry,
  id: string,
  refused: boolean,
): ExplainedRule {
  const { scenario } = entry;
  const reason = reasonOf(catalogue, context, entry, id);
  return {
    ...reason,
    ...(refused && id !== INTERNAL_ERROR && id !== NOT_KEPT ? { outcome: 'refused' as const } : {}),
    ...(scenario?.struck ? { scenario: scenario.id } : {}),
  };
}
