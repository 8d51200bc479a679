import { basicHeader } from '../../client/credentials.js';
import { type Day, dayAfter, dayOf } from '../../client/day.js';
import { isObject } from '../../../common/index.js';
import {
  acceptedSearch,
  acceptedSearches,
  resultOfUnknownFacility,
  resultsOf,
  search,
  searchesToOneAddress,
  searchOfAmbiguousDay,
  searchOfUnknownFacility,
  type SearchQuery,
  someResults,
  startSearch,
  elementsOf,
} from '../../journeys/searches.js';
import { areOfJson } from '../answers.js';
import { freeSlotsOf, type ListedTeeTime, paramsOf } from '../../journeys/tee-sheets.js';
import { Finding, Inconclusive } from '../../client/outcome.js';
import type { CallbackAddress, ReceiverAnswer } from '../../client/receiver.js';
import { resource } from '../../client/resource.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { listOf, type ReceivedResult, type Session } from '../../client/session.js';
import { newestWith, operationIn } from '../../client/operations.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import type { Expect } from '../expect.js';

const listing = operationIn('listTeeTimes', newestWith.facilitySheet);
const DAYS = 2;

const amountOf = ({ amount, currency }: ListedTeeTime['products'][number]['pricing'][number]['price']): string =>
  `${amount} ${currency}`.toLowerCase();

/** A tee time without the fields that bookings change. */
function lasting({ teeid, time, course, holes, products, extraProducts }: ListedTeeTime): string {
  const extras = (extraProducts ?? []).map((one) => `${one.mid} ${amountOf(one.price)}`);
  const steps = products.flatMap(({ mid, pricing }) =>
    pricing.map((step) => `${mid} ${step.quantity} ${amountOf(step.price)}`),
  );
  return JSON.stringify([teeid, time, course, holes, ...steps.sort(), ...extras.sort()]);
}

/** The free slots of a tee time, by product. */
const placesOf = (one: ListedTeeTime): string => `${one.teeid} ${one.time}: ${freeSlotsOf(one)}`;

const textOf = (one: ListedTeeTime): string => lasting(one) + placesOf(one);

/** A result must have the tee times that were on sale both before and after its search, and no others. */
function checkResults({ session, expect }: RuleContext): Promise<void> {
  return confirmDifferences(session, async (anew) => {
    const { facilityIds, from, to, holes, players, results } = await search(anew);
    expect.about(results.at(-1)?.id);
    await agrees(anew, expect, { facilityIds, from, to, holes, players }, results.flatMap(elementsOf));
    for (const { search: started, results: of } of await someResults(anew)) {
      expect.about(of.at(-1)?.id);
      await agrees(anew, expect, started.asked, of.flatMap(elementsOf));
    }
  });
}

async function agrees(
  session: Session,
  expect: Expect,
  asked: SearchQuery,
  elements: ReturnType<typeof elementsOf>,
): Promise<void> {
  for (const facilityId of asked.facilityIds) {
    const found = elements.filter((one) => one.facilityId === facilityId).flatMap(({ teeTimeV3 }) => teeTimeV3);
    for (const day of daysOf(asked)) {
      const own = found.filter(({ time }) => time.startsWith(day.iso));
      await agreesOn(session, expect, { ...asked, facilityId, day }, own);
    }
  }
}

function daysOf({ from, to }: SearchQuery): readonly Day[] {
  const all = Array.from({ length: DAYS }, (_, index) => dayAfter(from, index));
  return all.filter(({ iso }) => iso <= to.iso);
}

