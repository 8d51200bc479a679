import type { Permission, Reason } from './types.js';

/** A rule is broken: what was expected and what came. Thrown by the expectations of a rule. */
export class Finding extends Error {
  override readonly name = 'Finding';
  constructor(
    message: string,
    readonly expected?: string,
    readonly actual?: string,
  ) {
    super(message);
  }
}

/** Nothing can be said, and why; `missing` names what would have to be there. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  constructor(
    readonly reason: Reason,
    readonly missing: string,
  ) {
    super(missing);
  }
}

/** Passes over an {@link Inconclusive}, for what a rule can do without; anything else is thrown on. */
export function unlessInconclusive(error: unknown): undefined {
  if (!(error instanceof Inconclusive)) throw error;
}

/** A request that this run has no leave for, or that is one too many; it was not sent. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
  constructor(
    readonly reason: 'not-allowed' | 'budget',
    readonly missing: string,
  ) {
    super(missing);
  }
}

/** What is thrown, and told, without leave for something. */
export function withoutLeave(permission: Permission): NotAllowed {
  return new NotAllowed('not-allowed', `leave for ${permission} (--allow ${permission})`);
}

/** A fault of the suite: a request that breaks the contract without meaning to. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

/** The deployment cannot be judged at all: it is not there, or it takes none of the credentials. */
export class NoDeployment extends Error {
  override readonly name = 'NoDeployment';
  constructor(
    readonly kind: 'unreachable' | 'refused',
    message: string,
  ) {
    super(message);
  }
}
