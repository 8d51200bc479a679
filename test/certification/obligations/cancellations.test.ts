import { expect, test } from 'vitest';
import { type Session, type Story, verdictsOf } from '../../support/obligations/session.js';

const HOUR = 3_600_000;
const deleting = { dialect: { answers: { 'booking.cancel': 'delete' } } } as const;

async function booked(session: Session): Promise<string> {
  const reply = await session.book(await session.read());
  return reply!.body.data.bookingId as string;
}

function cancel({ client }: Session, id: string, version = 'v4') {
  return client.send('DELETE', `/api/${version}/bookings/${id}`);
}

const stories: readonly Story[] = [
  {
    what: 'cancels, where the deployment has it',
    options: deleting,
    async tell(session) {
      const [first, second] = [await booked(session), await booked(session)];
      expect((await cancel(session, first)).status).toBe(200);
      expect((await cancel(session, 'nobody-knows-it', 'v2')).status).toBe(404);
      session.client.sandbox.clock.advance(10 * 24 * HOUR - HOUR);
      expect((await cancel(session, second)).status).toBe(409);
    },
    want: { 'requests.documented-paths': 'pass' },
  },
  {
    what: 'is refused every cancellation, where the deployment has it',
    options: deleting,
    async tell(session) {
      expect((await cancel(session, 'nobody-knows-it')).status).toBe(404);
    },
    want: { 'requests.documented-paths': 'not-seen' },
  },
  {
    what: 'relies on a cancellation that the deployment does not have',
    async tell(session) {
      expect((await cancel(session, await booked(session))).status).toBe(404);
    },
    want: { 'requests.documented-paths': 'fail' },
  },
  {
    what: 'finds a booking whose answer was lost, cancels it, and books anew',
    options: deleting,
    async tell(session) {
      const teeTime = await session.read();
      await session.book(teeTime, {}, 'connection-reset; phase=after-commit');
      const { body } = await session.look();
      const found = body.data.find(({ teeId }: { teeId: number }) => teeId === teeTime.teeid);
      expect((await cancel(session, found.bookingId as string)).status).toBe(200);
      expect((await session.book(teeTime))!.status).toBe(200);
    },
    want: { 'bookings.looks-before-retry': 'pass', 'bookings.one-for-one-wish': 'pass' },
  },
  {
    what: 'books again what a result has, after a cancellation',
    options: deleting,
    async tell(session) {
      const teeTime = await session.read();
      await session.search([1001], { scenario: 'callback-duplicate' });
      const first = await session.book(teeTime);
      await cancel(session, first!.body.data.bookingId as string);
      await session.book(teeTime);
    },
    want: { 'callbacks.repeated': 'pass' },
  },
];

test.each(stories)('a client that $what', async (story) => {
  const { got } = await verdictsOf(story);
  expect(got).toEqual(story.want);
});
