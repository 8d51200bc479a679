import type { ListVersion } from '../journeys/bookings.js';
import { known, type Listed, listVersions, wholeLists } from '../journeys/booking-lists.js';
import { Inconclusive } from '../outcome.js';
import { defineRule, type RuleSpec } from '../rule.js';
import type { Session } from '../session.js';

/** Fields of the list that one version or another does not have. */
const foreign: Readonly<Record<ListVersion, readonly string[]>> = {
  v1: ['course', 'facilityId', 'contactFirstName', 'contactLastName'],
  v2: ['course', 'facilityId', 'contactName'],
  v4: ['round', 'contactName'],
};

/** How a field without a value is shown is open. */
const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const flat = (value: unknown): string => text(value).replace(/\s+/g, ' ').trim();
/** In which order and with which marks v1 puts first and last name together is not shown. */
const words = (value: unknown): string =>
  text(value)
    .split(/[\s,]+/)
    .sort()
    .join(' ')
    .trim();

/** What all versions of the list tell, in one form. */
function common({ course, round, contactName, contactFirstName, contactLastName, ...item }: Listed): unknown {
  const { teetime, players, teeId, contactPhone, contactEmail, status } = item;
  const name = contactName === undefined ? `${text(contactFirstName)} ${text(contactLastName)}` : contactName;
  const plain = { phone: flat(contactPhone), email: flat(contactEmail), name: words(name) };
  const at = text(item['createdAt']).replace(/Z$/, '');
  return { teetime, course: text(course ?? round), players, teeId, status, createdAt: at, ...plain };
}

/** The most characters of a short code. */
const SHORT = 12;

type Lists = Readonly<Record<ListVersion, readonly Listed[]>>;

/** Bookings that the versions tell differently, one sentence each. */
function differences(lists: Lists): Map<string, { expected: unknown; actual: unknown }> {
  const found = new Map<string, { expected: unknown; actual: unknown }>();
  const byId = (version: ListVersion): Map<unknown, unknown> =>
    new Map(lists[version].map((item) => [item['bookingId'], common(item)]));
  const newest = byId('v4');
  for (const version of listVersions) {
    const ids = lists[version].map((item) => item['bookingId']);
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
    for (const id of twice) {
      found.set(`${version} lists the booking ${String(id)} more than once.`, { expected: 1, actual: 'more' });
    }
  }
  for (const version of ['v1', 'v2'] as const) {
    const older = byId(version);
    for (const id of new Set([...newest.keys(), ...older.keys()])) {
      const [expected, actual] = [newest.get(id), older.get(id)];
      const same = JSON.stringify(expected) === JSON.stringify(actual);
      if (!same) found.set(`${version} and v4 tell the booking ${String(id)} differently.`, { expected, actual });
    }
  }
  return found;
}

/** The lists once more: a booking may have been made or cancelled between two of them. */
async function listsAgain(session: Session): Promise<Lists> {
  const found: Partial<Record<ListVersion, readonly Listed[]>> = {};
  const params = { fromDate: session.longAgo.query };
  for (const version of listVersions) {
    const { data } = await session.send({ operation: `${version}.listBookings`, params });
    found[version] = Array.isArray(data) ? (data as Listed[]) : [];
  }
  return found as Lists;
}

/** Rules of how the versions of the booking list agree, and of what their ids and moments look like. */
export const bookingAgreementRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.id.form',
    async run({ session, observe }) {
      const [item] = (await wholeLists(session)).v4;
      if (!item) throw new Inconclusive('no-data', 'a booking of the channel');
      const { bookingId, facilityId, teeId } = item;
      const parts = [facilityId, teeId].every((part) => String(bookingId).includes(String(part)));
      if (parts) observe('booking.id-form', 'composite');
      else if (String(bookingId).length <= SHORT) observe('booking.id-form', 'short');
    },
  }),
  defineRule({
    id: 'bookings.item.created-zone',
    async run({ session, observe }) {
      const [moment] = (await known(session)).map(({ createdAt }) => String(createdAt));
      if (moment === undefined) throw new Inconclusive('no-data', 'a booking of the channel');
      if (/\dZ$/.test(moment)) observe('time.created-zone', 'z');
      else if (/:\d\d(\.\d+)?$/.test(moment)) observe('time.created-zone', 'none');
    },
  }),
  defineRule({
    id: 'bookings.list.same-across-versions',
    async run({ session, expect }) {
      const lists = await wholeLists(session);
      if (listVersions.every((version) => lists[version].length === 0)) {
        throw new Inconclusive('no-data', 'a booking of the channel');
      }
      const first = differences(lists);
      const second = first.size === 0 ? first : differences(await listsAgain(session));
      const [still] = [...second.keys()].filter((what) => first.has(what));
      if (still !== undefined) expect.that(false, still, second.get(still));
      expect.that(true, 'the same in every version');
    },
  }),
  defineRule({
    id: 'bookings.item.version-fields',
    phase: 'evidence',
    async run({ session, expect }) {
      await wholeLists(session);
      const replies = session.run.transport.replies.filter(
        ({ ok, probe, data }) => ok && !probe && Array.isArray(data),
      );
      for (const version of listVersions) {
        const of = replies.filter(({ operation }) => operation === `${version}.listBookings`);
        for (const { id, data } of of) {
          session.exchanges.add(id);
          const fits = (item: Listed): boolean => !foreign[version].some((field) => field in item);
          const what = `A booking listed by ${version} has a field of another version.`;
          expect.every(data as Listed[], fits, what, `no ${foreign[version].join(', ')}`);
        }
      }
      if (expect.held === 0) throw new Inconclusive('no-data', 'a booking of the channel');
    },
  }),
];
