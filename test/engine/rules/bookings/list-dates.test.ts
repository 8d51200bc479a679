import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsOf, LISTING, listedIds, listOf, listReply, LONG_AGO, type Range } from '../../../support/booking-list.js';
import { type Client, open } from '../../../support/client.js';
import { bookOne } from '../../../support/payments.js';
import { rule } from '../../../support/rule.js';
import { sampledRule } from '../../../support/sampled.js';
import { dayIn } from '../../../support/scenes.js';

const failure = { success: false, data: null, message: expect.stringMatching(/\w/) };

/** Texts that are no day of the form dd-mm-yyyy. */
const noDays = [
  '2026-06-01',
  '1-6-2026',
  '01-06-26',
  '01/06/2026',
  '01.06.2026',
  '01062026',
  '31-06-2026',
  '29-02-2026',
  '00-06-2026',
  '01-13-2026',
  '06-31-2026',
  '01-06-2026 00:00:00',
  '01-06-2026T00:00:00',
  ' 01-06-2026',
  'today',
  '',
];

/** Every booking of the channel as the sandbox keeps it. */
const known = ({ sandbox, channel }: Client) => sandbox.db.bookings.findMany((query) => query.where({ channel }));

/** What the API specification says a list holds: the day of a tee time is that of the facility's calendar. */
function due(client: Client, from: number | undefined, to: number | undefined): string[] {
  const { sandbox } = client;
  const chosen = known(client).filter(({ time, startsAt }) => {
    const day = time.slice(0, 10);
    if (to !== undefined && day > dayIn(to).iso) return false;
    return from === undefined ? startsAt > sandbox.clock.now() : day >= dayIn(from).iso;
  });
  return idsOf(chosen);
}

const rangeOf = (from: number | undefined, to: number | undefined): Range => ({
  ...(from === undefined ? {} : { fromDate: dayIn(from).query }),
  ...(to === undefined ? {} : { toDate: dayIn(to).query }),
});

describe('the form of the dates', () => {
  for (const name of ['fromDate', 'toDate'] as const) {
    rule(`bookings.list.${name}`, `\`${name}\` that is no day is refused in every version`, async () => {
      const { fairway } = await open();
      for (const version of LISTING) {
        for (const text of noDays) {
          const reply = await listReply(fairway, version, { [name]: text });
          expect(reply, `${version} ${text}`).toMatchObject({
            status: 400,
            rule: `bookings.list.${name}`,
            body: failure,
          });
          expect(reply.body.message).toContain(`\`${name}\``);
        }
      }
    });

    rule(`bookings.list.${name}`, `\`${name}\` may be any day that exists, and may be left out`, async () => {
      const { fairway } = await open();
      for (const version of LISTING) {
        for (const text of ['01-06-2026', '29-02-2024', '31-12-1999', '31-12-2099', '28-02-2027']) {
          expect(await listReply(fairway, version, { [name]: text }), text).toMatchObject({ status: 200 });
        }
        expect((await listReply(fairway, version)).status).toBe(200);
      }
    });
  }

  rule('bookings.list.no-date', 'what is no date is refused beside a good one too, and nothing is listed', async () => {
    const { fairway } = await open();
    const good = dayIn(10).query;
    for (const version of LISTING) {
      for (const text of ['tomorrow', '2026-06-11', '31-02-2026', '1']) {
        for (const range of [
          { fromDate: text, toDate: good },
          { fromDate: good, toDate: text },
        ]) {
          const { status, body } = await listReply(fairway, version, range);
          expect({ status, body }, `${version} ${text}`).toEqual({ status: 400, body: failure });
        }
      }
      expect((await listReply(fairway, version, { fromDate: good, toDate: good })).status).toBe(200);
    }
  });

  test('day and month are not mixed up', async () => {
    const { fairway } = await open();
    const id = await bookOne(fairway, { days: 37 });
    expect(dayIn(37).query).toBe('08-07-2026');
    const on = (text: string) => listedIds(fairway, 'v4', { fromDate: text, toDate: text });
    expect(await on('08-07-2026')).toContain(id);
    expect(await on('07-08-2026')).not.toContain(id);
  });
});

describe('fromDate', () => {
  for (const version of LISTING) {
    rule('bookings.list.from-date-past', `${version}: lists past bookings from that day on`, async () => {
      const { sandbox, fairway } = await open();
      const past = known(fairway).filter(({ startsAt }) => startsAt < sandbox.clock.now());
      expect(past.length).toBeGreaterThan(3);
      expect(await listedIds(fairway, version)).not.toEqual(expect.arrayContaining([past[0]!.bookingId]));
      expect(await listedIds(fairway, version, { fromDate: LONG_AGO })).toEqual(idsOf(known(fairway)));
      for (const { time, bookingId } of past) {
        const [year, month, day] = time.slice(0, 10).split('-');
        const from = { fromDate: `${day}-${month}-${year}` };
        const listed = await listOf(fairway, version, from);
        expect(idsOf(listed)).toContain(bookingId);
        expect(listed.filter(({ teetime }) => teetime.slice(0, 10) < time.slice(0, 10))).toEqual([]);
        const next = dayIn((Date.parse(time.slice(0, 10)) - Date.UTC(2026, 5, 1)) / 86_400_000 + 1).query;
        expect(await listedIds(fairway, version, { fromDate: next })).not.toContain(bookingId);
      }
    });
  }

  rule('bookings.list.from-date-past', 'of today lists what was played this morning', async () => {
    const { sandbox, fairway } = await open();
    const id = await bookOne(fairway, { days: 10 });
    sandbox.clock.set('2026-06-11T21:00:00Z');
    for (const version of LISTING) {
      expect(await listedIds(fairway, version)).not.toContain(id);
      expect(await listedIds(fairway, version, { fromDate: '11-06-2026' })).toContain(id);
      expect(await listedIds(fairway, version, { fromDate: '12-06-2026' })).not.toContain(id);
    }
  });
});

