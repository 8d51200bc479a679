/** A partner's day: from the refresh token to two paid bookings, one of which seems to fail. */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const baseUrl = process.env['TEEBOX_BASE_URL'] ?? 'http://127.0.0.1:4653';
const tokenFile = process.env['TEEBOX_TOKEN_FILE'] ?? '.teebox-token';
const headers: Record<string, string> = { 'content-type': 'application/json' };

/** A call was refused, or has no readable answer (status 0). */
class Failure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function send(method: string, path: string, body: unknown, extra: Record<string, string>): Promise<any> {
  const init = { method, headers: { ...headers, ...extra }, signal: AbortSignal.timeout(10_000) };
  try {
    const response = await fetch(`${baseUrl}/api/${path}`, { ...init, body: body ? JSON.stringify(body) : null });
    const { status } = response;
    return { status, ...(response.ok ? await response.json() : await response.json().catch(() => ({}))) };
  } catch (error) {
    return { status: 0, message: `No answer: ${error}` };
  }
}

async function call(method: string, path: string, body?: unknown, extra: Record<string, string> = {}): Promise<any> {
  let answer = await send(method, path, body, extra);
  // The access token has expired.
  if (answer.status === 401 && headers['authorization']) {
    await refresh(await readFile(tokenFile, 'utf8'));
    answer = await send(method, path, body, extra);
  }
  if (!answer.success) throw new Failure(answer.status, answer.message ?? `${method} ${path}: ${answer.status}`);
  return answer.data;
}

// 1. Trade the refresh token for a pair. It works once, so keep the new one before anything else.
async function refresh(token: string): Promise<void> {
  delete headers['authorization'];
  const tokens = await call('POST', 'v5/token/refreshToken', { refresh_token: token });
  await writeFile(tokenFile, tokens.refresh_token, { mode: 0o600 });
  headers['authorization'] = `Bearer ${tokens.access_token}`;
  console.log(`access token for ${tokens.expires_in} s`);
}

// The operator gives you the first token. A sandbox shows the one that is valid now.
async function firstToken(): Promise<string> {
  const given = process.env['TEEBOX_REFRESH_TOKEN'];
  if (given) return given;
  const response = await fetch(`${baseUrl}/__admin/channels`, { signal: AbortSignal.timeout(10_000) });
  return ((await response.json()) as any).channels[0].refreshToken;
}

const kept = await readFile(tokenFile, 'utf8').catch(firstToken);
await refresh(kept).catch(async (failure: Failure) => {
  // The sandbox was started again, or somebody else has used the token.
  const first = failure.status === 401 ? await firstToken() : kept;
  if (kept === first) throw failure;
  await refresh(first);
});

// 2. Find the facilities of a country that are connected to the channel.
const countries = await call('GET', 'v3/countries?connected=true');
const facilities = await call('GET', 'v3/facilities?country=Spain&connected=true');
console.log(`${countries.length} countries, ${facilities.length} connected facilities in Spain`);

// 3. Read tee sheets until one has a tee time with two free slots. The result is the first half of a booking.
async function findTeeTime(day: string): Promise<object> {
  for (const { id } of facilities) {
    const { teeTimeV3 } = await call('GET', `v4/teetimes/${id}?bookingDate=${day}&players=2&holes=18`);
    for (const { teeid, time, course, holes, products } of teeTimeV3) {
      const product = products.find(({ available }: any) => available >= 2);
      const step = product?.pricing.find(({ quantity }: any) => quantity === 2);
      if (!step) continue;
      console.log(`${time}, ${product.name}: ${step.price.amount} ${step.price.currency} for two`);
      const where = { facilityId: id, course, teetime: time.replace('T', ' '), teeId: teeid, holes, players: 2 };
      return { ...where, productId: product.mid, netRate: step.netRate.amount };
    }
  }
  throw new Error(`Nothing is free on ${day}.`);
}

// 4. Book it, and see it in the list. A failure or a lost answer does not mean that nothing was booked: only the list
//    says so. It shows the e-mail address, so an address of its own finds the order.
async function book(day: string, extra = {}): Promise<string> {
  const contactEmail = `ada+${randomUUID()}@partner.example`;
  const contact = { contactFirstName: 'Ada', contactLastName: 'Lovelace', contactPhone: '+31 20 555 0100' };
  const order = { ...(await findTeeTime(day)), ...contact, contactEmail };
  await call('POST', 'v5/bookings', order, extra).catch(({ message }: Failure) => console.log(`failed: ${message}`));
  const made = (await call('GET', 'v4/bookings')).find((booking: any) => booking.contactEmail === contactEmail);
  if (!made) throw new Error('The list does not have the booking, so nothing was booked. Please try again later.');
  console.log(`in the list: ${made.bookingId}, ${made.status}`);
  return made.bookingId;
}

// 5. Confirm the payment. The operation of v5 is paused, so use v4.
async function pay(bookingId: string): Promise<void> {
  await call('POST', `v4/bookings/payment/${bookingId}`);
  console.log('payment confirmed');
}

const date = new Date(Date.now() + 21 * 86_400_000).toISOString().slice(0, 10);
const day = date.split('-').reverse().join('-');
await pay(await book(day));

// 6. The same with a failure on demand: the booking is made, but the answer says that the payment failed.
await pay(await book(day, { 'teebox-scenario': 'payment-pi-failed; phase=after-commit' }));

// 7. Search several facilities. The result is posted to an address of yours; the sandbox has an inbox to try it.
const inbox = `${baseUrl}/__admin/inbox/partner-${randomUUID()}`;
const ids = facilities.slice(0, 5).map(({ id }: any) => id);
const search = { facilityIds: ids.join(), fromDate: day, toDate: day, players: '2', holes: '18', callbackUrl: inbox };
await call('GET', `v5/teetimes?${new URLSearchParams(search)}`);
for (let count = 0; count < 50; count += 1) {
  const { messages } = (await (await fetch(inbox)).json()) as any;
  if (messages.length > 0) {
    console.log(`callback with ${messages[0].body.data.length} facilities`);
    break;
  }
  await sleep(100);
}
