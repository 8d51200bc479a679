import { dayOf } from '../../client/day.js';
import { operationOf } from '../../../contract/index.js';
import { Inconclusive, Refused } from '../../client/outcome.js';
import { operationIn } from '../../client/operations.js';
import {
  acceptedSearch,
  acceptedSearches,
  elementsOf,
  deliveredFor,
  paramsOfSearch,
  resultsOf,
  searchesTogether,
  startSearch,
  type StartedSearch,
  usualDelay,
} from '../../journeys/searches.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

const needs = ['callbacks'] as const;
/** A query string with capitals, and with letters that both parts of a URL escape. */
const QUERY = '?State=A%26b%2Bc&attempt=1';
/** A segment of a path with capitals and an escape: without it, it is another address. */
const FOLDER = 'For%26Golf';
/** A query string that a URL may hold without escapes. */
const PLAIN_QUERY = '?state=ab';

/** Each accepted search was delivered some time ago, so that another delivery would have arrived. */
async function checkOnce({ session, expect }: RuleContext): Promise<void> {
  for (const started of await acceptedSearches(session)) {
    await resultsOf(session, started);
    const { deliveries } = started.address;
    if (deliveries.length === 0) continue;
    if (deliveries.length === 1) await started.address.wait(2, 1);
    const detail = { expected: 1, actual: deliveries.length };
    expect.that(deliveries.length === 1, 'The result of one search is delivered more than once.', detail);
  }
}

/** The result that belongs to a search: its facilities, on its days. */
async function checkOwn({ session, expect }: RuleContext): Promise<void> {
  for (const started of await searchesTogether(session)) {
    if (!started.reply.ok) throw new Inconclusive('precondition', 'two accepted searches at the same time');
    const results = await deliveredFor(session, started);
    const { facilityIds, from, to } = started.asked;
    expect.about(results.at(-1)!.id);
    const what = 'Of two searches at the same time, one has the result of the other.';
    for (const { facilityId, teeTimeV3 } of results.flatMap(elementsOf)) {
      expect.that(facilityIds.includes(facilityId), what, { expected: facilityIds, actual: facilityId });
      const days = teeTimeV3.map(({ time }) => dayOf(time)?.iso ?? '');
      expect.every(days, (day) => from.iso <= day && day <= to.iso, what, from.iso);
    }
  }
}

/** An address as it arrived, without the escapes of its query string, which may be written otherwise. */
function partsOf(url: string): string {
  const { pathname, searchParams } = new URL(url);
  return JSON.stringify([pathname, ...searchParams]);
}

async function checkAddress(context: RuleContext): Promise<void> {
  const { session, expect } = context;
  const { form, ...usual } = await acceptedSearch(session);
  await deliveredFor(session, usual);
  const least = { ...usual.asked, facilityIds: usual.asked.facilityIds.slice(0, 1), to: usual.asked.from };
  const escaped = await startSearch(session, least, form, { folder: FOLDER, query: QUERY });
  if (!escaped.reply.ok) {
    const { reply: plain } = await startSearch(session, least, form);
    if (!plain.ok) throw new Refused(plain, 'control-failed');
  }
  expect.succeeds(
    escaped.reply,
    'A search is refused because its `callbackUrl` has a query string, or an escape in its path.',
  );
  await arrivesAt(context, escaped, QUERY);
  const address = await session.callbackAddress();
  const { callbackUrl, ...params } = paramsOfSearch(least, form, `${address.url}${PLAIN_QUERY}`);
  const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const { path, method } = operationOf(operationIn('searchTeeTimes'));
  const reply = await context.probe({ method, path: `${path}?${query}&callbackUrl=${callbackUrl}` });
  // A URL may stand in a query without escapes, but a service may ask for them.
  if (reply.ok) await arrivesAt(context, { ...escaped, address, reply }, PLAIN_QUERY);
}

async function arrivesAt({ session, expect }: RuleContext, started: StartedSearch, query: string): Promise<void> {
  const { address } = started;
  await address.wait(1, Math.max(session.run.callbackTimeout, await usualDelay(session)));
  const [delivery] = address.deliveries;
  const expected = `${address.url}${query}`;
  const lost = { expected, actual: 'no delivery' };
  expect.that(
    delivery !== undefined,
    'A result is not posted to a `callbackUrl` with a query string, or with an escape in its path.',
    lost,
  );
  session.received(delivery!);
  const detail = { expected, actual: delivery!.url };
  const what = 'A result is posted to another address than `callbackUrl`.';
  expect.that(partsOf(delivery!.url) === partsOf(expected), what, detail);
}

/** Rules of where, how often and for which search a result is posted. */
export const deliveryRules: readonly RuleSpec[] = [
  defineRule({ id: 'callback.own-search', needs, run: checkOwn }),
  defineRule({ id: 'callback.address', needs, run: checkAddress }),
  defineRule({ id: 'callback.once', needs, phase: 'last', run: checkOnce }),
];
