import { altering, type Layer } from '../../deployment.js';
import { NOW } from '../../../support/client.js';
import { bookingListMutants } from './booking-lists.js';
import { refusing, rewriting, taking } from '../layers/creations.js';
import { answering, caching, type Listed, listing, refused, shifted } from '../layers/booking-lists.js';
import type { Mutant } from '../mutant.js';

const TODAY = NOW.slice(0, 10);
const POSTED = /^POST \/api\/v\d\/(bulk)?bookings$/;

const isNew = ({ createdAt }: Listed): boolean => createdAt.startsWith(TODAY);
const newOnes = (version: string, change: (item: Listed) => Listed): Layer =>
  listing(version, (items) => items.map((item) => (isNew(item) ? change(item) : item)));
const withBody = (request: Request, body: unknown): Request =>
  new Request(request.url, { method: request.method, headers: request.headers, body: JSON.stringify(body) });
const made = (data: object): Response => Response.json({ success: true, data });
const empty = (body: any): boolean => (Array.isArray(body) ? body : body.details)?.length === 0;

/** Makes a booking of what another booking asks for, and refuses the rest. */
function refusingHalf(half: (body: any) => unknown): Layer {
  return answering(/^POST \/api\/v5\/bookings$/, async (request, through) => {
    const body = await request.clone().json();
    const some = half(body);
    if (some === undefined) return through(request);
    await through(withBody(request, some));
    return refused();
  });
}

/** Answers with success where a tee time is gone. */
function overbooking(version: string): Layer {
  return answering(POSTED, async (request, through) => {
    const response = await through(request);
    if (response.ok || !request.url.includes(`/${version}/`)) return response;
    return made({ bookingId: `SOLD-TWICE-${version}` });
  });
}

/** Lists bookings in the order in which they were made. */
function byCreation(): Layer {
  const order: string[] = [];
  const lists = listing('v4', (items) =>
    [...items].sort((a, b) => order.lastIndexOf(a['bookingId']) - order.lastIndexOf(b['bookingId'])),
  );
  return async (request, through) => {
    const response = await lists(request, through);
    if (!POSTED.test(`${request.method} ${new URL(request.url).pathname}`)) return response;
    const { data } = (await response.clone().json()) as { data: Listed | null };
    const ids = data?.['bookingIds']?.map((one: Listed) => one['bookingId']) ?? [data?.['bookingId']];
    order.push(...ids);
    return response;
  };
}

/** Shows what is to come by the clock of UTC. */
/** By UTC, an evening in America is on the next day. */
const utcDays: Layer = async (request, through) => {
  const url = new URL(request.url);
  const from = url.searchParams.get('fromDate');
  if (!url.pathname.endsWith('/v4/bookings') || from === null) return through(request);
  url.searchParams.set('fromDate', shifted(from, -1));
  const response = await through(new Request(url, request));
  if (!response.ok) return response;
  const body = (await response.json()) as { data: Listed[] };
  const first = from.split('-').reverse().join('-');
  const data = body.data.filter(({ teetime }) => teetime >= first || teetime.slice(11) >= '17:00');
  return Response.json({ ...body, data });
};

const utcBorders = altering(/\/v4\/teetimes\/\d+$/, ({ data }) => {
  const [first] = data.teeTimeV3;
  if (!first?.time.startsWith(TODAY)) return;
  const later = { ...first, time: `${TODAY}T08:30:00` };
  data.teeTimeV3 = [later, ...data.teeTimeV3.filter(({ time }: Listed) => time > NOW)];
});

const effects: readonly Mutant[] = [
  ...(['v5', 'v4', 'v3', 'v2'] as const).map((version): Mutant => ({
    rule: 'bookings.effect.availability',
    defect: `${version} shows outdated tee times after a booking`,
    layer: caching(new RegExp(`^GET /api/${version}/teetimes/`)),
  })),
  {
    rule: 'bookings.effect.availability',
    defect: 'the price list shows outdated free slots after a booking',
    layer: caching(/^GET \/api\/v5\/price/),
  },
  {
    rule: 'bookings.effect.lists',
    defect: 'v4 swaps the first and last name of a new booking',
    layer: newOnes('v4', ({ contactFirstName, contactLastName, ...item }) => {
      return { ...item, contactFirstName: contactLastName, contactLastName: contactFirstName };
    }),
  },
  {
    rule: 'bookings.effect.lists',
    defect: 'v1 does not list new bookings',
    layer: listing('v1', (items) => items.filter((item) => !isNew(item))),
  },
  {
    rule: 'bookings.effect.lists',
    defect: 'v2 lists new bookings only with parameters',
    layer: listing('v2', (items, query) => (query.size > 0 ? items : items.filter((item) => !isNew(item)))),
  },
  {
    rule: 'bookings.effect.booked',
    defect: 'v2 lists a new booking as CANCELED',
    layer: newOnes('v2', (item) => ({ ...item, status: 'CANCELED' })),
  },
  {
    rule: 'bookings.status.booked',
    defect: 'v4 lists an active booking as Booked',
    layer: newOnes('v4', (item) => ({ ...item, status: 'Booked' })),
  },
  {
    rule: 'bookings.item.status.values',
    defect: 'v4 lists bookings of the past as PLAYED',
    layer: listing('v4', (items) =>
      items.map((item) => (item['teetime'] < NOW ? { ...item, status: 'PLAYED' } : item)),
    ),
  },
  ...(['v2', 'v5'] as const).map((version): Mutant => ({
    rule: 'bookings.effect.no-overbooking',
    defect: `${version} books slots that are already taken`,
    layer: overbooking(version),
  })),
  ...(['v2', 'v3'] as const).map((version): Mutant => ({
    rule: 'bookings.effect.availability',
    defect: `${version} takes one slot for each booking, whatever its players`,
    layer: rewriting(version, (item) => ({ ...item, players: 1 })),
  })),
  {
    rule: 'bookings.effect.refused-no-trace',
    defect: 'a booking is made before its contact is validated',
    layer: refusingHalf((body) =>
      body.contactEmail || !body.teeId ? undefined : { ...body, contactEmail: 'a@b.example' },
    ),
  },
  { rule: 'bookings.list.order', defect: 'v4 lists bookings in creation order', layer: byCreation() },
];

