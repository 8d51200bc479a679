// Whatever two answers both show of one thing must be the same: every member that the contract has is compared, unless an
// exemption says otherwise and why.
import { canonicalInAnyOrder, isObject } from '../../common/index.js';
import { Contract } from '../client/contract.js';
import type { Comparison } from './relation.js';

/** A member of a thing that two answers show differently. */
interface Difference {
  /** Its path, such as `products 103712.name`. */
  readonly member: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** What is compared in a way of its own, by the name of the member; not at all with `false`. */
export type Exemptions = Readonly<Record<string, ((one: unknown, other: unknown) => boolean) | false>>;

/** What tells the items of a list apart, in this order. A list whose items have none of these is one value. */
const identities = ['mid', 'quantity', 'players', 'time'] as const;

let fields: ReadonlySet<string> | undefined;

/** The members that two items both show, at any depth, with different values of one type. */
function* differences(actual: unknown, expected: unknown, exempt: Exemptions, member = ''): Iterable<Difference> {
  if (actual === expected || !isShown(actual) || !isShown(expected)) return;
  if (Array.isArray(actual) && Array.isArray(expected)) {
    yield* betweenLists(actual, expected, exempt, member);
  } else if (isObject(actual) && isObject(expected)) {
    fields ??= new Contract().fields;
    for (const name in actual) {
      // Another member may be the time of the answer.
      const same = exempt[name];
      if (same === false || !fields.has(name)) continue;
      const [one, other, at] = [actual[name], expected[name], member === '' ? name : `${member}.${name}`];
      if (!same) yield* differences(one, other, exempt, at);
      else if (areAlike(one, other) && !same(one, other) && !same(listed(one), listed(other)))
        yield { member: at, expected: other, actual: one };
    }
  } else if (areAlike(actual, expected) && flat(actual) !== flat(expected)) yield { member, expected, actual };
}

function* betweenLists(
  actual: readonly unknown[],
  expected: readonly unknown[],
  exempt: Exemptions,
  member: string,
): Iterable<Difference> {
  const [shown, known] = [byIdentity(actual), byIdentity(expected)];
  if (shown && known) {
    for (const [key, one] of shown) yield* differences(one, known.get(key), exempt, `${member} ${key}`);
  } else if (actual.length > 0 && expected.length > 0 && !areSame(actual, expected)) {
    if (!areSame(listed(actual), listed(expected))) yield { member, expected, actual };
  }
}

const areSame = (one: unknown, other: unknown): boolean => canonicalInAnyOrder(one) === canonicalInAnyOrder(other);

/** A value with the members that the contract has: the API specification says nothing of others. */
function listed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(listed);
  if (!isObject(value)) return value;
  fields ??= new Contract().fields;
  const entries = Object.entries(value).filter(([name]) => fields!.has(name));
  return Object.fromEntries(entries.map(([name, one]) => [name, listed(one)]));
}

function byIdentity(list: readonly unknown[]): ReadonlyMap<string, unknown> | undefined {
  const items = list.filter(isObject);
  const name = identities.find((one) => items[0] && one in items[0]);
  return name && items.length === list.length ? new Map(items.map((item) => [String(item[name]), item])) : undefined;
}

/** A text without what two spellings of it may differ in. */
const flat = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value);
/** Whether an answer has the member: how it shows that there is none is an open question. */
const isShown = (value: unknown): boolean => value !== undefined && value !== null && flat(value) !== '';

/** Whether two values can be compared: the rule of the field reports another type. */
const areAlike = (one: unknown, other: unknown): boolean =>
  isShown(one) && isShown(other) && typeof one === typeof other;

/** Two things that should be one: what they are about, and how they are compared. */
export interface Pair extends Omit<Comparison, 'holds' | 'what' | 'expected' | 'actual' | 'lasts'> {
  readonly exempt: Exemptions;
  /** Members that may change between two answers, where the relation has such. */
  readonly changing?: RegExp;
  /** The finding in one sentence, with the member that differs. */
  readonly what: (member: string) => string;
}

/** Compares two things: a comparison for each member that differs, or one that holds. */
export function* compareMembers(
  actual: unknown,
  expected: unknown,
  { exempt, changing, what, ...about }: Pair,
): Iterable<Comparison> {
  let holds = true;
  for (const { member, ...values } of differences(actual, expected, exempt)) {
    holds = false;
    const lasts = changing?.test(member) === false;
    yield { holds, lasts, what: () => what(`\`${member}\``), ...values, ...about };
  }
  if (holds) yield { holds, what: () => what('a member'), ...about };
}

/** What each answer shows, and what the answer before it with the same key showed; answers come in their order. */
export function* inTurn<T, C>(
  claims: Iterable<C>,
  itemsOf: (claim: C) => Iterable<T>,
  keyOf: (item: T, claim: C) => string | undefined,
): Iterable<{ readonly item: T; readonly claim: C; readonly before: T; readonly earlier: C }> {
  const latest = new Map<string, { readonly before: T; readonly earlier: C }>();
  for (const claim of claims) {
    for (const item of itemsOf(claim)) {
      const key = keyOf(item, claim);
      if (key === undefined) continue;
      const known = latest.get(key);
      latest.set(key, { before: item, earlier: claim });
      // Answers with the same text share what was read of it.
      if (known && known.earlier !== claim && known.before !== item) yield { item, claim, ...known };
    }
  }
}
