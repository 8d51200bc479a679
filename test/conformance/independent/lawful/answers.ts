import { hash } from '../civil.js';
import { Refused } from '../desk.js';
import type { Change } from '../run.js';
import { both, replying, rewriting, type Variation, withStatus, wrap } from '../vary.js';

const row = (name: string, change: Change): Variation => ({ name, change });
const anything = /./;
const payments = /\/payment\//;

const header = (name: string, value: string): Change =>
  replying(anything, (response) => {
    response.headers.set(name, value);
    return response;
  });

/** Lists of objects in another order; the pair that a facility is in v3 stays as it is. */
const turned = (path: RegExp, order: (list: unknown[]) => unknown[]): Change =>
  rewriting(path, (body) => {
    if (Array.isArray(body.data)) return { ...body, data: order(body.data) };
    for (const name of ['teeTimeV3', 'teeTimeV2', 'facilityCancellationPolicyRange']) {
      if (Array.isArray(body.data?.[name])) body.data[name] = order(body.data[name]);
    }
    return body;
  });
const backwards = (list: unknown[]): unknown[] => list.toReversed();
const shuffled = (list: unknown[]): unknown[] =>
  list.toSorted((one, other) => hash(JSON.stringify(one)) - hash(JSON.stringify(other)));

const message = (place: (text: string) => Record<string, unknown>): Change =>
  rewriting(payments, (body) => (body.message ? { success: true, ...place(body.message) } : body));

/** A message of the answer in a header. */
const inHeader = replying(payments, async (response) => {
  const { message: text, ...body } = (await response.json()) as { message?: string };
  const headers = new Headers(response.headers);
  if (text && response.ok) headers.set('x-message', text);
  const whole = response.ok ? body : { ...body, message: text };
  return new Response(JSON.stringify(whole), { status: response.status, headers });
});

const only = (allowed: string, versions: RegExp): Change =>
  wrap('answer', (before) => (request) => {
    const { pathname } = new URL(request.url);
    const isOther = payments.test(pathname) && versions.test(pathname) && request.method !== allowed;
    if (isOther) throw new Refused(405, `This path takes ${allowed}.`);
    return before(request);
  });

let calls = 0;
const busy = wrap('handle', (before) => (request) => {
  calls += 1;
  if (calls % 40 !== 0 || request.method !== 'GET' || payments.test(request.url)) return before(request);
  const body = JSON.stringify({ success: false, data: null, message: 'Too many requests.' });
  return Promise.resolve(
    new Response(body, { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '1' } }),
  );
});

/** Cancels by DELETE, within the policy of the facility. */
export const cancelsByDelete: Change = wrap('answer', (before, service) => (request) => {
  const found = /^\/api\/v[24]\/bookings\/([^/]+)$/.exec(new URL(request.url).pathname);
  if (!found || request.method !== 'DELETE') return before(request);
  const channel = service.identify(request.headers, 4);
  const booking = service.bookings.find(({ id }) => id === found[1]);
  if (!booking || booking.channel !== channel) throw service.unknown('booking');
  if (service.isPast(booking.slot)) throw new Refused(400, 'It is too late to cancel.');
  if (booking.status === 'BOOKED') service.cancel(booking);
  return Promise.resolve({ status: 200, data: null });
});

const slashes = wrap('handle', (before) => (request) => {
  const url = new URL(request.url);
  if (!url.pathname.endsWith('/')) return before(request);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return before(new Request(url, request));
});

/** What the API specification leaves open about answers as such. */
export const answers: readonly Variation[] = [
  row(
    'the message of a paused payment as data',
    message((text) => ({ data: text })),
  ),
  row(
    'the message of a paused payment in data',
    message((text) => ({ data: { message: text } })),
  ),
  row(
    'the message of a paused payment in a list',
    message((text) => ({ data: null, messages: [text] })),
  ),
  row('the message of a paused payment in a header', inHeader),
  row('payments by GET alone', only('GET', anything)),
  row('payments by POST alone', only('POST', anything)),
  row(
    'payments by POST are a 400',
    wrap('answer', (before) => (request) => {
      const isPost = request.method === 'POST' && payments.test(new URL(request.url).pathname);
      if (isPost) throw new Refused(400, 'This path takes GET.');
      return before(request);
    }),
  ),
  row('payments of v4 and v5 by POST alone', only('POST', /\/v[45]\//)),
  row(
    '201 for what was made',
    replying(/\/(bulk)?bookings$/, (response, { method }) =>
      method === 'POST' && response.ok ? withStatus(response, 201) : response,
    ),
  ),
  row(
    '202 for a search',
    replying(/\/v5\/teetimes$/, (response) => (response.ok ? withStatus(response, 202) : response)),
  ),
  row(
    '201 for a refresh',
    replying(/refreshToken$/, (response) => (response.ok ? withStatus(response, 201) : response)),
  ),
  row(
    'more headers',
    both(header('cache-control', 'no-store'), header('set-cookie', 'a=1'), header('x-request-id', '7')),
  ),
  row('plain content type', header('content-type', 'application/json')),
  row('content type in capitals', header('content-type', 'application/json;charset=UTF-8')),
  row('a text charset in quotes', header('content-type', 'application/json; charset="utf-8"')),
  row('lists backwards', turned(/countries$|facilities$|teetimes\/|\/bookings$/, backwards)),
  row('lists in any order', turned(/countries$|facilities$|teetimes\/|\/bookings$/, shuffled)),
  row(
    'prices by day backwards',
    wrap('recordsOf', (before) => (club, dates) => before(club, dates.toReversed())),
  ),
  row(
    'results backwards',
    wrap('result', (before) => (search) => before(search).toReversed()),
  ),
  row(
    'slow answers',
    wrap('handle', (before) => async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 3));
      return before(request);
    }),
  ),
  row('too many requests now and then', busy),
  row('paths with a slash at the end', slashes),
  row(
    'paths in any case',
    wrap('handle', (before) => (request) => {
      const url = new URL(request.url);
      url.pathname = url.pathname.replace(/\/API\//i, '/api/').replace(/\/BOOKINGS$/i, '/bookings');
      return before(new Request(url, request));
    }),
  ),
  row('cancelling by DELETE', cancelsByDelete),
  row(
    'credentials before the path',
    wrap('answer', (before, service) => (request) => {
      if (!new URL(request.url).pathname.endsWith('refreshToken')) service.identify(request.headers, 5);
      return before(request);
    }),
  ),
  row(
    'a page for unknown paths',
    replying(anything, async (response) => {
      if (response.status !== 404 || !(await response.clone().text()).includes('nothing at this path')) return response;
      return new Response('<h1>Not found</h1>', { status: 404, headers: { 'content-type': 'text/html' } });
    }),
  ),
];
