import {
  rules as catalogue,
  type OperationId,
  operations,
  optional,
  type RuleId,
  operationOf,
} from '../../contract/index.js';
import { Contract, type Schema } from '../client/contract.js';
import { type Evidence, type FormOf, gather } from './evidence.js';
import { answerRule, fieldRule, operationOfOrigin, type Origin } from './fields.js';
import { Finding, Inconclusive, NotAllowed, unlessInconclusive } from '../client/outcome.js';
import { isObject } from '../../common/index.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rules/rule.js';
import { type AskedFor, type Reply, bookingItems } from '../client/exchange.js';
import { onlyReads } from '../client/request.js';
import { dayOf } from '../client/day.js';
import { creations } from '../client/operations.js';
import type { Session } from '../client/session.js';
import { type Facts, factsOf } from '../facts/facts.js';
import { bodyFor } from '../journeys/bookings.js';
import { freshTeeTime } from '../journeys/material.js';
import { freeSlots } from '../journeys/refused-bookings.js';
import { outcomeOf, refusal } from '../rules/expect.js';

/** A longer page may be refused: its maximum is an open question. */
const MODEST_LIMIT = 100;
const MOST_PLAYERS = 4;

/** The kinds that a right request belongs to: each must be accepted by itself. */
function kindsOf(origin: OperationId, { params, body }: AskedFor): readonly string[] {
  const { name, bodies = [] } = operationOf(origin);
  const has = (field: string): boolean => params[field] !== undefined;
  const kinds: Readonly<Record<string, readonly string[]>> = {
    createBooking: bodies.length > 1 ? shapedKinds(body) : bookingKinds(body),
    createBulkBooking: bookingKinds(body),
    listTeeTimes: [`for ${String(params['holes'])} holes`, `for ${counted(params['players'])}`],
    listCountries: [has('connected') ? `with connected=${String(params['connected'])}` : 'without `connected`'],
    listFacilities: [has('connected') ? `with connected=${String(params['connected'])}` : 'without `connected`'],
    // Whether `toDate` is accepted alone is an open question.
    listBookings: has('fromDate') ? ['with `fromDate`'] : has('toDate') ? [] : ['without parameters'],
    listPrices: [
      ...(String(params['facilityIds']).includes(',') ? ['for several facilities'] : []),
      ...(has('offset') ? ['with `offset`'] : []),
      ...(has('limit') && Number(params['limit']) <= MODEST_LIMIT ? ['with `limit`'] : []),
    ],
  };
  return kinds[name] ?? [];
}

function shapedKinds(body: unknown): readonly string[] {
  const inDetails = isObject(body) && 'details' in body;
  const shape = Array.isArray(body) ? 'a list of bookings' : inDetails ? 'bookings in `details`' : 'one booking';
  const ofPlayers = playersOf(body).map((players) => `with ${shape} ${players}`);
  return [`with ${shape}`, ...bookingKinds(body), ...ofPlayers];
}

function bookingKinds(body: unknown): readonly string[] {
  const items = bookingItems(body).filter(isObject);
  const facilities = new Set(items.map(({ facilityId }) => String(facilityId)));
  const isPlain = items.every(({ course, round }) => /^[ -~]*$/.test(String(course ?? round)));
  return [
    ...playersOf(body),
    ...holesOf(body),
    ...(facilities.size === 1 ? [`at facility ${[...facilities].join()}`] : []),
    ...(isPlain ? [] : ['on a course with letters beyond ASCII in its name']),
  ];
}

function playersOf(body: unknown): readonly string[] {
  const same = sameIn(body, 'players');
  return same >= 1 && same <= MOST_PLAYERS ? [`for ${counted(same)}`] : [];
}

function holesOf(body: unknown): readonly string[] {
  const same = sameIn(body, 'holes');
  return same === 9 || same === 18 ? [`for ${same} holes`] : [];
}

/** A number that all bookings of a body have in common; 0 if they differ. */
function sameIn(body: unknown, field: 'players' | 'holes'): number {
  const numbers = bookingItems(body).map((item) => (isObject(item) ? Number(item[field]) : 0));
  return new Set(numbers).size === 1 ? numbers[0]! : 0;
}

function counted(players: unknown): string {
  return Number(players) === 1 ? '1 player' : `${String(players)} players`;
}

/** A right request and its answer. */
type RightReply = Reply & { readonly asked: AskedFor };

