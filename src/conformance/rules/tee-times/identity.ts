import type { components } from '../../../contract/index.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import { sheetQuery, shownTeeTimes, summariesOf, type TeeTimeSummary } from '../../journeys/tee-times-by-version.js';
import { paramsOf, sheetVersions, type SheetVersion, teeSheet, teeTimes } from '../../journeys/tee-sheets.js';
import { plain, type Plain } from './price-agreement.js';
import { newestWith, operationIn, shows, versionsOf } from '../../client/operations.js';
import { listOf, type Session } from '../../client/session.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

/** The versions that show the cancellation policy of the facility. */
export const withRanges = versionsOf('listTeeTimes', shows('facilityCancellationPolicyRange'));
export type ShownRange = components['schemas']['CancellationRange'];
type Step = components['schemas']['PriceStep'];

/** The cancellation ranges that a version shows with the tee sheet of the run. */
export async function rangesOf(session: Session, version: SheetVersion, players = 1): Promise<readonly ShownRange[]> {
  const query = { ...(await sheetQuery(session, version)), players };
  const reply = await session.read(operationIn('listTeeTimes', version), paramsOf(query));
  const listed = listOf<ShownRange>(reply, (data) => data['facilityCancellationPolicyRange']);
  return listed.map(({ minimumPlayer, maximumPlayer, timePeriod }) => ({ minimumPlayer, maximumPlayer, timePeriod }));
}

async function uniqueIds({ session, expect }: RuleContext): Promise<void> {
  for (const version of session.served('listTeeTimes', sheetVersions)) {
    const shown = await shownTeeTimes(session, version, await sheetQuery(session, version));
    const seen = new Map<number, TeeTimeSummary>();
    for (const one of shown) {
      const other = seen.get(one.id);
      const detail = { expected: 'an id for each tee time', actual: other && [other, one] };
      expect.that(other === undefined, `Two tee times of ${version} have the same id.`, detail);
      seen.set(one.id, one);
    }
  }
}

/** What tells a tee time from the others of its sheet, without its id. */
const keyOf = ({ time, course, holes }: TeeTimeSummary): string => `${time} ${course} ${holes}`;

/** The ids by what tells tee times apart; tee times that start together cannot be told apart. */
function idsByKey(shown: readonly TeeTimeSummary[]): ReadonlyMap<string, number> {
  const keys = shown.map(keyOf);
  const alone = shown.filter((one) => keys.indexOf(keyOf(one)) === keys.lastIndexOf(keyOf(one)));
  return new Map(alone.map((one) => [keyOf(one), one.id]));
}

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

async function onePrice({ session, expect }: RuleContext): Promise<void> {
  const { teeTimes } = await teeSheet(session);
  for (const { products } of teeTimes) {
    for (const { mid, pricing } of products) {
      const known = new Map<number, string>();
      for (const { quantity, price } of pricing) {
        const text = `${price.amount} ${price.currency}`;
        const other = known.get(quantity) ?? text;
        const what = `Product ${mid} has two prices for the same number of players.`;
        expect.that(other === text, what, { expected: other, actual: text });
        known.set(quantity, text);
      }
    }
  }
}

async function stepMeaning({ session, expect }: RuleContext): Promise<void> {
  const { teeTimes } = await teeSheet(session);
  const steps = teeTimes.flatMap(({ products }) => products.map(({ pricing }) => pricing));
  const pairs = steps.flatMap((pricing) => {
    const [one, more] = [1, 2].map((quantity) => pricing.find((step) => step.quantity === quantity));
    return one && more && one.price.amount > 0 ? [[one, more] as const] : [];
  });
  const perPlayer = ([one, more]: readonly [Step, Step]): boolean => more.price.amount <= one.price.amount;
  const [first] = expect.some(pairs, 'a product with prices for one player and for two') as [readonly [Step, Step]];
  const detail = { expected: 'the price of all players', actual: first.map(({ price }) => price.amount) };
  expect.that(!perPlayer(first), 'A price step has the price of each player.', detail);
}

/** A tee time has no product and no extra product twice, with the same values in every field. */
async function productsOnce({ session, expect }: RuleContext): Promise<void> {
  const { teeTimes: sheet } = await teeSheet(session);
  for (const { teeid, products, extraProducts } of sheet) {
    for (const list of [products, extraProducts].filter(Array.isArray)) {
      const texts = list.map((one) => JSON.stringify(one));
      const again = texts.findIndex((text, index) => texts.indexOf(text) !== index);
      const detail = again < 0 ? {} : { actual: list[again] };
      expect.that(again < 0, `Tee time ${teeid} has a product twice.`, detail);
    }
  }
}

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

async function notAfter({ session, expect }: RuleContext): Promise<void> {
  for (const version of session.served('listTeeTimes', withRanges)) {
    const ranges = await rangesOf(session, version);
    if (ranges.length === 0) expect.that(true, 'no ranges');
    const what = `A cancellation range of ${version} ends after the tee time.`;
    expect.every(ranges, ({ timePeriod }) => !(timePeriod < 0), what, 'no negative `timePeriod`');
  }
}

async function noOverlap({ session, expect }: RuleContext): Promise<void> {
  for (const version of session.served('listTeeTimes', withRanges)) {
    const ranges = await rangesOf(session, version);
    // Numbers of players without a range are lawful: the document does not say that each has one.
    if (ranges.length === 0) expect.that(true, 'no ranges');
    for (const [index, one] of ranges.entries()) {
      const clash = ranges
        .slice(index + 1)
        .find(
          (other) =>
            other.timePeriod !== one.timePeriod &&
            other.minimumPlayer <= one.maximumPlayer &&
            one.minimumPlayer <= other.maximumPlayer,
        );
      const what = `Two cancellation ranges of ${version} have different periods for the same number of players.`;
      expect.that(clash === undefined, what, { expected: one, actual: clash });
    }
  }
}

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
  defineRule({ id: 'teetimes.item.unique-id', run: uniqueIds }),
  defineRule({ id: 'teetimes.item.stable-id', run: stableIds }),
  defineRule({ id: 'teetimes.price-step.one-per-quantity', run: onePrice }),
  defineRule({ id: 'teetimes.price-step.meaning', run: stepMeaning }),
  defineRule({ id: 'teetimes.product.once', run: productsOnce }),
  defineRule({ id: 'teetimes.priced', run: showsPrices }),
  defineRule({ id: 'teetimes.cancellation.not-after', run: notAfter }),
  defineRule({ id: 'teetimes.cancellation.no-overlap', run: noOverlap }),
  defineRule({ id: 'teetimes.list.v3-form', run: formOfV3 }),
];
