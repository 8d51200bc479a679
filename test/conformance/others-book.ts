import { basicHeader } from '../../src/conformance/client/credentials.js';
import { bookingFor, type TeeTime } from '../support/scenes.js';
import { BASE_URL, type Layer } from './deployment.js';

/** Numbers from 0 to 1, the same ones for a seed. */
export function lots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const OTHERS = ['links', 'caddie'];

/** Cancels a booking of a channel that is not the run's; false if that is refused. */
type Cancel = () => Promise<boolean>;

/** Books one place of some tee time of a tee sheet for a channel that is not the run's. */
async function bookElsewhere(
  send: (request: Request) => Promise<Response>,
  sheet: URL,
  draw: () => number,
): Promise<Cancel | undefined> {
  const [, facilityId] = /teetimes\/(\d+)/.exec(sheet.pathname) ?? [];
  for (const username of OTHERS) {
    const password = `not-a-secret-${username}`;
    const headers = { authorization: basicHeader({ username, password }), 'content-type': 'application/json' };
    const path = `/api/v4/teetimes/${facilityId}${sheet.search}`;
    const { data } = await (await send(new Request(BASE_URL + path, { headers }))).json();
    const teeTimes: readonly TeeTime[] = data?.teeTimeV3 ?? [];
    const teeTime = teeTimes[Math.floor(draw() * teeTimes.length)];
    if (!teeTime) continue;
    const body = JSON.stringify(bookingFor(teeTime, { facilityId: Number(facilityId) }));
    const response = await send(new Request(`${BASE_URL}/api/v5/bookings`, { method: 'POST', headers, body }));
    if (!response.ok) return undefined;
    const { bookingId } = (await response.json()).data;
    const own = `${BASE_URL}/api/v4/bookings/${encodeURIComponent(bookingId)}`;
    return async () => (await send(new Request(own, { method: 'DELETE', headers }))).ok;
  }
  return undefined;
}

/** How often others book before a request of the run, and how often they then cancel what they booked. */
export interface Busy {
  /** They act once before this number of requests. */
  readonly every: number;
  readonly seed?: number;
  /** The share of these moments at which they cancel, from 0 to 1. */
  readonly cancels?: number;
}

/** Others book, and cancel, on the tee sheet that was looked at last. */
export function othersBook({ every, seed = 1, cancels = 0 }: Busy) {
  const draw = lots(seed);
  const made: Cancel[] = [];
  const did = { booked: 0, canceled: 0 };
  let [count, sheet] = [0, undefined as URL | undefined];
  const layer: Layer = async (request, through) => {
    const url = new URL(request.url);
    if (/^\/api\/v[234]\/teetimes\/\d+$/.test(url.pathname)) sheet = url;
    count += 1;
    if (sheet && count % every === 0) {
      const cancel = cancels > 0 && draw() < cancels ? made.pop() : undefined;
      const next = cancel ? undefined : await bookElsewhere(through, sheet, draw);
      if (cancel && (await cancel())) did.canceled += 1;
      if (next) made.push(next);
      if (next) did.booked += 1;
    }
    return through(request);
  };
  return { layer, did };
}
