import { forms } from '../../engine/dialect/forms.js';
import { type Client, type Reply } from '../client.js';
import { initialTokenOf, refreshWith } from '../credentials.js';
import { dayIn, queryText, type TeeTime } from '../scenes.js';
import { pricesPath, search, searchQuery } from '../views.js';
import type { OperationId } from '../../../src/contract/generated/operations.js';
import { DAYS, FACILITIES, type Model, sheetKey } from './model.js';
import type { Step } from './steps.js';

/** A request that was answered: of which operation, and what the walk needs to judge it. */
export interface Deed {
  readonly of: OperationId;
  readonly reply: Reply;
  /** The bookings that were asked for, in their order. */
  readonly wanted?: readonly { readonly teeId: number; readonly players: number }[];
  /** The tee times that were asked for. */
  readonly sheet?: { readonly at: string; readonly players: number; readonly course?: number };
  readonly ofRange?: 'all' | 'future';
  /** Whether the walk expects success; undefined where a race or the state decides. */
  readonly good?: boolean;
}

type Doer = (client: Client, step: Step, model: Model) => Promise<Deed | undefined>;

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

/** A tee time of one of the places, full ones too, so that races are lost and carts are stale. */
function teeTimeAt(client: Client, { a, b, c }: Step, model: Model, more = 0): TeeTime & { facilityId: number } {
  const facilityId = pick(FACILITIES, a);
  const sheet = model.sheets.get(sheetKey(client.channel, facilityId, pick(DAYS, b), 18))!;
  // The first tee times of the day, so that bookings meet.
  const teeTime = pick(sheet.slice(0, 12), c + more);
  return { ...teeTime, facilityId };
}

const book: Doer = async (client, step, model) => {
  const teeTime = teeTimeAt(client, step, model);
  const version = pick(['v5', 'v5', 'v2'] as const, step.a >> 4);
  const { facilityId } = teeTime;
  const reply = await client.post(
    `/api/${version}/bookings`,
    forms[version](teeTime, { facilityId, players: step.players }),
  );
  return { of: `${version}.createBooking`, reply, wanted: [{ teeId: teeTime.teeid, players: step.players }] };
};

const group: Doer = async (client, step, model) => {
  const count = 1 + ((step.b >> 4) % 3);
  // A group may ask for the same tee time several times.
  const apart = (step.c >> 5) % 3 === 0 ? 0 : 1;
  const list = Array.from({ length: count }, (_, index) => teeTimeAt(client, step, model, index * apart));
  const kind = pick(['array', 'details', 'bulk'] as const, step.a >> 4);
  const version = kind === 'bulk' ? 'v3' : 'v5';
  const bodies = list.map((one) => forms[version](one, { facilityId: one.facilityId, players: step.players }));
  const path = kind === 'bulk' ? '/api/v3/bulkbookings' : '/api/v5/bookings';
  const reply = await client.post(path, kind === 'details' ? { details: bodies } : bodies);
  const wanted = list.map(({ teeid }) => ({ teeId: teeid, players: step.players }));
  return { of: kind === 'bulk' ? 'v3.createBulkBooking' : 'v5.createBooking', reply, wanted };
};

/** Bookings that must be refused, alone or behind a good one. */
const stumble: Doer = async (client, step, model) => {
  const teeTime = teeTimeAt(client, step, model);
  const { facilityId } = teeTime;
  const wrong = pick(
    [
      { players: 5 },
      { course: 'Nowhere' },
      { holes: 12 },
      { teeId: 7 },
      { contactEmail: undefined },
      { productId: 1 },
      { teetime: '2026-06-31 10:00:00' },
      { linkedTeeTimeRef: 'no' },
    ],
    step.c >> 3,
  );
  const good = forms.v5(teeTime, { facilityId });
  const bad = forms.v5(teeTime, { facilityId, ...wrong });
  const reply = await client.post('/api/v5/bookings', pick([bad, [good, bad], { details: [good, bad] }], step.a >> 4));
  return { of: 'v5.createBooking', reply, wanted: [], good: false };
};

const teeTimes: Doer = async (client, step) => {
  const facilityId = pick(FACILITIES, step.a);
  const days = pick(DAYS, step.b);
  const holes = step.c % 5 === 0 ? 9 : 18;
  const version = pick(['v2', 'v3', 'v4', 'v5'] as const, step.c >> 3);
  const query = queryText({ bookingDate: dayIn(days).query, players: step.players, holes });
  const course = version === 'v5' ? facilityId * 10 + 1 : undefined;
  const reply = await client.get(`/api/${version}/teetimes/${facilityId}${course ? `/${course}` : ''}?${query}`);
  const at = sheetKey(client.channel, facilityId, days, holes);
  return {
    of: `${version}.listTeeTimes`,
    reply,
    sheet: { at, players: step.players, ...(course ? { course } : {}) },
    good: true,
  };
};

