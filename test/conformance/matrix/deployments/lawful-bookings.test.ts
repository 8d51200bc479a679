import { expect, test } from 'vitest';
import type { SandboxOptions } from '../../../../src/engine/library.js';
import { altering, deploy, idsWith, type Layer } from '../../deployment.js';
import { complaintsOf, everything, fullRun } from '../../full-run.js';
import { answering, type Listed, listing } from '../../mutants/layers/booking-lists.js';

/** Several layers, the last one next to the deployment. */
const all = (...layers: readonly Layer[]): Layer =>
  layers.reduce((outer, inner) => (request, through) => outer(request, (one) => inner(one, through)));

/** Bookings that the lists show otherwise, in each of some versions. */
const listed = (versions: readonly string[], change: (item: Listed) => Listed): Layer =>
  all(...versions.map((version) => listing(version, (items) => items.map(change))));

const lists = ['v1', 'v2', 'v4'];
const CREATED = /^POST \/api\/v\d\/(bulk)?bookings$/;

const without = (item: Listed, fields: readonly string[]): Listed =>
  Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)));

/** A short id for each composite one. */
const short = (id: unknown): string => `S${String(id).slice(-6)}`;

/** v1 and v2 have short ids, v4 and v5 the composite ones. */
const twoIds = all(
  listed(['v1', 'v2'], (item) => ({ ...item, bookingId: short(item['bookingId']) })),
  altering(/\/v2\/bookings$/, ({ data }) => {
    if (typeof data?.bookingId === 'string') data.bookingId = short(data.bookingId);
  }),
);

/** Takes `text/plain` as JSON. */
const plainText: Layer = (request, through) => {
  if (!request.headers.get('content-type')?.startsWith('text/plain')) return through(request);
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  return request.text().then((body) => through(new Request(request.url, { method: request.method, headers, body })));
};

/** Takes dates of bookings in ISO 8601 too, and of queries. */
const isoDates: Layer = async (request, through) => {
  const url = new URL(request.url);
  for (const [name, value] of url.searchParams) {
    if (/^\d{4}-\d\d-\d\d$/.test(value)) url.searchParams.set(name, value.split('-').reverse().join('-'));
  }
  const { method, headers } = request;
  if (method !== 'POST') return through(new Request(url, { method, headers }));
  const body = (await request.text()).replace(/("teetime":"\d{4}-\d\d-\d\d)T/g, '$1 ');
  return through(new Request(url, { method, headers, ...(body === '' ? {} : { body }) }));
};

/** Answers an array without a booking with an empty group. */
const emptyGroups = answering(CREATED, async (request, through) => {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  const items = Array.isArray(body) ? body : (body as { details?: unknown })?.details;
  if (!Array.isArray(items) || items.length > 0) return through(request);
  return Response.json({ success: true, data: { groupId: 1, bookingIds: [] } });
});

/** Goes by the id of the tee time, and leaves out extra products that it does not know. */
const goesById = answering(CREATED, async (request, through) => {
  const response = await through(request.clone());
  if (response.ok) return response;
  const text = (await request.text()).replace(/"mid":(214748364\d|"abc")/g, '"mid":0');
  const wrong = /"teetime":"(soon|2020-[^"]*)"/.test(text) || text.includes('"mid":0');
  if (!wrong) return response;
  const bookingIds = [{ bookingId: 'BY-ID', teetime: '2026-06-01T10:00:00', courseId: 1 }];
  const asList = text.startsWith('[');
  const data = asList ? { groupId: 1, bulkBookingId: 1, bookingIds } : { bookingId: 'BY-ID' };
  return Response.json({ success: true, data });
});

/** Knows no reference in v3. */
const noReference: Layer = async (request, through) => {
  const isBulk = request.method === 'POST' && request.url.endsWith('/v3/bulkbookings');
  if (!isBulk || !(await request.clone().text()).includes('linkedTeeTimeRef')) return through(request);
  return Response.json({ success: false, data: null, message: 'Unknown field.' }, { status: 400 });
};

/** Refusals with another body. */
const refusals = (change: (body: Listed) => object): Layer => {
  return async (request, through) => {
    const response = await through(request);
    if (response.ok || response.status >= 500) return response;
    const body = (await response.json()) as Listed;
    return Response.json(change(body), { status: response.status });
  };
};

const pausedText = altering(/\/v5\/(bulk)?bookings\/payment\//, (body) => {
  if (typeof body.message !== 'string') return;
  body.data = body.message;
  delete body.message;
});

const lawful: readonly (readonly [what: string, layer: Layer, settings?: SandboxOptions])[] = [
  ['short ids in v1 and v2 and composite ones in v4', twoIds],
  ['text/plain bodies', plainText],
  ['dates in ISO 8601', isoDates],
  ['empty arrays of bookings', emptyGroups],
  ['a booking by teeId alone, with unknown extra products', goesById],
  [
    'lists without creation times and facility ids',
    listed(lists, (item) => without(item, ['createdAt', 'facilityId'])),
  ],
  [
    'lists with null courses and tee times',
    listed(lists, (item) => ({ ...item, ...('course' in item ? { course: null } : { round: null }), teeId: null })),
  ],
  [
    'creation times with an offset',
    listed(lists, (item) => ({ ...item, createdAt: `${String(item['createdAt'])}+02:00` })),
  ],
  [
    'states beyond the two',
    listed(lists, (item) => (item['teetime'] < '2026-06' ? { ...item, status: 'COMPLETED' } : item)),
  ],
  ['the message of the pause as a string in data', pausedText],
  ['refusals with a string in data', refusals(({ message, data }) => ({ success: false, data: message ?? data }))],
  [
    'refusals with a list in data',
    refusals(({ message, data }) => ({ success: false, data: [message ?? data].flat() })),
  ],
  [
    'a single contact name alone',
    (request, through) => through(request),
    { dialect: { answers: { 'booking.contact': 'single' } } },
  ],
  ['no reference in a v3 bulk booking', noReference, { dialect: { answers: { 'booking.v3-required': 'core' } } }],
  [
    '200 for invalid input',
    (request, through) => through(request),
    { dialect: { answers: { 'error.validation': 200 } } },
  ],
];

/** What is inconclusive where a deployment does nothing unusual. */
const usual = fullRun().then((report) => idsWith(report, 'inconclusive'));

test.each(lawful.map(([what, layer, settings = {}]) => ({ what, layer, settings })))(
  '$what: no finding, and nothing inconclusive',
  async ({ what, layer, settings }) => {
    const { sandbox, check } = await deploy(settings, layer);
    const report = await check(everything(sandbox));
    expect(complaintsOf(report)).toEqual([]);
    const known = await usual;
    const { rules } = report;
    const lacking = rules.filter(({ verdict, id }) => verdict === 'inconclusive' && !known.includes(id));
    // A rule about a field that no list has finds nothing to judge.
    const told = lacking.filter(({ id }) => !(what.startsWith('lists with') && id.startsWith('bookings.item.')));
    expect(told.map(({ id, missing }) => `${id}: ${missing}`)).toEqual([]);
  },
);

const layers = lawful.filter(([, , settings]) => !settings);

test.each([0, 1, 2])('every third of them together, from number %i on: no finding', async (first) => {
  const some = layers.filter((_, index) => index % 3 === first).map(([, layer]) => layer);
  const { sandbox, check } = await deploy({}, all(...some));
  expect(complaintsOf(await check(everything(sandbox)))).toEqual([]);
});
