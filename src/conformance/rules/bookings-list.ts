import type { OperationId } from '../../generated/operations.js';
import { dayAfter, dayOf } from '../day.js';
import { type ListVersion } from '../journeys/bookings.js';
import { type Item, known, list, type Listed, listVersions, wholeLists } from '../journeys/booking-lists.js';
import { otherChannel } from '../journeys/channels.js';
import { spread } from '../journeys/steady.js';
import {
  AHEAD,
  coming,
  dayIn,
  edgeDay,
  isInside,
  isOutside,
  madeBefore,
  pastDay,
  pastIn,
  tellingDay,
  written,
} from '../journeys/telling-day.js';
import { Inconclusive } from '../outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../session.js';

const ids = (items: readonly Listed[]): unknown[] => items.map(({ bookingId }) => bookingId);
const times = (items: readonly Listed[]): Listed[] => items.map(({ teetime }) => ({ teetime }));

/** Refuses what is no date; in one version where requests are few. */
async function refusesNoDate(context: RuleContext, name: 'fromDate' | 'toDate'): Promise<void> {
  for (const version of spread(context.session, listVersions, name === 'fromDate' ? 0 : 1)) {
    const operation = `${version}.listBookings` as OperationId;
    const twin = { operation, params: { fromDate: context.session.longAgo.query } };
    const probe = { operation, params: { ...twin.params, [name]: 'not-a-date' } };
    await context.refuses(probe, twin, `The booking list of ${version} takes a \`${name}\` that is no date.`);
  }
}

/** Does so for the versions of the list, or for one of them where requests are few. */
async function eachVersion(
  session: Session,
  judge: (version: ListVersion) => Promise<void>,
  only?: number,
): Promise<void> {
  await wholeLists(session);
  for (const version of only === undefined ? listVersions : spread(session, listVersions, only)) await judge(version);
}

/** By itself `toDate` narrows the list of what is to come; beside `fromDate` it takes nothing from that. */
async function alone({ session, expect }: RuleContext, version: ListVersion): Promise<void> {
  const items = await known(session);
  const to = dayOf(coming(session, items).map(dayIn).sort()[0]) ?? session.day(1);
  const where = `${version} with toDate=${to.query} and no fromDate lists`;
  const found = times(await list(session, version, { to }));
  const past = pastIn(session, found, items);
  expect.every(found, (item) => !past.includes(item), `${where} a past booking.`);
  expect.every(found, (item) => !isOutside(item, to, 'to'), `${where} a booking after that day.`);
  const both = times(await list(session, version, { from: to, to: dayAfter(to, 1) }));
  const before = `${version} lists a booking before its fromDate where there is a toDate.`;
  expect.every(both, (item) => !isOutside(item, to, 'from'), before, `${to.iso} or later`);
}

