import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/engine/library.js';
import { playCapsule, sliceCapsule } from '../../../src/engine/play.js';

/** What one request may take, in characters. */
const MOST = 200_000;

function bookingOf({ time, course, teeid, holes, products }: any) {
  return {
    facilityId: 1001,
    teetime: time.replace('T', ' '),
    course,
    teeId: teeid,
    holes,
    players: 2,
    productId: products[0].mid,
    contactFirstName: 'Ada',
    contactLastName: 'Lovelace',
    contactPhone: '+31 20 555 0100',
    contactEmail: 'ada@partner.example',
  };
}

function clientOf(sandbox: Sandbox, channel = 0) {
  const { username, password } = sandbox.channels[channel]!;
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'content-type': 'application/json' };
  return async (path: string, body?: unknown, more: Record<string, string> = {}): Promise<any> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await sandbox.fetch(`http://teebox.test${path}`, { ...init, headers: { ...headers, ...more } });
    return { id: response.headers.get('teebox-request-id'), ...((await response.json()) as object) };
  };
}

/** Books at facilities by turns, and searches in between, as an exploration does. */
async function explored(sandbox: Sandbox, rounds: number): Promise<void> {
  const ask = clientOf(sandbox);
  for (let round = 0; round < rounds; round += 1) {
    const facility = 1001 + (round % 9);
    const day = String(8 + (round % 20)).padStart(2, '0');
    const { data } = await ask(`/api/v4/teetimes/${facility}?bookingDate=${day}-06-2026&players=1&holes=18`);
    const [first] = data?.teeTimeV3 ?? [];
    if (first) await ask('/api/v5/bookings', { ...bookingOf(first), facilityId: facility, players: 1 });
  }
}

const sandbox = await createSandbox({ now: '2026-06-01T08:00:00Z' });
await explored(sandbox, 60);
const fairway = clientOf(sandbox);
const [free] = (await fairway('/api/v4/teetimes/1001?bookingDate=20-06-2026&players=2&holes=18')).data.teeTimeV3;
const booking = bookingOf(free);
const lost = await fairway('/api/v5/bookings', booking, { 'teebox-scenario': 'payment-pi-failed; phase=after-commit' });
const again = await fairway('/api/v5/bookings', booking);
const searched = await fairway('/api/v4/teetimes/1001?bookingDate=20-06-2026&players=2&holes=18');
const listed = await fairway('/api/v4/bookings');
const refused = await fairway('/api/v5/bookings', {});
const capsule = await sandbox.capsule();

test.each([
  ['a booking that failed after the commit', lost.id],
  ['a booking that changed what came before', again.id],
  ['a search', searched.id],
  ['a list of bookings', listed.id],
  ['a refusal', refused.id],
])('%s is exported alone, and plays with the same response', async (_what, id) => {
  const end = capsule.steps.findIndex((step) => step.kind === 'request' && step.id === id) + 1;
  const whole = { ...capsule, steps: capsule.steps.slice(0, end) };
  const slice = await sliceCapsule(whole, id);
  expect(slice.steps).toEqual(whole.steps.slice(-1));
  expect(await playCapsule(slice)).toMatchObject({ same: true, requests: 1 });
  expect(JSON.stringify(slice).length).toBeLessThan(Math.min(MOST, JSON.stringify(whole).length / 2));
});

test('a request that is the first, or unknown, gets the whole', async () => {
  expect(await sliceCapsule(capsule, 'req-1')).toBe(capsule);
  expect(await sliceCapsule(capsule, 'req-99999')).toBe(capsule);
});

test('after 20,000 requests a refusal is still small', { tags: ['slow'], timeout: 600_000 }, async () => {
  const busy = await createSandbox({ now: '2026-06-01T08:00:00Z' });
  await explored(busy, 10_000);
  const { id } = await clientOf(busy)('/api/v5/bookings', { facilityId: 1001 });
  const slice = await sliceCapsule(await busy.capsule(), id);
  expect(await playCapsule(slice)).toMatchObject({ same: true, requests: 1 });
  expect(JSON.stringify(slice).length).toBeLessThan(MOST);
});