async function agreesOn(
  session: Session,
  expect: Expect,
  { facilityId, day, holes, players }: SearchQuery & { readonly facilityId: number; readonly day: Day },
  result: readonly ListedTeeTime[],
): Promise<void> {
  const params = paramsOf({ facilityId, day, holes: holes as 9 | 18, players });
  const pick = (data: { readonly teeTimeV3: unknown }): unknown => data.teeTimeV3;
  const before = listOf<ListedTeeTime>(await session.read(listing, params), pick);
  const isSame = sameItems(before.map(textOf), result.map(textOf));
  const after = isSame ? before : listOf<ListedTeeTime>(await session.send({ operation: listing, params }), pick);
  const inBoth = (write: (one: ListedTeeTime) => string): readonly string[] => {
    const later = new Set(after.map(write));
    return before.map(write).filter((one) => later.has(one));
  };
  const texts = result.map(lasting);
  const shown = [...before, ...after].map(lasting);
  expect.subset(inBoth(lasting), texts, 'A tee time of the facility is missing from the result.');
  expect.subset(texts, shown, 'A result has a tee time that the facility does not show.', 'unexpected');
  const places = 'A tee time has other free slots in the result than at its facility.';
  expect.subset(inBoth(placesOf), result.map(placesOf), places);
  const most = Math.max(before.length, after.length, new Set(texts).size);
  const twice = 'A result has a tee time more often than the facility shows it.';
  expect.that(texts.length <= most, twice, { expected: most, actual: texts.length });
}

function sameItems(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text) => other.includes(text));
}

const needs = ['callbacks'] as const;
const ATTEMPTS = 3;
const MOST_RETRIES = 5;
/** Milliseconds to wait for a first retry, if no callback timeout is set. */
const FIRST_RETRY = 1500;

const allResults = async (session: Session): Promise<readonly ReceivedResult[]> => [
  ...(await someResults(session)).flatMap(({ results }) => results),
  ...(await search(session)).results,
];

async function checkTrigger({ session, expect }: RuleContext): Promise<void> {
  await acceptedSearch(session);
  const { receiver, callbackTimeout } = session.run;
  for (const started of await acceptedSearches(session)) {
    const results = await resultsOf(session, started);
    // If it is unknown whether the deployment can reach the receiver, a missing result proves nothing.
    if (results.length === 0 && !receiver?.reachable) {
      throw new Inconclusive('not-enough-time', 'an address that the deployment reaches (callback-url)');
    }
    const detail = { expected: 'a delivery', actual: `none within ${callbackTimeout} ms` };
    expect.about(started.reply.id);
    expect.that(results.length > 0, 'An accepted search is not delivered.', detail);
  }
  const [one, other] = await searchesToOneAddress(session);
  if (!one.reply.ok || !other.reply.ok) return;
  await one.address.wait(2, callbackTimeout);
  const { length } = one.address.deliveries;
  const what = 'Of two accepted searches with the same `callbackUrl`, one is not delivered.';
  expect.that(length >= 2, what, { expected: 2, actual: length });
}

/**
 * No result may arrive before the acknowledgement. A difference up to the duration of the fastest answer of the run is
 * allowed, since an answer can be in transit for that long. A finding takes several searches in a row.
 */
async function checkOrder({ session, expect }: RuleContext): Promise<void> {
  const { asked: question, form, ...first } = await acceptedSearch(session);
  const fastest = Math.min(...session.run.transport.replies.map(({ durationMs }) => durationMs));
  let unclear = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { early, reply, address } = attempt === 0 ? first : await startSearch(session, question, form);
    if (!early) return expect.succeeds(reply, 'A search is not accepted.');
    if (reply.at - address.deliveries[0]!.at < fastest) unclear += 1;
  }
  if (unclear > 0) throw new Inconclusive('not-enough-time', 'a receiver close enough to see which came first');
  throw new Finding(`The result came before the acknowledgement, ${ATTEMPTS} times out of ${ATTEMPTS}.`);
}

async function checkElements({ session, expect }: RuleContext): Promise<void> {
  const { facilityIds, results } = await search(session);
  const asked = (await someResults(session)).map((one) => ({ ...one, ids: one.search.asked.facilityIds }));
  for (const { ids, results: of } of [...asked, { ids: facilityIds, results }]) {
    expect.about(of[0]!.id);
    const found = elementsOf(of[0]!).map(({ facilityId }) => facilityId);
    const sorted = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b);
    expect.equal(sorted(found), sorted(ids), 'The result must have one element for each facility.');
  }
}

