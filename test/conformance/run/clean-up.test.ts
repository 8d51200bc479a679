import { expect, test } from 'vitest';
import type { Report } from '../../../src/conformance/client/types.js';
import { deploy, type Layer } from '../deployment.js';
import { dialectOf, everything } from '../full-run.js';

const fewRules = ['bookings.create*', 'payments.*'];
const bookingRules = [...fewRules, 'bookings.effect.*'];
const cancels = dialectOf({ 'booking.cancel': 'delete' });

/** A run that books and pays, and what it sent. */
async function runOf(settings: object, only: readonly string[], layer?: Layer) {
  const { sandbox, sent, check } = await deploy(settings, layer);
  const before = new Set(bookingIds(await listed(sandbox)));
  const report = await check({ ...everything(sandbox), allow: ['bookings', 'payments'], only, depth: 'quick' });
  const status = new Map((await listed(sandbox)).map(({ bookingId, status }) => [bookingId, status]));
  return { report, sent, before, status };
}

type Listed = { readonly bookingId: string; readonly status: string };
const bookingIds = (list: readonly Listed[]): string[] => list.map(({ bookingId }) => bookingId);

async function listed(sandbox: Awaited<ReturnType<typeof deploy>>['sandbox']): Promise<readonly Listed[]> {
  const { username, password } = sandbox.channels[0]!;
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const url = 'http://deployment.test/api/v4/bookings?fromDate=01-01-2020';
  const response = await sandbox.fetch(new Request(url, { headers }));
  return ((await response.json()) as { data: Listed[] }).data;
}

const deletions = (sent: readonly string[]): string[] => sent.filter((one) => one.startsWith('DELETE'));
const bookingsIn = ({ litter }: Report): string[] =>
  litter.flatMap((one) => (one.kind === 'booking' ? [one.bookingId!] : []));

async function expectNoneKept(only: readonly string[]): Promise<void> {
  const { report, before, status, sent } = await runOf(cancels, only);
  expect(report.canceled).toBeGreaterThan(5);
  expect(bookingsIn(report)).toEqual([]);
  const own = [...status].filter(([id]) => !before.has(id));
  expect(own.length).toBe(report.canceled);
  expect(own.filter(([, one]) => one !== 'CANCELED')).toEqual([]);
  expect(deletions(sent).some((one) => [...before].some((id) => one.includes(encodeURIComponent(id))))).toBe(false);
}

test('a deployment that cancels by DELETE keeps no booking of the run', () => expectNoneKept(fewRules));

test('nor one of those for which a run looks at their effect', { tags: ['slow'] }, () => expectNoneKept(bookingRules));

async function expectListed(only: readonly string[]): Promise<void> {
  const { report, before, status, sent } = await runOf({}, only);
  expect(report.canceled).toBe(0);
  const own = [...status.keys()].filter((id) => !before.has(id));
  expect(bookingsIn(report).sort()).toEqual(own.sort());
  expect(deletions(sent).length).toBeLessThan(5);
}

test('one that does not is asked about one booking, and the others are listed', () => expectListed(fewRules));

test('so are those for which a run looks at their effect', { tags: ['slow'] }, () => expectListed(bookingRules));

test('one that accepts a cancellation and does nothing keeps them in the list', async () => {
  const layer: Layer = async (request, through) =>
    request.method === 'DELETE' ? Response.json({ success: true, data: null }) : through(request);
  const { report, status, before } = await runOf({}, ['bookings.create*'], layer);
  expect(report.canceled).toBe(0);
  expect(bookingsIn(report).length).toBe([...status.keys()].filter((id) => !before.has(id)).length);
});

test('a run without permission to book sends no cancellation', async () => {
  const { sent, report } = await (async () => {
    const { sent, check } = await deploy(cancels);
    return { sent, report: await check({ only: ['bookings.*'], depth: 'quick' }) };
  })();
  expect(deletions(sent)).toEqual([]);
  expect(report.litter).toEqual([]);
});

test('a run pays only what it has booked, and lists what it paid', async () => {
  const { report, sent, before } = await runOf({}, ['payments.*', 'auth.*']);
  const paid = sent.filter((one) => one.includes('/payment/'));
  expect(paid.length).toBeGreaterThan(10);
  for (const id of before) expect(paid.filter((one) => one.includes(encodeURIComponent(id)))).toEqual([]);
  const payments = report.litter.filter(({ kind }) => kind === 'payment');
  expect(payments.some(({ bookingId }) => bookingId !== undefined)).toBe(true);
  expect(payments.some(({ group }) => group !== undefined)).toBe(true);
  expect(payments[0]!.what).toMatch(/^payment of (booking|group) /);
});
