import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../../src/engine/library.js';
import { adminOf, expectedProblem } from '../../../support/admin.js';
import { NOW, open } from '../../../support/client.js';
import { bookingFor, dayIn, findTeeTime, type Json, OPEN_FACILITY, teeTimesOf } from '../../../support/scenes.js';
import { pricesOf } from '../../../support/views.js';

const DAYS = 10;
const { iso: date } = dayIn(DAYS);
const courseId = 10011;
const path = `tee-sheets/${OPEN_FACILITY}/changes`;
const nowhere = { courseId: null, date: null, teeId: null, channel: null };

describe('a change', () => {
  test('withdraws a tee time, and undone, gives it back as it was', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const before = await teeTimesOf(fairway);
    const teeId = before[0]!.teeid;
    const { body } = await admin('POST', path, { change: 'tee-time-withdrawn', teeId });
    const changes = [{ ...nowhere, change: 'tee-time-withdrawn', courseId, date, teeId }];
    expect(body).toEqual({ count: 1, changes, booking: null });
    expect((await admin('GET', path)).body).toEqual({ count: 1, changes });
    expect(await teeTimesOf(fairway)).toEqual(before.slice(1));
    const [course] = (await admin('GET', `tee-sheets/${OPEN_FACILITY}?date=${date}`)).body.courses;
    expect(course.withdrawn.map((one: Json) => one.teeId)).toEqual([teeId]);
    expect((await admin('DELETE', `${path}?teeId=${teeId}`)).body).toEqual({ count: 0, changes: [], undone: 1 });
    expect(await teeTimesOf(fairway)).toEqual(before);
  });

  test('sells out a day, and undone, frees what was free', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const before = await teeTimesOf(fairway);
    expect((await admin('POST', path, { change: 'sold-out', courseId, date })).status).toBe(200);
    expect(await teeTimesOf(fairway)).toEqual([]);
    expect((await teeTimesOf(fairway, { days: DAYS + 1 })).length).toBeGreaterThan(0);
    await admin('DELETE', `${path}?change=sold-out&courseId=${courseId}&date=${date}`);
    expect(await teeTimesOf(fairway)).toEqual(before);
  });

  test('raises the prices of a day as often as it is asked, and undone, lowers them', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const price = async () => (await pricesOf(fairway, [OPEN_FACILITY], DAYS))[0].price;
    const plain = await price();
    await admin('POST', path, { change: 'price-changed', courseId, date });
    const raised = await price();
    expect(raised / plain).toBeCloseTo(1.1, 1);
    await admin('POST', path, { change: 'price-changed', courseId, date });
    expect(await price()).toBeGreaterThan(raised);
    const [course] = (await admin('GET', `tee-sheets/${OPEN_FACILITY}?date=${date}`)).body.courses;
    expect(course.raised).toBe(2);
    expect((await admin('DELETE', path)).body.undone).toBe(2);
    expect(await price()).toBe(plain);
  });

  test('disconnects a channel, and undone, connects it', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    await admin('POST', path, { change: 'facility-disconnected', channel: 'fairway' });
    expect((await admin('GET', `tee-sheets/${OPEN_FACILITY}`)).body.channels).toEqual(['links']);
    expect(await fairway.get(`/api/v5/facilities/${OPEN_FACILITY}`)).not.toMatchObject({ status: 200 });
    await admin('DELETE', `${path}?channel=fairway`);
    expect((await admin('GET', `tee-sheets/${OPEN_FACILITY}`)).body.channels).toEqual(['fairway', 'links']);
  });

  test('of one facility leaves the others', async () => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    await admin('POST', path, { change: 'sold-out', courseId, date });
    await admin('POST', 'tee-sheets/1011/changes', { change: 'sold-out', courseId: 10111, date });
    expect((await admin('DELETE', path)).body.undone).toBe(1);
    expect((await admin('GET', 'tee-sheets/1011/changes')).body.count).toBe(1);
  });

  test('that a scenario made is undone like any other', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const teeTime = await findTeeTime(fairway, { days: DAYS });
    const headers = { 'teebox-scenario': 'tee-time-withdrawn' };
    await fairway.post('/api/v5/bookings', bookingFor(teeTime), { headers });
    expect((await admin('DELETE', `${path}?change=tee-time-withdrawn`)).body.undone).toBe(1);
    expect((await findTeeTime(fairway, { days: DAYS })).teeid).toBe(teeTime.teeid);
  });
});

