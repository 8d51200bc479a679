import { NOW } from '../../../support/client.js';
import {
  answering,
  asking,
  confusingChannels,
  listing,
  type Listed,
  param,
  refused,
  shifted,
  swapped,
} from '../layers/booking-lists.js';
import { type Item, noticing } from '../layers/creations.js';
import { altering, type Layer } from '../../deployment.js';
import type { Mutant } from '../mutant.js';

const TODAY = NOW.slice(0, 10);

/** The day of a query as answers write it. */
const iso = (date: string): string => date.split('-').reverse().join('-');

const noDate = (value: string): string | undefined => (value === 'not-a-date' ? undefined : value);

const isList = ({ method, url }: Request): boolean => method === 'GET' && new URL(url).pathname.endsWith('/bookings');

/** Keeps the dates of a list where all requests share them. */
function withLatestDates(): Layer {
  let latest = '';
  return async (request, through) => {
    if (!isList(request)) return through(request);
    const url = new URL(request.url);
    latest = url.search;
    await new Promise((resolve) => setTimeout(resolve, 1));
    url.search = latest;
    return through(new Request(url, request));
  };
}

/** Asks once for what is asked twice at the same time, whoever asks. */
function sharingAnswers(): Layer {
  const under = new Map<string, Promise<Response>>();
  return async (request, through) => {
    if (!isList(request)) return through(request);
    const known = under.get(request.url);
    if (known) return (await known).clone();
    const answer = through(request);
    under.set(request.url, answer);
    const response = await answer.finally(() => under.delete(request.url));
    return response.clone();
  };
}

/** Lists a booking as often as its request says. */
function joined(version: string, timesOf: (item: Item) => number): Layer {
  const times = new Map<unknown, number>();
  const list = listing(version, (items) =>
    items.flatMap((item) => Array.from({ length: times.get(item['bookingId']) ?? 1 }, () => item)),
  );
  return noticing((id, item) => times.set(id, Math.max(1, timesOf(item))), list);
}

/** Mistakes in the booking list that are seen without a booking. */
let lists = 0;

