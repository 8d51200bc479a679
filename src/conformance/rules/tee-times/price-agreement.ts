import {
  closestTo,
  type Facts,
  grouped,
  type MoneyFact,
  type SheetClaim,
  type TeeTimeFact,
  dayKeyOf,
} from '../../facts/facts.js';
import { compareMembers, type Exemptions, inTurn } from '../../facts/agreement.js';
import type { Comparison, Relation } from '../../facts/relation.js';
import { forms, newestWith } from '../../client/operations.js';

/** The versions whose tee times have a number of players and no products. */
export const plain = [...forms.roundSheet, ...forms.plainSheet];
export type Plain = (typeof plain)[number];

/** A tee time on two sheets: of the newest version that lists whole facilities, and of another. */
interface ShownTwice {
  readonly one: TeeTimeFact;
  readonly other: TeeTimeFact;
  readonly sheet: SheetClaim;
  readonly newest: SheetClaim;
  readonly about: Pick<Comparison, 'claims' | 'facility' | 'day'>;
}

/** Two sheets of one day that one channel was shown: of the newest version that lists whole facilities, and of another. */
type Beside = Pick<ShownTwice, 'sheet' | 'newest' | 'about'>;

/** Each sheet beside the one of the newest version that was read closest to it. */
export function* besideNewest({ sheets }: Facts): Iterable<Beside> {
  for (const all of grouped(sheets, dayKeyOf).values()) {
    const newest = all.filter(({ version, players }) => players === 1 && version === newestWith.facilitySheet);
    const seen = new Map<SheetClaim['teeTimes'], Set<SheetClaim['teeTimes']>>();
    for (const sheet of all) {
      if (sheet.version === newestWith.facilitySheet) continue;
      const beside = newest.filter(({ holes }) => holes === sheet.holes);
      const closest = closestTo(sheet, beside);
      // The same two answers came before.
      const compared = seen.get(sheet.teeTimes) ?? new Set();
      if (!closest || compared.has(closest.teeTimes)) continue;
      seen.set(sheet.teeTimes, compared.add(closest.teeTimes));
      const about = { facility: sheet.facilityId, day: sheet.day, claims: [sheet, closest] };
      yield { sheet, newest: closest, about };
    }
  }
}

/** Each tee time that another version shows to the same channel as well. */
function* shownTwice(facts: Facts): Iterable<ShownTwice> {
  const indexes = new Map<SheetClaim, ReadonlyMap<unknown, TeeTimeFact>>();
  for (const { sheet, newest, about } of besideNewest(facts)) {
    const index = indexes.get(newest) ?? new Map(newest.teeTimes.map((one) => [one.id, one]));
    indexes.set(newest, index);
    for (const one of sheet.teeTimes) {
      const other = index.get(one.id);
      if (other && one.id !== undefined) yield { one, other, sheet, newest, about };
    }
  }
}

/** Each tee time that two answers show: those of {@link shownTwice}, and those of one version after each other. */
export function* shownAgain(facts: Facts): Iterable<ShownTwice> {
  yield* shownTwice(facts);
  const keyOf = ({ id }: TeeTimeFact, { version, holes, ...sheet }: SheetClaim): string | undefined =>
    id === undefined ? undefined : `${sheet.channel} ${sheet.facilityId} ${version} ${holes} ${String(id)}`;
  for (const { item, claim, before, earlier } of inTurn(facts.sheets, ({ teeTimes }) => teeTimes, keyOf)) {
    const about = { facility: claim.facilityId, day: claim.day, claims: [claim, earlier] };
    yield { one: item, sheet: claim, other: before, newest: earlier, about };
  }
}

/** Whether two prices are one, where one may be of each player and the other of all. */
const perPlayer = (one: number, all: number, players: number): boolean =>
  Math.abs(one * players - all) < 0.01 * players;
const readings: readonly ((price: number, other: number, players: number) => boolean)[] = [
  (price, other) => price === other,
  (price, other, players) => perPlayer(price, other, players),
  (price, other, players) => perPlayer(other, price, players),
];
type Reading = (typeof readings)[number];