describe('another buyer', () => {
  test('takes some slots, or all that are left', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const { teeid: teeId } = await findTeeTime(fairway, { days: DAYS, players: 3 });
    const first = (await admin('POST', path, { change: 'rival', teeId, players: 2 })).body.booking;
    expect(first).toMatchObject({ channel: 'rivals', players: 2, teeId, status: 'BOOKED' });
    const rest = (await admin('POST', path, { change: 'rival', teeId })).body.booking;
    expect(rest.players).toBeGreaterThanOrEqual(1);
    const none = await admin('POST', path, { change: 'rival', teeId });
    expect(none.body).toEqual(expectedProblem(409, `Tee time ${teeId} has 0 free slots.`));
  });

  test('is part of an exported state', async () => {
    const { sandbox, fairway } = await open();
    const { teeid: teeId } = await findTeeTime(fairway, { days: DAYS });
    await adminOf(sandbox)('POST', path, { change: 'rival', teeId });
    await adminOf(sandbox)('POST', path, { change: 'price-changed', courseId, date });
    const other = await createSandbox({ now: NOW });
    await other.restore(sandbox.snapshot());
    expect(other.snapshot()).toEqual(sandbox.snapshot());
  });
});

test.each<[body: Json, status: number, detail: RegExp]>([
  [{}, 400, /`change` must be one of "sold-out", .*; got nothing/],
  ['{', 400, /not well-formed/],
  [{ change: 'rain' }, 400, /`change` must be/],
  [{ change: 'sold-out', courseId: 10021, date }, 400, /`courseId` must be 10011/],
  [{ change: 'sold-out', courseId, date: '2026-02-31' }, 400, /`date` must be a date that exists/],
  [{ change: 'sold-out', courseId, date: '2200-01-01' }, 409, /has no tee times on 2200-01-01/],
  [{ change: 'sold-out', courseId }, 400, /`date` must be/],
  [{ change: 'tee-time-withdrawn', teeId: 336 }, 400, /`teeId` must be the id of a tee time of facility 1001/],
  [{ change: 'facility-disconnected', channel: 'caddie' }, 409, /is not connected to caddie/],
  [{ change: 'facility-disconnected', channel: 'nobody' }, 400, /`channel` must be/],
  [{ change: 'rival', teeId: 336 }, 400, /`teeId` must be/],
  [{ change: 'rival', players: 5, teeId: 1 }, 400, /`players` must be/],
])('%j is refused and changes nothing', async (body, status, detail) => {
  const { sandbox } = await open();
  const before = sandbox.snapshot();
  const reply = await adminOf(sandbox)('POST', path, body);
  expect(reply.body).toEqual(expect.objectContaining({ status, detail: expect.stringMatching(detail) }));
  expect(sandbox.snapshot()).toEqual(before);
});

test.each([
  [{ change: 'sold-out', courseId, date }, /is sold out on 2026-06-11 already/],
  [{ change: 'facility-disconnected', channel: 'links' }, /is not connected to links/],
])('%j twice is a conflict', async (body, detail) => {
  const { sandbox } = await open();
  const admin = adminOf(sandbox);
  expect((await admin('POST', path, body)).status).toBe(200);
  expect((await admin('POST', path, body)).body).toEqual(expectedProblem(409, expect.stringMatching(detail)));
  expect((await admin('GET', path)).body.count).toBe(1);
});

test('prices rise twenty times, and no further', async () => {
  const { sandbox } = await open();
  const admin = adminOf(sandbox);
  const raise = async () => (await admin('POST', path, { change: 'price-changed', courseId, date })).status;
  const statuses = [];
  for (let turn = 0; turn < 21; turn += 1) statuses.push(await raise());
  expect(statuses).toEqual([...Array<number>(20).fill(200), 409]);
});

test('a tee time of the past cannot be booked', async () => {
  const { sandbox } = await open();
  const admin = adminOf(sandbox);
  const { courses } = (await admin('GET', `tee-sheets/${OPEN_FACILITY}?date=2026-05-31`)).body;
  const { teeId } = courses[0].teeTimes.find(({ free }: Json) => free > 0);
  const { body } = await admin('POST', path, { change: 'rival', teeId });
  expect(body).toEqual(expectedProblem(409, expect.stringContaining('is in the past: it is 2026-06-01T08:00:00.000Z')));
});
