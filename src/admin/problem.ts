import { problemResponse, type ProblemStatus } from '../app/problem.js';

/** An error of our own, apart from those of the service we stand for (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: ProblemStatus,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }

  response(): Response {
    return problemResponse(this.status, this.detail, { headers: this.headers });
  }
}

const SHOWN = 80;

/** A value from the caller, short enough for a sentence. */
export function shown(value: string): string {
  return `\`${value.length > SHOWN ? `${value.slice(0, SHOWN)}...` : value}\``;
}
