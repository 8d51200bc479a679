import type { Reply } from './exchange.js';
import { Finding, Inconclusive } from './outcome.js';

/** A value for people: JSON on one line, cut where it gets long. */
export function shown(value: unknown, most = 200): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}

/**
 * The assertions of a rule. The first that does not hold ends the rule with a finding; those that hold are counted,
 * since a pass must rest on at least one.
 */
export class Expect {
  #held = 0;

  /** How many assertions held. */
  get held(): number {
    return this.#held;
  }

  /** Something is so; `what` says what, as the sentence of the finding when it is not. */
  that(holds: boolean, what: string, detail: { readonly expected?: unknown; readonly actual?: unknown } = {}): void {
    if (!holds) {
      const of = (side: 'expected' | 'actual'): string | undefined =>
        side in detail ? shown(detail[side]) : undefined;
      throw new Finding(what, of('expected'), of('actual'));
    }
    this.#held += 1;
  }

  /** Two values are the same as JSON. */
  equal(actual: unknown, expected: unknown, what: string): void {
    this.that(canonical(actual) === canonical(expected), what, { expected, actual });
  }

  /** Every item fits; no items are no assertion. `what` names the kind of item and what it must be. */
  every<T>(items: Iterable<T>, fits: (item: T) => boolean, what: string, expected?: unknown): void {
    for (const item of items) {
      this.that(fits(item), what, { ...(expected === undefined ? {} : { expected }), actual: item });
    }
  }

  /** Every item of `part` is in `whole`, compared as JSON; an empty part is no assertion. */
  subset(part: Iterable<unknown>, whole: Iterable<unknown>, what: string): void {
    const known = new Set([...whole].map(canonical));
    this.every(part, (item) => known.has(canonical(item)), what, 'one of the larger set');
  }

  /** Both hold the same items, in any order; two empty ones are no assertion. */
  sameItems(actual: Iterable<unknown>, expected: Iterable<unknown>, what: string): void {
    const [left, right] = [[...actual], [...expected]];
    this.subset(left, right, what);
    this.subset(right, left, what);
  }

  /** An answer reports success. */
  succeeds(reply: Reply, what: string): void {
    this.that(reply.ok, what, { expected: 'success', actual: outcomeOf(reply) });
  }

  /** An answer reports a refusal: a status of 400 to 499, or `success: false`. A 5xx is none: it is a fault. */
  refused(reply: Reply, what: string): void {
    const { status, ok } = reply;
    const fault = `${reply.what} is answered with a fault of the server in place of a refusal.`;
    const detail = { expected: 'a refusal', actual: outcomeOf(reply) };
    this.that(!ok && status < 500, status < 500 ? what : fault, detail);
  }

  /** There is something to judge. */
  some<T>(items: readonly T[], missing: string): readonly T[] {
    if (items.length === 0) throw new Inconclusive('no-data', missing);
    return items;
  }
}

function outcomeOf({ status, text }: Reply): string {
  return `${status} ${text.slice(0, 200)}`;
}

/** JSON with the members of objects in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  ) as string;
}