const creations: readonly Mutant[] = [
  {
    rule: 'bookings.create.status',
    defect: 'a new booking is answered with 201',
    layer: answering(POSTED, async (request, through) => {
      const response = await through(request);
      return response.ok ? Response.json(await response.json(), { status: 201 }) : response;
    }),
  },
  {
    rule: 'bookings.create.shapes',
    defect: 'v5 refuses an array',
    layer: refusing('v5', (_, asList) => asList),
  },
  {
    rule: 'bookings.create.shapes',
    defect: 'v5 refuses `details` and takes the other two',
    layer: refusing('v5', ([item]) => item?.['details'] !== undefined),
  },
  {
    rule: 'bookings.create.other-shapes',
    defect: 'v5 accepts an object with `bookings` instead of `details`',
    layer: taking('v5', ([item]) => item?.['bookings'] !== undefined),
  },
  {
    rule: 'bookings.create.empty',
    defect: 'an empty array is accepted',
    layer: taking('v5', (items) => empty(items)),
  },
  {
    rule: 'bookings.create.multiple',
    defect: 'the response to a group lacks its last booking',
    layer: altering(/\/v5\/bookings$/, ({ data }) => void (data.bookingIds?.length > 1 && data.bookingIds.pop())),
  },
  {
    rule: 'bookings.create.with-payment',
    defect: 'v5 refuses an object with details',
    layer: refusing('v5', ([item]) => item?.['details'] !== undefined),
  },
  {
    rule: 'bookings.create.empty',
    defect: 'empty details are accepted',
    layer: taking('v5', ([item]) => empty(item ?? [0])),
  },
  {
    rule: 'bookings.create.other-shapes',
    defect: 'a payment intent that is a number is accepted',
    layer: taking('v5', ([item]) => typeof item?.['paymentIntent'] === 'number'),
  },
  {
    rule: 'bookings.create.payment-intent',
    defect: 'details are refused without a payment intent',
    layer: refusing('v5', ([item]) => item?.['details'] !== undefined && item['paymentIntent'] === undefined),
  },
  {
    rule: 'bookings.group-item.agrees',
    defect: 'v5 gives the facility id as the course id of a group',
    layer: altering(/\/v5\/bookings$/, ({ data }) => {
      for (const one of data?.bookingIds ?? []) one.courseId = 1001;
    }),
  },
  {
    rule: 'bookings.group-item.agrees',
    defect: 'v3 gives the next hour as the tee time of a bulk booking',
    layer: altering(/\/v3\/bulkbookings$/, ({ data }) => {
      for (const one of data?.bookingIds ?? []) one.teetime = one.teetime.replace(/T\d\d/, 'T23');
    }),
  },
  {
    rule: 'bookings.create.unique-id',
    defect: 'all single bookings of v2 and v5 get the same identifier',
    layer: altering(/\/bookings$/, ({ data }) => void (data?.bookingId && (data.bookingId = 'SAME'))),
  },
  {
    rule: 'bookings.create.atomic',
    defect: 'the valid items of a refused array stay booked',
    layer: refusingHalf((body) => (Array.isArray(body) && body.length > 1 ? [body[0]] : undefined)),
  },
  {
    rule: 'bookings.item.optional-fields',
    defect: 'v4 lists empty fields as null',
    layer: listing('v4', (items) =>
      items.map((item) => Object.fromEntries(Object.entries(item).map(([name, value]) => [name, value || null]))),
    ),
  },
  { rule: 'bookings.time-borders', defect: 'past tee times are determined in UTC', layer: utcBorders },
  { rule: 'bookings.time-borders', defect: 'v4 lists an evening in America as the next day', layer: utcDays },
];

/** Mistakes in making bookings, in what they change, and in listing them. */
export const bookingMutants: readonly Mutant[] = [...bookingListMutants, ...effects, ...creations];