/** Right requests of one kind, none of which was accepted. */
interface RefusedKind {
  /** What they have in common, in words; empty for all requests of the operation. */
  readonly kind: string;
  readonly replies: readonly RightReply[];
}

/** Statuses of a service that is busy or away; the health of the run counts them. */
const away: readonly number[] = [429, 502, 503, 504];
/** Statuses that refuse the caller, and the one of a search that finds nothing: neither is about a kind of request. */
const notAboutKind: readonly number[] = [401, 403, 404];
/** Statuses of a refresh that are not about the token. */
const isAboutPath = (status: number): boolean => status === 405 || status >= 500;
/** Payments have a method and a condition that are open; their own rules check refusals. */
const checkedElsewhere: readonly string[] = ['confirmPayment', 'confirmBulkPayment'];
/** Refusals that make a finding: on different tee times, if they are of bookings. */
const LEAST = 2;

/**
 * Fails if the deployment refuses every right request of an operation, or of a kind of them such as bookings as a list.
 * Right requests are built from what the deployment itself has offered.
 *
 * @throws {Finding} with the first words of the deployment.
 */
async function expectAccepted(session: Session, origin: Origin): Promise<void> {
  const { run } = session;
  if (origin === 'callback' || run.recorded || checkedElsewhere.includes(operationOf(origin).name)) return;
  const first = refusedKind(session, origin);
  if (!first || !(await isPersistent(session, origin, first).catch(unlessInconclusive))) return;
  const found = refusedKind(session, origin);
  if (!found) return;
  const { kind, replies } = found;
  const [shown] = replies;
  for (const { id } of replies.slice(0, 5)) session.exchanges.add(id);
  const { method, path } = operationOf(origin);
  const what = `${method} ${path} refuses every right request${kind === '' ? '' : ` ${kind}`} (${replies.length} of ${replies.length}).`;
  throw new Finding(what, 'success', outcomeOf(shown!), refusal(shown!));
}

/** The widest kind of right requests that were all refused. */
function refusedKind({ run }: Session, origin: OperationId): RefusedKind | undefined {
  const all = rightReplies(run.transport.replies).filter(({ operation }) => operation === origin);
  if (all.length === 0) return undefined;
  const refused = all.filter(({ ok }) => !ok);
  if (refused.length === all.length) {
    const isLawful = ({ status }: Reply): boolean => isOfCaller(run.transport.replies, origin, status);
    return refused.some(isLawful) ? undefined : { kind: '', replies: refused };
  }
  const facts = factsOf(run);
  const kindsIn = (reply: RightReply): readonly string[] => [
    ...kindsOf(origin, reply.asked),
    ...(takesRest(facts, reply) ? [FOR_REST] : []),
  ];
  const kinds = new Set(refused.flatMap(kindsIn));
  const found = [...kinds]
    .map((kind): RefusedKind => ({ kind, replies: all.filter((reply) => kindsIn(reply).includes(kind)) }))
    .filter(({ replies }) => replies.every(isAboutKind));
  return found.toSorted((one, other) => other.replies.length - one.replies.length)[0] ?? refusedDays(all);
}

const FOR_REST = 'for all free slots of a tee time';
/** Whether a single booking is for all free slots that its product shows before it. As many as may be asked for may be more. */
function takesRest({ sheets }: Facts, reply: RightReply): boolean {
  const [item, ...more] = bookingItems(reply.asked.body);
  if (!isObject(item) || more.length > 0 || item['productId'] === undefined) return false;
  const { facilityId, teetime, teeId, productId, players } = item;
  const day = String(teetime).slice(0, 10);
  const sheet = sheets.findLast(
    (one) =>
      one.facilityId === Number(facilityId) &&
      one.day === day &&
      order(one.by) < order(reply) &&
      one.teeTimes.some((teeTime) => teeTime.id === teeId && teeTime.products !== undefined),
  );
  const products = sheet?.teeTimes.find((teeTime) => teeTime.id === teeId)?.products ?? [];
  const free = products.find(({ mid }) => mid === productId)?.available;
  return free === players && Number(players) < MOST_PLAYERS;
}

const isAboutKind = ({ ok, status }: Reply): boolean => !ok && !notAboutKind.includes(status);

/** The days that a request asks for, in epoch milliseconds. */
interface Days {
  readonly from: number;
  readonly to: number;
}

