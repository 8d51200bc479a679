/** Everyday defects of a client under a suite that shares everything between its tests. */
import type { PlantedDefect } from './certify-suite.js';
import * as client from './client-defects.js';
import { type ClientDefect, onPath } from './client-defects.js';
import { shopTests } from './shop-suite.js';

const isPayment = /\/bookings\/payment\//;

const ofPayments: readonly ClientDefect[] = [
  {
    does: 'confirms the payment of a booking that it does not have',
    wanted: ['payments.own'],
    plant: onPath(isPayment, /[^/]+$/, 'undefined'),
  },
  {
    does: 'confirms the payment of a group as that of a booking',
    wanted: ['payments.identifier'],
    plant: onPath(/bulkbookings\/payment/, /bulkbookings/, 'bookings'),
  },
  {
    does: 'confirms the payment of a tee time',
    wanted: ['payments.identifier'],
    plant(client) {
      const raw = client.raw.bind(client);
      let teeId = 0;
      client.raw = (method, path, body, headers) => {
        teeId = (body as { teeId?: number } | undefined)?.teeId ?? teeId;
        return raw(method, isPayment.test(path) ? path.replace(/[^/]+$/, `${teeId}`) : path, body, headers);
      };
    },
  },
];

const ofPages: readonly ClientDefect[] = [
  {
    does: 'reads one page of prices',
    wanted: ['paging.to-the-end'],
    exam: 'small-pages',
    plant(client) {
      const data = client.data.bind(client);
      client.data = async (method, path, body) => {
        const read = await data(method, path, body);
        return path.includes('offset=0') ? { ...read, total: read.records.length } : read;
      };
    },
  },
  {
    does: 'reads on behind the last page',
    wanted: ['paging.stops'],
    plant(client) {
      const data = client.data.bind(client);
      client.data = async (method, path, body) => {
        const read = await data(method, path, body);
        if (!path.includes('offset=0')) return read;
        for (let page = 0; page < 5; page += 1) {
          await data(method, path.replace('offset=0', `offset=${read.total + page * 3}`), body);
        }
        return read;
      };
    },
  },
];

/** The test that a refresh token works one time refreshes for a client that does not. */
const withoutReuse = shopTests.filter(({ name }) => !/one time/.test(name));
/** Names each test, and marks those that send a mistake. */
const marked = (name: string) => ({
  'teebox-test': /refused|one time|one reference/.test(name) ? `${name}; deliberate` : name,
});

const planted: readonly ClientDefect[] = [
  ...client.ofRequests,
  ...client.ofOlderVersions,
  ...client.ofSearches,
  ...client.ofTeeTimes,
  ...client.ofForms,
  ...client.ofFacilities,
  ...client.ofRetries,
  ...ofPayments,
  ...ofPages,
];

export const shopDefects: readonly PlantedDefect[] = [
  ...planted.map(({ plant, ...row }) => ({ ...row, how: { plant, headersOf: marked } })),
  ...client.ofTokens.map(({ plant, ...row }) => ({ ...row, how: { plant, tests: withoutReuse } })),
];
