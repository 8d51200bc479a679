/** Everyday defects of the library for booking desks, each forbidden by the API specification or by common sense. */
import type { Defect } from './client-defects.js';
import * as client from './client-defects.js';
import type { Desk } from './desk-suite.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

export type DeskDefect = Defect<Desk>;

const ofRequests: readonly DeskDefect[] = [
  {
    does: 'asks for the prices of seven facilities at once',
    wanted: ['requests.facility-ids-at-most-five'],
    plant: (desk) => (desk.mostAtOnce = 7),
  },
];

const ofBookings: readonly DeskDefect[] = [
  {
    does: 'sends what the customer pays as net rate',
    wanted: ['bookings.price'],
    plant: (desk) => {
      desk.rateOf = ({ pricing }, players) =>
        pricing.find(({ quantity }: Json) => quantity === players).publicRate.amount + 1;
    },
  },
  {
    does: 'leaves the extras out of the net rate',
    wanted: ['bookings.price'],
    plant: (desk) => {
      const rateOf = desk.rateOf.bind(desk);
      desk.rateOf = (product, players) => rateOf(product, players, []);
    },
  },
  {
    does: 'sends the net rate in cents',
    wanted: ['bookings.price'],
    plant: (desk) => {
      const rateOf = desk.rateOf.bind(desk);
      desk.rateOf = (...given) => rateOf(...given) * 100;
    },
  },
  {
    does: 'books for four where fewer slots are free',
    wanted: ['bookings.players-available'],
    plant(desk) {
      const bodyOf = desk.bodyOf.bind(desk);
      desk.bodyOf = (teeTime, players, extras, product) => {
        const { netRate: _, ...body } = bodyOf(teeTime, players, extras, product);
        return { ...body, players: 4 };
      };
      const sheet = desk.sheet.bind(desk);
      desk.sheet = async (...query) =>
        (await sheet(...query)).filter(({ products }) => query[2] === 9 || products[0].available < 4);
    },
  },
];

const blindly = (desk: Desk): void => {
  desk.after = (reply) => (reply === undefined || reply.status >= 500 ? 'again' : 'stop');
};
/** Sends a booking again and again after one of the documented failures. */
const insisting =
  (words: RegExp) =>
  (desk: Desk): void => {
    const after = desk.after.bind(desk);
    desk.after = (reply) => (words.test(JSON.stringify(reply?.body ?? '')) ? 'again' : after(reply));
    desk.attempts = 12;
    desk.waitAfter = () => 1;
  };

const ofFailures: readonly DeskDefect[] = [
  ...client.ofBookingAgain(blindly, insisting),
  {
    does: 'looks into the list, and books again all the same',
    wanted: ['bookings.one-for-one-wish'],
    exam: 'booking-answer-lost',
    plant(desk) {
      const find = desk.find.bind(desk);
      desk.find = async (body) => void (await find(body));
    },
  },
  {
    does: 'does not wait as long as it is asked to',
    wanted: ['limits.retry-after'],
    exam: 'rate-limited-at-booking',
    plant: (desk) => (desk.waitAfter = () => 110),
  },
  {
    does: 'repeats reads at once',
    wanted: ['limits.backs-off'],
    exam: 'long-outage',
    plant(desk) {
      desk.attempts = 8;
      desk.waitAfter = () => 0;
    },
  },
];