const list: Doer = async (client, { a, b }) => {
  const version = pick(['v1', 'v2', 'v4'] as const, a);
  const all = b % 2 === 0;
  const reply = await client.get(`/api/${version}/bookings${all ? '?fromDate=01-01-2020' : ''}`);
  return { of: `${version}.listBookings`, reply, ofRange: all ? 'all' : 'future', good: true };
};

const pay: Doer = async (client, { a, b, c }, { made }) => {
  const booking = pick(made, a);
  if (!booking) return undefined;
  const version = pick(['v1', 'v3', 'v4', 'v5'] as const, b);
  const method = pick(['GET', 'POST'] as const, c);
  const reply = await client.send(method, `/api/${version}/bookings/payment/${booking.bookingId}`);
  const of = `${version}.confirmPayment${method === 'POST' ? '.post' : ''}` as const;
  return { of, reply, good: booking.channel === client.channel };
};

const payGroup: Doer = async (client, { a, b, c }, { made }) => {
  const booking = pick(
    made.filter(({ groupId }) => groupId !== null),
    a,
  );
  if (!booking) return undefined;
  const version = pick(['v3', 'v4', 'v5'] as const, b);
  const method = pick(['GET', 'POST'] as const, c);
  const reply = await client.send(method, `/api/${version}/bulkbookings/payment/${booking.groupId}`);
  const of = `${version}.confirmBulkPayment${method === 'POST' ? '.post' : ''}` as const;
  return { of, reply, good: booking.channel === client.channel };
};

const refresh: Doer = async (client, { a }, model) => {
  const token = model.tokens.get(client.channel) ?? initialTokenOf(client);
  const reply = await refreshWith(client, token, pick(['v1', 'v2', 'v3', 'v4', 'v5'], a));
  if (reply.status === 200) model.tokens.set(client.channel, reply.body.data.refresh_token);
  return { of: 'refreshToken', reply };
};

const reads: Readonly<Record<'search' | 'prices' | 'countries' | 'facilities' | 'facility' | 'details', Doer>> = {
  search: async (client, { a, b, c, players }) => {
    // Each result has an address of its own, of which the receiver fails up to three times.
    const callbackUrl = `http://me:s3cret@127.0.0.1:9/${client.channel}/${a}/${b}/${c}?fail=${c % 4}`;
    const wish = { facilityIds: FACILITIES, from: pick(DAYS, b), players, callbackUrl };
    const reply = await search(client, searchQuery(wish));
    return { of: 'v5.searchTeeTimes', reply, good: true };
  },
  prices: async (client, { a, b }) => {
    const query = { facilityIds: FACILITIES.join(), fromDate: dayIn(20).query, toDate: dayIn(21).query };
    const reply = await client.get(pricesPath({ ...query, offset: a % 7, limit: 1 + (b % 9) }));
    return { of: 'v5.listPrices', reply, good: true };
  },
  countries: async (client, { a, b }) => {
    const version = pick(['v2', 'v3'] as const, a);
    const reply = await client.get(`/api/${version}/countries${b % 2 ? '?connected=true' : ''}`);
    return { of: `${version}.listCountries`, reply, good: true };
  },
  facilities: async (client, { a, b }) => {
    const version = pick(['v1', 'v2', 'v3'] as const, a);
    const country = pick(['Spain', 'the Netherlands', 'Atlantis'], b);
    const reply = await client.get(`/api/${version}/facilities?${queryText({ country })}`);
    return { of: `${version}.listFacilities`, reply, good: true };
  },
  facility: async (client, { a, b }) => {
    const version = pick(['v1', 'v2', 'v3'] as const, a);
    const id = pick([...FACILITIES, 999], b);
    const reply = await client.get(`/api/${version}/facilities/${id}`);
    return { of: `${version}.findFacility`, reply, good: id !== 999 };
  },
  details: async (client, { a, b }) => {
    const version = pick(['v2', 'v3'] as const, a);
    const reply = await client.get(`/api/${version}/facilities/details/${pick(FACILITIES, b)}`);
    return { of: `${version}.facilityDetails`, reply, good: true };
  },
};

export const doers: Readonly<Record<Exclude<Step['does'], 'wait'>, Doer>> = {
  book,
  group,
  stumble,
  teeTimes,
  list,
  pay,
  payGroup,
  refresh,
  ...reads,
};
