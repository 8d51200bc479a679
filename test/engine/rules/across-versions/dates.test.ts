import { expect } from 'vitest';
import { open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime, OPEN_FACILITY, queryText, teeTimesPath } from '../../../support/scenes.js';
import { openAtOnce, pricesPath, resultOf } from '../../../support/views.js';

const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

rule('dates.response-format', 'tee times of every window carry yyyy-mm-ddTHH:MM:ss', async () => {
  const { fairway } = await openAtOnce();
  for (const version of ['v2', 'v3', 'v4'] as const) {
    const { data } = (await fairway.get(teeTimesPath(version))).body;
    const teeTimes = data.teeTimeV2 ?? data.teeTimeV3 ?? data;
    expect(teeTimes.length).toBeGreaterThan(0);
    for (const { time } of teeTimes) expect(time).toMatch(form);
  }
  const { data } = await resultOf(fairway, {});
  for (const { time } of data[0].teeTimeV3) expect(time).toMatch(form);
});

rule('dates.response-format', 'bookings too, with milliseconds where they were created', async () => {
  const { fairway } = await open();
  const teeTime = await findTeeTime(fairway, { players: 2 });
  const group = await fairway.post('/api/v5/bookings', [bookingFor(teeTime)]);
  expect(group.body.data.bookingIds[0].teetime).toBe(teeTime.time);
  for (const version of ['v1', 'v2', 'v4']) {
    const bookings = (await fairway.get(`/api/${version}/bookings`)).body.data;
    expect(bookings.length).toBeGreaterThan(0);
    for (const { teetime, createdAt } of bookings) {
      expect(teetime).toMatch(form);
      expect(createdAt).toMatch(/\.\d{3}$/);
      expect(createdAt.slice(0, -4)).toMatch(form);
    }
  }
});

rule('dates.query-format', 'dd-mm-yyyy is read with the day first', async () => {
  const { fairway } = await open();
  const search = queryText({ bookingDate: '05-11-2026', players: 1, holes: 18 });
  const { teeTimeV3 } = (await fairway.get(`/api/v4/teetimes/${OPEN_FACILITY}?${search}`)).body.data;
  expect(teeTimeV3.length).toBeGreaterThan(0);
  for (const { time } of teeTimeV3) expect(time.slice(0, 10)).toBe('2026-11-05');
  const range = { facilityIds: OPEN_FACILITY, fromDate: '05-11-2026', toDate: '06-11-2026' };
  const { records } = (await fairway.get(pricesPath(range))).body.data;
  expect([...new Set(records.map(({ date }: { date: string }) => date))]).toEqual(['2026-11-05', '2026-11-06']);
});

rule('dates.body-format', 'a booking names its tee time with a space, and in no other form', async () => {
  const { fairway } = await open();
  const teeTime = await findTeeTime(fairway, { players: 2 });
  const [day, clock] = teeTime.time.split('T') as [string, string];
  const other = [teeTime.time, `${day.split('-').reverse().join('-')} ${clock}`, `${day} ${clock.slice(0, 5)}`, day];
  for (const teetime of [...other, `2026-02-31 ${clock}`, `${day} 24:00:00`]) {
    const reply = await fairway.post('/api/v5/bookings', bookingFor(teeTime, { teetime }));
    const want = { teetime, status: 400, rule: 'bookings.request.teetime' };
    expect({ teetime, status: reply.status, rule: reply.rule }).toEqual(want);
  }
  const reply = await fairway.post('/api/v5/bookings', bookingFor(teeTime, { teetime: `${day} ${clock}` }));
  expect(reply.status).toBe(200);
});
