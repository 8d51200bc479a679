import type { components } from '../../../contract/index.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import { AS_FOR_ONE, ratioOf } from '../../journeys/bookings.js';
import { shownTeeTimes, summariesOf, type TeeTimeSummary } from '../../journeys/tee-times-by-version.js';
import {
  paramsOf,
  sheetVersions,
  type SheetVersion,
  teeSheet,
  teeTimes,
  sheetQuery,
} from '../../journeys/tee-sheets.js';
import { plain, type Plain } from './price-agreement.js';
import { newestWith, operationIn } from '../../client/operations.js';
import { Inconclusive } from '../../client/outcome.js';
import { inTurn } from '../../facts/agreement.js';
import { dayKeyOf, type SheetClaim, shownOf, type TeeTimeFact } from '../../facts/facts.js';
import { ofSheet, type Relation } from '../../facts/relation.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

type ShownRange = components['schemas']['CancellationRange'];

/** No two tee times of a sheet have one id. */
const uniqueIds = ofSheet(function* ({ version, teeTimes }) {
  const seen = new Map<unknown, TeeTimeFact>();
  for (const one of teeTimes) {
    const other = seen.get(one.id);
    const what = (): string => `Two tee times of ${version} have the same id.`;
    const actual = other && [shownOf(other), shownOf(one)];
    yield { holds: other === undefined, what, expected: 'an id for each tee time', actual };
    seen.set(one.id, one);
  }
});

/** What tells a tee time from the others of its sheet, without its id. */
const keyOf = ({ time, course, holes }: TeeTimeSummary): string => `${time} ${course} ${holes}`;

/** The ids by what tells tee times apart; tee times that start together cannot be told apart. */
function idsByKey(shown: readonly TeeTimeSummary[]): ReadonlyMap<string, number> {
  const keys = shown.map(keyOf);
  const alone = shown.filter((one) => keys.indexOf(keyOf(one)) === keys.lastIndexOf(keyOf(one)));
  return new Map(alone.map((one) => [keyOf(one), one.id]));
}

/** What tells a tee time from the others of its day and round has one id in all answers of a version: two may number for themselves. */
const sameIds: Relation = {
  reads: ['sheets'],
  changes: true,
  *compare({ sheets }, all) {
    const startIn = (one: TeeTimeFact, sheet: SheetClaim): string =>
      `${dayKeyOf(sheet)} ${sheet.version} ${sheet.holes} ${startOf(one)}`;
    // Of two that start together, an answer may have one, and another answer the other one.
    const several = new Set<string>();
    for (const sheet of new Set([...all.sheets, ...sheets])) {
      const seen = new Set<string>();
      for (const one of sheet.teeTimes) {
        const start = startIn(one, sheet);
        if (seen.size === seen.add(start).size) several.add(start);
      }
    }
    const keyOf = (one: TeeTimeFact, sheet: SheetClaim): string | undefined => {
      const start = startIn(one, sheet);
      return several.has(start) ? undefined : start;
    };
    for (const { item, claim, before, earlier } of inTurn(sheets, ({ teeTimes }) => teeTimes, keyOf)) {
      const { facilityId: facility, day, version } = claim;
      const what = (): string => `The same tee time has another id in another answer of ${version}.`;
      const about = { facility, day, claims: [claim, earlier] };
      yield { holds: item.id === before.id, what, expected: before.id, actual: item.id, ...about };
    }
  },
};

const startOf = ({ time, course, holes }: TeeTimeFact): string => `${String(time)} ${String(course)} ${String(holes)}`;

async function stableIds({ session, expect }: RuleContext): Promise<void> {
  for (const version of session.served('listTeeTimes', sheetVersions)) {
    await confirmDifferences(session, async (anew) => {
      const query = await sheetQuery(anew, version);
      const first = idsByKey(await shownTeeTimes(anew, version, query));
      const again = await anew.send({ operation: operationIn('listTeeTimes', version), params: paramsOf(query) });
      for (const [key, id] of idsByKey(summariesOf(version, again))) {
        const known = first.get(key);
        // The ids themselves change with each request, and so are no part of the finding.
        if (known !== undefined) expect.that(known === id, `The same tee time of ${version} has another id each time.`);
      }
    });
  }
}

const onePrice = ofSheet(function* ({ teeTimes }) {
  for (const { mid, steps } of teeTimes.flatMap(({ products = [] }) => products)) {
    const known = new Map<number, string>();
    for (const { quantity, price } of steps) {
      if (quantity === undefined || !price) continue;
      const actual = `${price.amount} ${price.currency}`;
      const expected = known.get(quantity) ?? actual;
      const what = (): string => `Product ${String(mid)} has two prices for the same number of players.`;
      yield { holds: expected === actual, what, expected, actual, currency: price.currency };
      known.set(quantity, actual);
    }
  }
});

