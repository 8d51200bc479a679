/**
 * Finds in a recording what a rule would send: a rule reads a recording forward, as it would live. So whatever it compares has
 * come in the order in which it asks, and what it wants to see again was recorded again.
 */
import { isSameJson, parsedJson } from '../../common/index.js';
import type { RuleId } from '../../contract/index.js';
import type { Caller, Reply } from '../client/exchange.js';
import { effectOf } from '../client/permission.js';
import { prepare, type RequestCall } from '../client/request.js';
import type { RecordedCall } from './recorded-calls.js';

/** A recorded request, and its answer. */
export interface Recorded {
  readonly order: number;
  readonly as: Caller;
  readonly breaking: RuleId | undefined;
  /** Whether it says which rule it breaks, if it breaks one. */
  readonly isMarked: boolean;
  readonly reply: Reply;
  /** Where the result of a search went. */
  readonly address: string | undefined;
  /** In which headers it has credentials, and of which scheme. */
  readonly credentials: string;
  readonly body: string | undefined;
}

/** A UUID in JSON. */
const UUID = /(?<=")[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(?=")/g;
/** Headers that carry credentials, which a probe sends in each other's place. */
const OF_CREDENTIALS = ['authorization', 'x-access-token', 'x-auth-token', 'x-authorization', 'cookie'];

export class RecordedRequests {
  readonly #byRequest = new Map<string, Recorded[]>();
  /** What some rule has looked at. */
  readonly #used = new WeakSet<Recorded>();
  /** The position of the latest answer that the present rule has looked at, by request; that of writes is for all requests. */
  readonly #seen = new Map<string, number>();
  #written = 0;
  /** The position of each answer by its id. */
  readonly #orders = new Map<string, number>();
  /** When each request was sent, in epoch milliseconds; those of requests that were let go of are no longer asked for. */
  readonly #starts: number[] = [];

  add(reply: Reply, { call, path: sent, exchange }: RecordedCall): void {
    const { requestHeaders, requestBody = '' } = exchange;
    const { method, path: known } = prepare(call);
    const isMarked = exchange.caller !== undefined;
    // Only the parameters of the contract matter, but for what a run has broken on purpose.
    const path = isMarked && call.breaking ? sent : known;
    const key = keyOf(method, path);
    const all = this.#byRequest.get(key) ?? [];
    this.#byRequest.set(key, all);
    const body = requestBody === '' ? undefined : requestBody;
    const order = this.#starts.push(exchange.startedAt);
    this.#orders.set(reply.id, order);
    const credentials = credentialsIn(requestHeaders);
    const { as = 'first', breaking } = call;
    all.push({ order, as, breaking, isMarked, reply, address: addressIn(path), credentials, body });
  }

  /** When the request after one was sent, as far as there is one. */
  nextAfter({ order, reply }: Recorded): number {
    return Math.max(reply.at, this.#starts[order] ?? 0);
  }

  /** Lets go of answers. */
  forget(replies: ReadonlySet<Reply>): void {
    for (const { id } of replies) this.#orders.delete(id);
    for (const [key, all] of this.#byRequest) {
      const kept = all.filter(({ reply }) => !replies.has(reply));
      if (kept.length === 0) this.#byRequest.delete(key);
      else if (kept.length < all.length) this.#byRequest.set(key, kept);
    }
  }

  /** Another rule begins: it may look at everything again. */
  begin(): void {
    this.#seen.clear();
    this.#written = 0;
  }

  /**
   * The next answer to the same request that no rule has looked at, or else one that the present rule has not. What it has
   * written is before all that it reads then.
   *
   * @param since An answer after which the newest one will do that some rule has looked at.
   */
  find(call: RequestCall, since?: Pick<Reply, 'id'>): Recorded | undefined {
    const { method, path, body } = prepare(call);
    const key = keyOf(method, path);
    const all = this.#byRequest.get(key) ?? [];
    const start = (since && this.#orders.get(since.id)) ?? 0;
    const isLatest = (one: Recorded): boolean => one.order > start && this.#used.has(one) && isSame(call, body, one);
    const after = Math.max(start, this.#written, this.#seen.get(key) ?? 0);
    const isNext = (one: Recorded): boolean => one.order > after && isSame(call, body, one);
    const found =
      (since && all.findLast(isLatest)) ?? all.find((one) => !this.#used.has(one) && isNext(one)) ?? all.find(isNext);
    if (!found) return undefined;
    this.#used.add(found);
    this.#seen.set(key, Math.max(found.order, this.#seen.get(key) ?? 0));
    if (effectOf(method, path) !== 'read') this.#written = found.order;
    return found;
  }

  /** The first answer to the same request. */
  findFirst(call: RequestCall): Recorded | undefined {
    const { method, path, body } = prepare(call);
    return this.#byRequest.get(keyOf(method, path))?.find((one) => isSame(call, body, one));
  }
}

/** A key that is equal for two spellings of one request, wherever its result goes. */
function keyOf(method: string, path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://recorded.invalid');
  const address = addressIn(path);
  if (address !== undefined) searchParams.set('callbackUrl', new URL(address).search);
  searchParams.sort();
  return `${method} ${pathname}?${searchParams}`;
}

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The address for the result of a search. */
export function addressIn(path: string): string | undefined {
  if (!path.includes('callbackUrl=')) return undefined;
  const address = new URL(path, 'http://recorded.invalid').searchParams.get('callbackUrl');
  return address !== null && isAddress(address) ? address : undefined;
}

function isSame(call: RequestCall, sent: string | undefined, one: Recorded): boolean {
  const { isMarked, credentials, body } = one;
  const { as = 'first', scheme, headers = {}, breaking } = call;
  if (as !== one.as) return false;
  // Two rules may send the same with credentials that nobody has.
  if (isMarked && as === 'nobody' && breaking !== one.breaking) return false;
  // The credentials themselves are masked: what counts is whose they are, in which header and by which scheme.
  const areSame =
    as === 'nobody'
      ? credentials === credentialsIn(new Headers(headers))
      : !scheme || credentials.includes(`authorization ${scheme}`);
  return areSame && isSameBody(sent, body, breaking);
}

function credentialsIn(headers: Headers): string {
  const found = OF_CREDENTIALS.filter((name) => headers.has(name));
  const scheme = /^\w*/.exec(headers.get('authorization') ?? '')![0].toLowerCase();
  return found.map((name) => (name === 'authorization' ? `${name} ${scheme}` : name)).join();
}

/** Which reference a probe has made up does not matter. */
const anyReference = (text: string): string => text.replace(UUID, '');

function isSameBody(sent: string | undefined, recorded: string | undefined, breaking?: RuleId): boolean {
  if (sent !== undefined && recorded !== undefined && breaking) {
    return isSameBody(anyReference(sent), anyReference(recorded));
  }
  if (sent === undefined || recorded === undefined || sent === recorded) return sent === recorded;
  const [one, other] = [parsedJson(sent), parsedJson(recorded)];
  return one !== undefined && other !== undefined && isSameJson(one, other);
}
