/**
 * A partner's first day: from the initial refresh token to a paid booking and a received callback.
 *
 *   npm start                              (in one terminal)
 *   npx tsx test/examples/partner.ts       (in another)
 *
 * TEEBOX_BASE_URL and TEEBOX_REFRESH_TOKEN name another sandbox or another channel. TEEBOX_TOKEN_FILE keeps the refresh
 * token for the next run.
 */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const baseUrl = process.env['TEEBOX_BASE_URL'] ?? 'http://127.0.0.1:4653';
const initialToken = process.env['TEEBOX_REFRESH_TOKEN'] ?? '7eeb0ef5-0000-4000-8000-000000000001';
const tokenFile = process.env['TEEBOX_TOKEN_FILE'] ?? join(tmpdir(), `teebox-token-${initialToken}`);
const headers: Record<string, string> = { 'content-type': 'application/json' };

async function call(method: string, path: string, body?: unknown): Promise<any> {
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(`${baseUrl}/api/${path}`, init);
  const answer = await response.json();
  if (!answer.success) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
  return answer.data;
}

// 1. Trade the refresh token for a pair. It works once, so keep the new one: the next run continues with it. A sandbox that
//    was started again or reset knows only the initial token.
const refresh = (token: string) => call('POST', 'v5/token/refreshToken', { refresh_token: token });
const kept = await readFile(tokenFile, 'utf8').catch(() => initialToken);
const tokens = await refresh(kept).catch(() => refresh(initialToken));
await writeFile(tokenFile, tokens.refresh_token, { mode: 0o600 });
headers['authorization'] = `Bearer ${tokens.access_token}`;
console.log(`access token for ${tokens.expires_in} s`);

// 2. Find the facilities of a country that are connected to the channel.
const countries: string[] = await call('GET', 'v3/countries?connected=true');
const facilities = await call('GET', 'v3/facilities?country=Spain&connected=true');
const ids = facilities.slice(0, 5).map(({ id }: { id: number }) => id);
console.log(`${countries.length} countries, ${facilities.length} connected facilities in Spain`);

// 3. Ask for prices in the week that begins in three weeks; a record names course, product, day and free times.
const queryDate = (date: Date) => date.toISOString().slice(0, 10).split('-').reverse().join('-');
const [from, to] = [21, 27].map((days) => queryDate(new Date(Date.now() + days * 86_400_000)));
const { records } = await call(
  'GET',
  `v5/price/insideDateRange?facilityIds=${ids.join()}&fromDate=${from}&toDate=${to}`,
);
const offer = records.find((record: any) => record.availability.some(({ available }: any) => available >= 2));
const day = queryDate(new Date(offer.date));
console.log(`${offer.productName} at ${offer.facilityName}: ${offer.price} ${offer.currency}`);

// 4. See the tee times of that course for two players, and take one that sells the product.
const search = (holes: number) =>
  call('GET', `v5/teetimes/${offer.facilityId}/${offer.courseId}?bookingDate=${day}&players=2&holes=${holes}`);
const teeTimes = [...(await search(18)).teeTimeV3, ...(await search(9)).teeTimeV3];
const teeTime = teeTimes.find(({ products }) => products.some(({ mid }: any) => mid === offer.productId));
const product = teeTime.products.find(({ mid }: any) => mid === offer.productId);
console.log(`${teeTime.time} on ${teeTime.course}: ${product.available} slots free`);

// 5. Book it.
const { bookingId } = await call('POST', 'v5/bookings', {
  facilityId: offer.facilityId,
  teetime: teeTime.time.replace('T', ' '),
  course: teeTime.course,
  players: 2,
  teeId: teeTime.teeid,
  holes: teeTime.holes,
  productId: product.mid,
  contactFirstName: 'Ada',
  contactLastName: 'Lovelace',
  contactPhone: '+31 20 555 0100',
  contactEmail: 'ada@partner.example',
});
const mine = (await call('GET', 'v4/bookings')).find((booking: any) => booking.bookingId === bookingId);
console.log(`booked ${bookingId}: ${mine.status}`);

// 6. Confirm the payment.
await call('POST', `v4/bookings/payment/${bookingId}`);
console.log('payment confirmed');

// 7. Search several facilities; the result is posted to an address of ours.
const receiver = createServer().listen(0, '127.0.0.1');
await once(receiver, 'listening');
const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/tee-times`;
const posted = once(receiver, 'request');
await call(
  'GET',
  `v5/teetimes?facilityIds=${ids.join()}&fromDate=${from}&toDate=${to}&players=2&holes=18` +
    `&callbackUrl=${encodeURIComponent(callbackUrl)}`,
);
const [request, response] = await posted;
let text = '';
for await (const chunk of request) text += chunk;
response.end();
receiver.close();
const result = JSON.parse(text);
console.log(`callback with ${result.data.length} facilities`);
