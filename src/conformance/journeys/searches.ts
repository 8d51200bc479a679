import { type Day, dayAfter } from '../day.js';
import { isObject, readBody, type Reply } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import type { Address, ReceiverAnswer } from '../receiver.js';
import type { Param } from '../request.js';
import type { ReceivedResult, Session } from '../session.js';
import { place } from './places.js';
import { teeSheet } from './tee-sheets.js';
import { UNKNOWN_ID } from './unknown-id.js';

export type Form = 'query' | 'iso';

/** What a search asks for. */
export interface Question {
  readonly facilityIds: readonly number[];
  readonly from: Day;
  readonly to: Day;
  readonly players: number;
  readonly holes: number;
}

/** A search that was sent: not always one that was accepted. */
export interface Started {
  readonly question: Question;
  readonly params: Readonly<Record<string, Param>>;
  readonly address: Address;
  readonly reply: Reply;
  /** Whether the result was there when the acknowledgement was. */
  readonly early: boolean;
}

const FACILITIES = 3;

/** The search that the rules vary: the facilities of the run, on two days from that of its tee sheet. */
export function question(session: Session): Promise<Question> {
  return session.once('search question', async (session) => {
    const { facilityId, day, holes } = await teeSheet(session);
    const others = (await place(session)).facilities.map(({ id }) => id).filter((id) => id !== facilityId);
    const facilityIds = [facilityId, ...others].slice(0, FACILITIES);
    return { facilityIds, from: day, to: dayAfter(day, 1), players: 2, holes };
  });
}

/** Sends a search with an address of its own, which answers so. */
export async function start(session: Session, asked: Question, form: Form, answer?: ReceiverAnswer): Promise<Started> {
  const address = await session.callbackAddress(answer);
  const { facilityIds, from, to, players, holes } = asked;
  const dates = { fromDate: from[form], toDate: to[form] };
  const params = { facilityIds: facilityIds.join(','), ...dates, players, holes, callbackUrl: address.url };
  const reply = await session.send({ operation: 'v5.searchTeeTimes', params });
  return { question: asked, params, address, reply, early: address.deliveries.length > 0 };
}

/** A search with its dates in either form, since only one of them may be taken. Made once in a run. */
export function bothForms(session: Session): Promise<Readonly<Record<Form, Started>>> {
  return session.once('searches in both forms', async (session) => {
    const asked = await question(session);
    const usual = await inBothForms(session, asked);
    if (usual.query.reply.ok || usual.iso.reply.ok) return usual;
    // It may have been too much at once.
    const least = await inBothForms(session, { ...asked, facilityIds: asked.facilityIds.slice(0, 1), to: asked.from });
    return least.query.reply.ok || least.iso.reply.ok ? least : usual;
  });
}

async function inBothForms(session: Session, asked: Question): Promise<Readonly<Record<Form, Started>>> {
  const query = await start(session, asked, 'query');
  // On the day of the tee sheet there is something to find.
  const iso = await start(session, { ...asked, to: asked.from, players: 1 }, 'iso');
  if (query.reply.ok || !iso.reply.ok) return { query, iso };
  // It was refused for its form only if as few days are refused too.
  const fewer = await start(session, { ...asked, to: asked.from }, 'query');
  return { query: fewer.reply.ok ? fewer : query, iso };
}

/** The searches of the run that were accepted, and one for which some facilities have little to show. */
export async function acceptedSearches(session: Session): Promise<readonly Started[]> {
  const { query, iso } = await bothForms(session);
  const meager = await session.once('search with few results', async (session) => {
    const { question: asked, form } = await accepted(session);
    return start(session, { ...asked, to: asked.from, players: 4, holes: asked.holes === 18 ? 9 : 18 }, form);
  });
  return [query, iso, meager].filter(({ reply }) => reply.ok);
}

/** A search that was accepted, and the form of its dates. */
export async function accepted(session: Session): Promise<Started & { readonly form: Form }> {
  const { query, iso } = await bothForms(session);
  if (query.reply.ok) return { ...query, form: 'query' };
  if (iso.reply.ok) return { ...iso, form: 'iso' };
  throw new Inconclusive('precondition', `an accepted search (it was ${query.reply.status})`);
}

/** What was posted for a search by now, or comes within the time that a callback may take. */
export function delivered(session: Session, { address, reply }: Started): Promise<readonly ReceivedResult[]> {
  return session.once(`delivered ${address.url}`, async (session) => {
    const { host, callbackTimeout } = session.run;
    await address.wait(1, Math.max(0, reply.at + callbackTimeout - host.now()));
    return address.deliveries.map((delivery) => session.received(delivery));
  });
}

/** What was posted for some search; silence everywhere is no finding here. */
export async function someResults(
  session: Session,
): Promise<readonly { readonly search: Started; readonly results: readonly ReceivedResult[] }[]> {
  const all: { search: Started; results: readonly ReceivedResult[] }[] = [];
  for (const search of await acceptedSearches(session)) {
    const results = await delivered(session, search);
    if (results.length === 0) {
      throw new Inconclusive('not-enough-time', 'a delivery at the callback address (--callback-url)');
    }
    all.push({ search, results });
  }
  return all;
}

/** A search for a facility that does not exist, next to one that does if there may be two. Made once in a run. */
export function strangeSearch(session: Session): Promise<Started> {
  return session.once('search of an unknown facility', async (session) => {
    const { question: asked, form } = await accepted(session);
    const known = asked.facilityIds.length > 1 ? asked.facilityIds.slice(0, 1) : [];
    const facilityIds = [...known, UNKNOWN_ID];
    return start(session, { ...asked, facilityIds }, form);
  });
}

/** What was posted for that search; a report of failure is told apart, since its form is an open question. */
export async function strangeResult(session: Session): Promise<unknown> {
  const { address, reply } = await strangeSearch(session);
  const { host, callbackTimeout } = session.run;
  await address.wait(1, Math.max(0, reply.at + callbackTimeout - host.now()));
  const [delivery] = address.deliveries;
  if (!delivery) throw new Inconclusive('not-enough-time', 'a delivery at the callback address (--callback-url)');
  const { json } = readBody(200, delivery.text);
  const failed = isObject(json) && json['success'] === false;
  return failed ? json : session.once('strange result', async (session) => session.received(delivery).json);
}

/** A search and what was posted for it. */
export interface Searched extends Question {
  /** The answer at once. */
  readonly reply: Reply;
  /** The deliveries, at least one. */
  readonly results: readonly ReceivedResult[];
}

/**
 * A search of the run's facilities on the day of its tee sheet, with its result. Made once in a run.
 *
 * @throws {Inconclusive} when nothing is delivered in time: only rules about the delivery itself may make that a finding.
 */
export function search(session: Session): Promise<Searched> {
  return session.once('search', async (session) => {
    const { question: asked, form } = await accepted(session);
    const started = await start(session, { ...asked, to: asked.from, players: 1 }, form);
    const { question, reply } = started;
    if (!reply.ok) throw new Inconclusive('precondition', `an accepted search (it was ${reply.status})`);
    const results = await delivered(session, started);
    if (results.length === 0) {
      throw new Inconclusive('not-enough-time', 'a delivery at the callback address (--callback-url)');
    }
    return { ...question, reply, results };
  });
}
