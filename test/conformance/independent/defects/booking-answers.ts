import type { Change } from '../run.js';
import { replying, rewriting, type Loose, withStatus } from '../vary.js';
import { changing, made } from './answers.js';
import { type Defect, done } from './row.js';

const effect = /^bookings\.(effect|create|status|list)|^teetimes\.item\.teeid/;
const single = /v[25].bookings$/;
const v5 = /v5.bookings$/;
const bulk = /bulkbookings$/;

const failing = (alter: (response: Response) => Response): Change =>
  replying(/bookings$/, (response, { method }) =>
    method === 'POST' && response.status === 400 ? alter(response) : response,
  );
const saying = (alter: (body: Loose) => unknown): Change =>
  rewriting(
    /bookings$/,
    (body, { method }) => (method === 'POST' ? (alter(body) ?? body) : body),
    ({ status }) => status === 400,
  );

export const bookingAnswers: readonly Defect[] = [
  done(
    'the answer of v5 has a bulkBookingId',
    /^bookings/,
    changing((data) => Object.assign(data, { bulkBookingId: data.groupId, groupId: undefined }), v5),
  ),
  done(
    'the answer of v3 has a groupId',
    /^bookings/,
    changing((data) => Object.assign(data, { groupId: data.bulkBookingId, bulkBookingId: undefined }), bulk),
  ),
  done(
    'the number of the group as text',
    /^bookings/,
    changing((data) => (data.groupId = String(data.groupId)), v5),
  ),
  done(
    'bookings of a group in another order',
    /^bookings/,
    changing((data) =>
      data.bookingIds.forEach(
        (one: Loose, index: number, all: Loose[]) =>
          index === 0 && ([one.bookingId, all.at(-1).bookingId] = [all.at(-1).bookingId, one.bookingId]),
      ),
    ),
  ),
  done(
    'a group answers its first booking',
    /^bookings/,
    changing((data) => data.bookingIds.splice(1)),
  ),
  done(
    'a group answers a tee time too few seconds',
    /^(bookings|dates)/,
    changing((data) => data.bookingIds.forEach((one: Loose) => (one.teetime = one.teetime.slice(0, 16)))),
  ),
  done(
    'a group answers another tee time',
    /^bookings/,
    changing((data) =>
      data.bookingIds.forEach(
        (one: Loose) => (one.teetime = data.bookingIds[0].teetime.replace(/\d\d:\d\d$/, '59:00')),
      ),
    ),
  ),
  done(
    'a group answers the facility as its course',
    /^bookings/,
    changing((data) => data.bookingIds.forEach((one: Loose) => (one.courseId = 101))),
  ),
  done(
    'a group answers ids alone',
    /^bookings/,
    changing((data) => (data.bookingIds = data.bookingIds.map(({ bookingId }: Loose) => bookingId))),
  ),
  done(
    'a booking answers its id alone',
    /^bookings/,
    rewriting(single, (body, { method }) =>
      method === 'POST' && body.data?.bookingId ? { ...body, data: body.data.bookingId } : body,
    ),
  ),
  done(
    'a booking answers a number',
    /^bookings/,
    made((data) => !data?.bookingId || (data.bookingId = 17), single),
  ),
  done(
    'a booking answers another id',
    effect,
    made((data) => !data?.bookingId || (data.bookingId += 'x'), single),
  ),
  done(
    'a booking answers id',
    /^bookings/,
    made((data) => !data?.bookingId || delete Object.assign(data, { id: data.bookingId }).bookingId, single),
  ),
  done(
    'a failed creation is 200',
    /^errors/,
    failing((response) => withStatus(response, 200)),
  ),
  done(
    'a failed creation is 409',
    /^errors/,
    failing((response) => withStatus(response, 409)),
  ),
  done(
    'a failed creation is 500',
    /^errors/,
    failing((response) => withStatus(response, 500)),
  ),
  done(
    'a failed creation says nothing',
    /^errors/,
    saying(({ success }) => ({ success, data: null })),
  ),
  done(
    'a failed creation says an empty message',
    /^errors/,
    saying((body) => void (body.message = '')),
  ),
];
