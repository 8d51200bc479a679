import { forms } from '../../engine/dialect/forms.js';
import { badBookings, emptied, malformed, misshapen, mistyped, oversized, type Place } from '../bad-input/bodies.js';
import { badParameters, badTogether } from '../bad-input/parameters.js';
import { type CallOptions, Client, open, type Reply } from '../client.js';
import { accessTokenOf, bare, bearer } from '../credentials.js';
import { bodyOf, everyOperation, pathOf } from '../operations.js';
import { bookingFor, findTeeTime, teeTimesOf } from '../scenes.js';
import { bookedIds, ways } from '../ways-to-book.js';
import type { Sent } from './play.js';

/** A client that writes down what it sends. */
class Recorder extends Client {
  readonly sent: Sent[] = [];

  override async deliver(request: Request): Promise<Reply> {
    const { method, url, headers } = request.clone();
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: await request.clone().text() };
    const path = url.slice(url.indexOf('/', url.indexOf('://') + 3));
    this.sent.push({ method, path, headers: Object.fromEntries(headers), ...body });
    return super.deliver(request).catch(() => lost);
  }
}

/** What stands for an answer that did not arrive. */
const lost: Reply = { status: 0, headers: new Headers(), text: '', body: undefined, rule: undefined };

/** Every operation: with what it needs, without credentials, by other methods, at a path with a slash at its end. */
async function operationsIn(client: Recorder): Promise<void> {
  for (const operation of everyOperation) {
    const path = pathOf(operation);
    await client.send(operation.method, path, bodyOf(operation));
    await bare(client, operation.method, path, bodyOf(operation));
    await client.send(operation.method, path.replace(/(?=\?|$)/, '/'), bodyOf(operation));
    for (const method of ['HEAD', 'OPTIONS', 'PATCH']) await client.send(method, path);
  }
}

async function badInput(client: Recorder, share: number): Promise<void> {
  const teeTime = await findTeeTime(client);
  const good = ({ name }: Place) => forms[name.slice(0, 2) as keyof typeof forms]?.(teeTime, {}) ?? {};
  const rows = [badParameters(), badTogether, malformed, mistyped, misshapen, emptied, badBookings(good)].flat();
  const some = rows.filter((_, index) => index % share === 0);
  for (const { method, path, headers = {}, body } of [...some, oversized(good)[0]!]) {
    await client.send(method, path, { headers, body });
  }
  const strays = [
    '/api',
    '/api/',
    '/api//v3/countries',
    '/api/%',
    '/api/%zz',
    '/api/v3/countries%2f',
    '/api/v3/Countries',
  ];
  for (const path of strays) {
    await client.get(path);
  }
  for (const id of ['1', '999999', '2147483648']) await client.get(`/api/v3/facilities/${id}`);
}

/** A partner's day: tokens, every way to book, lists, payments, pictures. */
async function partnersDay(client: Recorder): Promise<void> {
  const token = { headers: bearer(await accessTokenOf(client)) };
  await client.get('/api/v3/countries', token);
  const teeTimes = await teeTimesOf(client, { days: 12 });
  for (const [index, way] of Object.values(ways).entries()) {
    const [id] = bookedIds(await way(client, teeTimes[index]!));
    for (const version of ['v2', 'v4', 'v5']) await client.post(`/api/${version}/bookings/payment/${id}`, {});
  }
  for (const version of ['v1', 'v2', 'v4']) await client.get(`/api/${version}/bookings`, token);
  for (const version of ['v1', 'v2', 'v3']) await client.get(`/api/${version}/facilities/details/1001`);
  for (const file of ['logo.svg', '1.svg', '99.svg']) await client.get(`/images/1001/${file}`);
}

const struck = [
  ['payment-pi-failed', 'payment-pi-failed; phase=after-commit', 'sold-out', 'price-changed', 'server-error'],
  ['rate-limited', 'maintenance', 'connection-reset', 'empty-response', 'malformed-json', 'truncated-body'],
  [
    'price-changed, payment-pi-failed; delay=1ms',
    'maintenance, slow; delay=1ms',
    'payment-pi-failed, connection-reset',
  ],
  ['connection-reset; phase=after-commit', 'no-such-scenario', 'callback-late', 'payment-pi-failed; item=9'],
].flat();

async function scenariosIn(client: Recorder): Promise<void> {
  const teeTime = await findTeeTime(client, { days: 14 });
  for (const spec of struck) {
    const headers = { 'teebox-scenario': spec };
    await client.post('/api/v5/bookings', bookingFor(teeTime), { headers });
    await client.get('/api/v4/bookings', { headers });
  }
}

/** The operator's calls; those that tell of requests as they came differ by the headers of each host. */
async function adminIn(client: Recorder): Promise<void> {
  const teeTime = await findTeeTime(client, { days: 15 });
  const calls: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['GET', 'health'],
    ['GET', 'version'],
    ['GET', 'channels'],
    ['GET', 'scenarios'],
    ['POST', 'plans', { scenario: 'server-error', times: 1 }],
    ['POST', 'plans', { scenario: 'nothing' }],
    ['POST', 'plans', { scenario: 'booking-failed', match: { contactLastName: 'Byron' } }],
    ['POST', 'chaos', { rate: '50%', seed: 7, only: ['server-error', 'malformed-json', 'booking-failed'] }],
  ];
  for (const [method, path, body] of calls) await client.send(method, `/__admin/${path}`, optional(body));
  for (let turn = 0; turn < 6; turn += 1) await client.post('/api/v5/bookings', bookingFor(teeTime));
  const afterwards: typeof calls = [
    ['GET', 'plans'],
    ['GET', 'chaos'],
    ['DELETE', 'chaos'],
    ['POST', 'clock', { advance: 'PT1H' }],
    ['POST', 'clock', { set: '2200-01-01T00:00:00Z' }],
    ['GET', 'clock'],
    ['POST', 'inbox/tests?status=503', { a: 1 }],
    ['DELETE', 'inbox/tests'],
    ['GET', 'bookings'],
    ['GET', 'dialect'],
    ['GET', 'tee-sheets/1001?date=2026-06-13'],
    ['GET', 'nowhere'],
    ['POST', 'reset'],
    ['GET', 'bookings'],
  ];
  for (const [method, path, body] of afterwards) await client.send(method, `/__admin/${path}`, optional(body));
}

function optional(body: unknown): CallOptions {
  return body === undefined ? {} : { body };
}

/**
 * Requests to every operation, good and bad, in an order in which they build on each other. Of the bad ones, which are
 * most of all, a share is enough to meet each kind of answer.
 */
export async function corpus(shareOfBad = 1): Promise<readonly Sent[]> {
  const { sandbox } = await open();
  const client = new Recorder(sandbox, 'fairway');
  await operationsIn(client);
  await badInput(client, shareOfBad);
  for (const part of [partnersDay, scenariosIn, adminIn]) await part(client);
  await sandbox.reset();
  return client.sent;
}