const ofReads: readonly DeskDefect[] = [
  {
    does: 'reads one page of prices',
    wanted: ['paging.to-the-end'],
    exam: 'small-pages',
    plant(desk) {
      desk.pages = async (ids) => (await desk.page(ids, 0)).records;
    },
  },
  {
    does: 'counts pages in place of records',
    wanted: ['paging.to-the-end'],
    exam: 'small-pages',
    plant(desk) {
      desk.pages = async (ids) => {
        const records: Json[] = [];
        for (let page = 0, total = 1; records.length < total && page < 3; page += 1) {
          const read = await desk.page(ids, page);
          records.push(...read.records);
          total = read.total;
        }
        return records;
      };
    },
  },
  {
    does: 'adds its limit to the offset where pages are shorter',
    wanted: ['paging.to-the-end'],
    exam: 'small-pages',
    plant(desk) {
      const { read: readPath } = desk;
      desk.read = (path) => readPath.call(desk, path.replace('limit=20', 'limit=6'));
      desk.pages = async (ids) => {
        const records: Json[] = [];
        for (let offset = 0, total = 1; offset < total; offset += 6) {
          const read = await desk.page(ids, offset);
          records.push(...read.records);
          total = read.total;
        }
        return records;
      };
    },
  },
  {
    does: 'reads on behind the last page',
    wanted: ['paging.stops'],
    plant(desk) {
      const pages = desk.pages.bind(desk);
      desk.pages = async (ids) => {
        const records = await pages(ids);
        for (let page = 0; page < 5; page += 1) await desk.page(ids, records.length + page * 20);
        return records;
      };
    },
  },
  {
    does: 'confirms the payment of a tee time',
    wanted: ['payments.identifier'],
    plant(desk) {
      let teeId = 0;
      const bodyOf = desk.bodyOf.bind(desk);
      desk.bodyOf = (...given) => {
        teeId = given[0].teeid;
        return bodyOf(...given);
      };
      desk.payOne = () => desk.pay(`/api/v4/bookings/payment/${teeId}`);
    },
  },
  {
    does: 'confirms the payment of a group as that of a booking',
    wanted: ['payments.identifier'],
    plant: (desk) => (desk.payGroup = ({ groupId }) => desk.pay(`/api/v4/bookings/payment/${groupId}`)),
  },
  {
    does: 'confirms the payment of a booking that it does not have',
    wanted: ['payments.own'],
    plant: (desk) => (desk.payOne = () => desk.pay('/api/v4/bookings/payment/undefined')),
  },
];

const ofOutages: readonly DeskDefect[] = [
  {
    does: 'repeats without end or pause in an outage',
    wanted: ['robust.outage', 'limits.backs-off'],
    exam: 'long-outage',
    plant(desk) {
      desk.attempts = 90;
      desk.waitAfter = () => 0;
    },
  },
];

const ofCallbacks: readonly DeskDefect[] = [
  {
    does: 'answers results with an error',
    wanted: ['callbacks.answers'],
    plant(desk) {
      const take = desk.take.bind(desk);
      desk.take = (text) => (take(text), 500);
    },
  },
  {
    does: 'hangs up when it has read a result',
    wanted: ['callbacks.answers'],
    plant(desk) {
      const take = desk.take.bind(desk);
      desk.take = (text) => (take(text), 0);
    },
  },
  {
    does: 'fails at a result that it has had before',
    wanted: ['callbacks.repeated'],
    exam: 'callback-repeated',
    plant(desk) {
      const take = desk.take.bind(desk);
      desk.take = (text) => (desk.results.length > 0 ? 500 : take(text));
    },
  },
  {
    does: 'fails at a result without tee times',
    wanted: ['callbacks.empty', 'callbacks.answers'],
    exam: 'callback-empty',
    plant(desk) {
      const take = desk.take.bind(desk);
      desk.take = (text) => (/"teeTimeV3":\[\{/.test(text) ? take(text) : 500);
    },
  },
];

const ofClient = [
  ...client.ofRequests,
  ...client.ofOlderVersions,
  ...client.ofLists,
  ...client.ofSearches,
  ...client.ofTokens,
  ...client.ofTokensAtOnce,
  ...client.ofFacilities,
  ...client.ofTeeTimes,
  ...client.ofRounds,
  ...client.ofForms,
];

export const deskDefects: readonly DeskDefect[] = [
  ...ofClient.map(({ plant, ...defect }) => ({ ...defect, plant: (desk: Desk) => plant(desk.client) })),
  ...ofRequests,
  ...ofBookings,
  ...ofFailures,
  ...ofReads,
  ...ofOutages,
  ...ofCallbacks,
];
