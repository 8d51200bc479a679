import { rules as catalogue } from '../generated/catalogue.js';
import { type CheckOptions, MAX_BOOKINGS, requestLimit } from './check-options.js';
import { Evidence } from './evidence.js';
import type { Exchange, Reply } from './exchange.js';
import { anyGlob } from './globs.js';
import { begin, judge } from './judge.js';
import { orderOf, rank } from './order.js';
import { Inconclusive, NoDeployment, NotAllowed } from './outcome.js';
import { reportOf } from './report.js';
import { type RuleSpec, ruleTable } from './rule.js';
import { formRules } from './rules/fields.js';
import { handWritten } from './rules/index.js';
import { type Run, Session } from './session.js';
import { Transport } from './transport.js';
import { type Report, type RuleResult } from './types.js';

const PATIENCE = 10_000;

/** The run under way: what rules share, and how their forms are judged. */
export interface Prepared {
  readonly run: Run;
  readonly evidence: Evidence;
  readonly selected: readonly RuleSpec[];
  readonly written: number;
}

/** Judges a deployment. The report is complete also where it could not be reached. */
export async function check(options: CheckOptions): Promise<Report> {
  const { host, onEvent = () => {} } = options;
  const startedAt = host.now();
  const prepared = prepareRun(options, (exchange) => onEvent({ type: 'exchange', exchange }));
  const { run, evidence, selected, written } = prepared;
  onEvent({ type: 'start', baseUrl: shownBase(options.baseUrl), runId: run.runId, rules: selected.length });
  const results: RuleResult[] = [];
  let stopped: NoDeployment | undefined;
  try {
    await connect(new Session(run));
    const judgement = { strict: options.strict ?? false, card: options.card ?? {} };
    const early = selected.filter(({ begin }) => begin).sort((a, b) => rank(b) - rank(a));
    for (const spec of selected) {
      if (options.signal?.aborted) break;
      while (early.length > 0 && rank(early.at(-1)!) < orderOf(spec, run.transport)) await begin(early.pop()!, run);
      const result = await judge(spec, run, evidence, judgement);
      results.push(result);
      onEvent({ type: 'rule', result });
    }
  } catch (error) {
    if (!(error instanceof NoDeployment)) throw error;
    stopped = new NoDeployment(error.kind, run.transport.masker.text(error.message));
  }
  const report = reportOf({
    options,
    run,
    evidence,
    results,
    selected: selected.length,
    stopped,
    startedAt,
    written,
    baseUrl: shownBase(options.baseUrl),
  });
  onEvent({ type: 'end', report });
  return report;
}

/** Every rule of the suite by id: those written by hand, and a generic one for each form that has none of its own. */
export function allRules(evidence: () => Evidence): readonly RuleSpec[] {
  const own = new Set(handWritten.map(({ id }) => id));
  const observable = new Set<string>(catalogue.filter((rule) => rule.observable).map(({ id }) => id));
  return [...handWritten, ...formRules(evidence).filter(({ id }) => !own.has(id) && observable.has(id))];
}

/** Makes a run; nothing is sent yet. */
export function prepareRun(options: CheckOptions, onExchange: (exchange: Exchange) => void): Prepared {
  const { host, first, second, card, receiver, rehearse } = options;
  const runId = Math.floor(host.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  const maxRequests = requestLimit(options);
  const transport = new Transport({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    first,
    ...(second ? { second } : {}),
    allow: new Set(options.allow ?? []),
    maxBookings: options.maxBookings ?? MAX_BOOKINGS,
    ...(maxRequests === undefined ? {} : { maxRequests }),
    timeout: options.timeout ?? PATIENCE,
    rps: options.rps ?? 0,
    bearerHeader: options.bearerHeader ?? card?.['auth.bearer-header'] ?? 'Authorization',
    runId,
    host,
    onExchange,
    ...(rehearse ? { rehearse } : {}),
  });
  const { callbackTimeout = PATIENCE, callbackTimeout: patience = 0 } = options;
  const shared = { results: [], memo: new Map(), found: [] };
  const run: Run = {
    transport,
    host,
    runId,
    receiver,
    callbackTimeout,
    patience,
    recorded: false,
    onExchange,
    ...shared,
  };
  const evidence = new Evidence(run);
  return { run, evidence, ...selectRules(options, () => evidence, transport) };
}

/** The rules of a run in the order in which they are judged, and how many there are to select from. */
export function selectRules(
  { rules, only = ['*'], skip = [] }: Pick<CheckOptions, 'rules' | 'only' | 'skip'>,
  evidence: () => Evidence,
  transport?: Transport,
): { readonly selected: readonly RuleSpec[]; readonly written: number } {
  const table = ruleTable(rules ?? allRules(evidence));
  const [wanted, unwanted] = [anyGlob(only), anyGlob(skip)];
  const selected = [...table.values()].filter(({ id }) => wanted(id) && !unwanted(id));
  return { selected: selected.sort((a, b) => orderOf(a, transport) - orderOf(b, transport)), written: table.size };
}

/** The first requests: whether there is a deployment, and whether it takes the credentials. */
export async function connect(session: Session): Promise<void> {
  const replies: Reply[] = [];
  for (const operation of ['v3.listCountries', 'v2.listCountries'] as const) {
    try {
      const reply = await session.read(operation);
      if (reply.ok) return;
      replies.push(reply);
    } catch (error) {
      if (error instanceof NotAllowed) break;
      if (!(error instanceof Inconclusive)) throw error;
      if (error.reason === 'network' || error.reason === 'rate-limited') {
        throw new NoDeployment(
          'unreachable',
          `There is no deployment to judge, for want of ${error.missing}. Please check the base URL.`,
        );
      }
      const { journal } = session.run.transport.channels.first.options;
      const anew = journal ? ' If it has begun anew, give its first token again, and no file of earlier ones.' : '';
      throw new NoDeployment('refused', `The deployment cannot be judged without ${error.missing}.${anew}`);
    }
  }
  const [first] = replies;
  if (!first) throw new NoDeployment('refused', 'The deployment cannot be judged by so few requests (--max-requests).');
  const { status, what } = first;
  if (replies.every((reply) => reply.status === 404 || reply.status >= 500 || reply.json === undefined)) {
    const message = `Nothing at this base URL answers as the service does: ${what} gives ${status}.`;
    throw new NoDeployment('unreachable', message);
  }
  throw new NoDeployment('refused', `The credentials are refused: ${what} gives ${status}.`);
}

/** The base URL without user and password. */
export function shownBase(baseUrl: string): string {
  return baseUrl.replace(/\/\/[^/@]*@/, '//').replace(/\/+$/, '');
}
