import type { GivenAnswers, OperationId, QuestionId, Rule, RuleId } from '../../contract/index.js';
import type { Exchange } from './exchange.js';
import type {
  ComparedAnswers,
  Coverage,
  KnownFinding,
  OperationLatency,
  Reach,
  RunReach,
  Severity,
} from './report-parts.js';

/**
 * What a rule says about a deployment. `observed` answers an open question; `inconclusive` lacked something;
 * `not-run` was not allowed in this run; `error` is a fault of the suite itself.
 */
export type Verdict = 'pass' | 'fail' | 'warn' | 'observed' | 'inconclusive' | 'not-run' | 'error';

export const verdicts: readonly Verdict[] = ['fail', 'warn', 'error', 'inconclusive', 'not-run', 'observed', 'pass'];

/** On what a rule rests. A broken stated rule fails; an open one never does. */
export type RuleBasis = Rule['basis'];

/** From the highest to the lowest. */
export const severities: readonly Severity[] = ['critical', 'major', 'minor'];

/**
 * Permissions beyond reading, which needs none. `lockout` permits the reuse of a refresh token that somebody still needs:
 * some services then revoke all tokens of the channel.
 */
export type Permission = 'tokens' | 'bookings' | 'callbacks' | 'payments' | 'lockout';

/** The permissions that "all" stands for. A lockout cannot be undone, so it is never among them. */
export const permissions: readonly Permission[] = ['tokens', 'bookings', 'callbacks', 'payments'];

/** How much a run reads to compare: few facilities, those of each kind, or all of them. */
export type Depth = 'quick' | 'standard' | 'thorough';

/** From the least to the most. */
export const depths: readonly Depth[] = ['quick', 'standard', 'thorough'];

/** Why nothing could be said. */
export type Reason =
  /** The deployment holds nothing that the rule could look at. */
  | 'no-data'
  /** The control request of a probe failed, so the refusal of the probe proves nothing. */
  | 'control-failed'
  /** Something that other rules check is broken, and this rule builds on it. */
  | 'precondition'
  | 'rate-limited'
  | 'network'
  /** An answer is longer than the run takes. */
  | 'too-large'
  /** All answers together take more room than the run has: then the rule is `not-run`. */
  | 'evidence'
  /** The budget of bookings is spent, or that of requests: then the rule is `not-run`. */
  | 'budget'
  /** The run was not given something: a second channel, a token, a callback address. */
  | 'not-given'
  | 'not-enough-time'
  /** The time of the whole run is over. */
  | 'deadline'
  /** The run was interrupted. */
  | 'interrupted'
  /** The deployment no longer answers. */
  | 'unhealthy'
  /** The run was told that the deployment does not have the operation: then the rule is `not-run`. */
  | 'out-of-scope'
  /** The run has no permission for a request of this rule. */
  | 'not-allowed'
  /** Recorded traffic is checked, and this rule sends requests. */
  | 'replayed';

/**
 * What a finding is about: access to the service or the refusal of a right request, the form of an answer, the meaning
 * of one operation, or what several answers say of one thing. Each may be the cause of those after it.
 */
export type Concern = 'access' | 'form' | 'meaning' | 'agreement';

export const concerns: readonly Concern[] = ['access', 'form', 'meaning', 'agreement'];

/** Numbers by the question of which they are the least possible answer. */
export type LowerBounds = Readonly<Partial<Record<QuestionId, number>>>;

/** What one rule came to. */
export interface RuleResult {
  readonly id: RuleId;
  readonly verdict: Verdict;
  readonly basis: RuleBasis;
  readonly severity: Severity;
  /** Where the API specification says it. */
  readonly source: Rule['source'];
  /** The rule in words. */
  readonly statement: string;
  readonly message?: string;
  /** What was expected and what came: values of JSON, or words for them. */
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** Where in the answer it is, as a JSON pointer. */
  readonly at?: string;
  /** What other findings may have in common with this one. */
  readonly cause?: string;
  /** Of a finding: the operations in which it is. */
  readonly operations?: readonly OperationId[];
  readonly reason?: Reason;
  /** What would have to be there for a verdict, as advice: "a second channel (--second-basic)". */
  readonly missing?: string;
  /** Answers to open questions that the rule observed. */
  readonly answers?: GivenAnswers;
  /** Numbers that limits are not below, where the deployment had no more records to return. */
  readonly lowerBounds?: LowerBounds;
  /** Of a finding. */
  readonly concern?: Concern;
  /** Of a finding: id of the exchange that shows it. */
  readonly shownBy?: string;
  /** Of a finding in which two answers contradict each other: id of the exchange with the other one. */
  readonly against?: string;
  /** How many assertions held. */
  readonly assertions: number;
  /** Of a rule about agreement that was evaluated over all answers of the run. */
  readonly reach?: Reach;
  /** Of the rule that {@link CheckOptions.explain} names: everything that it compared between answers. */
  readonly comparisons?: readonly ComparedAnswers[];
  /** Ids of the exchanges that the verdict rests on. */
  readonly exchanges: readonly string[];
  /** The entries of the baseline that list all its operations: it does not count towards the exit code. */
  readonly known?: readonly KnownFinding[];
  /** Entries of the baseline that would list it, and whose date has passed. */
  readonly expired?: readonly KnownFinding[];
  /** Why the severity is not that of the catalogue. */
  readonly severityReason?: string;
}