/** Rules of the booking list that need no booking of the run: they read what is there. */
export const bookingListRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.list',
    async run({ session, expect }) {
      // With past bookings first: they are the whole that other rules compare with.
      const past = { fromDate: session.longAgo.query };
      const calls = [
        ...listVersions.map((version) => [version, past] as const),
        ...spread(session, listVersions).map((version) => [version, {}] as const),
      ];
      for (const [version, params] of calls) {
        const reply = await session.read(`${version}.listBookings`, params);
        expect.succeeds(reply, `The bookings of ${version} are not answered.`);
      }
    },
  }),
  defineRule({
    id: 'bookings.list.fromDate',
    async run(context) {
      const { session, expect } = context;
      const from = tellingDay(session, await known(session), 'from');
      const expected = (await known(session)).filter((item) => isInside(item, from, 'from'));
      await eachVersion(
        session,
        async (version) => {
          const what = `${version} leaves out a booking with a tee time after fromDate=${from.query}.`;
          expect.subset(ids(expected), ids(await list(session, version, { from })), what);
        },
        0,
      );
      // Last, as it may be one request too many.
      await refusesNoDate(context, 'fromDate');
    },
  }),
  defineRule({
    id: 'bookings.list.toDate',
    async run(context) {
      const { session, expect } = context;
      const to = tellingDay(session, await known(session), 'to');
      const expected = (await known(session)).filter((item) => isInside(item, to, 'to'));
      await eachVersion(
        session,
        async (version) => {
          const what = `${version} leaves out a booking with a tee time before toDate=${to.query}.`;
          expect.subset(ids(expected), ids(await list(session, version, { from: session.longAgo, to })), what);
        },
        1,
      );
      await refusesNoDate(context, 'toDate');
    },
  }),
  defineRule({
    id: 'bookings.list.to-date-narrows',
    async run(context) {
      const { session, expect } = context;
      if ((await known(session)).length === 0) throw new Inconclusive('no-data', 'a booking of the channel');
      const to = tellingDay(session, await known(session), 'to');
      const edge = edgeDay(await known(session), 'to');
      await eachVersion(
        session,
        async (version) => {
          const what = `${version} lists a booking with a tee time after its toDate.`;
          for (const day of spread(session, [to, edge ?? to])) {
            const narrow = await list(session, version, { from: session.longAgo, to: day });
            expect.every(times(narrow), (item) => !isOutside(item, day, 'to'), what, `up to ${day.iso}`);
          }
          const later = (await known(session)).filter((item) => dayIn(item) > to.iso);
          if (later.length > 0) expect.that(true, what);
          if (!session.run.transport.limited) await alone(context, version);
        },
        1,
      );
    },
  }),
  defineRule({
    id: 'bookings.list.by-teetime',
    async run({ session, expect }) {
      const from = pastDay(session, await known(session));
      const edge = edgeDay(await known(session), 'from');
      await eachVersion(
        session,
        async (version) => {
          for (const day of spread(session, [from, edge ?? from])) {
            const found = await list(session, version, { from: day });
            const early = `${version} lists a booking with a tee time before fromDate=${day.query}.`;
            expect.every(times(found), (item) => !isOutside(item, day, 'from'), early, `${day.iso} or later`);
          }
          const found = await list(session, version, { from });
          const made = (await known(session)).filter((item) => isInside(item, from, 'from') && madeBefore(item, from));
          const what = `${version} leaves out a booking made before fromDate=${from.query} for a tee time after it.`;
          expect.subset(ids(made), ids(found), what);
        },
        0,
      );
    },
  }),
  defineRule({
    id: 'bookings.list.future-only',
    async run({ session, expect }) {
      await eachVersion(
        session,
        async (version) => {
          const found = await list(session, version);
          const past = pastIn(session, found, await known(session));
          const what = `${version} lists a past booking without parameters.`;
          expect.every(found, (item) => !past.includes(item), what, 'a tee time that is to come');
          const next = coming(session, await known(session));
          expect.subset(ids(next), ids(found), `${version} leaves out a booking that is to come.`);
        },
        0,
      );
      if (expect.held === 0) throw new Inconclusive('no-data', 'a booking of the channel');
    },
  }),
  defineRule({
    id: 'bookings.list.from-date-past',
    async run({ session, expect }) {
      const from = pastDay(session, await known(session));
      const past = (await known(session)).filter(
        (item) => isInside(item, from, 'from') && written(item) < session.run.host.now() - AHEAD,
      );
      await eachVersion(
        session,
        async (version) => {
          const what = `${version} leaves out a past booking with fromDate=${from.query}.`;
          expect.subset(ids(past), ids(await list(session, version, { from })), what);
        },
        0,
      );
    },
  }),
  defineRule({
    id: 'bookings.list.to-date-inclusive',
    async run({ session, observe }) {
      const items = await known(session);
      const last = dayOf(items.map(dayIn).sort().at(-1));
      if (!last) throw new Inconclusive('no-data', 'a booking of the channel');
      const { limited } = session.run.transport;
      const day = limited ? tellingDay(session, items, 'to') : last;
      const on = (items: readonly Listed[]): boolean => items.some((item) => dayIn(item) === day.iso);
      if (!on(items)) throw new Inconclusive('no-data', 'a booking on the last day of a list');
      const upTo = limited
        ? list(session, 'v2', { from: session.longAgo, to: day })
        : list(session, 'v4', { from: day, to: day });
      if (on(await upTo)) observe('booking-list.to-date', 'inclusive');
      else if (on(await list(session, 'v4', { from: day, to: dayAfter(day, 1) })))
        observe('booking-list.to-date', 'exclusive');
    },
  }),
  defineRule({
    id: 'bookings.list.canceled-included',
    async run({ session, expect }) {
      const isCanceled = ({ status }: Item): boolean => status === 'CANCELED';
      const canceled = (await known(session)).filter(isCanceled);
      expect.some(canceled, 'a cancelled booking of the channel');
      const next = coming(session, await known(session)).filter(isCanceled);
      await eachVersion(session, async (version) => {
        const all = (await wholeLists(session))[version];
        expect.subset(ids(canceled), ids(all), `${version} leaves out a cancelled booking.`);
        if (!spread(session, listVersions).includes(version)) return;
        expect.subset(ids(next), ids(await list(session, version)), `${version} leaves out a cancelled booking.`);
      });
    },
  }),
  defineRule({
    id: 'bookings.list.channel-scope',
    needs: ['second-channel'],
    async run({ session, expect }) {
      await otherChannel(session);
      const own = new Set(ids(await known(session)));
      if (own.size === 0) throw new Inconclusive('no-data', 'a booking of the first channel');
      for (const version of listVersions) {
        const found = await list(session, version, { from: session.longAgo }, 'second');
        const what = `${version} shows a channel the booking of another one.`;
        expect.that(!ids(found).some((id) => own.has(id)), what, { actual: ids(found).find((id) => own.has(id)) });
      }
    },
  }),
];
