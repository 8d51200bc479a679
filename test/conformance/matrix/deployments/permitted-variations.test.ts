import { expect, test } from 'vitest';
import { BASE_URL, deploy, type Layer } from '../../deployment.js';
import { complaintsOf, everything } from '../../full-run.js';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Alters what is answered as JSON: its text, from what it says. */
function writing(write: (body: Json, request: Request) => string, headers: Record<string, string> = {}): Layer {
  return async (request, through) => {
    const response = await through(request);
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const all = new Headers([...response.headers, ...Object.entries(headers)]);
    all.delete('content-length');
    if (!type.includes('json'))
      return new Response(text === '' ? null : text, { status: response.status, headers: all });
    return new Response(write(JSON.parse(text) as Json, request), { status: response.status, headers: all });
  };
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Alters every object, from the inside out. */
function objects(value: Json, alter: (object: Record<string, Json>) => Record<string, Json>): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => objects(item, alter));
  return alter(Object.fromEntries(Object.entries(value).map(([name, item]) => [name, objects(item, alter)])));
}

/** Turns round every list but those whose order pages rest on, and the pair that a facility is in v3. */
function turned(value: Json, pair: boolean, name = ''): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (!isList(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, turned(item, pair, key)]));
  }
  const items = value.map((item) => turned(item, pair));
  return name === 'records' || name === 'bookingIds' || (name === 'data' && pair) ? items : items.toReversed();
}

const turnedIn = (body: Json, { url }: Request): string => JSON.stringify(turned(body, /v3.facilities.\d/.test(url)));
let calls = 0;
const backwards = (object: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(Object.entries(object).toReversed());

/** The API below a path of the gateway; anything else there is a page. */
const mounted: Layer = async (request, through) => {
  const { pathname, search } = new URL(request.url);
  if (!pathname.startsWith('/golf/tee/')) return new Response('<h1>Not found</h1>', { status: 404 });
  const url = BASE_URL + pathname.slice('/golf/tee'.length) + search;
  const body = request.method === 'GET' ? {} : { body: await request.text() };
  return through(new Request(url, { method: request.method, headers: request.headers, ...body }));
};

/** Paths that are not listed are answered by a web server, and methods too. */
const pages: Layer = async (request, through) => {
  const response = await through(request);
  if (![404, 405].includes(response.status) || (await response.clone().text()).includes('"success"')) return response;
  return new Response('<h1>Not found</h1>', { status: 404, headers: { 'content-type': 'text/html' } });
};

/** Alters each booking of the lists. */
const booked = (alter: (item: Record<string, Json>) => Record<string, Json>): Layer =>
  writing((body, { method, url }) => {
    const lists = method === 'GET' && /v\d.bookings(\?|$)/.test(url);
    return JSON.stringify(lists ? objects(body, (one) => ('bookingId' in one ? alter(one) : one)) : body);
  });

const padded = ({ name, website }: Record<string, Json>): object => (website === undefined ? {} : { name: `${name} ` });
const lastFirst = (name: Json): string => String(name).split(' ').toReversed().join(', ');

test.each<[what: string, layer: Layer, baseUrl?: string]>([
  [
    'JSON with a charset',
    writing((body) => JSON.stringify(body), { 'content-type': 'application/json;charset=UTF-8' }),
  ],
  ['JSON with indents', writing((body) => `${JSON.stringify(body, null, 2)}\r\n`)],
  ['members in another order', writing((body) => JSON.stringify(objects(body, backwards)))],
  [
    'more properties than listed',
    writing((body) => JSON.stringify(objects(body, (one) => ({ ...one, _v: (calls += 1) })))),
  ],
  ['lists in another order', writing(turnedIn)],
  [
    'lists in an order that changes',
    writing((body, request) => ((calls += 1) % 2 ? turnedIn(body, request) : JSON.stringify(body))),
  ],
  ['more headers', writing((body) => JSON.stringify(body), { etag: 'W/"1"', 'set-cookie': 'a=b', vary: '*' })],
  [
    'phone numbers without blanks',
    booked((one) => ({ ...one, contactPhone: String(one['contactPhone']).replace(/[\s-]/g, '') })),
  ],
  [
    'a single name with the last name first',
    booked((one) => ('contactName' in one ? { ...one, contactName: lastFirst(one['contactName']!) } : one)),
  ],
  [
    'blanks after the names of a list',
    writing((body, { url }) =>
      JSON.stringify(/v\d.facilities\?/.test(url) ? objects(body, (one) => ({ ...one, ...padded(one) })) : body),
    ),
  ],
  ['pages of a web server for what is not listed', pages],
  ['another path before the API', mounted, `${BASE_URL}/golf/tee/`],
])('%s, which the API specification leaves open, is no reason to complain', async (_, layer, baseUrl = BASE_URL) => {
  // In another order, the facilities whose bookings fail on purpose may come first.
  const settings = { magic: false };
  const { sandbox, check } = await deploy(settings, layer);
  const report = await check({ baseUrl, ...everything(sandbox) });
  expect(complaintsOf(report)).toEqual([]);
  expect(report.counts.pass).toBeGreaterThan(300);
  const readOnly = await (await deploy(settings, layer)).check({ baseUrl });
  expect(complaintsOf(readOnly)).toEqual([]);
});

test.each([1, 3, 5])(
  'no more than %i bookings, which the API specification leaves open, is no reason to complain',
  async (most) => {
    let made = 0;
    const message = 'The booking could not be processed at the moment. Retry, then contact support.';
    const quota: Layer = async (request, through) => {
      if (request.method !== 'POST' || !request.url.endsWith('bookings')) return through(request);
      if (made >= most) return Response.json({ success: false, data: null, message }, { status: 400 });
      const response = await through(request);
      if (response.ok) made += 1;
      return response;
    };
    const { sandbox, check } = await deploy({}, quota);
    expect(complaintsOf(await check(everything(sandbox)))).toEqual([]);
  },
);
