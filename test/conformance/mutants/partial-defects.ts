import { altering, type Layer } from '../deployment.js';
import { type Item, refusing, rewriting, taking } from './layers/creations.js';
import { answering, type Listed, refused } from './layers/booking-lists.js';
import type { Mutant } from './mutant.js';
import { reading } from './layers/requests.js';

const through: Layer = (request, go) => go(request);
const SHEETS = /\/v5\/teetimes\/\d+\/\d+$/;
/** A facility at which the run books a few tee times only. */
const SELDOM = 1019;
const LISTS = /\/v\d\/bookings$/;

/** Tells of bookings as they are made, and alters the booking lists by what was told. */
function telling(
  tell: (items: readonly Item[], data: any) => void,
  alter: (items: readonly Listed[]) => readonly Listed[],
): Layer {
  return async (request, go) => {
    if (request.method === 'GET') {
      return altering(LISTS, (body) => (body.data = alter(body.data)))(request, go);
    }
    const body = await request.clone().text();
    const response = await go(request);
    const { data } = (await response.clone().json()) as { data: any };
    if (response.ok && data?.bookingIds) tell([JSON.parse(body)].flat(), data);
    return response;
  };
}

/** Refuses single bookings for as many players as a tee time shows free slots: they are compared with one too few. */
function keepingOne(): Layer {
  const free = new Map<string, number>();
  const sheets = altering(/\/v4\/teetimes\/\d+$/, ({ data }) => {
    for (const { teeid, time, products } of data.teeTimeV3)
      free.set(`${teeid} ${time}`, Math.max(...products.map(({ available }: any) => available)));
  });
  const isAll = ([item]: readonly Item[], asList: boolean): boolean =>
    !asList && free.get(`${item!['teeId']} ${String(item!['teetime']).replace(' ', 'T')}`) === item!['players'];
  const books = refusing('v5', isAll);
  return (request, go) => sheets(request, (inner) => books(inner, go));
}

/** Loses the second of two single bookings of a tee time that are made at once, and accepts it. */
function losingOne(): Layer {
  const under = new Map<unknown, number>();
  let lost = 0;
  return async (request, go) => {
    if (request.method !== 'POST' || !LISTS.test(new URL(request.url).pathname)) return go(request);
    const { teeId: id } = (await request.clone().json()) as Item;
    const count = under.get(id) ?? 0;
    if (id !== undefined && count > 0) {
      return Response.json({ success: true, data: { bookingId: `LOST-${(lost += 1)}` } });
    }
    under.set(id, count + 1);
    return go(request).finally(() => under.set(id, under.get(id)! - 1));
  };
}

/** Hides the second booking of each group. */
function hiding(): Layer {
  const hidden = new Set<string>();
  return telling(
    (_, { bookingIds }) => bookingIds.slice(1).forEach((one: Listed) => hidden.add(one['bookingId'])),
    (items) => items.filter(({ bookingId }) => !hidden.has(bookingId)),
  );
}

/** Lists each booking of a group with the tee time of its first. */
function sharing(): Layer {
  const first = new Map<string, Item>();
  return telling(
    ([item], { bookingIds }) => bookingIds.forEach((one: Listed) => first.set(one['bookingId'], item!)),
    (items) => items.map((item) => ({ ...item, teeId: first.get(item['bookingId'])?.['teeId'] ?? item['teeId'] })),
  );
}

/** Shows in v4, as it was at first, every tee time of a query that a version has booked since. */
function returning(version: string): Layer {
  const booked = new Set<number>();
  const first = new Map<string, readonly Item[]>();
  return async (request, go) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'POST' && pathname === `/api/${version}/bookings`) {
      booked.add(((await request.clone().json()) as Item)['teeId']);
      return go(request);
    }
    return altering(/\/v4\/teetimes\/\d+$/, ({ data }) => {
      const before = first.get(request.url) ?? structuredClone(data.teeTimeV3 as Item[]);
      first.set(request.url, before);
      const others = data.teeTimeV3.filter(({ teeid }: Item) => !booked.has(teeid));
      data.teeTimeV3 = [...others, ...before.filter(({ teeid }) => booked.has(teeid))];
    })(request, go);
  };
}

/** Takes more or fewer slots for some bookings of a version, as v4 and v5 show them. */
function takingMore(version: string, more: (item: Item) => number): Layer {
  const taken = new Map<number, number>();
  return async (request, go) => {
    if (request.method !== 'POST' || !request.url.endsWith(`/api/${version}/bookings`)) {
      return altering(/\/v[45]\/teetimes\/\d/, ({ data }) => {
        for (const { teeid, products } of data.teeTimeV3)
          for (const product of products) product.available = Math.max(0, product.available - (taken.get(teeid) ?? 0));
      })(request, go);
    }
    const body: any = await request.clone().json();
    const response = await go(request);
    for (const item of response.ok ? ([body.details ?? body].flat() as Item[]) : [])
      taken.set(item['teeId'], (taken.get(item['teeId']) ?? 0) + more(item));
    return response;
  };
}

