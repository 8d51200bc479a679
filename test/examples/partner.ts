/**
 * A partner's first day: from the initial refresh token to a paid booking and a received callback.
 *
 *   npm start                              (in one terminal)
 *   npx tsx test/examples/partner.ts       (in another)
 *
 * TEEBOX_BASE_URL and TEEBOX_REFRESH_TOKEN name another sandbox or another channel.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const baseUrl = process.env['TEEBOX_BASE_URL'] ?? 'http://127.0.0.1:4653';
const initialToken = process.env['TEEBOX_REFRESH_TOKEN'] ?? '7eeb0ef5-0000-4000-8000-000000000001';
const headers: Record<string, string> = { 'content-type': 'application/json' };

async function call(method: string, path: string, body?: unknown): Promise<any> {
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(`${baseUrl}/api/${path}`, init);
  const answer = await response.json();
  if (!answer.success) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
  return answer.data;
}

// 1. Trade the initial refresh token, which is good for one use, for a pair; keep the new refresh token.
const tokens = await call('POST', 'v5/token/refreshToken', { refresh_token: initialToken });
headers['authorization'] = `Bearer ${tokens.access_token}`;
console.log(`access token for ${tokens.expires_in} s`);

// 2. Find a facility that is connected to the channel.
const countries: string[] = await call('GET', 'v3/countries?connected=true');
const country = encodeURIComponent(countries[0]!);
const facilities = await call('GET', `v3/facilities?country=${country}&connected=true`);
console.log(`${facilities.length} connected facilities in ${countries[0]}`);

// 3. Ask for prices in three weeks; a record names the course, the product and the times with free places.
const day = new Date(Date.now() + 21 * 86_400_000).toISOString().slice(0, 10);
const queryDate = day.split('-').reverse().join('-');
const ids = facilities.slice(0, 5).map(({ id }: { id: number }) => id);
const { records } = await call(
  'GET',
  `v5/price/insideDateRange?facilityIds=${ids.join()}&fromDate=${queryDate}&toDate=${queryDate}`,
);
const offer = records.find((record: any) => record.availability.some(({ available }: any) => available >= 2));
console.log(`${offer.productName} at ${offer.facilityName}: ${offer.price} ${offer.currency}`);

// 4. See the tee times of that course for two players, and take one that sells the product.
const search = (holes: number) =>
  call('GET', `v5/teetimes/${offer.facilityId}/${offer.courseId}?bookingDate=${queryDate}&players=2&holes=${holes}`);
const teeTimes = [...(await search(18)).teeTimeV3, ...(await search(9)).teeTimeV3];
const teeTime = teeTimes.find(({ products }) => products.some(({ mid }: any) => mid === offer.productId));
const product = teeTime.products.find(({ mid }: any) => mid === offer.productId);
console.log(`${teeTime.time} on ${teeTime.course}: ${product.available} places free`);

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
  `v5/teetimes?facilityIds=${ids.join()}&fromDate=${queryDate}&toDate=${queryDate}&players=2&holes=18` +
    `&callbackUrl=${encodeURIComponent(callbackUrl)}`,
);
const [request, response] = await posted;
let text = '';
for await (const chunk of request) text += chunk;
response.end();
receiver.close();
const result = JSON.parse(text);
console.log(`callback with ${result.data.length} facilities`);
