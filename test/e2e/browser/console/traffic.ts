import type { ConsoleSite } from './visit.js';

/** A name that would run if any page took it for markup. */
export const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

/** A morning of a partner: reads, bookings, a refused one and one that a scenario strikes. */
export async function makeTraffic({ ask }: Pick<ConsoleSite, 'ask'>, lastName = HOSTILE): Promise<void> {
  await ask('/api/v3/countries');
  await ask('/api/v3/facilities?country=NL');
  const { data } = (await (await ask('/api/v4/teetimes/1001?bookingDate=11-06-2030&players=2&holes=18')).json()) as any;
  const [first, second, third] = data.teeTimeV3;
  await ask('/api/v5/bookings', bookingOf(first));
  await ask('/api/v5/bookings', bookingOf(second, { contactLastName: lastName }));
  await ask('/api/v5/bookings', bookingOf(third, {}, { 'teebox-scenario': 'payment-pi-failed' }));
  await ask('/api/v5/bookings', bookingOf(second, { players: 9 }));
  await ask('/api/v9/nothing');
  await ask('/api/v4/bookings');
}

/** Searches whose results are posted to inboxes of the sandbox: one takes them, one fails. */
export async function makeCallbacks({ ask, url, worlds }: Pick<ConsoleSite, 'ask' | 'url' | 'worlds'>): Promise<void> {
  const search = { facilityIds: '1001', fromDate: '11-06-2030', toDate: '11-06-2030', players: '2', holes: '18' };
  for (const inbox of ['tests', 'broken?status=503']) {
    const query = new URLSearchParams({ ...search, callbackUrl: `${url}/__admin/inbox/${inbox}` });
    await ask(`/api/v5/teetimes?${query}`);
    await waitFor(() => worlds.main.callbacks.deliveries.at(-1)!.attempts.length > 0);
  }
}

async function waitFor(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The request of a booking. */
export function bookingOf(teeTime: any, changes: object = {}, headers: Record<string, string> = {}): RequestInit {
  const { time, course, teeid: teeId, holes, products } = teeTime;
  const body = {
    facilityId: 1001,
    teetime: time.replace('T', ' '),
    course,
    teeId,
    holes,
    players: 2,
    productId: products[0].mid,
    contactFirstName: 'Ada',
    contactLastName: 'Lovelace',
    contactPhone: '+31 20 555 0100',
    contactEmail: 'ada@partner.example',
    ...changes,
  };
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
