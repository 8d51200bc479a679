import { readBody } from '../../contract/index.js';
import { isObject } from '../../common/index.js';
import { type Day, dayAfter } from '../client/day.js';
import type { Reply } from '../client/exchange.js';
import { Inconclusive, Refused } from '../client/outcome.js';
import { operationIn } from '../client/operations.js';
import type { CallbackAddress, Delivery, ReceiverAnswer } from '../client/receiver.js';
import type { Param } from '../client/request.js';
import { resource, resourceOf } from '../client/resource.js';
import type { ReceivedResult, Session } from '../client/session.js';
import { connectedCountry } from './connected-facilities.js';
import { type ListedTeeTime, teeSheet } from './tee-sheets.js';
import { ambiguousDay } from './tee-times-by-version.js';
import { UNKNOWN_ID } from './material.js';

export type DateForm = 'query' | 'iso';

/** What a search asks for. */
export interface SearchQuery {
  readonly facilityIds: readonly number[];
  readonly from: Day;
  readonly to: Day;
  readonly players: number;
  readonly holes: number;
}

/** A search that was sent; it may have been refused. */
export interface StartedSearch {
  readonly asked: SearchQuery;
  readonly params: Readonly<Record<string, Param>>;
  readonly address: CallbackAddress;
  readonly reply: Reply;
  /** Whether the result arrived before the acknowledgement. */
  readonly early: boolean;
}

const FACILITIES = 3;
/** Milliseconds. */
const MIN_DELAY = 1000;

/** The search that the rules vary: facilities of the run, on the day of its tee sheet and the next day. */
const searchQuery = resource('search question', async (session): Promise<SearchQuery> => {
  const { facilityId, day, holes } = await teeSheet(session);
  const others = (await connectedCountry(session)).facilities.map(({ id }) => id).filter((id) => id !== facilityId);
  const facilityIds = [facilityId, ...others].slice(0, FACILITIES);
  return { facilityIds, from: day, to: dayAfter(day, 1), players: 2, holes };
});

/** Where the result of a search goes: by default to an address of its own, which answers 200. */
interface SearchAddress {
  readonly answer?: ReceiverAnswer;
  readonly query?: string;
  /** A segment of its path, escaped. */
  readonly folder?: string;
  /** The address of another search. */
  readonly to?: CallbackAddress;
}

/** Sends a search. */
export async function startSearch(
  session: Session,
  asked: SearchQuery,
  form: DateForm,
  { answer, query = '', folder, to }: SearchAddress = {},
): Promise<StartedSearch> {
  const address = to ?? (await session.callbackAddress(answer, folder));
  const params = paramsOfSearch(asked, form, `${address.url}${query}`);
  const reply = await session.send({ operation: operationIn('searchTeeTimes'), params });
  // A recording has all results from the first.
  const isThere = ({ at }: Delivery): boolean => !session.run.recorded || at < reply.at;
  return { asked, params, address, reply, early: address.deliveries.some(isThere) };
}

export function paramsOfSearch(
  asked: SearchQuery,
  form: DateForm,
  callbackUrl: string,
): Record<string, string | number> {
  const { facilityIds, from, to, players, holes } = asked;
  return { facilityIds: facilityIds.join(','), fromDate: from[form], toDate: to[form], players, holes, callbackUrl };
}

/** Two searches that are sent at the same time, of other facilities or at least of other days. */
export const searchesTogether = resource(
  'searches at the same time',
  async (session): Promise<readonly StartedSearch[]> => {
    const { asked, form } = await acceptedSearch(session);
    const [one, other = one] = asked.facilityIds as [number, number?];
    const next = dayAfter(asked.from, 1);
    return Promise.all([
      startSearch(session, { ...asked, facilityIds: [one], to: asked.from, players: 1 }, form),
      startSearch(session, { ...asked, facilityIds: [other], from: next, to: next, players: 1 }, form),
    ]);
  },
);

/** Two searches of different days with the same address. */
export const searchesToOneAddress = resource(
  'searches with one address',
  async (session): Promise<readonly [StartedSearch, StartedSearch]> => {
    const { asked, form } = await acceptedSearch(session);
    const ofDay = (day: Day): SearchQuery => {
      return { ...asked, facilityIds: asked.facilityIds.slice(0, 1), from: day, to: day, players: 1 };
    };
    const one = await startSearch(session, ofDay(asked.from), form);
    return [one, await startSearch(session, ofDay(dayAfter(asked.from, 1)), form, { to: one.address })];
  },
);

/** A search of a day that is another one with day and month swapped. */
export const searchOfAmbiguousDay = resource('search of an ambiguous day', async (session): Promise<StartedSearch> => {
  const { asked, form } = await acceptedSearch(session);
  const day = ambiguousDay(session);
  return startSearch(session, { ...asked, from: day, to: day, players: 1 }, form);
});

/** Milliseconds that are enough for a result, as long as the deployment delivers as fast as before. */
export async function usualDelay(session: Session): Promise<number> {
  const { address, reply, ...rest } = await acceptedSearch(session);
  await resultsOf(session, { address, reply, ...rest });
  const [first] = address.deliveries;
  return first ? Math.max(MIN_DELAY, 3 * (first.at - reply.at)) : MIN_DELAY;
}

/** A search in each date form, since a deployment may accept only one of them. */
export const bothForms = resource(
  'searches in both forms',
  async (session): Promise<Readonly<Record<DateForm, StartedSearch>>> => {
    const asked = await searchQuery(session);
    const usual = await inBothForms(session, asked);
    if (usual.query.reply.ok || usual.iso.reply.ok) return usual;
    // The search may have been too large.
    const least = await inBothForms(session, { ...asked, facilityIds: asked.facilityIds.slice(0, 1), to: asked.from });
    return least.query.reply.ok || least.iso.reply.ok ? least : usual;
  },
);

