import type { Misfit } from '../scenarios/spec.js';
import { problemResponse, type ProblemStatus } from '../app/problem.js';

/** An error of our own, apart from those of the service we stand for (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: ProblemStatus,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** What would have fitted, for programs. */
    readonly fits?: readonly string[],
  ) {
    super(detail);
  }

  response(): Response {
    const { status, detail, headers, fits } = this;
    return problemResponse(status, detail, { headers, ...(fits ? { fits } : {}) });
  }
}

/** What was asked for does not fit; what would is told to people and to programs. */
export function problemOf({ message, fits }: Misfit, before = ''): Problem {
  const told = fits.length === 0 ? '' : ` What fits: ${fits.map((one) => `\`${one}\``).join(', ')}.`;
  return new Problem(400, `${before}${message}${told}`, {}, fits);
}

const SHOWN = 80;

/** A value from the caller, short enough for a sentence. */
export function shown(value: string): string {
  return `\`${value.length > SHOWN ? `${value.slice(0, SHOWN)}...` : value}\``;
}
