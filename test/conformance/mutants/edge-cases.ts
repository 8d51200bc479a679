import { NOW } from '../../support/client.js';
import { altering, type Layer } from '../deployment.js';
import { rewriting } from './layers/creations.js';
import { asking, type Listed, listing, shifted } from './layers/booking-lists.js';
import type { Mutant } from './mutant.js';
import { searching } from './tee-times/search.js';
import { later, reading } from './layers/requests.js';

const SHEETS = /\/v3\/teetimes\//;
const LAST_WEEK = new Date(Date.parse(NOW) - 7 * 86_400_000).toISOString().slice(0, 10);
const through: Layer = (request, go) => go(request);
const listIn = ({ data }: any): any[] => data.teeTimeV3 ?? data.teeTimeV2 ?? data;
const midnight = (iso: string): string =>
  `${new Date(Date.parse(`${iso.slice(0, 10)}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)}T00:00:00`;

const bookings: readonly Mutant[] = [
  {
    rule: 'bookings.effect.availability',
    defect: 'a booking of two players takes one slot',
    layer: rewriting('v5', (item) => (item['players'] === 2 ? { ...item, players: 1 } : item)),
  },
  {
    rule: 'bookings.effect.lists',
    defect: 'v1 replaces the plus sign of a phone number with a space',
    layer: listing('v1', (items) =>
      items.map((item) => ({ ...item, contactPhone: item['contactPhone']?.replace('+', ' ') })),
    ),
  },
  {
    rule: 'bookings.create.unique-id',
    defect: 'all bookings of a group have the identifier of the first one',
    layer: altering(/\/v5\/bookings$/, ({ data }) => {
      for (const one of data?.bookingIds ?? []) one.bookingId = data.bookingIds[0].bookingId;
    }),
  },
  {
    rule: 'bookings.create.multiple',
    defect: 'the response to a group has the tee time of the first booking for each',
    layer: altering(/\/v5\/bookings$/, ({ data }) => {
      for (const one of data?.bookingIds ?? []) one.teetime = data.bookingIds[0].teetime;
    }),
  },
  {
    rule: 'bookings.list.canceled-included',
    defect: 'v2 omits cancelled bookings if the request has no dates',
    layer: listing('v2', (items, query) =>
      query.size > 0 ? items : items.filter(({ status }) => status === 'BOOKED'),
    ),
  },
  {
    rule: 'bookings.list.from-date-past',
    defect: 'v1 returns at most one week of past bookings',
    layer: listing('v1', (items) => items.filter(({ teetime }) => teetime >= LAST_WEEK)),
  },
  {
    rule: 'bookings.list.toDate',
    defect: 'v4 compares days as dd-mm-yyyy text',
    layer: (request, go) => {
      const to = new URL(request.url).searchParams.get('toDate');
      const text = ({ teetime }: Listed): string => teetime.slice(0, 10).split('-').reverse().join('-');
      const unbound = asking('v4', (query) => query.delete('toDate'));
      const narrowed = listing('v4', (items) => items.filter((item) => to === null || text(item) <= to));
      return narrowed(request, (same) => unbound(same, go));
    },
  },
  {
    rule: 'bookings.list.to-date-narrows',
    defect: 'v1 ends one day after toDate',
    layer: asking('v1', (query) => {
      const to = query.get('toDate');
      if (to !== null) query.set('toDate', shifted(to, 1));
    }),
  },
  {
    rule: 'bookings.list.by-teetime',
    defect: 'v4 begins one day before fromDate',
    layer: asking('v4', (query) => {
      const from = query.get('fromDate');
      if (from !== null) query.set('fromDate', shifted(from, -1));
    }),
  },
  {
    rule: 'bookings.list.same-across-versions',
    defect: 'v2 shows tee times one hour early',
    layer: listing('v2', (items) =>
      items.map((item) => {
        const hour = Number(item['teetime'].slice(11, 13)) - 1;
        return {
          ...item,
          teetime: `${item['teetime'].slice(0, 11)}${String(hour).padStart(2, '0')}${item['teetime'].slice(13)}`,
        };
      }),
    ),
  },
];

const results: readonly Mutant[] = [
  {
    rule: 'callback.one-per-facility',
    defect: 'a result has the first facility twice',
    layer: through,
    delivery: (json: any) => ({ ...json, data: [...json.data, json.data[0]] }),
  },
  {
    rule: 'callback.item.teeTimeV3',
    defect: 'the list of a facility without tee times is null',
    options: { only: ['callback.item.teeTimeV3', 'callback.one-per-facility'] },
    layer: through,
    delivery: (json: any) => {
      for (const one of json.data) if (one.teeTimeV3.length === 0) one.teeTimeV3 = null;
      return json;
    },
  },
  {
    rule: 'callback.filter',
    defect: 'a search for 9 holes returns tee times of 18 holes',
    layer: searching((query) => query.get('holes') === '9' && query.set('holes', '18')),
  },
  {
    rule: 'callback.agrees',
    defect: 'a result has only the first product of each tee time',
    layer: through,
    delivery: (json: any) => {
      for (const { teeTimeV3 } of json.data) for (const one of teeTimeV3) one.products = one.products.slice(0, 1);
      return json;
    },
  },
  {
    rule: 'callback.trigger',
    defect: 'a search with days written as yyyy-mm-dd is acknowledged and has no result',
    layer: async (request, go) =>
      /\/v5\/teetimes\?.*fromDate=\d{4}-/.test(request.url)
        ? Response.json({ success: true, data: null })
        : go(request),
  },
];

const sheets: readonly Mutant[] = [
  {
    rule: 'teetimes.filter.bookingDate',
    defect: 'v3 includes the midnight at the end of a day',
    layer: altering(SHEETS, (body) => {
      const list = listIn(body);
      const last = list.at(-1);
      if (last) list.push({ ...last, time: midnight(last.time) });
    }),
  },
  {
    rule: 'teetimes.filter.holes',
    defect: 'v3 returns tee times of 9 holes in addition to those of 18',
    layer: async (request, go) => {
      const nine = reading(SHEETS, (query) => query.set('holes', '9'));
      const more =
        /holes=18/.test(request.url) && SHEETS.test(new URL(request.url).pathname) ? await nine(request, go) : null;
      const added = more === null ? [] : listIn(await more.json());
      return altering(SHEETS, (body) => listIn(body).push(...added))(request, go);
    },
  },
  {
    rule: 'teetimes.filter.course',
    defect: 'the last tee time of a course is of another course',
    layer: altering(/\/v5\/teetimes\/\d+\/\d+$/, (body) => {
      const last = listIn(body).at(-1);
      if (last) last.course = `${last.course} II`;
    }),
  },
  {
    rule: 'teetimes.price-across-versions',
    defect: 'v3 shows prices in another currency',
    layer: altering(SHEETS, (body) => {
      for (const { pricing } of listIn(body))
        for (const { price } of pricing) price.currency = price.currency === 'EUR' ? 'GBP' : 'EUR';
    }),
  },
  {
    rule: 'prices.range-only',
    defect: 'a range of several days begins one day early',
    layer: reading(/\/price\//, (query) => {
      const from = query.get('fromDate');
      if (from !== null && from !== query.get('toDate')) query.set('fromDate', later(from, -1));
    }),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'later pages have the records in reverse order',
    layer: async (request, go) => {
      const behind = Number(new URL(request.url).searchParams.get('offset')) > 0;
      return behind ? altering(/\/price\//, ({ data }) => data.records.reverse())(request, go) : go(request);
    },
  },
  {
    rule: 'facilities.list.connected-only',
    defect: 'v2 lists a facility that is no longer connected',
    layer: async (request, go) =>
      request.url.includes('connected=true')
        ? altering(/\/v2\/facilities$/, ({ data }) => data.push({ ...data[0], id: 1030 }))(request, go)
        : go(request),
  },
];

/** Mistakes at an edge: of a list, a day, a group, or in one kind of data alone. */
export const edgeCaseMutants: readonly Mutant[] = [...bookings, ...results, ...sheets];