/** Findings that share a cause. */
export interface FindingGroup {
  /** The cause in words; of a finding that is alone, what it says. */
  readonly cause: string;
  /** The gravest verdict among them. */
  readonly verdict: Verdict;
  /** The highest severity among their rules. */
  readonly severity: Severity;
  /** The gravest first. */
  readonly rules: readonly RuleId[];
  /** The operations in which they are. */
  readonly operations: readonly OperationId[];
  /** All of them are listed in the baseline. */
  readonly known?: true;
}

/** Something that the run left behind: a booking that it could not cancel, or a payment. */
export interface Leftover {
  readonly kind: 'booking' | 'payment' | 'perhaps';
  readonly bookingId?: string;
  readonly group?: number;
  readonly channel: string;
  /** What was sent, in short: facility, tee time, players. */
  readonly what: string;
  readonly exchange: string;
}

/** A property that is not in the contract; listed, never checked. */
export interface UnknownProperty {
  /** Its place, such as `FacilityItem.rating`. */
  readonly place: string;
  readonly operation: string;
  readonly exchange: string;
}

/** An exchange of a recording that no rule evaluated, and why. */
export interface UnjudgedExchange {
  readonly method: string;
  readonly url: string;
  readonly why: string;
}

/** Why a request counts as failed; `unavailable` is a 502, 503 or 504. */
export type FaultKind = 'network' | 'timeout' | 'unavailable' | 'limited' | 'too-large';

/** The requests of one operation, and how many of them failed. */
export interface OperationHealth {
  readonly operation: string;
  readonly requests: number;
  readonly failed: number;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
}

/** How reliably the deployment answers. Requests that break the contract on purpose do not count, each retry does. */
export interface Health {
  readonly healthy: boolean;
  /** Whether the run was stopped because the deployment no longer answered. */
  readonly isDown: boolean;
  readonly requests: number;
  readonly failed: number;
  /** Share of the requests that failed. */
  readonly percent: number;
  /** The share that may fail, in percent (`max-errors`). */
  readonly limit: number;
  /** Those with the most failures first. */
  readonly operations: readonly OperationHealth[];
}

export type Overall =
  | 'conformant'
  /** A budget ended the run before all was evaluated. */
  | 'conformant-as-far-as-it-went'
  | 'not-conformant'
  | 'too-little-judged'
  | 'unhealthy'
  | 'unreachable'
  | 'refused';

/**
 * 0 conformant, 1 not, 3 unreachable or refused, 4 too little evaluated or unhealthy; 2 (usage) never reaches a report.
 */
export type ExitCode = 0 | 1 | 3 | 4;

/** The result of a run, as `--report json` writes it. */
export interface Report {
  readonly verdict: Overall;
  readonly exitCode: ExitCode;
  /** The reason for the overall verdict, in one sentence. */
  readonly message: string;
  readonly health: Health;
  readonly target: { readonly baseUrl: string; readonly runId: string; readonly startedAt: string };
  readonly durationMs: number;
  readonly requests: number;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly coverage: Coverage;
  readonly reach: RunReach;
  readonly rules: readonly RuleResult[];
  /** The rules that need attention, by what causes them. */
  readonly findings: readonly FindingGroup[];
  /** The dialect card: what was observed, ready for `serve --dialect`. */
  readonly dialect: { readonly name: string; readonly answers: GivenAnswers; readonly atLeast?: LowerBounds };
  /** Each operation that answered, the slowest first. */
  readonly latency: readonly OperationLatency[];
  readonly litter: readonly Leftover[];
  /** How many of its bookings the run has cancelled at its end. */
  readonly canceled: number;
  readonly unknownProperties: readonly UnknownProperty[];
  /** What to know about the run itself, and what to do about it: a sentence or two each. */
  readonly hints: readonly string[];
  /** Entries of the baseline that are out of date: their rule no longer fails. */
  readonly stale: readonly RuleId[];
  /** Of a replay alone. */
  readonly unjudged?: readonly UnjudgedExchange[];
}

/** The events of a run, in order; reporters listen to them. */
export type CheckEvent =
  | { readonly type: 'start'; readonly baseUrl: string; readonly runId: string; readonly rules: number }
  | { readonly type: 'exchange'; readonly exchange: Exchange }
  | { readonly type: 'rule'; readonly result: RuleResult }
  /** `mask` hides all secrets that the run knows at its end: earlier events may show those that came later. */
  | { readonly type: 'end'; readonly report: Report; readonly mask?: (text: string) => string };

/** What the suite gets from its host, so that a run can be repeated. */
export interface Host {
  readonly fetch: (request: Request) => Promise<Response> | Response;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Resolves after that time, or at once when the signal says that nobody waits any longer. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Does work after that time, unless what it returns is called before. It ends requests that take too long. */
  readonly schedule: (work: () => void, milliseconds: number) => () => void;
  /** A random number in [0, 1): for run ids and references. */
  readonly random: () => number;
}
