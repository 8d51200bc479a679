import type { Client } from '../../../support/client.js';
import { bookBulk, bookGroup, bookOne, cancel } from '../../../support/payments.js';
import { bookingFor, findTeeTime } from '../../../support/scenes.js';
import { search, searchQuery } from '../../../support/views.js';
import { bookIn, bookInAll, creating, forms, postIn } from '../forms.js';
import { question, type QuestionTable, type Scene, times } from '../question.js';

const refusedIn = (versions: readonly (string | null)[]): unknown[] =>
  versions.map((rule) => (rule === null ? 200 : `400 ${rule}`));

type Item = { readonly bookingId: string; readonly status: string };
const listed = async (client: Client): Promise<Item[]> => (await client.get('/api/v4/bookings')).body.data;

/** Net rate of one player of the first tee time, and one cent more. */
async function netRates({ fairway }: Scene): Promise<unknown[]> {
  const { amount } = (await findTeeTime(fairway)).products[0].pricing[0].netRate;
  const seen: unknown[] = [];
  for (const netRate of [amount, Math.round(amount * 100 + 1) / 100]) {
    for (const version of ['v3', 'v5'] as const) seen.push((await bookIn(fairway, version, { netRate })).status);
  }
  return [...seen, (await bookIn(fairway, 'v5')).status];
}

/** A good booking in front of one that does not exist, in each form of a list. */
async function halfGood({ fairway }: Scene): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const path of ['v5/bookings', 'v3/bulkbookings', 'v5/bookings with payment']) {
    const teeTime = await findTeeTime(fairway);
    const before = (await listed(fairway)).length;
    const form = path.startsWith('v3') ? forms.v3 : forms.v5;
    const items = [form(teeTime, {}), form(teeTime, { teeId: 1 }), form(teeTime, {})];
    const { status } = await fairway.post(
      `/api/${path.split(' ')[0]}`,
      path.includes('payment') ? { details: items } : items,
    );
    seen.push([status, (await listed(fairway)).length - before]);
  }
  return seen;
}

