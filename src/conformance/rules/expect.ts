import { canonicalJson, isSameJson } from '../../common/index.js';
import type { Reply } from '../client/exchange.js';
import { Finding, type FindingDetail, Inconclusive } from '../client/outcome.js';

/** The most characters of a value in a message. */
const MOST_SHOWN = 200;

/** A value for a message: JSON on one line, truncated if it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}...`;
}

/**
 * The assertions of a rule. The first failed assertion ends the rule with a finding. Passed ones are counted,
 * since a rule passes only with at least one.
 */
export class Expect {
  #held = 0;
  #about: Pick<FindingDetail, 'shownBy' | 'against'> = {};

  /** The number of passed assertions. */
  get held(): number {
    return this.#held;
  }

  /** Names the exchange that the assertions after it are about, and the one that it would contradict: they show the finding. */
  about(id: string | undefined, other?: string): void {
    this.#about = { ...(id === undefined ? {} : { shownBy: id }), ...(other === undefined ? {} : { against: other }) };
  }

  /** Asserts a condition. `what` is the message of the finding if it is false. */
  that(holds: boolean, what: string, detail: { readonly expected?: unknown; readonly actual?: unknown } = {}): void {
    if (!holds) throw new Finding(what, detail.expected, detail.actual, this.#about);
    this.#held += 1;
  }

  /** Asserts that two values are equal as JSON. */
  equal(actual: unknown, expected: unknown, what: string): void {
    const holds = isSameJson(actual, expected);
    const areLists = !holds && Array.isArray(actual) && Array.isArray(expected);
    this.that(holds, what, areLists ? listDifference(actual, expected) : { expected, actual });
  }

  /** Asserts that every item fits. An empty list is no assertion. `what` is the message of the finding. */
  every<T>(items: Iterable<T>, fits: (item: T) => boolean, what: string, expected?: unknown): void {
    for (const item of items) {
      this.that(fits(item), what, { ...(expected === undefined ? {} : { expected }), actual: item });
    }
  }

  /**
   * Asserts that every item of `part` is in `whole`, compared as JSON. An empty `part` is no assertion.
   *
   * @param wrong Whether the whole is wrong, which lacks items, or the part, which has too many.
   */
  subset(
    part: Iterable<unknown>,
    whole: Iterable<unknown>,
    what: string,
    wrong: 'missing' | 'unexpected' = 'missing',
  ): void {
    const [items, all] = [[...part], [...whole]];
    const others = without(items, all);
    const allowed = all.length === 0 ? 'no items' : { oneOf: all };
    const expected = wrong === 'missing' ? `all ${items.length} items` : allowed;
    this.that(others.length === 0, what, { expected, actual: { [wrong]: others } });
    this.#held += items.length - 1;
  }

  /** Asserts that both lists have the same items, in any order. Two empty lists are no assertion. */
  sameItems(actual: Iterable<unknown>, expected: Iterable<unknown>, what: string): void {
    const [left, right] = [[...actual], [...expected]];
    const differing = setDifference(left, right);
    this.that(differing === undefined, what, differing);
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
    if (ok) throw new Finding(what, 'a refusal', outcomeOf(reply), { shownBy: reply.id });
    this.#held += 1;
  }

  /** Asserts that there is data to evaluate. */
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

/** What a finding says of two lists with other items; undefined if they have the same, in any order. */
export function setDifference(
  actual: readonly unknown[],
  expected: readonly unknown[],
): { readonly expected: string; readonly actual: object } | undefined {
  const [missing, unexpected] = [without(expected, actual), without(actual, expected)];
  if (missing.length + unexpected.length === 0) return undefined;
  const number = expected.length;
  return {
    expected: number === 0 ? 'no items' : `the same ${number === 1 ? 'item' : `${number} items`}`,
    actual: { ...(missing.length > 0 ? { missing } : {}), ...(unexpected.length > 0 ? { unexpected } : {}) },
  };
}

/** What a finding says of two lists: their items, or their order where they have the same. */
function listDifference(actual: readonly unknown[], expected: readonly unknown[]): object {
  const at = actual.findIndex((item, index) => !isSameJson(item, expected[index]));
  return (
    setDifference(actual, expected) ?? {
      expected: `${shown(expected[at])} at position ${at + 1}`,
      actual: `the same items in the wrong order: ${shown(actual[at])} at position ${at + 1}`,
    }
  );
}

/** The items of a list that are not in another one. */
export function without<T>(items: readonly T[], others: readonly unknown[]): T[] {
  const known = new Set(others.map(keyOf));
  return items.filter((item) => !known.has(keyOf(item)));
}

/** The same for equal values. A text is its own key, since it may have megabytes; none that anybody writes begins with NUL. */
function keyOf(item: unknown): unknown {
  return typeof item === 'object' ? `\0${canonicalJson(item)}` : item;
}
