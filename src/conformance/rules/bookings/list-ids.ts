import { bookingList, type ListedBooking, listVersions, wholeBookingLists } from '../../journeys/booking-lists.js';
import { isObject } from '../../client/exchange.js';
import { operationIn } from '../../client/operations.js';
import { Inconclusive } from '../../client/outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

/** What tells one booking from another in a list, apart from its id. */
const contentOf = ({ teetime, teeId, facilityId, createdAt, players, ...item }: ListedBooking): string =>
  JSON.stringify([teetime, teeId, facilityId, createdAt, players, item['contactEmail'], item['contactName']]);

/** The id of each booking that its content tells from all others of the answer. */
function idsByContent(items: readonly ListedBooking[]): ReadonlyMap<string, unknown> {
  const contents = items.map(contentOf);
  const isAlone = (content: string): boolean => contents.indexOf(content) === contents.lastIndexOf(content);
  return new Map(items.map((item) => [contentOf(item), item['bookingId']] as const).filter(([key]) => isAlone(key)));
}

/** Judges all lists of the run: no booking twice in one, and none with another id in the next one. */
async function stableIds({ session, expect }: RuleContext): Promise<void> {
  await wholeBookingLists(session);
  for (const version of session.served('listBookings', listVersions)) {
    // A second answer, which other rules need anyway.
    await bookingList(session, version);
    const known = new Map<string, { readonly id: unknown; readonly seen: string }>();
    for (const { id: exchange, operation, ok, probe, data, asked } of session.run.transport.replies) {
      if (operation !== operationIn('listBookings', version) || !ok || probe || !Array.isArray(data)) continue;
      if (asked?.caller !== 'first') continue;
      const items = data.filter(isObject) as readonly ListedBooking[];
      const ids = items.map(({ bookingId }) => bookingId);
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      if (twice !== undefined) session.exchanges.add(exchange);
      expect.that(twice === undefined, `${version} lists a booking more than once.`, { actual: twice });
      for (const [content, id] of idsByContent(items)) {
        const before = known.get(content);
        if (!before) known.set(content, { id, seen: exchange });
        if (!before || before.id === id) continue;
        for (const one of [before.seen, exchange]) session.exchanges.add(one);
        expect.that(false, `${version} lists a booking under another id than before.`, {
          expected: before.id,
          actual: id,
        });
      }
    }
  }
  if (expect.held === 0) throw new Inconclusive('no-data', 'a booking list');
}

/** Rules of the ids in booking lists. */
export const bookingIdRules: readonly RuleSpec[] = [
  defineRule({ id: 'bookings.item.stable-id', phase: 'evidence', concern: 'meaning', run: stableIds }),
];
