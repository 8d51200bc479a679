import type { Question, Rule, Source } from '../generated/catalogue.js';
import { operations, type OperationSpec } from '../generated/operations.js';
import type { Answers } from '../generated/questions.js';
import { type ExchangeSummary, rawPathOf, summaryOf, type ViewContext } from './exchange-view.js';
import type { Exchange } from './journal.js';

/** One rule that had a part in an answer. */
export interface Reason {
  /** Its id; `scenario` where it was one that decided, and no statement of the document. */
  readonly rule: string;
  readonly words: string;
  readonly basis?: 'stated' | 'implied' | 'open';
  readonly source?: Source;
  /** `chosen`: the document is silent, and the answer to the question decided. */
  readonly outcome: 'held' | 'refused' | 'chosen';
  /** The question that the rule follows, and the answer in force now. */
  readonly question?: { readonly id: string; readonly asks: string };
  readonly answer?: unknown;
  /** The scenario that struck. */
  readonly scenario?: string;
}

/** Why a request was answered as it was: the rules in the order in which the request met them. */
export interface Explanation {
  readonly request: ExchangeSummary;
  readonly rules: readonly Reason[];
}

type Catalogue = readonly [rules: ReadonlyMap<string, Rule>, questions: ReadonlyMap<string, Question>];

/** What an explanation is derived from. */
export interface ExplainContext extends ViewContext {
  readonly answers: Answers;
}

/** The rules that decided about one exchange. The catalogue is large, so it is loaded when somebody asks. */
export async function explain(exchange: Exchange, context: ExplainContext): Promise<Explanation> {
  const { questions, rules } = await import('../generated/catalogue.js');
  const catalogue: Catalogue = [
    new Map(rules.map((rule) => [rule.id, rule])),
    new Map(questions.map((question) => [question.id, question])),
  ];
  const cut = exchange.state === 'cut' && exchange.rule === undefined;
  const decisive = cut ? 'scenario' : exchange.rule;
  const refused = exchange.detail !== undefined;
  const met = rulesMet(exchange, context);
  const before = decisive !== undefined && met.includes(decisive) ? met.slice(0, met.indexOf(decisive)) : met;
  const reasons = [
    ...before.map((id) => reasonOf(catalogue, context, exchange, id)),
    ...(decisive === undefined ? [] : [decidedBy(catalogue, context, exchange, decisive, refused || cut)]),
    ...(refused ? shaping(exchange, context.answers) : []).map((id) => reasonOf(catalogue, context, exchange, id)),
  ];
  return { request: summaryOf(exchange, context), rules: reasons };
}

/** The rules that a request meets on its way to the one that decides, as far as what came shows. */
function rulesMet(exchange: Exchange, { answers, bearerHeader, prefix }: ExplainContext): string[] {
  const operation = operationOf(exchange);
  if (!operation || exchange.rule === 'scenario') return [];
  const met = operation.auth ? authRules(exchange, bearerHeader) : [];
  // Nothing of a request without credentials is looked at any further.
  if (exchange.rule?.startsWith('auth.') || (operation.auth && exchange.channel === undefined)) return met;
  if (operation.auth && answers['rate-limit.per-minute'] > 0) met.push('limits.rate');
  const query = new URLSearchParams(rawPathOf(exchange.url, prefix).split('?')[1] ?? '');
  for (const { name, in: place, rule } of operation.parameters) {
    if (rule === exchange.rule && exchange.detail !== undefined) return [...new Set([...met, rule])];
    if (place === 'path' || query.has(name)) met.push(rule);
  }
  if (operation.bodies && exchange.body !== undefined) met.push('limits.body-size', 'envelope.json-body');
  return [...new Set(met)];
}

/** How the caller said who it is. */
function authRules({ requestHeaders }: Exchange, bearerHeader: string): string[] {
  const header = (name: string): string => {
    const found = requestHeaders instanceof Headers ? requestHeaders.get(name) : requestHeaders[name];
    return (typeof found === 'string' ? found : found?.join()) ?? '';
  };
  const own = bearerHeader.toLowerCase();
  const bearer = own === 'authorization' ? /^bearer /i.test(header(own)) : header(own) !== '';
  if (bearer) return ['auth.required', 'auth.bearer-header', 'auth.bearer'];
  return /^basic /i.test(header('authorization')) ? ['auth.required', 'auth.basic'] : ['auth.required'];
}

function operationOf({ operation }: Exchange): OperationSpec | undefined {
  return (operations as readonly OperationSpec[]).find(({ id }) => id === operation);
}

/** What the dialect adds to a refusal: its status, and where the message stands. */
function shaping({ rule = '', status, detail = '', operation }: Exchange, answers: Answers): string[] {
  if (rule === 'scenario') return [];
  const found: string[] = [];
  if (rule === 'auth.required') found.push('auth.bearer-header', 'auth.basic');
  if (rule.startsWith('auth.')) found.push('errors.auth-status');
  // What is malformed is told by its name.
  else if (detail.startsWith('`') && status === answers['error.validation']) found.push('errors.validation-status');
  else if (operation === 'refreshToken' && rule.startsWith('tokens.')) found.push('errors.token-status');
  return [...found.filter((id) => id !== rule), 'errors.body'];
}

function reasonOf([rules, questions]: Catalogue, context: ExplainContext, exchange: Exchange, id: string): Reason {
  const rule = rules.get(id);
  if (!rule) return { rule: id, words: scenarioWords(exchange), outcome: 'held' };
  const { statement: words, basis, source } = rule;
  const question = questions.get(questionOf(rule, exchange) ?? '');
  const outcome = basis === 'open' ? 'chosen' : 'held';
  if (basis !== 'open' || !question) return { rule: id, words, basis, source, outcome };
  const answer = (context.answers as unknown as Record<string, unknown>)[question.id];
  const asked = { question: { id: question.id, asks: question.question } };
  return { rule: id, words, basis, source, outcome, ...asked, ...(answer === undefined ? {} : { answer }) };
}

function scenarioWords({ state }: Exchange): string {
  return state === 'cut'
    ? 'A scenario struck, and the request was left without an answer.'
    : 'The request asks for a scenario that does not fit.';
}

/** The question of a rule; where each version has one of its own, that of the version that was called. */
function questionOf({ question }: Rule, exchange: Exchange): string | undefined {
  const version = operationOf(exchange)?.version ?? '*';
  return version === '*' ? question : question?.replace(/(?<=\.)v\d(?=\.(schemes|method)$)/, version);
}

function decidedBy(
  catalogue: Catalogue,
  context: ExplainContext,
  exchange: Exchange,
  id: string,
  refused: boolean,
): Reason {
  const { scenario } = exchange;
  const reason = reasonOf(catalogue, context, exchange, id);
  return {
    ...reason,
    ...(refused ? { outcome: 'refused' as const } : {}),
    ...(scenario?.struck ? { scenario: scenario.id } : {}),
  };
}