/** Books one slot for each booking of a group with `details`. */
const oneEach: Layer = async (request, go) => {
  const { url, method, headers } = request;
  if (method !== 'POST' || !url.endsWith('/api/v5/bookings')) return go(request);
  const body: any = await request.clone().json();
  if (!body.details) return go(request);
  const details = body.details.map((item: Item) => ({ ...item, players: 1 }));
  return go(new Request(url, { method, headers, body: JSON.stringify({ ...body, details }) }));
};

const lists: readonly Mutant[] = [
  { rule: 'bookings.effect.lists', defect: 'the second booking of a group is not listed', layer: hiding() },
  {
    rule: 'bookings.effect.lists',
    defect: 'all bookings of a group are listed with the tee time of the first one',
    layer: sharing(),
  },
  {
    rule: 'bookings.effect.lists',
    defect: 'names end at an emoji',
    layer: rewriting('v5', (item) => {
      const { contactFirstName: name } = item;
      return { ...item, contactFirstName: String(name).replace(/ \p{Extended_Pictographic}.*/u, '') };
    }),
  },
  {
    rule: 'bookings.effect.lists',
    defect: 'names lose their non-ASCII letters',
    layer: rewriting('v5', (item) => {
      const { contactFirstName: name } = item;
      return typeof name === 'string' ? { ...item, contactFirstName: name.replace('\u00eb', '?') } : item;
    }),
  },
  { rule: 'bookings.effect.availability', defect: 'a v2 booking takes no slot', layer: returning('v2') },
  {
    rule: 'bookings.effect.availability',
    defect: 'of two bookings at one moment, the later one is lost',
    layer: losingOne(),
  },
  {
    rule: 'bookings.effect.availability',
    defect: 'a v2 booking takes twice as many slots as it has players',
    layer: takingMore('v2', ({ players }) => players),
  },
  {
    rule: 'bookings.effect.availability',
    defect: 'bookings at one facility take no slots',
    layer: takingMore('v5', ({ facilityId, players }) => (facilityId === SELDOM ? -players : 0)),
  },
  {
    rule: 'bookings.effect.availability',
    defect: 'a v5 group with `details` takes one slot for each booking, whatever its players',
    layer: oneEach,
  },
  {
    rule: 'bookings.create',
    defect: 'a v5 booking for all free slots of a tee time is refused',
    layer: keepingOne(),
    options: { only: ['bookings.create', 'bookings.effect.availability'] },
  },
  {
    rule: 'bookings.create',
    defect: 'a v5 list of bookings for four players is refused',
    layer: refusing('v5', (items, asList) => asList && items.every(({ players }) => players === 4)),
    options: { only: ['bookings.create', 'bookings.effect.availability'] },
  },
  {
    rule: 'bookings.list.same-across-versions',
    defect: 'v2 lists the last name of every booking as the first',
    layer: altering(/\/v2\/bookings$/, ({ data }) => {
      for (const item of Array.isArray(data) ? data : [])
        [item.contactFirstName, item.contactLastName] = [item.contactLastName, item.contactFirstName];
    }),
  },
  {
    rule: 'bookings.list.fromDate',
    defect: 'every version lists the 20 bookings with the earliest tee times',
    layer: altering(LISTS, (body) => {
      if (!Array.isArray(body.data)) return;
      const sorted = [...body.data].sort((one, other) => (one.teetime < other.teetime ? -1 : 1));
      body.data = body.data.filter((item: Listed) => sorted.indexOf(item) < 20);
    }),
    // A quick run makes fewer than 20 bookings.
    options: { depth: 'standard' },
  },
  {
    rule: 'bookings.effect.no-overbooking',
    defect: 'each booking of a group is checked against the free slots before the group',
    layer: taking('v5', ([first, second]) => second !== undefined && first?.['teeId'] === second['teeId']),
  },
  {
    rule: 'bookings.create.unique-id',
    defect: 'all v5 groups have the same number',
    layer: altering(/\/v5\/bookings$/, ({ data }) => void (data?.groupId && (data.groupId = 1))),
  },
  {
    rule: 'bookings.list.same-across-versions',
    defect: 'every version lists a booking of two players twice',
    layer: altering(LISTS, (body) => {
      if (Array.isArray(body.data))
        body.data = body.data.flatMap((item: Listed) => (item['players'] === 2 ? [item, item] : [item]));
    }),
  },
  {
    rule: 'bookings.list.to-date-alone',
    defect: 'v4 includes past bookings if only toDate is sent',
    layer: reading(/\/v4\/bookings$/, (query) => {
      if (query.has('toDate') && !query.has('fromDate')) query.set('fromDate', '01-01-2000');
    }),
  },
  {
    rule: 'bookings.list.to-date-narrows',
    defect: 'v1 ignores fromDate if toDate is sent',
    layer: reading(/\/v1\/bookings$/, (query) => query.has('toDate') && query.set('fromDate', '01-01-2000')),
  },
];