async function checkFilter({ session, expect }: RuleContext): Promise<void> {
  const swappable = await searchOfAmbiguousDay(session);
  const ofDay = swappable.reply.ok ? [{ search: swappable, results: await resultsOf(session, swappable) }] : [];
  for (const { search: started, results } of [...(await someResults(session)), ...ofDay]) {
    const { from, to, holes, players } = started.asked;
    expect.about(results.at(-1)?.id);
    const teeTimes = results.flatMap(elementsOf).flatMap(({ teeTimeV3 }) => teeTimeV3);
    const within = (day = ''): boolean => from.iso <= day && day <= to.iso;
    const range = `${from.iso} to ${to.iso}`;
    expect.every(teeTimes, ({ time }) => within(dayOf(time)?.iso), 'A tee time is outside the requested days.', range);
    expect.every(
      teeTimes,
      (one) => one.holes === holes,
      'A tee time has a number of holes that was not requested.',
      holes,
    );
    const free = ({ products }: ListedTeeTime): boolean => products.some(({ available }) => available >= players);
    expect.every(teeTimes, free, 'The result has a tee time with fewer free slots than requested.', players);
  }
}

/** Where the result of another accepted search goes. */
async function anotherSearch(session: Session, answer: ReceiverAnswer = 200): Promise<CallbackAddress> {
  const { asked, form } = await acceptedSearch(session);
  const { reply, address } = await startSearch(session, asked, form, { answer });
  if (reply.ok) return address;
  throw new Inconclusive('precondition', `an accepted search (the status was ${reply.status})`);
}

/** A search whose result has arrived at an address that gives this answer. */
async function arrived(session: Session, answer: ReceiverAnswer): Promise<CallbackAddress> {
  const address = await anotherSearch(session, answer);
  if (await address.wait(1, session.run.callbackTimeout)) return address;
  throw new Inconclusive('not-enough-time', 'a delivery at the callback address (callback-url)');
}

/** A search whose receiver answered with an error. It starts early, so that there is time for retries. */
const failing = resource('failing search', (session) => arrived(session, 500));

/** A failed delivery, and how often it was repeated. The wait for each is three times as long as the one before it took. */
const repeated = resource('repeated deliveries', async (session): Promise<number> => {
  const { callbackTimeout, host, patience } = session.run;
  const address = await failing(session);
  let [count, window] = [1, patience || Math.min(FIRST_RETRY, callbackTimeout)];
  const left = (): number => Math.max(0, address.deliveries[count - 1]!.at + window - host.now());
  while (count <= MOST_RETRIES && (await address.wait(count + 1, left()))) {
    const [before, last] = address.deliveries.slice(count - 1, count + 1);
    window = Math.max(window, 3 * (last!.at - before!.at));
    count += 1;
  }
  return count - 1;
});

/** Another search is delivered after a failed delivery, at the latest when that is no longer repeated. */
async function checkAfterFailure({ session, expect }: RuleContext): Promise<void> {
  const retries = await repeated(session);
  const { receiver, callbackTimeout } = session.run;
  if (retries >= MOST_RETRIES || !receiver?.reachable) {
    throw new Inconclusive('not-enough-time', 'a failed delivery that is no longer repeated');
  }
  const address = await anotherSearch(session);
  const isDelivered = await address.wait(1, callbackTimeout);
  // A deployment that posts its results one by one may wait for the time of its next attempt.
  if (!isDelivered && session.run.patience === 0) {
    throw new Inconclusive('not-enough-time', 'a delivery after a failed one (--timeout DURATION)');
  }
  const detail = { expected: 'a delivery', actual: `none within ${callbackTimeout} ms` };
  expect.that(isDelivered, 'A search is not delivered after the delivery of another one failed.', detail);
}

