import type { OperationId } from '../../contract/index.js';
import type { Reply } from './exchange.js';
import type { Concern, Permission, Reason } from './types.js';

/** What else is known about a finding. */
export interface FindingDetail {
  /** Where in the answer it is, as a JSON pointer. */
  readonly at?: string;
  /** What other findings would have in common with it; default: nothing. */
  readonly cause?: string;
  /** The operations that are wrong; default: that of the last request. */
  readonly operations?: readonly OperationId[];
  /** Default: that of the rule. */
  readonly concern?: Concern;
  /** Id of the exchange that shows it; default: the last one that the rule looked at. */
  readonly shownBy?: string;
  /** Id of the exchange that it contradicts. */
  readonly against?: string;
  /** What is known only after all rules were evaluated that compare answers: which of them is wrong. */
  readonly settle?: () => {
    readonly shownBy: string;
    readonly against?: string;
    readonly operations: readonly OperationId[];
    readonly expected?: unknown;
    readonly actual?: unknown;
  };
}

/** A rule is broken: what was expected and what came, as values. Thrown by the expectations of a rule. */
export class Finding extends Error {
  override readonly name = 'Finding';
  constructor(
    message: string,
    readonly expected?: unknown,
    readonly actual?: unknown,
    readonly detail: FindingDetail = {},
  ) {
    super(message);
  }
}

/** No verdict is possible; `missing` names what would be needed. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  constructor(
    readonly reason: Reason,
    readonly missing: string,
    /** What to try, as a sentence. */
    readonly hint?: string,
  ) {
    super(missing);
  }
}

/** A right request was refused. The rule of its answer reports that, and whatever builds on the request says nothing. */
export class Refused extends Inconclusive {
  constructor(
    readonly reply: Pick<Reply, 'id' | 'what' | 'status' | 'operation'>,
    reason: 'precondition' | 'control-failed' = 'precondition',
  ) {
    super(reason, `a successful answer to ${reply.what} (the status was ${reply.status})`);
  }
}

/** Ignores an {@link Inconclusive}, for what a rule can do without; rethrows anything else. */
export function unlessInconclusive(error: unknown): undefined {
  if (!(error instanceof Inconclusive)) throw error;
}

/** Nothing, for an operation that the deployment is said not to have; rethrows anything else. */
export function unlessOutside(error: unknown): undefined {
  if (!(error instanceof Inconclusive && error.reason === 'out-of-scope')) throw error;
}

/** A request that was not sent: the run has no permission for it, or it has come to its end. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
  constructor(
    readonly reason: 'not-allowed' | 'budget' | 'evidence' | 'deadline' | 'interrupted' | 'unhealthy' | 'rate-limited',
    readonly missing: string,
  ) {
    super(missing);
  }
}

/** Ignores what ends a request without an answer to look at, even where the whole run ends; rethrows anything else. */
export function unlessOver(error: unknown): undefined {
  if (!(error instanceof NotAllowed || error instanceof NoDeployment)) unlessInconclusive(error);
}

const actions: Readonly<Record<Permission, string>> = {
  tokens: 'refresh tokens',
  bookings: 'book',
  callbacks: 'search by callback',
  payments: 'confirm payments',
  lockout: 'reuse a refresh token, which may lock the channel out',
};

/** The error, and the reason in a report, where permission is missing. */
export function withoutPermission(permission: Permission): NotAllowed {
  return new NotAllowed('not-allowed', `permission to ${actions[permission]} (--allow ${permission})`);
}

/** A fault of the suite: a request that breaks the contract without meaning to. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

/** The deployment cannot be checked: it cannot be reached, or it refuses the credentials. */
export class NoDeployment extends Error {
  override readonly name = 'NoDeployment';
  constructor(
    readonly kind: 'unreachable' | 'refused',
    message: string,
  ) {
    super(message);
  }
}
