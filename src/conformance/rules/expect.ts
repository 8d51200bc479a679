import { canonicalJson } from '../../common/index.js';
import type { Reply } from '../client/exchange.js';
import { Finding, type FindingDetail, Inconclusive } from '../client/outcome.js';

/** A value for a message: JSON on one line, truncated if it is long. */
export function shown(value: unknown, most = 200): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}

/**
 * The assertions of a rule. The first failed assertion ends the rule with a finding. Passed ones are counted,
 * since a rule passes only with at least one.
 */
export class Expect {
  #held = 0;

  /** The number of passed assertions. */
  get held(): number {
    return this.#held;
  }

  /** Asserts a condition. `what` is the message of the finding if it is false. */
  that(holds: boolean, what: string, detail: { readonly expected?: unknown; readonly actual?: unknown } = {}): void {
    if (!holds) {
      throw new Finding(what, detail.expected, detail.actual);
    }
    this.#held += 1;
  }

  /** Asserts that two values are equal as JSON. */
  equal(actual: unknown, expected: unknown, what: string): void {
    this.that(canonicalJson(actual) === canonicalJson(expected), what, { expected, actual });
  }

  /** Asserts that every item fits. An empty list is no assertion. `what` is the message of the finding. */
  every<T>(items: Iterable<T>, fits: (item: T) => boolean, what: string, expected?: unknown): void {
    for (const item of items) {
      this.that(fits(item), what, { ...(expected === undefined ? {} : { expected }), actual: item });
    }
  }

  /** Asserts that every item of `part` is in `whole`, compared as JSON. An empty `part` is no assertion. */
  subset(part: Iterable<unknown>, whole: Iterable<unknown>, what: string): void {
    const all = [...whole];
    const known = new Set(all.map(canonicalJson));
    this.every(part, (item) => known.has(canonicalJson(item)), what, { oneOf: all });
  }

  /** Asserts that both lists have the same items, in any order. Two empty lists are no assertion. */
  sameItems(actual: Iterable<unknown>, expected: Iterable<unknown>, what: string): void {
    const [left, right] = [[...actual], [...expected]];
    const [unexpected, missing] = [without(left, right), without(right, left)];
    this.that(unexpected.length + missing.length === 0, what, { expected: { missing }, actual: { unexpected } });
    this.#held += left.length + right.length - 1;
  }

  /** Asserts that an answer reports success. */
  succeeds(reply: Reply, what: string, detail: FindingDetail = {}): void {
    if (!reply.ok) throw new Finding(what, 'success', outcomeOf(reply), { ...refusal(reply), ...detail });
    this.#held += 1;
  }

  /** Asserts that an answer is a refusal: a status of 400 to 499, or `success: false`. A 5xx is not a refusal. */
  refused(reply: Reply, what: string): void {
    const { status, ok } = reply;
    const fault = `${reply.what} returns a server error instead of a refusal.`;
    if (status >= 500) throw new Finding(fault, 'a refusal', outcomeOf(reply), refusal(reply));
    this.that(!ok, what, { expected: 'a refusal', actual: outcomeOf(reply) });
  }

  /** Asserts that there is data to judge. */
  some<T>(items: readonly T[], missing: string): readonly T[] {
    if (items.length === 0) throw new Inconclusive('no-data', missing);
    return items;
  }
}

/** An answer as a value. */
export function outcomeOf({ status, json, text }: Reply): { readonly status: number; readonly body: unknown } {
  return { status, body: json ?? text };
}

/** What findings have in common that rest on the refusal of a right request, or on a server error. */
export function refusal({ id, operation, status }: Pick<Reply, 'id' | 'operation' | 'status'>): FindingDetail {
  const place = operation ? { cause: `${operation} answers ${status}`, operations: [operation] } : {};
  return { ...place, concern: 'access', shownBy: id };
}

/** The items of a list that are not in another one. */
function without(items: readonly unknown[], others: readonly unknown[]): unknown[] {
  const known = new Set(others.map(canonicalJson));
  return items.filter((item) => !known.has(canonicalJson(item)));
}