/** The days of a request; undefined where it has none. Whether `toDate` is accepted alone is an open question. */
function daysOf({ params }: AskedFor): Days | undefined {
  const [first = params['fromDate'], last] = [params['bookingDate'], params['toDate']];
  const from = instantOf(first);
  if (from === undefined) return undefined;
  return { from, to: params['bookingDate'] === undefined ? (instantOf(last) ?? Infinity) : from };
}

const instantOf = (day: unknown): number | undefined =>
  typeof day === 'string' ? Date.parse(`${day.split('-').reverse().join('-')}T00:00:00Z`) : undefined;

function daysInWords({ params: { bookingDate, fromDate, toDate } }: AskedFor): string {
  if (bookingDate !== undefined || fromDate === toDate) return `the day ${String(bookingDate ?? fromDate)}`;
  return toDate === undefined ? `days from ${String(fromDate)} on` : `${String(fromDate)} to ${String(toDate)}`;
}

/** What a request asks for beside its days and its facilities. */
function restOf({ params }: AskedFor): string {
  const { bookingDate: _, fromDate: __, toDate: ___, callbackUrl: ____, facilityIds: _____, ...rest } = params;
  return JSON.stringify(Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const facilitiesOf = ({ params }: AskedFor): readonly string[] => String(params['facilityIds']).split(',');

/**
 * Days that are refused, while the same is accepted for as many days, for earlier and for later ones: so neither the past
 * nor a limit of the deployment is the reason.
 */
function refusedDays(all: readonly RightReply[]): RefusedKind | undefined {
  for (const refused of all.filter(isAboutKind)) {
    const days = daysOf(refused.asked);
    if (!days) continue;
    const { from, to } = days;
    const [rest, facilities] = [restOf(refused.asked), facilitiesOf(refused.asked)];
    const alike = all.filter(({ asked }) => restOf(asked) === rest);
    const ranges = alike.flatMap(({ ok, asked }) => {
      const asksMore = facilities.every((id) => facilitiesOf(asked).includes(id));
      return ok && asksMore ? (daysOf(asked) ?? []) : [];
    });
    const isWithin =
      ranges.some((one) => one.from <= from) &&
      ranges.some((one) => one.to >= to) &&
      ranges.some((one) => one.to - one.from >= to - from);
    if (!isWithin) continue;
    const isSame = ({ asked }: RightReply): boolean =>
      daysOf(asked)?.from === from && daysOf(asked)?.to === to && String(facilitiesOf(asked)) === String(facilities);
    const replies = alike.filter(isSame);
    if (replies.every(isAboutKind)) return { kind: `for ${daysInWords(refused.asked)}`, replies };
  }
  return undefined;
}

function rightReplies(replies: readonly Reply[]): readonly RightReply[] {
  return replies.filter(
    (reply): reply is RightReply =>
      reply.asked?.isRight === true &&
      !away.includes(reply.status) &&
      (reply.ok || reply.operation !== 'refreshToken' || isAboutPath(reply.status)),
  );
}

/**
 * Whether a refusal may be about the caller: it has the status of one, and the version has accepted no request. Which
 * versions accept which credentials is an open question.
 */
function isOfCaller(replies: readonly Reply[], origin: OperationId, status: number): boolean {
  const { version } = operationOf(origin);
  const isOfVersion = ({ operation }: Reply): boolean =>
    operation !== undefined && operationOf(operation).version === version;
  if (replies.some((reply) => reply.ok && reply.asked?.isRight && isOfVersion(reply))) return false;
  const toNobody = replies.filter(
    ({ asked, operation, ok }) => !ok && asked?.caller === 'nobody' && operation && onlyReads(operation),
  );
  return [401, 403, ...toNobody.map((reply) => reply.status)].includes(status);
}

/** Whether the refusals are many enough, and of different material. A read is sent again. */
async function isPersistent(session: Session, origin: OperationId, refused: RefusedKind): Promise<boolean> {
  const { replies } = refused;
  if (origin === 'refreshToken') return true;
  if (!onlyReads(origin)) {
    if (operationOf(origin).name === 'searchTeeTimes') return isOfSearch(session, replies);
    if (!isMany(replies)) return false;
    const due = await withRoom(session, refused);
    return isMany(due) && acceptsOthers(session, due);
  }
  if (replies.length >= LEAST) return true;
  const { params } = replies[0]!.asked;
  return !(await session.send({ operation: origin, params: params as Readonly<Record<string, string>> })).ok;
}

/** Whether searches are refused as such. A deployment may refuse an address that it cannot reach. */
function isOfSearch({ run }: Session, replies: readonly RightReply[]): boolean {
  return (
    replies.length >= LEAST && (run.receiver?.reachable === true || replies.every(({ status }) => isAboutPath(status)))
  );
}

const teeTimeOf = ({ asked: { body } }: RightReply): unknown => {
  const [item] = bookingItems(body);
  return isObject(item) ? item['teeId'] : undefined;
};

/** Whether bookings of different tee times were refused. */
const isMany = (replies: readonly RightReply[]): boolean => new Set(replies.map(teeTimeOf)).size >= LEAST;

/** Refused parties that are looked at again: more would say the same. */
const MOST_LOOKED_AT = 6;

/** Refusals of a party whose tee time still has room for it: others may have taken one of its slots meanwhile. */
async function withRoom(session: Session, { kind, replies }: RefusedKind): Promise<readonly RightReply[]> {
  if (!kind.endsWith(' players') && kind !== FOR_REST) return replies;
  const due: RightReply[] = [];
  for (const reply of replies.slice(0, MOST_LOOKED_AT)) {
    let hasRoom = true;
    for (const item of bookingItems(reply.asked.body)) hasRoom &&= isObject(item) && (await isRoomFor(session, item));
    if (hasRoom) due.push(reply);
  }
  return due;
}

async function isRoomFor(session: Session, item: Readonly<Record<string, unknown>>): Promise<boolean> {
  const { facilityId, teetime, holes, teeId, players } = item;
  const day = dayOf(teetime);
  if (!day || (holes !== 9 && holes !== 18)) return false;
  const place = { sheet: { facilityId: Number(facilityId), day, holes }, teeTime: { teeid: Number(teeId) } } as const;
  const free = await freeSlots(session, place).catch(unlessInconclusive);
  return free !== undefined && free >= Number(players);
}

const creates = ({ operation }: Reply): boolean => /\.create(Bulk)?Booking$/.test(operation ?? '');
const order = ({ id }: Reply): number => Number(id.slice(1));

/**
 * Whether other bookings are accepted after some that were refused. If none is, the deployment may have a limit of its
 * own and refuse every further booking. If none ever was, it accepts no bookings at all.
 */
async function acceptsOthers(session: Session, refused: readonly RightReply[]): Promise<boolean> {
  const { replies } = session.run.transport;
  // A probe that was accepted shows as well that there is no limit.
  const latest = replies.findLast((reply) => reply.ok && creates(reply));
  if (!latest || isMany(refused.filter((reply) => order(reply) < order(latest)))) return true;
  const last = rightReplies(replies).findLast((reply) => reply.ok && creates(reply));
  if (!last) return false;
  const { sheet, teeTime } = await freshTeeTime(session);
  const operation = last.operation!;
  const creation = creations.find((one) => one.operation === operation)!;
  const item = bodyFor(session, creation, { sheet, teeTime });
  const { body: taken } = last.asked;
  const body = Array.isArray(taken) ? [item] : isObject(taken) && 'details' in taken ? { details: [item] } : item;
  return (await session.send({ operation, body })).ok;
}

const origins: readonly Origin[] = [...operations.map(({ id }): OperationId => id), 'callback'];

/** Where the field of a rule can be. */
interface Sources {
  readonly from: Set<Origin>;
  /** Whether a deployment may omit the field, or an object around it, in every answer. */
  isOptional: boolean;
  /** The objects that may omit it. */
  readonly homes: Set<string>;
}

/** The answers that can have the field of each rule, by the schemas of the contract. */
function sources(): ReadonlyMap<RuleId, Sources> {
  const contract = new Contract();
  const found = new Map<RuleId, Sources>();
  const note = (rule: RuleId | undefined, origin: Origin, home?: string): void => {
    if (!rule) return;
    const known: Sources = found.get(rule) ?? { from: new Set(), isOptional: true, homes: new Set() };
    known.from.add(origin);
    known.isOptional &&= home !== undefined;
    if (home !== undefined) known.homes.add(home);
    found.set(rule, known);
  };
  for (const origin of origins) {
    note(answerRule(origin), origin);
    const visit = (schema: Schema, position: string, above: readonly string[], home?: string): void => {
      const { name, schema: own } = contract.deref(schema);
      if (name !== undefined && above.includes(name)) return;
      const at = name ?? position;
      const path = name === undefined ? above : [...above, name];
      for (const [field, property] of Object.entries(own.properties ?? {})) {
        const holder = home ?? (optional[at]?.includes(field) ? at : undefined);
        note(fieldRule(origin, { schema: at, field }), origin, holder);
        visit(property, at === '' ? '' : `${at}.${field}`, path, holder);
      }
      for (const part of [own.items, ...(own.prefixItems ?? []), ...(own.anyOf ?? []), ...(own.oneOf ?? [])]) {
        if (part) visit(part, at, path, home);
      }
    };
    visit(origin === 'callback' ? { $ref: 'SearchResult' } : contract.answer(origin).schema, '', []);
  }
  return found;
}

/**
 * A rule for every answer field in the catalogue, and for the whole answer of every operation. They evaluate
 * all answers of the run. A rule written by hand for the same id replaces one of these.
 */
export function formRules(evidence: () => Evidence): RuleSpec[] {
  const basis = new Map(catalogue.map((rule) => [rule.id, rule.basis]));
  return [...sources()]
    .filter(([id]) => basis.get(id) !== 'open')
    .map(([id, from]) =>
      defineRule({
        id,
        phase: 'evidence',
        concern: 'form',
        run: (context) => checkForm(context, evidence(), from),
      }),
    );
}

/** What other fields may have in common with a fault: values of one kind where another is due. */
function causeOf({ message, value, origin }: FormOf['faults'][number], rule: RuleId): string {
  const where = operationOfOrigin(origin);
  if (value === undefined) return `a field is missing in the answers of ${where}`;
  if (value === null) return `null where the answers of ${where} must have a value`;
  return `${message}, and is ${kindOf(value)} (${rule.split('.', 1)[0]})`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Throws a finding for the faults of a rule, if there are any. */
function report({ session }: RuleContext, id: RuleId, { faults, times: all }: FormOf): void {
  const [first] = faults;
  if (!first) return;
  for (const { exchange } of faults) session.exchanges.add(exchange);
  const times = all > 1 ? ` (${all} times)` : '';
  const operations = [...new Set(faults.map(({ origin }) => operationOfOrigin(origin)))].sort();
  const actual = first.value === undefined ? 'missing' : first.value;
  throw new Finding(`${first.at || 'The answer'} ${first.message}${times}.`, first.message, actual, {
    at: first.at,
    cause: causeOf(first, id),
    operations,
    shownBy: first.exchange,
  });
}

async function checkForm(
  context: RuleContext,
  evidence: Evidence,
  { from: all, isOptional, homes }: Sources,
): Promise<void> {
  const from = [...all];
  const { id } = context.rule as { id: RuleId };
  const lacks: (Inconclusive | NotAllowed)[] = [];
  // Gathering one answer may bring another one, but not all its forms: what is missing is decided first.
  const missing = new Set(from.filter((one) => evidence.answersOf(one).length === 0));
  for (const origin of from) {
    const lack = missing.has(origin) ? await gather(context.session, origin) : undefined;
    if (lack) lacks.push(lack);
    const isOutside = lack instanceof Inconclusive && lack.reason === 'out-of-scope';
    if (answerRule(origin) === id && !isOutside) await expectAccepted(context.session, origin);
  }
  const found = evidence.of(id);
  const { seen, exchanges } = found;
  const whole = from.filter((origin) => answerRule(origin) === id).flatMap((origin) => evidence.answersOf(origin));
  report(context, id, found);
  // A few exchanges are enough: a full list would be long and say no more.
  for (const exchange of [...exchanges, ...whole].slice(0, 5)) context.session.exchanges.add(exchange);
  const times = seen + whole.length;
  if (times > 0) return context.expect.that(true, `seen ${times} times`);
  const without = isOptional ? evidence.answersWith(homes) : [];
  if (without.length > 0) {
    for (const exchange of without.slice(0, 5)) context.session.exchanges.add(exchange);
    return context.expect.that(seen === 0, 'No answer has the field, and none has to.');
  }
  const names = [...new Set(from.map((origin) => (origin === 'callback' ? origin : operationOf(origin).name)))];
  const denied = lacks.some((lack) => lack instanceof NotAllowed);
  if (lacks.length < from.length && !denied) {
    throw new Inconclusive('no-data', `an answer that has it (${names.join(', ')})`);
  }
  const inside = lacks.filter(({ reason }) => reason !== 'out-of-scope');
  throw inside.find((lack) => lack instanceof Inconclusive) ?? inside[0] ?? lacks[0]!;
}