export const bookingListMutants: readonly Mutant[] = [
  { rule: 'bookings.list', defect: 'v1 has no booking list', layer: answering(/v1\/bookings$/, () => refused(404)) },
  {
    rule: 'bookings.list.no-date',
    defect: 'v2 ignores a fromDate that is not a date',
    layer: asking('v2', param('fromDate', noDate)),
  },
  {
    rule: 'bookings.list.fromDate',
    defect: 'v1 reads fromDate as mm-dd-yyyy',
    layer: asking('v1', param('fromDate', swapped)),
  },
  {
    rule: 'bookings.list.no-date',
    defect: 'v4 ignores a toDate that is not a date',
    layer: asking('v4', param('toDate', noDate)),
  },
  {
    rule: 'bookings.list.toDate',
    defect: 'v2 reads toDate as mm-dd-yyyy',
    layer: asking('v2', param('toDate', swapped)),
  },
  {
    rule: 'bookings.list.to-date-narrows',
    defect: 'v4 ignores toDate',
    layer: asking(
      'v4',
      param('toDate', () => undefined),
    ),
  },
  {
    rule: 'bookings.list.to-date-narrows',
    defect: 'v4 ignores toDate without fromDate',
    layer: asking('v4', (query) => {
      if (!query.has('fromDate')) query.delete('toDate');
    }),
  },
  {
    rule: 'bookings.list.to-date-alone',
    defect: 'v2 lists past bookings with toDate alone',
    layer: asking('v2', (query) => {
      if (query.has('toDate') && !query.has('fromDate')) query.set('fromDate', '01-01-2020');
    }),
  },
  {
    rule: 'bookings.item.status',
    defect: 'v4 writes CANCELLED',
    layer: listing('v4', (items) =>
      items.map((item) => (item['status'] === 'CANCELED' ? { ...item, status: 'CANCELLED' } : item)),
    ),
  },
  {
    rule: 'bookings.list.by-teetime',
    defect: 'v2 filters by the creation date of a booking',
    layer: listing('v2', (items, query) => {
      const from = query.get('fromDate');
      return items.filter(({ createdAt }) => from === null || createdAt.slice(0, 10) >= iso(from));
    }),
  },
  {
    rule: 'bookings.list.future-only',
    defect: 'v1 lists past bookings without parameters',
    layer: asking('v1', (query) => {
      if (query.size === 0) query.set('fromDate', '01-01-2020');
    }),
  },
  {
    rule: 'bookings.list.future-only',
    defect: 'v4 returns an empty list without parameters',
    layer: listing('v4', (items, query) => (query.size === 0 ? [] : items)),
  },
  {
    rule: 'bookings.list.from-date-past',
    defect: 'v2 omits past bookings although fromDate is sent',
    layer: listing('v2', (items) => items.filter(({ teetime }) => teetime.slice(0, 10) >= TODAY)),
  },
  {
    rule: 'bookings.list.from-date-past',
    defect: 'v4 excludes the day of fromDate',
    layer: asking(
      'v4',
      param('fromDate', (value) => shifted(value, 1)),
    ),
  },
  {
    rule: 'bookings.list.to-date-inclusive',
    defect: 'v4 excludes the day of toDate',
    layer: listing('v4', (items, query) => {
      const to = query.get('toDate');
      return items.filter(({ teetime }) => to === null || teetime.slice(0, 10) < iso(to));
    }),
  },
  {
    rule: 'bookings.list.canceled-included',
    defect: 'v1 omits cancelled bookings',
    layer: listing('v1', (items) => items.filter(({ status }) => status !== 'CANCELED')),
  },
  {
    rule: 'bookings.list.canceled-included',
    defect: 'v4 omits cancelled bookings although fromDate is sent',
    layer: listing('v4', (items, query) =>
      items.filter(({ status }) => !query.has('fromDate') || status !== 'CANCELED'),
    ),
  },
  {
    rule: 'bookings.list.channel-scope',
    defect: 'v2 shows the bookings of one channel to every channel',
    layer: confusingChannels(/^GET \/api\/v2\/bookings$/),
  },
  {
    rule: 'bookings.item.created-zone',
    defect: 'v4 writes creation times with a Z',
    layer: listing('v4', (items) => items.map((item) => ({ ...item, createdAt: `${item['createdAt']}Z` }))),
  },
  {
    rule: 'bookings.list.same-across-versions',
    defect: 'v2 shows one player too many',
    layer: listing('v2', (items) => items.map((item) => ({ ...item, players: item['players'] + 1 }))),
  },
  {
    rule: 'bookings.list.same-across-versions',
    defect: 'v1 omits the last booking',
    layer: listing('v1', (items) => items.slice(0, -1)),
  },
  {
    rule: 'bookings.id.form',
    defect: 'v4 lists bookings with another identifier',
    layer: listing('v4', (items) => items.map((item, index) => ({ ...item, bookingId: `B${index}` }))),
  },
  {
    rule: 'bookings.list.same-across-versions',
    defect: 'lists that are read at once get the dates of the latest one',
    layer: withLatestDates(),
  },
  {
    rule: 'bookings.list.channel-scope',
    defect: 'two channels that ask for one list at once get the same answer',
    layer: sharingAnswers(),
  },
  {
    rule: 'bookings.effect.lists',
    defect: 'a list has the latest thirty bookings of a channel only',
    layer: (() => {
      const made: unknown[] = [];
      const lists = altering(/\/v\d\/bookings$/, (body) => {
        const old = made.slice(0, -30);
        if (Array.isArray(body.data)) body.data = body.data.filter((one: Listed) => !old.includes(one['bookingId']));
      });
      return noticing((id) => made.push(id), lists);
    })(),
    options: { only: ['bookings.effect.*', 'bookings.create.*'] },
  },
  {
    rule: 'bookings.item.stable-id',
    defect: 'v2 lists the first booking twice',
    layer: listing('v2', (items) => [...items.slice(0, 1), ...items]),
  },
  {
    rule: 'bookings.item.stable-id',
    defect: 'v4 lists a booking once for each of its extra products',
    layer: joined('v4', ({ extraProduct }) => extraProduct?.length ?? 1),
    options: { only: ['bookings.item.stable-id', 'bookings.request.extraProduct'] },
  },
  {
    rule: 'bookings.item.stable-id',
    defect: 'v4 gives every booking a new id in each answer',
    layer: listing('v4', (items) =>
      items.map((item) => ({ ...item, bookingId: `${item['bookingId']}-${(lists += 1)}` })),
    ),
  },
  {
    rule: 'bookings.item.version-fields',
    defect: 'v1 returns the facility id, as v4 does',
    layer: listing('v1', (items) => items.map((item) => ({ ...item, facilityId: 1001 }))),
  },
];
