import { describe, expect, test } from 'vitest';
import type { GivenAnswers } from '../../../src/contract/generated/questions.js';
import { open } from '../../support/client.js';
import { OPEN_COURSE } from '../../support/operations.js';
import { bookingFor, dayIn, findTeeTime, OPEN_FACILITY } from '../../support/scenes.js';
import { NOWHERE } from '../../support/views.js';

const NOBODY = 2147483646;
const day = `bookingDate=${dayIn(10).query}&players=1&holes=18`;
const dates = `fromDate=${dayIn(10).query}&toDate=${dayIn(11).query}`;

const policy = [
  { minimumPlayer: 1, maximumPlayer: 3, timePeriod: 48 },
  { minimumPlayer: 4, maximumPlayer: 4, timePeriod: 96 },
];

const paused = { message: 'Payment confirmation to providers is temporarily paused.' };
const payments = (['v1', 'v3', 'v4', 'v5'] as const).flatMap((version) => {
  const told = version === 'v5' ? paused : {};
  return [
    [`GET /api/${version}/bookings/payment/none`, null, told] as const,
    [`POST /api/${version}/bookings/payment/none`, null, told] as const,
  ];
});
const bulkPayments = ['v3', 'v4', 'v5'].flatMap((version) =>
  ['GET', 'POST'].map((method) => [`${method} /api/${version}/bulkbookings/payment/${NOBODY}`, null] as const),
);

type Request = readonly [request: string, empty: unknown, more?: object];

/** Every request that names something unknown, and what stands in `data` where the dialect answers with nothing. */
const tables: {
  readonly [Id in 'facility.unknown' | 'course.unknown' | 'booking.unknown' | 'country.unknown']: readonly Request[];
} = {
  'facility.unknown': [
    ...['v1', 'v2', 'v3'].map((version): Request => [`GET /api/${version}/facilities/${NOBODY}`, null]),
    ...['v2', 'v3'].map((version): Request => [`GET /api/${version}/facilities/details/${NOBODY}`, null]),
    [`GET /api/v2/teetimes/${NOBODY}?${day}`, []],
    [`GET /api/v3/teetimes/${NOBODY}?${day}`, { teeTimeV2: [], facilityCancellationPolicyRange: [] }],
    [`GET /api/v4/teetimes/${NOBODY}?${day}`, { teeTimeV3: [], facilityCancellationPolicyRange: [] }],
    [`GET /api/v5/teetimes/${NOBODY}/${OPEN_COURSE}?${day}`, { teeTimeV3: [], facilityCancellationPolicyRange: [] }],
    [`GET /api/v5/price/insideDateRange?facilityIds=${NOBODY}&${dates}`, { records: [], total: 0 }],
  ],
  'course.unknown': [
    [
      `GET /api/v5/teetimes/${OPEN_FACILITY}/${NOBODY}?${day}`,
      { teeTimeV3: [], facilityCancellationPolicyRange: policy },
    ],
    // A course of another facility is no course of this one.
    [`GET /api/v5/teetimes/${OPEN_FACILITY}/10021?${day}`, { teeTimeV3: [], facilityCancellationPolicyRange: policy }],
    [`GET /api/v5/teetimes/${OPEN_FACILITY}/0?${day}`, { teeTimeV3: [], facilityCancellationPolicyRange: policy }],
  ],
  'booking.unknown': [...payments, ...bulkPayments],
  'country.unknown': ['v1', 'v2', 'v3'].map((version): Request => [
    `GET /api/${version}/facilities?country=netherlands`,
    [],
  ]),
};

async function send(request: string, answers: GivenAnswers) {
  const { fairway } = await open({ dialect: { answers } });
  const [method, path] = request.split(' ') as [string, string];
  return fairway.send(method, path);
}

for (const [id, requests] of Object.entries(tables)) {
  describe(id, () => {
    for (const [request, empty, more = {}] of requests) {
      test(`${request} is answered with nothing where the dialect says so`, async () => {
        const { status, body } = await send(request, { [id]: 'empty' });
        expect({ status, body }).toEqual({ status: 200, body: { success: true, data: empty, ...more } });
      });

      const statuses = [404, 400, 200];
      test(`${request} is refused with ${statuses.join(', ')}, as the dialect says`, async () => {
        for (const option of statuses) {
          const { status, body } = await send(request, { [id]: option });
          const failure = {
            success: false,
            data: null,
            message: expect.stringMatching(/^There is no|^Your channel has no|^Facility \d+ has no/),
          };
          expect({ status, body }).toEqual({ status: option, body: failure });
        }
      });
    }
  });
}

describe('next to what is known', () => {
  test('a price request leaves the unknown facility out, or is refused as a whole', async () => {
    const path = `/api/v5/price/insideDateRange?facilityIds=${NOBODY},${OPEN_FACILITY}&${dates}`;
    const [lenient, strict] = [
      await send(`GET ${path}`, { 'facility.unknown': 'empty' }),
      await send(`GET ${path}`, {}),
    ];
    expect(lenient.status).toBe(200);
    expect(new Set(lenient.body.data.records.map(({ facilityId }: { facilityId: number }) => facilityId))).toEqual(
      new Set([OPEN_FACILITY]),
    );
    expect(strict).toMatchObject({ status: 404, body: { success: false, data: null } });
  });

  test.each([
    [404, 404],
    [400, 400],
    [200, 200],
    ['empty', 404],
  ] as const)(
    'a search that refuses unknown facilities does so where they are answered with %s elsewhere',
    async (option, status) => {
      const answers = { 'facility.unknown': option, 'search.unknown-facility': 'refused' } as const;
      const { sandbox, fairway } = await open({ dialect: { answers } });
      const query = new URLSearchParams({
        facilityIds: `1001,${NOBODY}`,
        fromDate: dayIn(10).query,
        toDate: dayIn(10).query,
        players: '1',
        holes: '18',
      });
      const reply = await fairway.get(`/api/v5/teetimes?${query}&callbackUrl=${encodeURIComponent(NOWHERE)}`);
      expect(reply.status).toBe(status);
      expect(reply.body).toMatchObject({ success: false, data: null });
      expect(sandbox.callbacks.deliveries).toEqual([]);
    },
  );

  test('a booking at an unknown facility is a problem of the cart in every dialect', async () => {
    for (const option of [404, 400, 200, 'empty'] as const) {
      const { fairway } = await open({ dialect: { answers: { 'facility.unknown': option } } });
      const booking = bookingFor(await findTeeTime(fairway), { facilityId: NOBODY });
      expect(await fairway.post('/api/v5/bookings', booking)).toMatchObject({ status: 400, body: { success: false } });
    }
  });
});
