import { booking, type Booked, freshBookings, freshTeeTime, group, type ListVersion } from '../journeys/bookings.js';
import { type Item, type Listed, listVersions } from '../journeys/booking-lists.js';
import { effect, eventually, type Glance, idsIn, race } from '../journeys/effects.js';
import { withDetails } from '../journeys/shapes.js';
import { foreignName, freeOf, groups, otherWays, overfull } from '../journeys/made.js';
import { idleTeeTime, traces } from '../journeys/refusals.js';
import { paramsOf, teeSheet, type TeeTime } from '../journeys/tee-sheets.js';
import { Inconclusive, unlessInconclusive } from '../outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../session.js';

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** What a booking was made with, as a list of the version must show it. */
function asListed(version: ListVersion, item: Record<string, unknown>): Record<string, unknown> {
  const { players, teeId, contactPhone, contactEmail, contactFirstName, contactLastName } = item;
  const teetime = String(item['teetime']).replace(' ', 'T');
  const course = item['course'] ?? item['round'];
  const names = version === 'v1' ? {} : { contactFirstName, contactLastName };
  const place = version === 'v4' ? { course, facilityId: item['facilityId'] } : { round: course };
  return { teetime, ...place, players, teeId, ...names, contactPhone, contactEmail };
}

/** A phone number in which marks between its digits, which many a service drops, say nothing. */
const digits = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/[\s().-]/g, '') : value);
const plain = (field: string, value: unknown): unknown => (field === 'contactPhone' ? digits(value) : value);

/** A booking of the run as a version lists it; it may take a moment to show. */
async function shownBy(session: Session, version: ListVersion, booked: Pick<Booked, 'reply' | 'sheet'>, id: string) {
  const look = async (): Promise<Listed | undefined> => {
    const all = (await freshBookings(session, version, booked.sheet.day)) as readonly Listed[];
    return all.find(({ bookingId }) => bookingId === id);
  };
  return eventually(session, booked.reply, look, (item) => item !== undefined);
}

/** Single bookings of each version that books. */
async function singles(session: Session): Promise<readonly (Pick<Booked, 'reply' | 'sheet'> & { item: Item })[]> {
  const made = await effect(session);
  const all = [{ ...made, item: { ...made.item, bookingId: made.bookingId } as Item }];
  for (const version of ['v2', 'v3'] as const) {
    const { reply, sheet, items, bookingIds } = await booking(session, version);
    all.push({ ...made, reply, sheet, item: { ...items[0], bookingId: bookingIds[0]! } as Item });
  }
  const { reply, sheet, items, bookingIds } = (await foreignName(session).catch(unlessInconclusive)) ?? {};
  if (reply && sheet) all.push({ ...made, reply, sheet, item: { ...items![0], bookingId: bookingIds![0]! } as Item });
  return all;
}

async function availability({ session, expect }: RuleContext): Promise<void> {
  const { before, after, reply, teeTime, item } = await effect(session);
  const players = item['players'] as number;
  const most = (seen: number): number => Math.max(0, seen - players);
  const lowered = ({ free, listing, priced }: Glance): boolean =>
    Object.entries(free).every(([version, seen]) => seen <= most(before.free[version] ?? Infinity)) &&
    !listing.some((version) => before.listing.includes(version)) &&
    (before.priced === undefined || priced === undefined || priced <= most(before.priced));
  const seen = await eventually(session, reply, after, lowered);
  for (const [version, free] of Object.entries(seen.free)) {
    const was = before.free[version];
    if (was === undefined || was < players) continue;
    const what = `A booking of ${players} players does not lower the free slots of its tee time in ${version}.`;
    expect.that(free <= most(was), what, { expected: most(was), actual: free });
  }
  for (const version of before.listing) {
    const what = `${version} lists the tee time ${teeTime.teeid} for more players than it has free slots after a booking.`;
    expect.that(!seen.listing.includes(version), what);
  }
  if (before.priced === undefined || seen.priced === undefined || before.priced < players) return;
  const what = 'A booking does not lower the free slots of its tee time in the prices.';
  expect.that(seen.priced <= most(before.priced), what, { expected: most(before.priced), actual: seen.priced });
}

/** The bookings of a group stand in every list, each with the tee time that it was made for. */
async function groupListed({ session, expect }: Pick<RuleContext, 'session' | 'expect'>, made: Booked): Promise<void> {
  const { reply, sheet, items, bookingIds } = made;
  const pair = (teeId: unknown, teetime: unknown): string => `${String(teeId)} ${String(teetime).replace(' ', 'T')}`;
  const sent = items.map(({ teeId, teetime }) => pair(teeId, teetime)).sort();
  for (const version of listVersions) {
    const look = async (): Promise<readonly Listed[]> => {
      const all = (await freshBookings(session, version, sheet.day)) as readonly Listed[];
      return all.filter(({ bookingId }) => bookingIds.includes(String(bookingId)));
    };
    const shown = await eventually(session, reply, look, (list) => list.length >= items.length);
    const listed = shown.map(({ teeId, teetime }) => pair(teeId, teetime)).sort();
    expect.equal(listed, sent, `${version} does not list the bookings of a group as they were made.`);
  }
}

/** Bookings by the other ways to make one take their places too; a finding takes one that changed nothing at all. */
async function everyWayTakes({ session, expect }: RuleContext): Promise<void> {
  for (const { reply, teeTimes } of await otherWays(session)) {
    const { facilityId, day, holes } = await teeSheet(session);
    const params = paramsOf({ facilityId, day, holes });
    const untouched = async (): Promise<readonly TeeTime[]> => {
      const { data } = await session.send({ operation: 'v4.listTeeTimes', params });
      const list = (data as { readonly teeTimeV3?: readonly TeeTime[] } | null)?.teeTimeV3 ?? [];
      const now = new Map(list.map((one) => [one.teeid, freeOf(one)]));
      return teeTimes.filter((one) => now.get(one.teeid) === freeOf(one));
    };
    const still = await eventually(session, reply, untouched, (list) => list.length === 0);
    expect.equal(
      still.map(({ teeid }) => teeid),
      [],
      `A booking by ${reply.what} takes no free slot of its tee time.`,
    );
  }
}

