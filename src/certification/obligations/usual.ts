import { keepNewest, shortKey } from './bounded.js';
import { isRefusal, isSuccess, kindOf } from './operations.js';
import type { ClientCall, TestCall, Usual } from './traffic.js';

/** What is kept of a call, as evidence of a violation. */
export interface NotedCall {
  readonly kind: string;
  readonly place: string;
  /** How many calls succeeded before it in its world, but for those that refresh. */
  readonly before: number;
  readonly turn: number;
  readonly world: string;
  /** The service has not done it. */
  readonly isRefused: boolean;
  readonly isDeliberate: boolean;
  /** Its test and its user agent. */
  readonly sender: string;
  /** Whether its test is named. */
  readonly isOfTest: boolean;
}

const MOST_CALLS = 5000;
/** Kinds of requests that are counted. Nothing is held against a client that depends on one more. */
export const MOST_KINDS = 20_000;

/** The calls of a session, as far as it matters who else than a defect could have sent them. */
export class SessionCalls {
  readonly sent = new Map<string, number>();
  readonly refused = new Set<string>();
  /** The calls of each test, as far as tests are told apart, in their order. */
  readonly tests = new Map<string, TestCall[]>();
  readonly #noted = new Map<string, NotedCall>();
  /** The turn of the last success in each world. */
  readonly #lastSuccess = new Map<string, number>();
  /** How many calls succeeded in each world, but for those that refresh. */
  readonly #succeeded = new Map<string, number>();
  #count = 0;

  constructor(readonly isDeliberateTest: (name: string) => boolean) {}

  call(call: ClientCall): void {
    const { id, turn, world = '', method, operation, path, test } = call;
    const kind = kindOf(call);
    const times = this.sent.get(kind) ?? 0;
    if (times > 0 || this.sent.size < MOST_KINDS) this.sent.set(kind, times + 1);
    if (isSuccess(call)) this.#lastSuccess.set(world, Math.max(this.#lastSuccess.get(world) ?? -1, call.turn));
    if (isRefusal(call) && this.sent.has(kind)) this.refused.add(kind);
    const place = operation ?? shortKey(`${method} ${placeOf(path)}`);
    const isDeliberate = call.isDeliberate === true || (test !== undefined && this.isDeliberateTest(test));
    const sender = shortKey(JSON.stringify([test, call.headers.get('user-agent')]));
    const before = this.#succeeded.get(world) ?? 0;
    if (isSuccess(call) && operation !== 'refreshToken') this.#succeeded.set(world, before + 1);
    const noted = {
      kind,
      place,
      before,
      turn,
      world,
      isRefused: !isSuccess(call),
      isDeliberate,
      sender,
      isOfTest: test !== undefined,
    };
    keepNewest(this.#noted, id, noted, MOST_CALLS);
    if (this.#count === MOST_CALLS) return;
    const name = JSON.stringify([world.slice(world.indexOf('/') + 1), test]);
    const calls = this.tests.get(name) ?? [];
    if (calls.push({ id, place, nth: this.#count++ }) === 1) this.tests.set(name, calls);
  }

  /** The last call of a test before it did something else than on the happy path. */
  lastAsUsual({ tests }: Pick<Usual, 'tests'>): string | undefined {
    const last = [...this.tests].flatMap(([key, calls]) => {
      const other = tests.get(key)?.findIndex(({ place }, at) => calls[at]?.place !== place) ?? -1;
      return other > 0 ? [calls[other - 1]!] : [];
    });
    return last.sort((one, other) => one.nth - other.nth)[0]?.id;
  }

  noted(id: string): NotedCall | undefined {
    return this.#noted.get(id);
  }

  /** Whether nothing succeeded after a call in its world. */
  isStuckAfter({ turn, world }: NotedCall): boolean {
    return (this.#lastSuccess.get(world) ?? -1) < turn;
  }
}

/** A path without its identifiers. */
function placeOf(path: string): string {
  const parts = path.split('?', 1)[0]!.split('/');
  return parts.map((part) => (/\d\d/.test(part) ? '#' : part)).join('/');
}
