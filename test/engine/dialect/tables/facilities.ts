import type { Reply } from '../../../support/client.js';
import { bookOne } from '../../../support/payments.js';
import { bookingFor, dayIn, findTeeTime, teeTimesPath } from '../../../support/scenes.js';
import { pricesPath, search, searchQuery } from '../../../support/views.js';
import { question, type QuestionTable } from '../question.js';

/** Connected to `links`, not to `fairway`. */
const STRANGE = 1006;

const count = ({ status, body }: Reply, list: (data: never) => readonly unknown[]): unknown =>
  status === 200 ? (list(body.data as never).length > 0 ? 'some' : 'none') : status;

export const facilities: readonly QuestionTable[] = [
  question('facility.unconnected', {
    rules: ['facilities.connected-scope'],
    probe: async ({ sandbox, fairway, links }) => {
      const wanted = { facilityId: STRANGE };
      const teeTime = await findTeeTime(links, wanted);
      const day = dayIn(10).query;
      const teeTimes = (version: 'v2' | 'v3' | 'v4') => fairway.get(teeTimesPath(version, wanted));
      await search(fairway, searchQuery({ facilityIds: [STRANGE] }));
      await sandbox.callbacks.settled();
      const posted = JSON.parse(sandbox.callbacks.deliveries[0]!.body!).data;
      const prices = await fairway.get(pricesPath({ facilityIds: STRANGE, fromDate: day, toDate: day }));
      return {
        shown: (await fairway.get(`/api/v3/facilities/${STRANGE}`)).status,
        v2: count(await teeTimes('v2'), (data: unknown[]) => data),
        v3: count(await teeTimes('v3'), ({ teeTimeV2 }: { teeTimeV2: unknown[] }) => teeTimeV2),
        v4: count(await teeTimes('v4'), ({ teeTimeV3 }: { teeTimeV3: unknown[] }) => teeTimeV3),
        prices: count(prices, ({ records }: { records: unknown[] }) => records),
        callback: [posted.length, posted[0].teeTimeV3.length > 0],
        booking: (await fairway.post('/api/v5/bookings', bookingFor(teeTime, { facilityId: STRANGE }))).status,
      };
    },
    rows: [
      ['empty', { shown: 200, v2: 'none', v3: 'none', v4: 'none', prices: 'none', callback: [1, false], booking: 400 }],
      ['refused', { shown: 200, v2: 403, v3: 403, v4: 403, prices: 403, callback: [1, false], booking: 403 }],
      ['open', { shown: 200, v2: 'some', v3: 'some', v4: 'some', prices: 'some', callback: [1, true], booking: 200 }],
    ],
  }),

  question('facility.empty-fields', {
    rules: ['facilities.optional-fields'],
    probe: async ({ fairway }) => {
      // The second address line of this facility has no value.
      const { body } = await fairway.get('/api/v2/facilities?country=the%20Netherlands');
      const listed = body.data.find(({ id }: { id: number }) => id === 1001).address;
      const shown = (await fairway.get('/api/v1/facilities/1001')).body.data.address;
      const detailed = (await fairway.get('/api/v3/facilities/details/1001')).body.data.address;
      const lines = [listed, shown, detailed].map(({ address2 }) => (address2 === undefined ? 'absent' : address2));
      return [...lines, listed.place, listed.address1];
    },
    rows: [
      ['present', ['', '', '', 'Wassenaar', 'Duinweg']],
      ['absent', ['absent', 'absent', 'absent', 'Wassenaar', 'Duinweg']],
      ['null', [null, null, null, 'Wassenaar', 'Duinweg']],
    ],
  }),

  question('payment-rule.duration-unit', {
    rules: ['facilities.payment-rule.duration-unit'],
    probe: async ({ fairway }) => {
      const { body } = await fairway.get('/api/v3/facilities/1002');
      const { description, firstPaymentConditionDuration, lastPaymentConditionDuration } = body.data[1].paymentRule;
      return [/two days|48 hours/i.test(description), firstPaymentConditionDuration, lastPaymentConditionDuration];
    },
    rows: [
      ['hours', [true, 0, 48]],
      ['days', [true, 0, 2]],
      ['minutes', [true, 0, 2880]],
    ],
  }),

  question('time.created-zone', {
    rules: ['bookings.item.created-zone'],
    probe: async ({ fairway }) => {
      await bookOne(fairway);
      const lists = await Promise.all(['v1', 'v2', 'v4'].map((version) => fairway.get(`/api/${version}/bookings`)));
      const created = lists.flatMap(({ body }) =>
        body.data.map(({ createdAt }: { createdAt: string }) => createdAt.slice(23)),
      );
      const facility = (await fairway.get('/api/v3/facilities/1001')).body.data[0].created;
      return [[...new Set(created)], facility];
    },
    rows: [
      ['none', [[''], '2019-11-06T10:28:01.217']],
      ['z', [['Z'], '2019-11-06T10:28:01.217Z']],
      ['offset', [['+00:00'], '2019-11-06T10:28:01.217+00:00']],
    ],
  }),
];
