import { describe, expect, test } from 'vitest';
import { adminOf } from '../../../support/admin.js';
import { type Client, open } from '../../../support/client.js';
import { roundsOf, TWICE_ROUND } from '../../../support/linked.js';
import { bookingFor, dayIn, findTeeTime, type Json, OPEN_FACILITY } from '../../../support/scenes.js';
import { pricesOf, viewsOf } from '../../../support/views.js';

const DAYS = 10;

describe('a tee sheet', () => {
  const path = `tee-sheets/${OPEN_FACILITY}?date=${dayIn(DAYS).iso}`;
  const teeTimesOf = (sheet: Json): Json[] => sheet.courses.flatMap(({ teeTimes }: Json) => teeTimes);

  test('tells who holds what', async () => {
    const { sandbox, fairway, links } = await open();
    const admin = adminOf(sandbox);
    const teeTime = await findTeeTime(fairway, { days: DAYS, players: 2 });
    const ids = [];
    for (const client of [fairway, links]) {
      ids.push((await client.post('/api/v5/bookings', bookingFor(teeTime))).body.data.bookingId);
    }
    const sheet = (await admin('GET', path)).body;
    expect(sheet).toMatchObject({ facilityId: OPEN_FACILITY, date: dayIn(DAYS).iso });
    const { latitude, longitude } = sandbox.db.facilities.findFirst((q) => q.where({ id: OPEN_FACILITY }))!.address;
    expect(sheet).toMatchObject({ latitude, longitude });
    const shown = teeTimesOf(sheet).find(({ teeId }) => teeId === teeTime.teeid);
    expect(shown).toMatchObject({ time: teeTime.time, holes: teeTime.holes, capacity: 4 });
    expect(shown.bookings).toMatchObject([
      { bookingId: ids[0], channel: 'fairway', players: 1, contactLastName: 'Lovelace', payment: 'none' },
      { bookingId: ids[1], channel: 'links', players: 1, contactLastName: 'Lovelace', payment: 'none' },
    ]);
  });

  test('adds up, and is what channels are shown', async () => {
    const { sandbox, fairway } = await open();
    await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway, { days: DAYS })));
    const teeTimes = teeTimesOf((await adminOf(sandbox)('GET', path)).body);
    for (const { capacity, soldElsewhere, free, bookings } of teeTimes) {
      const held = bookings.reduce((sum: number, { players }: Json) => sum + players, 0);
      expect(soldElsewhere + held + free).toBe(capacity);
    }
    const shown = await viewsOf(fairway, { days: DAYS, holes: 18 });
    const open18 = teeTimes.filter(({ free, holes }) => free > 0 && holes === 18);
    expect(open18.map(({ teeId, free }) => [teeId, free])).toEqual(
      shown.v4.map(({ teeid, products }) => [teeid, products[0].available]),
    );
  });

  test('is that of one course, or of today', async () => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    const all = (await admin('GET', path)).body;
    const { courseId } = all.courses.at(-1);
    expect((await admin('GET', `${path}&courseId=${courseId}`)).body.courses).toEqual([all.courses.at(-1)]);
    expect((await admin('GET', `tee-sheets/${OPEN_FACILITY}`)).body.date).toBe('2026-06-01');
  });

  test('adds up on a day that was sold out after a booking', async () => {
    const { sandbox, fairway } = await open();
    const { teeid } = await bookOne(fairway);
    const again = bookingFor(await findTeeTime(fairway, { days: DAYS }));
    await fairway.post('/api/v5/bookings', again, { headers: { 'teebox-scenario': 'sold-out' } });
    const [course] = (await adminOf(sandbox)('GET', path)).body.courses;
    const shown = course.teeTimes.find(({ teeId }: Json) => teeId === teeid);
    expect(shown).toMatchObject({ capacity: 4, soldElsewhere: 3, free: 0, bookings: [{ players: 1 }] });
    expect(course.soldOut).toBe(true);
  });

  test('has the prices that channels see', async () => {
    const { sandbox, fairway } = await open();
    const [course] = (await adminOf(sandbox)('GET', path)).body.courses;
    const records = await pricesOf(fairway, [OPEN_FACILITY], DAYS);
    const shown = course.products.map(({ productId, prices }: Json) => [productId, prices[0].price]);
    const seen = records.map(({ productId, price }) => [productId, price]);
    expect(seen.length).toBeGreaterThan(0);
    for (const one of seen) expect(shown).toContainEqual(one);
  });

  test('names the second round of a product that needs one, which can be booked so', async () => {
    const { sandbox, fairway } = await open();
    const { facilityId, mid } = TWICE_ROUND;
    const [round] = await roundsOf(fairway, TWICE_ROUND);
    const { body } = await adminOf(sandbox)('GET', `tee-sheets/${facilityId}?date=${round!.time.slice(0, 10)}`);
    const first = teeTimesOf(body).find(({ teeId }) => teeId === round!.teeid);
    const { rounds, teeIds } = first.linked.find(({ productId }: Json) => productId === mid);
    expect({ rounds, further: teeIds.length }).toEqual({ rounds: 2, further: 1 });
    const second = teeTimesOf(body).find(({ teeId }) => teeId === teeIds[0]);
    expect(Date.parse(second.time) - Date.parse(first.time)).toBeGreaterThanOrEqual(9 * 15 * 60_000);
    const linkedTeeTimeRef = '3f1d2c4b-5a69-4788-9706-15243342516f';
    const changes = { facilityId, productId: mid, linkedTeeTimeRef };
    const wish = { ...bookingFor(round!, changes), course: body.courses.at(-1).name };
    const other = { ...wish, teeId: second.teeId, teetime: second.time.replace('T', ' ') };
    const { status } = await fairway.post('/api/v5/bookings', [wish, other]);
    expect(status).toBe(200);
  });

  test.each([
    [1005, '2026-06-02', 1, 'weekday', /is closed every Tuesday/],
    [1002, '2026-12-07', 0, 'season', /closed for the season/],
    [1001, '2200-01-01', 0, 'no-calendar', /from 2000 to 2199/],
  ])('of %i on %s says why it is empty', async (facilityId, date, index, why, words) => {
    const { sandbox } = await open();
    const { courses } = (await adminOf(sandbox)('GET', `tee-sheets/${facilityId}?date=${date}`)).body;
    expect(courses[index]).toMatchObject({ teeTimes: [], closed: { why, words: expect.stringMatching(words) } });
    const open18 = (await adminOf(sandbox)('GET', path)).body.courses[0];
    expect({ closed: open18.closed, any: open18.teeTimes.length > 0 }).toEqual({ closed: null, any: true });
  });
});

async function bookOne(client: Client): Promise<Json> {
  const teeTime = await findTeeTime(client, { days: DAYS });
  await client.post('/api/v5/bookings', bookingFor(teeTime));
  return teeTime;
}