/** Bookings of the run in the order in which v4 lists them, each with how late it was made and its tee time. */
async function ownInOrder(session: Session): Promise<readonly { made: number; time: number }[]> {
  const { bookingId, ...first } = await effect(session);
  const groups = [await withDetails(session), await booking(session, 'v5'), await booking(session, 'v2')];
  const all = [{ reply: first.reply, bookingIds: [bookingId] }, ...groups];
  const made = new Map(all.flatMap(({ reply, bookingIds }) => bookingIds.map((id) => [id, Number(reply.id.slice(1))])));
  const listed = await freshBookings(session, 'v4', first.sheet.day);
  return listed.flatMap(({ bookingId: id, teetime }) => {
    const at = made.get(id);
    return at === undefined ? [] : [{ made: at, time: Date.parse(`${teetime.slice(0, 19)}Z`) }];
  });
}

function isSorted(values: readonly number[]): boolean {
  const up = values.every((value, index) => index === 0 || values[index - 1]! <= value);
  return up || values.every((value, index) => index === 0 || values[index - 1]! >= value);
}

/** Rules of what a booking changes elsewhere. */
export const bookingEffectRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.effect.availability',
    needs: ['bookings'],
    async run(context) {
      await availability(context);
      await everyWayTakes(context);
    },
  }),
  defineRule({
    id: 'bookings.effect.lists',
    needs: ['bookings'],
    async run({ session, expect }) {
      for (const { item, ...booked } of await singles(session)) {
        for (const version of listVersions) {
          const shown = await shownBy(session, version, booked, item.bookingId);
          expect.that(shown !== undefined, `${version} does not list the booking ${item.bookingId}.`);
          for (const [field, value] of Object.entries(asListed(version, item))) {
            const what = `${version} lists a booking with another \`${field}\` than it was made with.`;
            expect.equal(plain(field, shown![field]), plain(field, value), what);
          }
          if (version !== 'v1') continue;
          const whole = [item['contactFirstName'], item['contactLastName']].map(String);
          const name = text(shown!['contactName']);
          const named = whole.every((part) => name.includes(part));
          expect.that(named, 'v1 lists a booking with another `contactName`.', { expected: whole, actual: name });
        }
      }
      for (const booked of await groups(session)) await groupListed({ session, expect }, booked);
    },
  }),
  defineRule({
    id: 'bookings.effect.booked',
    needs: ['bookings'],
    async run({ session, expect }) {
      for (const { item, ...booked } of await singles(session)) {
        for (const version of listVersions) {
          const shown = await shownBy(session, version, booked, item.bookingId);
          if (shown) expect.equal(shown['status'], 'BOOKED', `${version} lists a new booking with another status.`);
        }
      }
    },
  }),
  defineRule({
    id: 'bookings.status.booked',
    needs: ['bookings'],
    async run({ session, expect }) {
      const { bookingIds, ...booked } = await group(session, 'v5');
      for (const version of listVersions) {
        for (const id of bookingIds) {
          const shown = await shownBy(session, version, booked, id);
          if (shown) expect.equal(shown['status'], 'BOOKED', `${version} lists an active booking with another status.`);
        }
      }
    },
  }),
  defineRule({
    id: 'bookings.effect.no-overbooking',
    needs: ['bookings'],
    async run({ session, expect }) {
      const { teeTime, players, replies } = await race(session);
      for (const { id } of replies) session.exchanges.add(id);
      const won = replies.filter(({ ok }) => ok).length;
      if (won === 0) throw new Inconclusive('precondition', 'one booking of those that race for the last places');
      const what = `The last ${players} places of the tee time ${teeTime.teeid} were booked ${won} times at once.`;
      expect.that(won === 1, what, { expected: 1, actual: won });
      const group = await overfull(session).catch(unlessInconclusive);
      if (!group) return;
      const twice = `A group books the tee time ${group.teeTime.teeid} twice, for more players than it has free slots.`;
      expect.that(idsIn(group.reply).length < 2, twice, { expected: 'at most one booking', actual: group.reply.text });
    },
  }),
  defineRule({
    id: 'bookings.effect.refused-no-trace',
    needs: ['bookings'],
    async run({ session, probe, expect }) {
      let found: string | undefined;
      // A slot that is gone may have been sold to somebody else: it takes two such tee times to say so.
      for (let time = 0; time < 2; time += 1) {
        const place = time === 0 ? await idleTeeTime(session) : await freshTeeTime(session);
        found = await traces(session, probe, place);
        if (found === undefined) return expect.that(true, 'no trace');
      }
      expect.that(false, `A booking that was refused leaves ${found} behind.`, { expected: 'nothing', actual: found });
    },
  }),
  defineRule({
    id: 'bookings.list.order',
    needs: ['bookings'],
    async run({ session, observe }) {
      const own = await ownInOrder(session);
      const [byTime, byCreation] = [isSorted(own.map(({ time }) => time)), isSorted(own.map(({ made }) => made))];
      // Both hold where bookings were made in the order of their tee times, and then nothing is told.
      if (byTime === byCreation)
        throw new Inconclusive('no-data', 'bookings made in another order than they are played');
      observe('booking-list.order', byTime ? 'teetime' : 'created');
    },
  }),
];
