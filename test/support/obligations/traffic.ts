import { expect, test } from 'vitest';
import type { ObligationId } from '../../../src/contract/generated/obligations.js';
import { ClientChecker, type ObligationResult } from '../../../src/certification/obligations/client-checker.js';
import {
  type ClientCall,
  type ClientDelivery,
  placed,
  type SessionFacts,
} from '../../../src/certification/obligations/traffic.js';

/** A call as a table writes it: `GET /api/v3/countries`, and what matters of the rest. */
export interface GivenCall {
  readonly request: string;
  readonly headers?: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly status?: number;
  readonly answer?: unknown;
  readonly responseHeaders?: Record<string, string>;
  /** Seconds of the session; default: one second after the call before it. */
  readonly at?: number;
  /** Seconds until its answer; default 0.1. */
  readonly takes?: number;
  readonly struck?: ClientCall['struck'];
  readonly channel?: string;
  readonly test?: string;
  readonly isDeliberate?: true;
  readonly arrived?: number;
}

const START = Date.UTC(2026, 5, 15, 8);

function textOf(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

/** Calls of a table, as a recorder would give them: in the order of completion. */
export function callsOf(given: readonly GivenCall[]): ClientCall[] {
  let clock = 0;
  const calls = given.map((one, turn): ClientCall => {
    const [method, path] = one.request.split(' ') as [string, string];
    clock = one.at ?? clock + 1;
    const at = START + clock * 1000;
    const { status = 200, answer = { success: true, data: null }, channel, struck, test, isDeliberate, arrived } = one;
    return {
      id: `x${turn + 1}`,
      turn,
      at,
      ...(status > 0 && { answeredAt: at + (one.takes ?? 0.1) * 1000 }),
      endedAt: at + (one.takes ?? 0.1) * 1000,
      method,
      path,
      headers: new Headers(one.headers),
      body: textOf(one.body),
      ...placed(method, path),
      status,
      responseHeaders: new Headers(one.responseHeaders),
      responseBody: status > 0 ? textOf(answer) : undefined,
      ...(struck && { struck }),
      ...(test !== undefined && { test }),
      ...(isDeliberate && { isDeliberate }),
      ...(arrived !== undefined && { arrived }),
      ...(channel !== undefined && { channel }),
    };
  });
  return calls.sort((a, b) => a.endedAt! - b.endedAt!);
}

/** The verdict on one obligation over a session. */
export function judgedBy(
  id: ObligationId,
  given: readonly GivenCall[],
  { deliveries = [], facts = {} }: { deliveries?: readonly ClientDelivery[]; facts?: SessionFacts } = {},
): ObligationResult {
  const checker = new ClientChecker({ only: [id] });
  for (const call of callsOf(given)) checker.call(call);
  for (const delivery of deliveries) checker.delivery(delivery);
  return checker.end(facts)[0]!;
}

export type Verdict = ObligationResult['verdict'];

/** A table of sessions by what happens in them: the verdict, and the calls. */
export type Sessions = Readonly<Record<string, readonly [want: Verdict, ...calls: GivenCall[]]>>;

/** Tests an obligation by a table of sessions. A verdict has evidence if, and only if, something was seen. */
export function judges(id: ObligationId, sessions: Sessions, given: Parameters<typeof judgedBy>[2] = {}): void {
  const rows = Object.entries(sessions).map(([what, [want, ...calls]]) => ({ what, want, calls }));
  test.each(rows)(`${id}, $what: $want`, ({ want, calls }) => {
    const result = judgedBy(id, calls, given);
    expect(result).toMatchObject({ id, verdict: want });
    expect(result.evidence.length > 0).toBe(want !== 'not-seen');
    expect(result.message !== undefined && result.expected !== undefined).toBe(want === 'fail');
    expect(`${result.message}`).not.toMatch(/(access|refresh)-\d/);
  });
}
