/** Compares two answers to the same question. */
import { canonicalJson, isObject } from '../../common/index.js';

/** A value that differs between two answers. */
export interface Difference {
  /** Its place, without positions in lists: `data.teeTimeV3[].holes`. */
  readonly field: string;
  /** What the deployment has there; undefined where it has nothing. */
  readonly there: unknown;
  /** What the twin has there. */
  readonly here: unknown;
}

/** How two answers compare. */
export interface Compared {
  readonly differences: readonly Difference[];
  /** Whether lists come in another order. The API specification gives none for most of them. */
  readonly isReordered: boolean;
}

/** What is compared of an answer. */
export interface AnswerParts {
  readonly status: number;
  readonly ok: boolean;
  readonly json: unknown;
}

/**
 * How the answer of the twin compares with that of the deployment. Of two refusals, only the status counts: nobody can know the
 * words of a refusal beforehand.
 */
export function comparedAnswers(there: AnswerParts, here: AnswerParts): Compared {
  if (there.status !== here.status || there.ok !== here.ok) {
    const status = { field: 'status', there: statusOf(there), here: statusOf(here) };
    return { differences: [status], isReordered: false };
  }
  if (!there.ok) return { differences: [], isReordered: false };
  const found = new Comparison();
  found.compare(there.json, here.json, '');
  return found;
}

const statusOf = ({ status, ok }: AnswerParts): string =>
  ok || status >= 400 ? String(status) : `${status}, success: false`;

/** Amounts may be products of floating-point numbers, such as 253.04999999999998. */
const ROUNDING = 1e-9;

class Comparison implements Compared {
  readonly differences: Difference[] = [];
  isReordered = false;

  compare(there: unknown, here: unknown, field: string): void {
    if (Array.isArray(there) && Array.isArray(here)) return this.#lists(there, here, `${field}[]`);
    if (isObject(there) && isObject(here)) return this.#objects(there, here, field);
    if (isSame(there, here)) return;
    this.differences.push({ field: field === '' ? 'body' : field, there, here });
  }

  #objects(there: Record<string, unknown>, here: Record<string, unknown>, field: string): void {
    for (const name of new Set([...Object.keys(there), ...Object.keys(here)])) {
      this.compare(there[name], here[name], field === '' ? name : `${field}.${name}`);
    }
  }

  #lists(there: readonly unknown[], here: readonly unknown[], field: string): void {
    const named = [...there, ...here].every((one) => identityOf(one) !== undefined);
    const keyOf = named ? (one: unknown) => identityOf(one)! : canonicalJson;
    if (!named && there.length === here.length && isObject(there[0])) {
      // The two parts of a facility by its id have no identity but their position.
      for (const [at, one] of there.entries()) this.compare(one, here[at], field);
      return;
    }
    const left = new Map<string, { readonly value: unknown; readonly at: number }[]>();
    for (const [at, value] of here.entries())
      left.set(keyOf(value), [...(left.get(keyOf(value)) ?? []), { value, at }]);
    let last = -1;
    for (const one of there) {
      const own = left.get(keyOf(one))?.shift();
      if (!own) {
        this.differences.push({ field, there: one, here: undefined });
        continue;
      }
      if (own.at < last) this.isReordered = true;
      last = own.at;
      this.compare(one, own.value, field);
    }
    for (const { value } of [...left.values()].flat()) this.differences.push({ field, there: undefined, here: value });
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'number' || typeof other !== 'number') return false;
  return Math.abs(one - other) <= ROUNDING * Math.max(1, Math.abs(one), Math.abs(other));
}

/** What tells an element of a list from the others; undefined if it has no such field. */
function identityOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { facilityId, courseId, productId, date } = value;
  if (productId !== undefined) return JSON.stringify([facilityId, courseId, productId, date]);
  const key = ['teeid', 'id', 'mid', 'quantity', 'minimumPlayer', 'time', 'players'].find((name) => name in value);
  return key === undefined ? undefined : `${key} ${JSON.stringify(value[key])}`;
}
