import type { Day } from '../../client/day.js';
import { dayAfter } from '../../client/day.js';
import { newestWith, operationIn } from '../../client/operations.js';
import { listOf, type Session } from '../../client/session.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import { search, type SearchQuery, someResults } from '../../journeys/searches.js';
import { freeSlotsOf, type ListedTeeTime, paramsOf } from '../../journeys/tee-sheets.js';
import type { Expect } from '../expect.js';
import type { RuleContext } from '../rule.js';
import { elementsOf } from './delivery.js';

const listing = operationIn('listTeeTimes', newestWith.facilitySheet);
const DAYS = 2;

const amountOf = ({ amount, currency }: ListedTeeTime['products'][number]['pricing'][number]['price']): string =>
  `${amount} ${currency}`.toLowerCase();

/** A tee time without the fields that bookings change. */
function lasting({ teeid, time, course, holes, products, extraProducts }: ListedTeeTime): string {
  const extras = (extraProducts ?? []).map((one) => `${one.mid} ${amountOf(one.price)}`);
  const steps = products.flatMap(({ mid, pricing }) =>
    pricing.map((step) => `${mid} ${step.quantity} ${amountOf(step.price)}`),
  );
  return JSON.stringify([teeid, time, course, holes, ...steps.sort(), ...extras.sort()]);
}

/** The free slots of a tee time, by product. */
const placesOf = (one: ListedTeeTime): string => `${one.teeid} ${one.time}: ${freeSlotsOf(one)}`;

const textOf = (one: ListedTeeTime): string => lasting(one) + placesOf(one);

/** A result must have the tee times that were on sale both before and after its search, and no others. */
export function judgeResults({ session, expect }: RuleContext): Promise<void> {
  return confirmDifferences(session, async (anew) => {
    const { facilityIds, from, to, holes, players, results } = await search(anew);
    await agrees(anew, expect, { facilityIds, from, to, holes, players }, results.flatMap(elementsOf));
    for (const { search: started, results: of } of await someResults(anew)) {
      await agrees(anew, expect, started.asked, of.flatMap(elementsOf));
    }
  });
}

async function agrees(
  session: Session,
  expect: Expect,
  asked: SearchQuery,
  elements: ReturnType<typeof elementsOf>,
): Promise<void> {
  for (const facilityId of asked.facilityIds) {
    const found = elements.filter((one) => one.facilityId === facilityId).flatMap(({ teeTimeV3 }) => teeTimeV3);
    for (const day of daysOf(asked)) {
      const own = found.filter(({ time }) => time.startsWith(day.iso));
      await agreesOn(session, expect, { ...asked, facilityId, day }, own);
    }
  }
}

function daysOf({ from, to }: SearchQuery): readonly Day[] {
  const all = Array.from({ length: DAYS }, (_, index) => dayAfter(from, index));
  return all.filter(({ iso }) => iso <= to.iso);
}

async function agreesOn(
  session: Session,
  expect: Expect,
  { facilityId, day, holes, players }: SearchQuery & { readonly facilityId: number; readonly day: Day },
  result: readonly ListedTeeTime[],
): Promise<void> {
  const params = paramsOf({ facilityId, day, holes: holes as 9 | 18, players });
  const pick = (data: { readonly teeTimeV3: unknown }): unknown => data.teeTimeV3;
  const before = listOf<ListedTeeTime>(await session.read(listing, params), pick);
  const isSame = sameItems(before.map(textOf), result.map(textOf));
  const after = isSame ? before : listOf<ListedTeeTime>(await session.send({ operation: listing, params }), pick);
  const inBoth = (write: (one: ListedTeeTime) => string): readonly string[] => {
    const later = new Set(after.map(write));
    return before.map(write).filter((one) => later.has(one));
  };
  const texts = result.map(lasting);
  const shown = [...before, ...after].map(lasting);
  expect.subset(inBoth(lasting), texts, 'A tee time of the facility is missing from the result.');
  expect.subset(texts, shown, 'A result has a tee time that the facility does not show.');
  const places = 'A tee time has other free slots in the result than at its facility.';
  expect.subset(inBoth(placesOf), result.map(placesOf), places);
  const most = Math.max(before.length, after.length, new Set(texts).size);
  const twice = 'A result has a tee time more often than the facility shows it.';
  expect.that(texts.length <= most, twice, { expected: most, actual: texts.length });
}

function sameItems(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text) => other.includes(text));
}
