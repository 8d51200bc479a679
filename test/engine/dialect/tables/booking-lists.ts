import type { Client } from '../../../support/client.js';
import { bookOne } from '../../../support/payments.js';
import { dayIn } from '../../../support/scenes.js';
import { bookIn } from '../forms.js';
import { question, type QuestionTable, times } from '../question.js';

const VERSIONS = ['v1', 'v2', 'v4'];

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function inAll<T>(client: Client, query: string, see: (list: any[]) => T): Promise<T[]> {
  const lists = await Promise.all(VERSIONS.map((version) => client.get(`/api/${version}/bookings${query}`)));
  return lists.map(({ body }) => see(body.data));
}

export const bookingLists: readonly QuestionTable[] = [
  question('booking-list.empty-fields', {
    rules: ['bookings.item.optional-fields'],
    probe: async ({ fairway }) => {
      const name = { contactFirstName: undefined, contactLastName: undefined, contactName: 'Ada' };
      const { bookingId } = (await bookIn(fairway, 'v5', name)).body.data;
      const [, v2, v4] = await inAll(fairway, '', (list) => {
        const item = list.find((one) => one.bookingId === bookingId);
        return ['contactFirstName' in item, item.contactFirstName ?? null, item.contactLastName];
      });
      return [v2, v4];
    },
    rows: [
      ['present', times(2, [true, '', 'Ada'])],
      ['absent', times(2, [false, null, 'Ada'])],
      ['null', times(2, [true, null, 'Ada'])],
    ],
  }),

  question('booking-list.order', {
    rules: ['bookings.list.order'],
    probe: async ({ fairway }) => {
      const made: string[] = [];
      for (const days of [12, 10, 11, 10]) made.push(await bookOne(fairway, { days }));
      // Numbers say which of the four stands where.
      return inAll(fairway, '', (list) =>
        list
          .map(({ bookingId }) => made.indexOf(bookingId) + 1)
          .filter((place) => place > 0)
          .join(''),
      );
    },
    rows: [
      ['teetime', ['2431', '2431', '2431']],
      ['created', ['1234', '1234', '1234']],
    ],
  }),

  question('booking-list.to-date', {
    rules: ['bookings.list.to-date-inclusive'],
    probe: async ({ fairway }) => {
      const id = await bookOne(fairway, { days: 10 });
      const has = (from: number | undefined, to: number) => {
        const query = new URLSearchParams({
          ...(from === undefined ? {} : { fromDate: dayIn(from).query }),
          toDate: dayIn(to).query,
        });
        return inAll(fairway, `?${query}`, (list) => list.some(({ bookingId }) => bookingId === id));
      };
      return [
        ...new Set([await has(10, 10), await has(undefined, 10)].flat()),
        ...new Set([await has(10, 11), await has(9, 12)].flat()),
      ];
    },
    rows: [
      ['inclusive', [true, true]],
      ['exclusive', [false, true]],
    ],
  }),
];
