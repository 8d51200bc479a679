import { keepNewest } from './bounded.js';
import { isRefusal, isSuccess, kindOf } from './operations.js';
import type { ClientCall } from './traffic.js';

/** What is kept of a call, to tell what a breach rests on. */
interface NotedCall {
  readonly kind: string;
  readonly place: string;
  readonly turn: number;
  /** The service has not done it. */
  readonly isRefused: boolean;
  readonly isDeliberate: boolean;
  /** Its test and its user agent. */
  readonly sender: string;
  /** Whether its test is named. */
  readonly isOfTest: boolean;
}

const MOST_CALLS = 5000;

/** The calls of a session, as far as it matters who else than a defect could have sent them. */
export class SessionCalls {
  readonly sent = new Map<string, number>();
  readonly refused = new Set<string>();
  readonly #noted = new Map<string, NotedCall>();
  #lastSuccess = -1;

  constructor(readonly isDeliberateTest: (name: string) => boolean) {}

  call(call: ClientCall): void {
    const kind = kindOf(call);
    this.sent.set(kind, (this.sent.get(kind) ?? 0) + 1);
    if (isSuccess(call)) this.#lastSuccess = Math.max(this.#lastSuccess, call.turn);
    if (isRefusal(call)) this.refused.add(kind);
    const { id, turn, method, operation, path, test } = call;
    const place = operation ?? `${method} ${placeOf(path)}`;
    const isDeliberate = call.isDeliberate === true || (test !== undefined && this.isDeliberateTest(test));
    const sender = JSON.stringify([test, call.headers.get('user-agent')]);
    const noted = {
      kind,
      place,
      turn,
      isRefused: !isSuccess(call),
      isDeliberate,
      sender,
      isOfTest: test !== undefined,
    };
    keepNewest(this.#noted, id, noted, MOST_CALLS);
  }

  noted(id: string): NotedCall | undefined {
    return this.#noted.get(id);
  }

  /** Whether nothing succeeded after a call. */
  isStuckAfter({ turn }: NotedCall): boolean {
    return this.#lastSuccess < turn;
  }
}

/** A path without its identifiers. */
function placeOf(path: string): string {
  const parts = path.split('?', 1)[0]!.split('/');
  return parts.map((part) => (/\d\d/.test(part) ? '#' : part)).join('/');
}
