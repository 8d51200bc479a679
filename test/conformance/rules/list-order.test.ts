import { expect, test } from 'vitest';
import { deploy, type Layer, resultOf } from '../deployment.js';
import { everything } from '../full-run.js';

const FIRST = Date.parse('2026-07-01T08:00:00Z');

/**
 * Shows other tee times in the v4 list, in their order: single bookings are played in the order in which they are made,
 * and groups before all of them, the last one first.
 */
function playedAsMade(): Layer {
  const times = new Map<string, string>();
  return async (request, through) => {
    const response = await through(request);
    if (!response.ok) return response;
    const { pathname } = new URL(request.url);
    const body: any = await response.clone().json();
    const made: { bookingId: string }[] = [body.data?.bookingIds ?? body.data ?? []].flat();
    if (request.method === 'POST' && pathname.endsWith('bookings')) {
      for (const { bookingId } of made) {
        const minutes = made.length > 1 ? -times.size : times.size;
        times.set(bookingId, new Date(FIRST + minutes * 60_000).toISOString().slice(0, 19));
      }
    }
    if (request.method !== 'GET' || !pathname.endsWith('/v4/bookings')) return response;
    const shown = body.data.map((one: any) => ({ ...one, teetime: times.get(one.bookingId) ?? one.teetime }));
    body.data = shown.sort((a: any, b: any) => (a.teetime < b.teetime ? -1 : 1));
    return Response.json(body);
  };
}

test('all bookings of the run are compared if a few of them are played in the order in which they are made', async () => {
  const { sandbox, check } = await deploy({}, playedAsMade());
  const only = ['bookings.effect.lists', 'bookings.list.order'] as const;
  const report = await check({ ...everything(sandbox), only, depth: 'quick' });
  expect(resultOf(report, 'bookings.list.order')).toMatchObject({
    verdict: 'observed',
    answers: { 'booking-list.order': 'teetime' },
  });
});

/** Lists the bookings of v4 by tee time and in no order, in turn. */
function inTurn(lists: number): Layer {
  return async (request, through) => {
    const response = await through(request);
    const isList = request.method === 'GET' && new URL(request.url).pathname.endsWith('/v4/bookings');
    if (!isList || !response.ok) return response;
    const body: any = await response.json();
    const isByTime = (lists += 1) % 2 === 0;
    const key = ({ teetime, bookingId }: any): string => (isByTime ? teetime : [...bookingId].toReversed().join());
    body.data.sort((a: any, b: any) => (key(a) < key(b) ? -1 : 1));
    return Response.json(body);
  };
}

test.each([0, 1])('a list that comes in another order each time answers nothing, after %i lists', async (lists) => {
  const { sandbox, check } = await deploy({}, inTurn(lists));
  const report = await check({ ...everything(sandbox), only: ['bookings.list.order'] });
  expect(resultOf(report, 'bookings.list.order')).toMatchObject({ verdict: 'inconclusive', reason: 'no-data' });
});