async function stepMeaning({ session, expect, observe }: RuleContext): Promise<void> {
  const { teeTimes } = await teeSheet(session);
  const steps = teeTimes
    .flatMap(({ products }) => products)
    .flatMap(({ pricing }) =>
      pricing.flatMap(({ quantity }) => {
        const ratio = ratioOf(pricing, quantity);
        return quantity > 1 && ratio !== undefined ? [{ quantity, ratio }] : [];
      }),
    );
  expect.some(steps, 'a product with prices for one player and for several');
  if (steps.every(({ ratio }) => ratio <= AS_FOR_ONE)) observe('teetimes.price-meaning', 'each');
  else if (steps.every(({ quantity, ratio }) => ratio >= (1 + quantity) / 2)) observe('teetimes.price-meaning', 'all');
  else throw new Inconclusive('no-data', 'prices for several players that are clearly those of all or of each');
}

/** A tee time has no product and no extra product twice, with the same values in every field. */
const productsOnce = ofSheet(function* ({ teeTimes }) {
  for (const { id, products, extras } of teeTimes) {
    for (const list of [products, extras]) {
      if (!list) continue;
      const ids = new Set(list.map(({ mid }) => mid));
      // Products with ids of their own differ, and most have one.
      const texts = ids.size === list.length ? [] : list.map(({ item }) => JSON.stringify(item));
      const again = texts.findIndex((text, index) => texts.indexOf(text) !== index);
      const what = (): string => `Tee time ${String(id)} has a product twice.`;
      yield { holds: again < 0, what, actual: list[again]?.item };
    }
  }
});

/** Each version shows a price of what it has on sale. Some tee times or products of it may have none. */
async function showsPrices({ session, expect }: RuleContext): Promise<void> {
  for (const version of session.served('listTeeTimes', sheetVersions)) {
    const query = await sheetQuery(session, version);
    const pricings = isPlain(version)
      ? (await teeTimes(session, version, query)).map(({ pricing }) => pricing)
      : (await teeTimes(session, version, query)).flatMap(({ products }) =>
          products.filter(({ available }) => available > 0).map(({ pricing }) => pricing),
        );
    // The rule of the field reports what is no list.
    const lists: readonly (readonly unknown[])[] = pricings.filter(Array.isArray);
    if (lists.length === 0) continue;
    const isShown = lists.some(({ length }) => length > 0);
    expect.that(isShown, `No tee time on sale has a price in ${version}.`, { expected: 'a price', actual: lists[0] });
  }
}

const isPlain = (version: SheetVersion): version is Plain => plain.some((one) => one === version);

const notAfter = ofSheet(function* ({ version, ranges }) {
  const late = ranges?.find(({ timePeriod }) => typeof timePeriod === 'number' && timePeriod < 0);
  const what = (): string => `A cancellation range of ${version} ends after the tee time.`;
  if (ranges) yield { holds: late === undefined, what, expected: 'no negative `timePeriod`', actual: late };
});

/** Numbers of players without a range are lawful: the API specification does not say that each has one. */
const noOverlap = ofSheet(function* ({ version, ranges }) {
  const all = (ranges ?? []) as unknown as readonly ShownRange[];
  const overlaps = (one: ShownRange, other: ShownRange): boolean =>
    other.timePeriod !== one.timePeriod &&
    other.minimumPlayer <= one.maximumPlayer &&
    one.minimumPlayer <= other.maximumPlayer;
  const what = (): string =>
    `Two cancellation ranges of ${version} have different periods for the same number of players.`;
  const clashes = all.flatMap((one, index) => {
    const other = all.slice(index + 1).find((next) => overlaps(one, next));
    return other ? [{ expected: one, actual: other }] : [];
  });
  if (ranges) yield { holds: clashes.length === 0, what, ...clashes[0] };
});

async function formOfV3({ session, expect }: RuleContext): Promise<void> {
  const { plainSheet } = newestWith;
  const params = paramsOf(await sheetQuery(session, plainSheet));
  const data = await session.data(operationIn('listTeeTimes', plainSheet), params);
  const name = 'teeTimeV3' in Object(data) ? 'teeTimeV3' : 'teeTimeV2';
  expect.that(name === 'teeTimeV2', `${plainSheet} returns tee times in the form of ${newestWith.facilitySheet}.`, {
    expected: 'teeTimeV2',
    actual: name,
  });
}

/** Rules of what identifies a tee time, and of values that must not contradict each other in one response. */
export const teeTimeIdentityRules: readonly RuleSpec[] = [
  defineRule({ id: 'teetimes.item.unique-id', relation: uniqueIds }),
  defineRule({ id: 'teetimes.item.stable-id', run: stableIds, relation: sameIds }),
  defineRule({ id: 'teetimes.price-step.one-per-quantity', relation: onePrice }),
  defineRule({ id: 'teetimes.price-step.meaning', run: stepMeaning }),
  defineRule({ id: 'teetimes.product.once', relation: productsOnce }),
  defineRule({ id: 'teetimes.priced', run: showsPrices }),
  defineRule({ id: 'teetimes.cancellation.not-after', relation: notAfter }),
  defineRule({ id: 'teetimes.cancellation.no-overlap', relation: noOverlap }),
  defineRule({ id: 'teetimes.list.v3-form', run: formOfV3 }),
];