/** Whole seconds after which the deployment disconnects from a receiver that does not answer. */
async function checkTimeout({ session, observe }: RuleContext): Promise<void> {
  const { patience } = session.run;
  if (patience === 0) throw new Inconclusive('not-given', 'the time to wait for it (--timeout DURATION)');
  const held = await (await arrived(session, 'held')).hungUp(patience);
  if (held === undefined) {
    throw new Inconclusive('not-enough-time', `a deployment that hangs up within ${patience / 1000} s (--timeout)`);
  }
  observe('callback.timeout-seconds', Math.max(1, Math.round(held / 1000)));
}

async function checkSignature({ session, observe }: RuleContext): Promise<void> {
  const [{ headers }] = (await search(session)).results as [ReceivedResult];
  const signature = [...headers].find(([name]) => /signature|hmac/i.test(name))?.[1];
  if (signature === undefined) observe('callback.signature', 'none');
  else if (/^(sha256=)?([\da-f]{64}|[\w+/-]{43}=?)$/i.test(signature)) observe('callback.signature', 'hmac-sha256');
}

async function checkAuth({ session, observe }: RuleContext): Promise<void> {
  const [{ headers }] = (await search(session)).results as [ReceivedResult];
  const { basic } = session.run.transport.channels.first.options;
  const value = headers.get('authorization');
  if (value === null) observe('callback.auth', 'none');
  else if (basic && value === basicHeader(basic)) observe('callback.auth', 'basic');
}

async function checkFailure({ session, observe }: RuleContext): Promise<void> {
  const started = await searchOfUnknownFacility(session);
  if (!started.reply.ok) throw new Inconclusive('no-data', 'a search that goes wrong after its acknowledgement');
  const result = await resultOfUnknownFacility(session);
  if (isObject(result)) observe('callback.failure-body', result['success'] === false ? 'envelope' : 'none');
}

/** Rules of the results that the service posts for a search. */
export const callbackRules: readonly RuleSpec[] = [
  defineRule({ id: 'callback.trigger', needs, run: checkTrigger }),
  defineRule({
    id: 'callback.method',
    needs,
    async run({ session, expect }) {
      const methods = (await allResults(session)).map(({ method }) => method);
      expect.every(methods, (method) => method === 'POST', 'A result is not delivered by a POST.', 'POST');
    },
  }),
  defineRule({
    id: 'callback.content-type',
    needs,
    async run({ session, expect }) {
      // General rule 2 is about every request with a body, and this one is the service's own.
      for (const { id, headers } of await allResults(session)) {
        expect.about(id);
        const actual = headers.get('content-type') ?? 'no Content-Type';
        const detail = { expected: 'Content-Type: application/json', actual };
        expect.that(areOfJson(headers), 'A result is not posted as JSON.', detail);
      }
    },
  }),
  defineRule({ id: 'callback.after-ack', needs, run: checkOrder }),
  defineRule({ id: 'callback.one-per-facility', needs, run: checkElements }),
  defineRule({ id: 'callback.filter', needs, run: checkFilter }),
  defineRule({ id: 'callback.agrees', needs, run: checkResults }),
  defineRule({
    id: 'callback.retries',
    needs,
    phase: 'last',
    begin: failing,
    async run({ session, observe }) {
      observe('callback.retries', await repeated(session));
    },
  }),
  defineRule({ id: 'callback.after-failure', needs, phase: 'last', begin: failing, run: checkAfterFailure }),
  // Last, since a deployment that posts its results one by one posts nothing else while it waits.
  defineRule({ id: 'callback.timeout', needs, phase: 'last', run: checkTimeout }),
  defineRule({ id: 'callback.signature', needs, run: checkSignature }),
  defineRule({ id: 'callback.auth', needs, run: checkAuth }),
  defineRule({ id: 'callback.failure-body', needs, run: checkFailure }),
];
