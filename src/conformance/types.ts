import type { Rule } from '../generated/catalogue.js';
import type { RuleId } from '../generated/rule-basis.js';
import type { Answers } from '../generated/questions.js';
import type { Exchange } from './exchange.js';

/**
 * What a rule says about a deployment. `observed` answers an open question; `inconclusive` lacked something;
 * `not-run` was not allowed in this run; `error` is a fault of the suite itself.
 */
export type Verdict = 'pass' | 'fail' | 'warn' | 'observed' | 'inconclusive' | 'not-run' | 'error';

export const verdicts: readonly Verdict[] = ['fail', 'warn', 'error', 'inconclusive', 'not-run', 'observed', 'pass'];

/** On what a rule rests; it decides how hard a breach of it weighs. */
export type Basis = Rule['basis'];

/** Leave beyond reading. Reading itself needs none. */
export type Permission = 'tokens' | 'bookings' | 'callbacks' | 'payments';

export const permissions: readonly Permission[] = ['tokens', 'bookings', 'callbacks', 'payments'];

/** Why nothing could be said. */
export type Reason =
  /** The deployment holds nothing that the rule could look at. */
  | 'no-data'
  /** The positive twin of a negative probe failed, so the refusal of the probe proves nothing. */
  | 'control-failed'
  /** Something that other rules judge is broken, and this rule builds on it. */
  | 'precondition'
  | 'rate-limited'
  | 'network'
  /** The budget of bookings is spent, or that of requests: then the rule is `not-run`. */
  | 'budget'
  /** The run was not given something: a second channel, a token, a callback address. */
  | 'not-given'
  | 'not-enough-time'
  /** The run lacks leave for a request of this rule. */
  | 'not-allowed'
  /** Recorded traffic is judged, and this rule sends requests. */
  | 'replayed';

/** What one rule came to. */
export interface RuleResult {
  readonly id: RuleId;
  readonly verdict: Verdict;
  readonly basis: Basis;
  /** Where the document says it. */
  readonly source: Rule['source'];
  /** The rule in words. */
  readonly statement: string;
  readonly message?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly reason?: Reason;
  /** What would have to be there for a verdict, as advice: "a second channel (--second-basic)". */
  readonly missing?: string;
  /** Answers to open questions that the rule observed. */
  readonly answers?: Partial<Answers>;
  /** How many assertions held. */
  readonly assertions: number;
  /** Ids of the exchanges that the verdict rests on. */
  readonly exchanges: readonly string[];
  /** Listed in the baseline: it counts no longer towards the exit code. */
  readonly known?: true;
}

/** Something that the run left behind, since the service has no way to take it back. */
export interface Litter {
  readonly kind: 'booking' | 'perhaps';
  readonly bookingId?: string;
  readonly group?: number;
  readonly channel: string;
  /** What was sent, short: facility, tee time, players. */
  readonly what: string;
  readonly exchange: string;
}

/** A property that the contract does not know; listed, never judged. */
export interface UnknownProperty {
  /** Its place, such as `FacilityItem.rating`. */
  readonly place: string;
  readonly operation: string;
  readonly exchange: string;
}

/** An exchange of a recording that no rule looked at, and why. */
export interface UnjudgedExchange {
  readonly method: string;
  readonly url: string;
  readonly why: string;
}

/** How much of the document was judged. */
export interface Coverage {
  /** Statements of the catalogue. */
  readonly statements: number;
  readonly observable: number;
  /** Observable ones that the suite has a rule for. */
  readonly written: number;
  /** Rules that were selected for this run. */
  readonly selected: number;
  /** Rules that came to pass, fail, warn or observed. */
  readonly judged: number;
  /** Percent of the rules selected and allowed that were judged. */
  readonly conclusive: number;
}

export type Overall = 'conformant' | 'not-conformant' | 'too-little-judged' | 'unreachable' | 'refused';

/** 0 conformant, 1 not, 3 unreachable or refused, 4 too little judged; 2 (usage) never reaches a report. */
export type ExitCode = 0 | 1 | 3 | 4;

/** The result of a run, as `--report json` writes it. */
export interface Report {
  readonly verdict: Overall;
  readonly exitCode: ExitCode;
  /** Why the overall verdict is what it is, in one sentence. */
  readonly message: string;
  readonly target: { readonly baseUrl: string; readonly runId: string; readonly startedAt: string };
  readonly durationMs: number;
  readonly requests: number;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly coverage: Coverage;
  readonly rules: readonly RuleResult[];
  /** The dialect card: what was observed, ready for `serve --dialect`. */
  readonly dialect: { readonly name: string; readonly answers: Partial<Answers> };
  readonly litter: readonly Litter[];
  readonly unknownProperties: readonly UnknownProperty[];
  /** Entries of the baseline that no longer fail, and so are out of date. */
  readonly stale: readonly RuleId[];
  /** Of a replay alone. */
  readonly unjudged?: readonly UnjudgedExchange[];
}

/** What happens during a run, in order; reporters listen to it. */
export type CheckEvent =
  | { readonly type: 'start'; readonly baseUrl: string; readonly runId: string; readonly rules: number }
  | { readonly type: 'exchange'; readonly exchange: Exchange }
  | { readonly type: 'rule'; readonly result: RuleResult }
  | { readonly type: 'end'; readonly report: Report };

/** What the suite takes from its host, so that a run can be repeated. */
export interface Host {
  readonly fetch: (request: Request) => Promise<Response> | Response;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Resolves after that time, or at once when the signal says that nobody waits any longer. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Chance in [0, 1): for run ids and references. */
  readonly random: () => number;
}
