import type { Reply } from '../../../support/client.js';
import { bare, knock } from '../../../support/credentials.js';
import { dataOperations, OPEN_COURSE, pathOf } from '../../../support/operations.js';
import { pay, payBulk } from '../../../support/payments.js';
import { bookingFor, dayIn, findTeeTime, OPEN_FACILITY, teeTimesPath } from '../../../support/scenes.js';
import { question, type QuestionTable, type Scene, times } from '../question.js';

const NOBODY = 2147483646;

const brief = ({ status, body }: Reply): unknown => [status, body.success];

/** Sizes round the options tried; a refresh with an unknown token is refused for the token alone. */
async function sizesTaken({ fairway }: Scene): Promise<number[]> {
  const taken: number[] = [];
  for (const size of [1024, 1025, 1_048_576, 1_048_577, 16_777_216, 16_777_217]) {
    const frame = '{"refresh_token":""}';
    const body = frame.replace('""', `"${'x'.repeat(size - frame.length)}"`);
    const { status } = await bare(fairway, 'POST', '/api/v5/token/refreshToken', { body });
    if (status !== 413) taken.push(size);
  }
  return taken;
}

export const failures: readonly QuestionTable[] = [
  question('error.body', {
    rules: ['errors.body'],
    probe: async ({ fairway }) => {
      const { body } = await fairway.get('/api/v2/facilities');
      const text = (value: unknown): unknown =>
        typeof value === 'string' && value.includes('`country`') ? 'text' : value;
      return JSON.parse(JSON.stringify(body), (_key, value) => text(value));
    },
    rows: [
      ['message', { success: false, data: null, message: 'text' }],
      ['error', { success: false, data: null, error: 'text' }],
      ['errors', { success: false, data: null, errors: [{ message: 'text' }] }],
      ['data', { success: false, data: { message: 'text' } }],
    ],
  }),

  question('error.code', {
    rules: ['errors.code'],
    probe: async (scene) => {
      const { fairway } = scene;
      const replies = [
        await fairway.get('/api/v2/facilities'),
        await knock(fairway, {}),
        await fairway.get('/api/v9/x'),
      ];
      return replies.map(({ body }) =>
        'code' in body && body.message ? /^[a-z-]+$/.test(body.code) : Object.keys(body),
      );
    },
    rows: [
      ['none', times(3, ['success', 'data', 'message'])],
      ['code', [true, true, true]],
    ],
  }),

  question('body.content-type', {
    rules: ['envelope.json-body'],
    probe: async ({ fairway }) => {
      const seen: unknown[] = [];
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json']) {
        const booking = bookingFor(await findTeeTime(fairway));
        const reply = await fairway.post('/api/v5/bookings', booking, { headers: { 'content-type': type } });
        const tells = String(reply.body.message).includes('add the header: -H "Content-Type: application/json"');
        seen.push(reply.status === 200 ? 200 : [reply.status, tells]);
      }
      return seen;
    },
    rows: [
      ['refused', [[415, true], [415, true], 200]],
      ['read', [200, 200, 200]],
    ],
  }),

  question('booking.invalid-body', {
    rules: ['errors.create.invalid-body'],
    also: { 'error.validation': 422, 'error.code': 'code' },
    probe: async ({ fairway }) => {
      const wrong = { contactEmail: 7 };
      const posts: readonly (readonly [path: string, body: unknown])[] = [
        ['/api/v5/bookings', wrong],
        ['/api/v5/bookings', { details: [wrong] }],
        ['/api/v2/bookings', wrong],
        ['/api/v3/bulkbookings', [wrong]],
        ['/api/v5/bookings', '{'],
      ];
      const replies = await Promise.all(posts.map(([path, body]) => fairway.post(path, body)));
      // A refresh creates nothing.
      replies.push(await fairway.post('/api/v5/token/refreshToken', {}));
      return replies.map(({ status, body }) => {
        const { code, message } = body as { code: string; message: string };
        const how = /^The booking could not be processed at the moment: `.*` .*contact support\.$/.test(message);
        return `${status} ${code} ${how ? 'failed' : 'invalid'} ${/`\S+`/.test(message)}`;
      });
    },
    rows: [
      // Of a body that cannot be read, nobody knows that it is a booking.
      ['failed-creation', [...times(4, '400 unprocessable failed true'), ...times(2, '422 invalid invalid true')]],
      ['invalid-request', times(6, '422 invalid invalid true')],
    ],
  }),

  question('error.validation', {
    rules: ['errors.validation-status'],
    also: { 'booking.invalid-body': 'invalid-request' },
    probe: async ({ fairway }) => {
      const path = teeTimesPath('v2').replace('players=1', 'players=0');
      const replies = [
        await fairway.get(path),
        await fairway.get('/api/v2/facilities'),
        await fairway.get('/api/v3/facilities/x'),
        await fairway.post('/api/v5/bookings', {}),
        await fairway.post('/api/v5/bookings', '{'),
        await fairway.post('/api/v5/token/refreshToken', {}),
      ];
      return replies.map(({ status }) => status);
    },
    rows: [
      [400, times(6, 400)],
      [422, times(6, 422)],
      [200, times(6, 200)],
    ],
  }),

  question('facility.unknown', {
    rules: ['facilities.unknown'],
    probe: async ({ fairway }) => {
      const naming = dataOperations.filter(({ parameters, id }) =>
        parameters.some(({ name }) => name === 'facilityId' || (name === 'facilityIds' && id !== 'v5.searchTeeTimes')),
      );
      const replies = naming.map((operation) =>
        fairway.get(pathOf(operation).replace(String(OPEN_FACILITY), String(NOBODY))),
      );
      return [...new Set((await Promise.all(replies)).map((reply) => String(brief(reply))))];
    },
    rows: [
      [404, ['404,false']],
      [400, ['400,false']],
      [200, ['200,false']],
      ['empty', ['200,true']],
    ],
  }),

  question('course.unknown', {
    rules: ['teetimes.course-unknown'],
    probe: async ({ fairway }) => {
      const path = `/api/v5/teetimes/${OPEN_FACILITY}/${NOBODY}?bookingDate=${dayIn(10).query}&players=1&holes=18`;
      const reply = await fairway.get(path);
      const known = await fairway.get(path.replace(String(NOBODY), String(OPEN_COURSE)));
      return [brief(reply), reply.body.data?.teeTimeV3, known.body.data.teeTimeV3.length > 0];
    },
    rows: [
      [404, [[404, false], undefined, true]],
      [400, [[400, false], undefined, true]],
      [200, [[200, false], undefined, true]],
      ['empty', [[200, true], [], true]],
    ],
  }),

  question('booking.unknown', {
    rules: ['payments.booking-unknown'],
    probe: async ({ fairway }) => {
      const single = (['v1', 'v3', 'v4', 'v5'] as const).flatMap((version) => [
        pay(fairway, version, 'no-such-booking', 'GET'),
        pay(fairway, version, 'no-such-booking', 'POST'),
      ]);
      const bulk = (['v3', 'v4', 'v5'] as const).flatMap((version) => [
        payBulk(fairway, version, NOBODY, 'GET'),
        payBulk(fairway, version, NOBODY, 'POST'),
      ]);
      return [...new Set((await Promise.all([...single, ...bulk])).map((reply) => String(brief(reply))))];
    },
    rows: [
      [404, ['404,false']],
      [400, ['400,false']],
      [200, ['200,false']],
      ['empty', ['200,true']],
    ],
  }),

  question('country.unknown', {
    rules: ['countries.unknown'],
    probe: async ({ fairway }) => {
      const replies = await Promise.all(
        ['v1', 'v2', 'v3'].map((version) => fairway.get(`/api/${version}/facilities?country=Nowhere`)),
      );
      return [...new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body.data)}`))];
    },
    rows: [
      ['empty', ['200 []']],
      [404, ['404 null']],
      [400, ['400 null']],
      [200, ['200 null']],
    ],
  }),

  question('rate-limit.per-minute', {
    rules: ['limits.rate'],
    probe: async ({ sandbox, fairway, links }) => {
      const statuses: number[] = [];
      for (let time = 1; time <= 4; time += 1) statuses.push((await fairway.get('/api/v3/countries')).status);
      const wait = (await fairway.get('/api/v3/countries')).headers.get('retry-after');
      const other = (await links.get('/api/v3/countries')).status;
      sandbox.clock.advance(60_000);
      return [statuses, wait, other, (await fairway.get('/api/v3/countries')).status];
    },
    rows: [
      [0, [[200, 200, 200, 200], null, 200, 200]],
      [1, [[200, 429, 429, 429], '60', 200, 200]],
      [3, [[200, 200, 200, 429], '60', 200, 200]],
    ],
  }),

  question('body.max-bytes', {
    rules: ['limits.body-size'],
    probe: sizesTaken,
    rows: [
      [1024, [1024]],
      [1_048_576, [1024, 1025, 1_048_576]],
      [16_777_216, [1024, 1025, 1_048_576, 1_048_577, 16_777_216]],
    ],
  }),

  question('path.trailing-slash', {
    rules: ['versions.trailing-slash'],
    probe: async ({ fairway }) => {
      const replies = [await fairway.get('/api/v3/countries/'), await fairway.get('/api/v3/facilities/1001/')];
      return replies.map(({ status }) => status);
    },
    rows: [
      ['accepted', [200, 200]],
      [404, [404, 404]],
    ],
  }),

  question('versions.deprecation', {
    rules: ['versions.deprecation'],
    probe: async ({ fairway }) => {
      const replies = await Promise.all(['v1', 'v2', 'v4'].map((version) => fairway.get(`/api/${version}/bookings`)));
      return replies.map(({ headers }) => headers.has('deprecation'));
    },
    rows: [
      ['none', [false, false, false]],
      ['header', [true, true, false]],
    ],
  }),
];
