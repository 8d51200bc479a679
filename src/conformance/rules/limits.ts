import { bodyFor } from '../journeys/bookings.js';
import { countries } from '../journeys/connected-facilities.js';
import { teeSheet } from '../journeys/tee-sheets.js';
import { UNKNOWN_ID } from '../journeys/material.js';
import { Inconclusive } from '../client/outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from './rule.js';
import { operationIn, productBooking } from '../client/operations.js';

/** Common limits, in ascending order. Larger bodies are not tried, since they would burden the deployment. */
const usual = [16, 32, 64, 100, 128, 256, 512, 1024, 2048, 4096].map((kib) => kib * 1024);
const LEAST = 1024;
const ATTEMPTS = 3;
/** The maximum number of requests without an answer. The budget counts each of them as a booking. */
const MOST_LOST = 4;
const TOO_LARGE = 'an answer to a body that is too large';

/** The largest body that is not refused for its size; undefined if no size is refused. */
async function largestBody({ session, probe }: RuleContext): Promise<number | undefined> {
  const sheet = await teeSheet(session);
  // The booking is invalid in any case, so that only the size decides the status.
  const teeTime = { ...sheet.teeTimes[0]!, teeid: UNKNOWN_ID, time: '2099-12-31T03:33:00' };
  const plain = bodyFor(session, productBooking, { sheet, teeTime });
  const bare = JSON.stringify({ ...plain, comments: '' }).length;
  let [told, lost] = [false, 0];
  const taken = async (bytes: number): Promise<boolean> => {
    const body = { ...plain, comments: 'x'.repeat(bytes - bare) };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        const { status } = await probe({ operation: operationIn('createBooking'), body });
        told ||= status === 413;
        return status !== 413;
      } catch (error) {
        // Some deployments disconnect before the whole body is sent; their answer may then be lost.
        if (!(error instanceof Inconclusive && error.reason === 'network')) throw error;
        lost += 1;
        if (lost === MOST_LOST) throw new Inconclusive('network', TOO_LARGE);
      }
    }
    return false;
  };
  if (await taken(usual.at(-1)! + 1)) return undefined;
  let [fits, over] = [LEAST, usual.at(-1)! + 1];
  const guesses = usual.flatMap((size) => [size, size + 1]);
  while (over - fits > 1) {
    const between = guesses.filter((size) => size > fits && size < over);
    const size = between[Math.floor(between.length / 2)] ?? Math.floor((fits + over) / 2);
    if (await taken(size)) fits = size;
    else over = size;
  }
  if (!told) throw new Inconclusive('network', TOO_LARGE);
  return fits;
}

/** Rules of limits that apply to all resources. */
export const limitRules: readonly RuleSpec[] = [
  defineRule({
    id: 'limits.body-size',
    needs: ['bookings'],
    // Last, since requests without an answer use up the budget of bookings.
    phase: 'last',
    async run(context) {
      const { recorded } = context.session.run;
      if (recorded)
        throw new Inconclusive('replayed', 'bodies of megabytes, of which recordings have only the beginning');
      const bytes = await largestBody(context);
      if (bytes !== undefined) context.observe('body.max-bytes', bytes);
    },
  }),
  defineRule({
    id: 'limits.rate',
    phase: 'evidence',
    async run({ session, expect }) {
      await countries(session);
      const { replies } = session.run.transport;
      const refused = replies.find(({ status }) => status === 429);
      if (refused) session.exchanges.add(refused.id);
      const within = replies.filter(({ at }) => refused && at <= refused.at && refused.at - at < 60_000).length;
      expect.that(!refused, `A rate limit is met at request ${within} of a minute.`);
    },
  }),
];