/** A price of a version without products, and the prices with products for the same number of players. */
interface ComparedPrice {
  readonly price: MoneyFact;
  readonly players: number;
  readonly fitting: readonly MoneyFact[];
}

function* comparedPrices({ one, other }: Pick<ShownTwice, 'one' | 'other'>): Iterable<ComparedPrice> {
  const all = (other.products ?? []).flatMap(({ steps }) => steps);
  for (const { quantity: players, price } of one.steps) {
    if (players === undefined || !price) continue;
    const fitting = all.filter(({ quantity }) => quantity === players).map((step) => step.price);
    // The rule of the field reports an amount of another type.
    if (fitting.length === 0 || fitting.includes(undefined)) continue;
    yield { price, players, fitting: fitting as readonly MoneyFact[] };
  }
}

const fits = (same: Reading, { price, players, fitting }: ComparedPrice): boolean =>
  fitting.some(({ amount, currency }) => currency === price.currency && same(price.amount, amount, players));

/** A version may show the price of each player and another one that of all, but then of every tee time. */
function readingsOf(facts: Facts): ReadonlyMap<string, Reading> {
  const counts = new Map<string, number[]>();
  for (const { one, other, sheet } of shownTwice(facts)) {
    const count = counts.get(sheet.version) ?? readings.map(() => 0);
    counts.set(sheet.version, count);
    for (const compared of comparedPrices({ one, other })) {
      for (const [index, same] of readings.entries()) if (fits(same, compared)) count[index]! += 1;
    }
  }
  return new Map([...counts].map(([version, count]) => [version, readings[count.indexOf(Math.max(...count))]!]));
}

/** The same price of what all forms show alike: products and extra products. */
const prices: Exemptions = {
  ...Object.fromEntries(['time', 'course', 'holes', 'name', 'category'].map((name) => [name, false] as const)),
  currency: (one, other) => String(one).toUpperCase() === String(other).toUpperCase(),
  players: false,
  available: false,
  linkedProducts: false,
};

/** What is on sale, each product for so many players. */
const onSale = ({ products = [], extras = [] }: TeeTimeFact): string => {
  const steps = products.flatMap(({ mid, steps }) => steps.map(({ quantity }) => `${String(mid)} for ${quantity}`));
  return [...steps, ...extras.map(({ mid }) => `extra ${String(mid)}`)].sort().join();
};

/** Each version shows the same prices of a tee time. */
export const samePrices: Relation = {
  reads: ['sheets'],
  changes: true,
  *compare(facts, all) {
    const known = readingsOf(all);
    for (const { one, other, sheet, newest, about } of shownAgain(facts)) {
      const of = `of tee time ${String(one.id)} differ between ${sheet.version} and ${newest.version}.`;
      const currency = (one.products?.[0] ?? one).steps[0]?.price?.currency;
      const changing = /./;
      const what = (member: string): string => `The prices (${member}) ${of}`;
      yield* compareMembers(one.item, other.item, { exempt: prices, changing, what, currency, ...about });
      // A product may be sold to few players only, so that a sheet for more of them lacks it.
      if (!one.products || !other.products || sheet.players !== newest.players) continue;
      if (sheet.version === newest.version && !facts.isQuiet(about.claims)) continue;
      const [actual, expected] = [one, other].map(onSale);
      const onOffer = (): string => `The products on sale ${of}`;
      yield { holds: actual === expected, what: onOffer, expected, actual, currency, ...about };
    }
    for (const { one, other, sheet, newest, about } of shownTwice(facts)) {
      const same = known.get(sheet.version);
      for (const compared of same ? comparedPrices({ one, other }) : []) {
        const { price, players, fitting } = compared;
        const of = `a price for ${players} players of tee time ${String(one.id)}`;
        yield {
          holds: fits(same!, compared),
          what: () => `${sheet.version} has ${of} that ${newest.version} does not have.`,
          expected: fitting,
          actual: price,
          currency: price.currency,
          ...about,
        };
      }
    }
  },
};
