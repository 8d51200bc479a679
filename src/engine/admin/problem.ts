import { defined, type ValidationError } from '../../common/index.js';
import { problemResponse, type ProblemStatus } from '../api/problem.js';

/** An error of our own, apart from those of the service that we imitate (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: ProblemStatus,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** What would fit, for programs. */
    readonly fits?: readonly string[],
    /** The JSON pointer of what is wrong with the body. */
    readonly pointer?: string,
  ) {
    super(detail);
  }

  response(): Response {
    const { status, detail, headers, fits, pointer } = this;
    return problemResponse(status, detail, { headers, ...defined({ fits, pointer }) });
  }
}

/** The problem for invalid input, with what would fit in words and as data. */
export function problemOf({ advice, fits }: ValidationError, before = ''): Problem {
  return new Problem(400, `${before}${advice}`, {}, fits);
}

const SHOWN = 80;

/** A value from the caller, shortened for a message. */
export function shown(value: string): string {
  return `\`${value.length > SHOWN ? `${value.slice(0, SHOWN)}...` : value}\``;
}
