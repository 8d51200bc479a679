import { type Report } from '../../../../src/conformance/client/types.js';
import type { GivenAnswers } from '../../../../src/contract/generated/questions.js';
import { deploy, type Layer } from '../../deployment.js';
import { refused } from '../../mutants/layers/booking-lists.js';
import { everything } from '../../full-run.js';
import { type Busy, lots, othersBook } from '../../others-book.js';

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

/** A run against a deployment where others book, and cancel, on the tee sheet of the run. */
export async function busyRun(busy: Busy) {
  const answers: GivenAnswers = busy.cancels ? { 'booking.cancel': 'delete' } : {};
  const { layer, did } = othersBook(busy);
  const deployment = await deploy({ dialect: { answers } }, layer);
  // What others do changes answers, so that fewer of them share their text.
  const report = await deployment.check({ ...everything(deployment.sandbox), maxEvidence: 160 * 1024 * 1024 });
  return { report, ...did };
}
