import { expect, test } from 'vitest';
import { readData } from '../../../src/conformance/client/reading.js';
import type { OperationId } from '../../../src/contract/index.js';

const teeTime = { teeid: 7, time: '2026-03-20T08:00:00', course: 'North', holes: 18, products: [], extraProducts: [] };
const sheet = (changes: object) => ({ teeTimeV3: [{ ...teeTime, ...changes }] });

test.each<[what: string, operation: OperationId, given: unknown, want: unknown]>([
  ['an id as text', 'v3.listFacilities', [{ id: '1019' }], [{ id: 1019 }]],
  ['an id that is no number', 'v3.listFacilities', [{ id: 'F1019' }], [{ id: 'F1019' }]],
  ['no id', 'v2.listFacilities', [{ name: 'A' }, null], [{ name: 'A' }, null]],
  ['the first of two objects', 'v3.findFacility', [{ id: '5' }, {}], [{ id: 5 }, {}]],
  ['a country as an object', 'v3.listCountries', [{ code: 'ES', name: 'Spain' }], ['Spain']],
  ['holes with their unit', 'v4.listTeeTimes', sheet({ holes: '18 holes' }), sheet({ holes: 18 })],
  ['a time with a blank', 'v4.listTeeTimes', sheet({ time: '2026-03-20 08:00' }), sheet({})],
  ['a time with a zone', 'v4.listTeeTimes', sheet({ time: '2026-03-20T08:00:00.000Z' }), sheet({})],
  ['an identifier as a number', 'v4.listBookings', [{ bookingId: 4711 }], [{ bookingId: '4711' }]],
  [
    'one of a group',
    'v5.createBooking',
    { groupId: '7', bookingIds: [{ bookingId: 1 }] },
    { groupId: 7, bookingIds: [{ bookingId: '1' }] },
  ],
  ['one alone', 'v5.createBooking', { bookingId: 12 }, { bookingId: '12' }],
  [
    'an amount with its currency',
    'v5.listPrices',
    { records: [{ price: { amount: '55.00', currency: 'EUR' } }] },
    { records: [{ price: 55 }] },
  ],
])('%s is read as far as it can be', (_, operation, given, want) => {
  expect(readData(operation, given)).toEqual(want);
});

test('a field with other letters in its name is read beside it', () => {
  const { teeid, ...rest } = teeTime;
  expect(readData('v4.listTeeTimes', { teeTimeV3: [{ ...rest, teeId: '7' }] })).toEqual({
    teeTimeV3: [{ ...rest, teeId: '7', teeid }],
  });
});

test('what keeps to the contract stays the same object', () => {
  const data = sheet({});
  expect(readData('v4.listTeeTimes', data)).toBe(data);
});