describe('toDate', () => {
  for (const version of LISTING) {
    rule('bookings.list.to-date-narrows', `${version}: leaves out what is later, and adds nothing`, async () => {
      const { fairway } = await open();
      for (const wide of [{}, { fromDate: LONG_AGO }]) {
        const all = await listOf(fairway, version, wide);
        let narrowed = 0;
        for (let days = -40; days <= 60; days += 4) {
          const listed = await listOf(fairway, version, { ...wide, toDate: dayIn(days).query });
          expect(listed).toEqual(all.filter(({ teetime }) => teetime.slice(0, 10) <= dayIn(days).iso));
          if (listed.length > 0 && listed.length < all.length) narrowed += 1;
        }
        expect(narrowed).toBeGreaterThan(0);
      }
    });

    rule('bookings.list.to-date-alone', `${version}: alone, selects what is still to come up to that day`, async () => {
      const { sandbox, fairway } = await open();
      for (const days of [5, 10, 40]) await bookOne(fairway, { days });
      sandbox.clock.set(`${dayIn(7).iso}T08:00:00Z`);
      expect(due(fairway, -60, 6).length, 'past bookings').toBeGreaterThan(0);
      const counts = [];
      for (const to of [6, 9, 10, 39, 40]) {
        const listed = await listedIds(fairway, version, rangeOf(undefined, to));
        expect(listed, `to day ${to}`).toEqual(due(fairway, undefined, to));
        counts.push(listed.length);
      }
      expect(counts[0], 'nothing of the past').toBe(0);
      expect(counts[2]).toBeGreaterThan(counts[1]!);
      expect(counts[4]).toBeGreaterThan(counts[3]!);
    });

    rule('bookings.list.to-date-narrows', `${version}: of the past and alone, there is nothing to list`, async () => {
      const { fairway } = await open();
      expect(await listOf(fairway, version, { toDate: dayIn(-1).query })).toEqual([]);
    });
  }
});

describe('both dates', () => {
  rule('bookings.list.by-teetime', 'select by the day of the tee time, not by that of the booking', async () => {
    const { fairway } = await open();
    const id = await bookOne(fairway, { days: 40 });
    for (const version of LISTING) {
      const on = (from: number, to: number) => listedIds(fairway, version, rangeOf(from, to));
      expect(await on(0, 0), 'the day of the booking').not.toContain(id);
      expect(await on(0, 39)).not.toContain(id);
      expect(await on(41, 60)).not.toContain(id);
      expect(await on(40, 40), 'the day of the tee time').toContain(id);
    }
  });

  rule('bookings.list.by-teetime', 'so do they when the booking was made long before', async () => {
    const { sandbox, fairway } = await open();
    const id = await bookOne(fairway, { days: 40 });
    sandbox.clock.set('2027-01-01T00:00:00Z');
    for (const version of LISTING) {
      expect(await listedIds(fairway, version, rangeOf(39, 41))).toContain(id);
      expect(await listedIds(fairway, version, rangeOf(-1, 1))).not.toContain(id);
    }
  });

  const day = fc.option(fc.integer({ min: -45, max: 60 }), { nil: undefined });
  const ids = ['bookings.list.by-teetime', 'bookings.list.from-date-past', 'bookings.list.to-date-narrows'] as const;

  sampledRule(ids, 'whatever days are asked for, on whatever day', [40, 150], async (numRuns) => {
    const { sandbox, ...clients } = await open();
    for (const days of [5, 10, 40]) await bookOne(clients.fairway, { days });
    const channel = fc.constantFrom('fairway' as const, 'links' as const, 'caddie' as const);
    const hours = fc.integer({ min: -20 * 24, max: 50 * 24 });
    const property = fc.asyncProperty(channel, day, day, hours, async (name, from, to, ahead) => {
      fc.pre(from === undefined || to === undefined || from <= to);
      sandbox.clock.set(Date.UTC(2026, 5, 1) + ahead * 3_600_000);
      const client = clients[name];
      const want = due(client, from, to);
      for (const version of LISTING) expect(await listedIds(client, version, rangeOf(from, to))).toEqual(want);
    });
    await fc.assert(property, { numRuns });
  });
});