/** Refuses what asks for some days in its query. */
const refusingDays = (path: RegExp, isRefused: (query: URLSearchParams) => boolean): Layer => {
  return async (request, go) => {
    const { pathname, searchParams } = new URL(request.url);
    return path.test(pathname) && isRefused(searchParams) ? refused(400) : go(request);
  };
};
const isOneDay = (query: URLSearchParams): boolean =>
  query.has('toDate') && query.get('toDate') === query.get('fromDate');

const others: readonly Mutant[] = [
  {
    rule: 'prices.list',
    defect: 'a price list of one day is refused',
    layer: refusingDays(/\/price\//, isOneDay),
    options: { only: ['prices.*'] },
  },
  {
    rule: 'search.accepted',
    defect: 'a search of one day is refused',
    layer: refusingDays(/\/v5\/teetimes$/, isOneDay),
    options: { only: ['search.*', 'callback.*'] },
  },
  {
    rule: 'bookings.list.response',
    defect: 'v4 refuses a list of one day',
    layer: refusingDays(/\/v4\/bookings$/, isOneDay),
    options: { only: ['bookings.list.*'] },
  },
  {
    rule: 'teetimes.list',
    defect: 'v2 takes 29 February for no day',
    layer: refusingDays(/\/v2\/teetimes\//, (query) => query.get('bookingDate')!.startsWith('29-02')),
    options: { only: ['teetimes.list', 'dates.query-format'] },
  },
  {
    rule: 'bookings.linked.when',
    defect: 'v5 takes a reference in small letters only',
    layer: refusing('v5', (items) => items.some(({ linkedTeeTimeRef: ref }) => /[A-F]/.test(String(ref)))),
  },
  {
    rule: 'errors.create.status',
    defect: 'v2 responds with 409 when no slots are left',
    layer: answering(/^POST \/api\/v2\/bookings$/, async (request, go) => {
      const response = await go(request);
      return response.status === 400 ? refused(409) : response;
    }),
  },
  {
    rule: 'auth.invalid',
    defect: 'a refresh token is accepted as an access token',
    layer: refreshing(),
  },
  {
    rule: 'facilities.same-across-versions',
    defect: 'the v2 details have the id of the next facility',
    layer: altering(/\/v2\/facilities\/details\/\d+$/, ({ data }) => void (data.id += 1)),
  },
  {
    rule: 'teetimes.filter.players',
    defect: 'v4 searches for one player if three are requested',
    layer: reading(/\/v4\/teetimes\/\d+$/, (query) => query.get('players') === '3' && query.set('players', '1')),
  },
  {
    rule: 'teetimes.price-across-versions',
    defect: 'v5 adds the tax to its net rates',
    layer: altering(SHEETS, ({ data }) => {
      for (const { products } of data.teeTimeV3)
        for (const { pricing } of products) for (const { netRate } of pricing) netRate.amount *= 1.21;
    }),
  },
  {
    rule: 'teetimes.price-across-versions',
    defect: 'v5 omits the extra products',
    layer: altering(SHEETS, ({ data }) => {
      for (const teeTime of data.teeTimeV3) teeTime.extraProducts = [];
    }),
  },
  {
    rule: 'teetimes.cancellation.by-facility',
    defect: 'v4 returns only the first cancellation range for four players',
    layer: async (request, go) =>
      request.url.includes('players=4')
        ? altering(/\/v4\/teetimes\/\d+$/, ({ data }) => data.facilityCancellationPolicyRange.splice(1))(request, go)
        : go(request),
  },
  ...(['first', 'last'] as const).map((which): Mutant => ({
    rule: 'callback.agrees',
    defect: `a result has only the tee times of the ${which} day of its range`,
    layer: through,
    delivery: (json: any) => {
      for (const one of json.data) {
        const day = one.teeTimeV3.at(which === 'first' ? 0 : -1)?.time.slice(0, 10);
        one.teeTimeV3 = one.teeTimeV3.filter(({ time }: Listed) => time.startsWith(day));
      }
      return json;
    },
  })),
  {
    rule: 'callback.agrees',
    defect: 'a result has each tee time twice',
    layer: through,
    delivery: (json: any) => {
      for (const one of json.data) one.teeTimeV3 = one.teeTimeV3.flatMap((teeTime: Listed) => [teeTime, teeTime]);
      return json;
    },
  },
];

/** Lets a refresh token in where an access token belongs. */
function refreshing(): Layer {
  const access = new Map<string, string>();
  return async (request, go) => {
    if (request.url.endsWith('refreshToken')) {
      const response = await go(request);
      const { data } = (await response.clone().json()) as { data: any };
      if (response.ok) access.set(`Bearer ${data.refresh_token}`, `Bearer ${data.access_token}`);
      return response;
    }
    const own = access.get(request.headers.get('authorization') ?? '');
    if (own === undefined) return go(request);
    const headers = new Headers(request.headers);
    headers.set('authorization', own);
    return go(new Request(request, { headers }));
  };
}

/** Mistakes that spare what is looked at first: the other bookings of a group, the other days, the other parts. */
export const partialDefectMutants: readonly Mutant[] = [...lists, ...others];
