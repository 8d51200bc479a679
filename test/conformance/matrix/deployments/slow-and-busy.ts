import { basicHeader } from '../../../../src/conformance/client/credentials.js';
import { type Report } from '../../../../src/conformance/client/types.js';
import type { GivenAnswers } from '../../../../src/contract/generated/questions.js';
import type { Sandbox } from '../../../../src/engine/library.js';
import { bookingFor, type TeeTime } from '../../../support/scenes.js';
import { BASE_URL, deploy, type Layer } from '../../deployment.js';
import { refused } from '../../mutants/layers/booking-lists.js';
import { everything } from '../../full-run.js';

/** Numbers from 0 to 1, the same ones for a seed. */
function lots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A run against a deployment whose answers take from 50 to 400 ms by the clock, some of it on either way. What is posted
 * takes as long: it does not overtake an answer.
 */
export async function slowRun(seed: number): Promise<Report> {
  const { sandbox, options, check } = await deploy({}, undefined, async (posted, deliver) => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    return deliver(posted);
  });
  const { host } = options;
  const draw = lots(seed);
  const fetch = async (request: Request): Promise<Response> => {
    const [whole, part] = [50 + draw() * 350, draw()];
    await host.sleep(whole * part);
    const response = await host.fetch(request);
    await host.sleep(whole * (1 - part));
    return response;
  };
  return check({ ...everything(sandbox), host: { ...host, fetch } });
}

/** Rewrites the payment rule of a facility, in the text of an answer. */
export type Rewrite = readonly [field: RegExp, value: string];

/** A run against a deployment whose facilities ask for no payment yet, and which refuses to confirm one. */
export async function unpaidRun([field, value]: Rewrite): Promise<Report> {
  const layer: Layer = async (request, through) => {
    const { pathname } = new URL(request.url);
    // In v5 a payment is paused, and succeeds all the same (Confirm booking payment).
    const paused = pathname.startsWith('/api/v5/bookings');
    if (/bookings\/payment\/./.test(pathname) && !paused) return refused(400);
    const response = await through(request);
    if (!/^\/api\/v3\/facilities\/./.test(pathname) || !response.ok) return response;
    const text = (await response.text()).replace(field, value);
    return new Response(text, { status: response.status, headers: response.headers });
  };
  const { sandbox, check } = await deploy({}, layer);
  return check({ ...everything(sandbox), maxBookings: 50 });
}

const OTHERS = ['links', 'caddie'];

/** Cancels a booking of a channel that is not the run's; false if that is refused. */
type Cancel = () => Promise<boolean>;

/** Books one place of some tee time of a tee sheet for a channel that is not the run's. */
async function bookElsewhere(sandbox: Sandbox, sheet: URL, draw: () => number): Promise<Cancel | undefined> {
  const [, facilityId] = /teetimes\/(\d+)/.exec(sheet.pathname) ?? [];
  for (const { name, username, password } of sandbox.channels) {
    if (!OTHERS.includes(name)) continue;
    const headers = { authorization: basicHeader({ username, password }), 'content-type': 'application/json' };
    const path = `/api/v4/teetimes/${facilityId}${sheet.search}`;
    const { data } = await (await sandbox.fetch(new Request(BASE_URL + path, { headers }))).json();
    const teeTimes: readonly TeeTime[] = data?.teeTimeV3 ?? [];
    const teeTime = teeTimes[Math.floor(draw() * teeTimes.length)];
    if (!teeTime) continue;
    const body = JSON.stringify(bookingFor(teeTime, { facilityId: Number(facilityId) }));
    const response = await sandbox.fetch(new Request(`${BASE_URL}/api/v5/bookings`, { method: 'POST', headers, body }));
    if (!response.ok) return undefined;
    const { bookingId } = (await response.json()).data;
    const own = `${BASE_URL}/api/v4/bookings/${encodeURIComponent(bookingId)}`;
    return async () => (await sandbox.fetch(new Request(own, { method: 'DELETE', headers }))).ok;
  }
  return undefined;
}

/** How often others book before a request of the run, and how often they then cancel what they booked. */
interface Busy {
  /** They act once before this number of requests. */
  readonly every: number;
  readonly seed?: number;
  /** The share of these moments at which they cancel, from 0 to 1. */
  readonly cancels?: number;
}

/** A run against a deployment where others book, and cancel, on the tee sheet of the run. */
export async function busyRun({ every, seed = 1, cancels = 0 }: Busy) {
  const draw = lots(seed);
  const made: Cancel[] = [];
  let [count, booked, canceled, sheet] = [0, 0, 0, undefined as URL | undefined];
  const layer: Layer = async (request, through) => {
    const url = new URL(request.url);
    if (/^\/api\/v4\/teetimes\/\d+$/.test(url.pathname)) sheet = url;
    count += 1;
    if (sheet && count % every === 0) {
      const cancel = cancels > 0 && draw() < cancels ? made.pop() : undefined;
      const next = cancel ? undefined : await bookElsewhere(deployment.sandbox, sheet, draw);
      if (cancel && (await cancel())) canceled += 1;
      if (next) made.push(next);
      if (next) booked += 1;
    }
    return through(request);
  };
  const answers: GivenAnswers = cancels > 0 ? { 'booking.cancel': 'delete' } : {};
  const deployment = await deploy({ dialect: { answers } }, layer);
  // What others do changes answers, so that fewer of them share their text.
  const report = await deployment.check({ ...everything(deployment.sandbox), maxEvidence: 160 * 1024 * 1024 });
  return { report, booked, canceled };
}