export const bookings: readonly QuestionTable[] = [
  question('booking.contact', {
    rules: ['bookings.request.contactName'],
    probe: async ({ fairway }) => [
      ...(await bookInAll(fairway, {
        contactFirstName: undefined,
        contactLastName: undefined,
        contactName: 'Ada Lovelace',
      })),
      ...(await bookInAll(fairway, {})),
    ],
    rows: [
      ['either', times(6, 200)],
      ['fields', [...refusedIn(times(3, 'bookings.request.contactFirstName')), 200, 200, 200]],
      ['single', [200, 200, 200, ...refusedIn(times(3, 'bookings.request.contactName'))]],
    ],
  }),

  question('booking.facility-id', {
    rules: ['bookings.request.facilityId.string'],
    probe: ({ fairway }) => bookInAll(fairway, { facilityId: '1001' }),
    rows: [
      ['either', [200, 200, 200]],
      ['integer', refusedIn(times(3, 'bookings.request.facilityId'))],
    ],
  }),

  question('booking.net-rate-form', {
    rules: ['bookings.request.netRate.form'],
    probe: ({ fairway }) => bookInAll(fairway, { netRate: '80.00' }),
    rows: [
      ['either', [200, 200, 200]],
      // The v2 body has no net rate.
      ['number', refusedIn([null, 'bookings.request.netRate', 'bookings.request.netRate'])],
    ],
  }),

  question('booking.net-rate-check', {
    rules: ['bookings.request.netRate.check'],
    probe: netRates,
    rows: [
      ['unchecked', [200, 200, 200, 200, 200]],
      ['checked', [200, 200, 400, 400, 200]],
    ],
  }),

  question('booking.unknown-fields', {
    rules: ['bookings.request.unknown-fields'],
    probe: async ({ fairway }) => [
      await bookInAll(fairway, { 'x-unknown': 1 }),
      await bookInAll(fairway, { comments: 'known' }),
    ],
    rows: [
      [
        'ignored',
        [
          [200, 200, 200],
          [200, 200, 200],
        ],
      ],
      ['refused', [refusedIn(times(3, 'bookings.request.unknown-fields')), [200, 200, 200]]],
    ],
  }),

  question('booking.null-optional', {
    rules: ['bookings.request.null-optional'],
    probe: async ({ fairway }) => {
      const seen: unknown[] = [];
      for (const field of [
        'netRate',
        'extraProduct',
        'additionalPlayers',
        'linkedTeeTimeRef',
        'providerPlayerTypeId',
        'comments',
      ]) {
        seen.push((await bookIn(fairway, 'v5', { [field]: null })).status);
      }
      return seen;
    },
    rows: [
      ['refused', Array(6).fill(400)],
      ['accepted', Array(6).fill(200)],
    ],
  }),

  question('booking.v3-required', {
    rules: ['bookings.request.v3-required'],
    probe: async ({ fairway }) => {
      const seen: unknown[] = [];
      for (const field of ['comments', 'extraProduct', 'additionalPlayers', 'linkedTeeTimeRef', 'netRate', 'players']) {
        seen.push((await bookIn(fairway, 'v3', { [field]: undefined })).status);
      }
      return seen;
    },
    rows: [
      ['every-but-reference', [400, 400, 400, 200, 400, 400]],
      ['every', [400, 400, 400, 400, 400, 400]],
      ['core', [200, 200, 200, 200, 400, 400]],
    ],
  }),

  question('booking.linked-ref-single', {
    rules: ['bookings.request.linkedTeeTimeRef.single'],
    probe: async ({ fairway }) => {
      const linkedTeeTimeRef = '0b7c1f1e-2a3d-4e5f-8a9b-0c1d2e3f4a5b';
      const { status, rule } = await bookIn(fairway, 'v5', { linkedTeeTimeRef });
      const list = await fairway.post('/api/v5/bookings', [
        bookingFor(await findTeeTime(fairway), { linkedTeeTimeRef }),
      ]);
      return [status, rule, list.status];
    },
    rows: [
      ['accepted', [200, 'bookings.create', 200]],
      ['refused', [400, 'bookings.request.linkedTeeTimeRef', 200]],
    ],
  }),

  question('booking.group-failure', {
    rules: ['bookings.create.atomic'],
    probe: halfGood,
    rows: [
      ['nothing', times(3, [400, 0])],
      ['earlier-stay', times(3, [400, 1])],
    ],
  }),

  question('booking.id-form', {
    rules: ['bookings.id.form'],
    probe: async ({ fairway }) => {
      const { bookingIds: group } = await bookGroup(fairway);
      const { bookingIds: bulk } = await bookBulk(fairway);
      const given = [await bookOne(fairway), ...group, ...bulk];
      const lists = await Promise.all(['v1', 'v2', 'v4'].map((version) => fairway.get(`/api/${version}/bookings`)));
      const shown = lists.map(({ body }) => body.data.map(({ bookingId }: Item) => bookingId) as string[]);
      const form = (id: string): string =>
        /^TBX-1001-\d+-[0-9A-Z]{6}$/.test(id) ? 'long' : /^[0-9A-Z]{8}$/.test(id) ? 'short' : id;
      return [[...new Set(given.map(form))], shown.every((ids) => given.every((id) => ids.includes(id)))];
    },
    rows: [
      ['composite', [['long'], true]],
      ['short', [['short'], true]],
    ],
  }),

  question('booking.cancel', {
    rules: ['bookings.cancel'],
    probe: async ({ fairway }) => {
      const seen: unknown[] = [];
      for (const version of ['v2', 'v4']) {
        const id = await bookOne(fairway, { days: 30 });
        const { status } = await fairway.send('DELETE', `/api/${version}/bookings/${id}`);
        seen.push([status, (await listed(fairway)).find(({ bookingId }) => bookingId === id)?.status]);
      }
      const tomorrow = await bookOne(fairway, { days: 1 });
      const late = await cancel(fairway, tomorrow);
      return [...seen, [late.status, (await listed(fairway)).find(({ bookingId }) => bookingId === tomorrow)?.status]];
    },
    rows: [
      [
        'none',
        [
          [404, 'BOOKED'],
          [404, 'BOOKED'],
          [404, 'BOOKED'],
        ],
      ],
      [
        'delete',
        [
          [200, 'CANCELED'],
          [200, 'CANCELED'],
          [409, 'BOOKED'],
        ],
      ],
    ],
  }),

  question('success.create-status', {
    rules: ['bookings.create.status'],
    probe: async ({ fairway }) => {
      const seen: number[] = [];
      for (const version of creating) seen.push((await bookIn(fairway, version)).status);
      const item = async () => forms.v5(await findTeeTime(fairway), {});
      seen.push((await fairway.post('/api/v5/bookings', [await item()])).status);
      seen.push((await fairway.post('/api/v5/bookings', { details: [await item()] })).status);
      const bad = await postIn(fairway, 'v5', { ...(await item()), teeId: 1 });
      return [...seen, bad.status, (await fairway.get('/api/v4/bookings')).status];
    },
    rows: [
      [200, [200, 200, 200, 200, 200, 400, 200]],
      [201, [201, 201, 201, 201, 201, 400, 200]],
    ],
  }),

  question('success.accepted-status', {
    probe: async ({ fairway }) => [
      (await search(fairway, searchQuery())).status,
      (await search(fairway, searchQuery({ players: 5 }))).status,
    ],
    rows: [
      [200, [200, 400]],
      [202, [202, 400]],
    ],
  }),
];
