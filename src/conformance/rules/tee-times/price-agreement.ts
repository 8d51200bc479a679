import type { components } from '../../../contract/index.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import { sheetQuery } from '../../journeys/tee-times-by-version.js';
import { type ListedTeeTime, type TeeTimeQuery, teeSheet, teeTimes } from '../../journeys/tee-sheets.js';
import { forms, newestWith } from '../../client/operations.js';
import type { Session } from '../../client/session.js';
import type { RuleContext } from '../rule.js';

/** The versions whose tee times have a number of players and no products. */
export const plain = [...forms.roundSheet, ...forms.plainSheet];
export type Plain = (typeof plain)[number];
const { facilitySheet, courseSheet: ofCourse } = newestWith;

type Money = components['schemas']['Money'];
type Rates = Omit<components['schemas']['PriceStep'], 'quantity'>;

/** A price of a version without products, and the prices with products for the same number of players. */
interface ComparedPrice {
  readonly id: number;
  readonly players: number;
  readonly price: Money;
  readonly fitting: readonly Money[];
}

async function comparedPrices(session: Session, version: Plain): Promise<readonly ComparedPrice[]> {
  const { facilityId, day, holes } = await teeSheet(session);
  const query: TeeTimeQuery = { facilityId, day, holes };
  const known = new Map((await teeTimes(session, facilitySheet, query)).map((one) => [one.teeid, one]));
  return (await teeTimes(session, version, query)).flatMap(({ id, pricing }) =>
    pricing.flatMap(({ players: text, price }) => {
      const players = Number(/^\D*(\d)\D*$/.exec(text)?.[1]);
      const steps = (known.get(id)?.products ?? []).flatMap((product) => product.pricing);
      const all = steps.filter(({ quantity }) => quantity === players).map((step) => step.price);
      const fitting = all.every(isNumber) ? all : [];
      return fitting.length > 0 && isNumber(price) ? [{ id, players, price, fitting }] : [];
    }),
  );
}

/** The rule of the field reports an amount of another type. */
const isNumber = ({ amount }: Money): boolean => typeof amount === 'number';

/** Whether two prices are one, where one may be of each player and the other of all. */
const perPlayer = (one: number, all: number, players: number): boolean =>
  Math.abs(one * players - all) < 0.01 * players;
const readings: readonly ((price: number, other: number, players: number) => boolean)[] = [
  (price, other) => price === other,
  (price, other, players) => perPlayer(price, other, players),
  (price, other, players) => perPlayer(other, price, players),
];

/** A version may show the price of each player and another one that of all, but then of every tee time. */
async function samePrices({ session, expect }: RuleContext): Promise<void> {
  for (const version of session.served('listTeeTimes', plain)) {
    await confirmDifferences(session, async (session) => {
      const prices = await comparedPrices(session, version);
      const differences = readings.map((same) =>
        prices.find(
          ({ players, price, fitting }) =>
            !fitting.some((one) => one.currency === price.currency && same(price.amount, one.amount, players)),
        ),
      );
      if (prices.length === 0) return;
      const [wrong] = differences.includes(undefined) ? [] : differences;
      const of = wrong && `a price for ${wrong.players} players of tee time ${wrong.id}`;
      const detail = { expected: wrong?.fitting, actual: wrong?.price };
      expect.that(wrong === undefined, `${version} has ${of} that ${facilitySheet} does not have.`, detail);
    });
  }
}

/** The prices of a tee time with products, as one text for each. */
function pricesOf({ products, extraProducts }: ListedTeeTime): readonly string[] {
  const rates = ({ price, netRate, publicRate }: Rates): string =>
    [price, netRate, publicRate].map(({ amount, currency }) => `${amount} ${currency}`).join();
  return [
    ...products.flatMap(({ mid, pricing }) => pricing.map((one) => `product ${mid} ${one.quantity} ${rates(one)}`)),
    ...(extraProducts ?? []).map((one) => `extra ${one.mid} ${rates(one)}`),
  ].sort();
}

function moneyOf({ products, extraProducts }: ListedTeeTime): readonly Money[] {
  const rates = [...products.flatMap(({ pricing }) => pricing), ...(extraProducts ?? [])];
  return rates.flatMap(({ price, netRate, publicRate }) => [price, netRate, publicRate]);
}

/** The tee times of a course and of a facility have the same form, so all their prices must be equal. */
async function samePricesInBoth({ session, expect }: RuleContext): Promise<void> {
  const { facilityId, day, holes } = await teeSheet(session);
  const query = await sheetQuery(session, ofCourse);
  await confirmDifferences(session, async (session) => {
    const newest = await teeTimes(session, facilitySheet, { facilityId, day, holes });
    const known = new Map(newest.map((one) => [one.teeid, one]));
    for (const one of await teeTimes(session, ofCourse, query)) {
      const counterpart = known.get(one.teeid);
      const what = `The prices of tee time ${one.teeid} differ between ${ofCourse} and ${facilitySheet}.`;
      const areNumbers = [one, counterpart].every((side) => side && moneyOf(side).every(isNumber));
      if (counterpart && areNumbers) expect.equal(pricesOf(one), pricesOf(counterpart), what);
    }
  });
}

/** Each version shows the same prices of a tee time. */
export async function pricesAgree(context: RuleContext): Promise<void> {
  await samePrices(context);
  await samePricesInBoth(context);
}