async function inBothForms(session: Session, asked: SearchQuery): Promise<Readonly<Record<DateForm, StartedSearch>>> {
  const query = await startSearch(session, asked, 'query');
  // The day of the tee sheet has tee times to find.
  const iso = await startSearch(session, { ...asked, to: asked.from, players: 1 }, 'iso');
  if (query.reply.ok || !iso.reply.ok) return { query, iso };
  // A refusal is due to the date form only if a shorter range is refused too.
  const fewer = await startSearch(session, { ...asked, to: asked.from }, 'query');
  return { query: fewer.reply.ok ? fewer : query, iso };
}

/** A search with few results at some facilities. */
const sparseSearch = resource('search with few results', async (session): Promise<StartedSearch> => {
  const { asked, form } = await acceptedSearch(session);
  return startSearch(session, { ...asked, to: asked.from, players: 4, holes: asked.holes === 18 ? 9 : 18 }, form);
});

/** A search of two days where only the form of {@link bothForms} that asks for one day is accepted. */
const searchOfTwoDays = resource('search of two days', async (session): Promise<StartedSearch> => {
  const { asked, form } = await acceptedSearch(session);
  return startSearch(session, { ...asked, to: dayAfter(asked.from, 1) }, form);
});

/** The accepted searches of the run, and one with few results at some facilities. */
export async function acceptedSearches(session: Session): Promise<readonly StartedSearch[]> {
  const { query, iso } = await bothForms(session);
  const wide = query.reply.ok ? [] : [await searchOfTwoDays(session)];
  return [query, iso, ...wide, await sparseSearch(session)].filter(({ reply }) => reply.ok);
}

/** An accepted search and the form of its dates. */
export async function acceptedSearch(session: Session): Promise<StartedSearch & { readonly form: DateForm }> {
  const { query, iso } = await bothForms(session);
  if (query.reply.ok) return { ...query, form: 'query' };
  if (iso.reply.ok) return { ...iso, form: 'iso' };
  throw new Refused(query.reply);
}

/** A result as other rules report it if it has another form. */
interface Element {
  readonly facilityId: number;
  readonly teeTimeV3: readonly ListedTeeTime[];
}

/** The elements of a result. Other rules report a result of the wrong form. */
export function elementsOf({ json }: ReceivedResult): readonly Element[] {
  const data = isObject(json) ? json['data'] : undefined;
  if (!Array.isArray(data)) throw new Inconclusive('precondition', 'a result with a list (see callback.body)');
  return data as Element[];
}

/** The results posted for a search within the callback timeout. */
export const resultsOf = resourceOf(
  'results of a search',
  async (session, { address, reply }: StartedSearch): Promise<readonly ReceivedResult[]> => {
    const { host, callbackTimeout } = session.run;
    await address.wait(1, Math.max(0, reply.at + callbackTimeout - host.now()));
    return address.deliveries.map((delivery) => session.received(delivery));
  },
  ({ address }) => address,
);

/**
 * The results of a search, at least one.
 *
 * @throws {Inconclusive} if nothing is delivered in time: only the rules of deliveries report that as a finding.
 */
export async function deliveredFor(session: Session, search: StartedSearch): Promise<readonly ReceivedResult[]> {
  const results = await resultsOf(session, search);
  if (results.length > 0) return results;
  throw new Inconclusive('not-enough-time', 'a delivery to the callback address (callback-url)');
}

/** The results of the accepted searches. */
export async function someResults(
  session: Session,
): Promise<readonly { readonly search: StartedSearch; readonly results: readonly ReceivedResult[] }[]> {
  const all: { search: StartedSearch; results: readonly ReceivedResult[] }[] = [];
  for (const search of await acceptedSearches(session)) {
    all.push({ search, results: await deliveredFor(session, search) });
  }
  return all;
}

/** A search for an unknown facility, together with a known one if searches accept two. */
export const searchOfUnknownFacility = resource(
  'search of an unknown facility',
  async (session): Promise<StartedSearch> => {
    const { asked, form } = await acceptedSearch(session);
    const known = asked.facilityIds.length > 1 ? asked.facilityIds.slice(0, 1) : [];
    const facilityIds = [...known, UNKNOWN_ID];
    return startSearch(session, { ...asked, facilityIds }, form);
  },
);

const received = resourceOf('result of a strange search', async (session, delivery: Delivery) =>
  session.received(delivery),
);

/** The result of that search. A failure is not evidence, since its form is an open question. */
export async function resultOfUnknownFacility(session: Session): Promise<unknown> {
  const { address, reply } = await searchOfUnknownFacility(session);
  const { host, callbackTimeout } = session.run;
  await address.wait(1, Math.max(0, reply.at + callbackTimeout - host.now()));
  const [delivery] = address.deliveries;
  if (!delivery) throw new Inconclusive('not-enough-time', 'a delivery to the callback address (callback-url)');
  const { json } = readBody(200, delivery.text);
  const failed = isObject(json) && json['success'] === false;
  return failed ? json : (await received(session, delivery)).json;
}

/** A search and its results. */
export interface FinishedSearch extends SearchQuery {
  /** The acknowledgement. */
  readonly reply: Reply;
  /** The deliveries, at least one. */
  readonly results: readonly ReceivedResult[];
}

/** A search of the run's facilities on the day of its tee sheet, with its results. */
export const search = resource('search', async (session): Promise<FinishedSearch> => {
  const { asked, form } = await acceptedSearch(session);
  const started = await startSearch(session, { ...asked, to: asked.from, players: 1 }, form);
  const { asked: question, reply } = started;
  if (!reply.ok) throw new Refused(reply);
  return { ...question, reply, results: await deliveredFor(session, started) };
});
