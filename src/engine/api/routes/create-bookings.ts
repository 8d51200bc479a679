import {
  type Booking,
  type BookingRequest,
  cartProblem,
  checkLinked,
  matchBooking,
  type MatchedBooking,
} from '../../model/booking.js';
import type { TriggeredScenario } from '../../scenarios/triggered-scenario.js';
import { invalid, Refusal } from '../../model/refusal.js';
import { priceSteps } from '../../model/tee-sheet.js';
import type { Cents, Course, Facility } from '../../model/world.js';
import { type Answers, type Effect, requestValidators } from '../../../contract/index.js';
import {
  type BodyValidator,
  checkBody,
  readBooking,
  refuseIncomplete,
  type RequestForm,
  withoutNulls,
} from './booking-request.js';
import type { Answer, Call, Engine, Payload, Schemas } from './call.js';
import { isOpenTo } from './facilities.js';
import { buyer } from '../../store/ledger.js';

/** The booking id that the caller sees (question `booking.id-form`). */
export function idOf(booking: Booking, answers: Answers): string {
  return answers['booking.id-form'] === 'short' ? booking.code : booking.bookingId;
}

/** The shape of the body decides: single, multiple, or multiple with payment (section "Create booking"). */
export function createBooking(call: Call): Answer<Payload<'v5.createBooking'>> {
  const { answers } = call.engine;
  const body = withoutNulls(call.body, 'BookingRequestV5', answers);
  const status = answers['success.create-status'];
  if (Array.isArray(body)) {
    refuseIncomplete(body, 'BookingRequestV5', '', answers);
    checkBody(requestValidators.BookingRequestV5List as BodyValidator, body, 'bookings.create.multiple');
    const booked = book(call, readAll(body, 'BookingRequestV5', '', answers), 'group', null);
    return { data: { groupId: booked[0]!.groupId!, bookingIds: groupItems(booked, answers) }, status };
  }
  if (typeof body === 'object' && body !== null && 'details' in body) {
    if (Array.isArray(body.details)) refuseIncomplete(body.details, 'BookingRequestV5', 'details', answers);
    checkBody(requestValidators.BookingsWithPayment as BodyValidator, body, 'bookings.create.with-payment');
    const { details, paymentIntent = null } = body as { details: unknown[]; paymentIntent?: string | null };
    const booked = book(call, readAll(details, 'BookingRequestV5', 'details', answers), 'group', paymentIntent);
    return { data: { groupId: booked[0]!.groupId!, bookingIds: groupItems(booked, answers) }, status };
  }
  return createSingle(call, 'BookingRequestV5', requestValidators.BookingRequestV5 as BodyValidator);
}

/** One booking in the v2 form, which has rounds and no products. */
export function createRoundBooking(call: Call): Answer<Schemas['BookingCreated']> {
  try {
    return createSingle(call, 'BookingRequestV2', requestValidators.BookingRequestV2 as BodyValidator);
  } catch (error) {
    throw error instanceof Refusal && error.rule === 'bookings.request.course' ? inRounds(error) : error;
  }
}

/** The refusal of a course, in the word that v2 has for it. */
function inRounds({ code, info }: Refusal): Refusal {
  const { detail = '' } = info;
  return new Refusal(code, 'bookings.request.round', { ...info, detail: detail.replace('has course', 'has round') });
}

/** A list of bookings in the v3 bulk form. */
export function createBulkBooking(call: Call): Answer<Schemas['BulkCreated']> {
  const {
    body,
    engine: { answers },
  } = call;
  if (Array.isArray(body)) refuseIncomplete(body, 'BookingRequestV3', '', answers);
  checkBody(requestValidators.BookingRequestV3List as BodyValidator, body, 'bookings.create.bulk');
  const booked = book(call, readAll(body as unknown[], 'BookingRequestV3', '', answers), 'bulk', null);
  const data = { bulkBookingId: booked[0]!.groupId!, bookingIds: groupItems(booked, answers) };
  return { data, status: answers['success.create-status'] };
}

function createSingle(call: Call, form: RequestForm, validator: BodyValidator): Answer<Schemas['BookingCreated']> {
  const { answers } = call.engine;
  const body = withoutNulls(call.body, form, answers);
  refuseIncomplete([body], form, null, answers);
  checkBody(validator, body, 'bookings.create.single');
  const request = readBooking(body as Record<string, unknown>, form, '', answers);
  if (request.linkedTeeTimeRef !== null && answers['booking.linked-ref-single'] === 'refused') {
    throw invalid(
      'bookings.request.linkedTeeTimeRef',
      'linkedTeeTimeRef',
      'must be in a list of bookings',
      request.linkedTeeTimeRef,
    );
  }
  const [booking] = book(call, [request], null, null);
  // Ids have neither quotation marks nor backslashes.
  return { json: `{"bookingId":"${idOf(booking!, answers)}"}`, status: answers['success.create-status'] };
}

function readAll(items: readonly unknown[], form: RequestForm, at: string, answers: Answers): BookingRequest[] {
  return items.map((item, index) => readBooking(item as Record<string, unknown>, form, `${at}[${index}].`, answers));
}

function groupItems(booked: readonly Booking[], answers: Answers): Schemas['GroupItem'][] {
  return booked.map((booking) => ({
    bookingId: idOf(booking, answers),
    teetime: booking.time,
    courseId: booking.courseId,
  }));
}

/**
 * Matches, checks, holds and commits in one synchronous step, so that one of two racing requests for the last slots is
 * refused. Whether a failed item undoes the items before it is an open question (`booking.group-failure`).
 */
function book(
  call: Call,
  requests: readonly BookingRequest[],
  group: 'group' | 'bulk' | null,
  paymentIntent: string | null,
): Booking[] {
  const { engine, channel } = call;
  const { store, answers } = engine;
  if (!store.hasRoom()) throw new Refusal('no-room', 'limits.rate');
  const groupId = group === null ? null : store.groupId(group);
  const terms = { channel: channel.name, groupId, paymentIntent, now: engine.now() };
  // Half a linked group would break the rules of linked tee times, so every dialect books all of it or nothing.
  const earlierStay = answers['booking.group-failure'] === 'earlier-stay' && !hasLinked(requests);
  const match = (): Matched => matchAll(call, requests, earlierStay);
  const hold = (bookings: readonly MatchedBooking[]): void => store.hold(earlierStay ? bookings.slice(0, 1) : bookings);

  const first = match();
  checkLinked(first.bookings);
  const { bookings, refusal } = first.refusal ? first : changedByScenarios(call, first, match, hold);
  const triggered = refusal ? NONE : [...(call.triggered?.('step', () => hold(bookings)) ?? NONE)];

  const steps = earlierStay ? bookings.map((booking) => [booking]) : [bookings];
  const booked: Booking[] = [];
  for (const [index, step] of steps.entries()) {
    if (triggered.length > 0) store.hold(step);
    applyAt('before-commit', triggered, index, steps.length);
    booked.push(...store.book(step, terms));
    applyAt('after-commit', triggered, index, steps.length);
  }
  if (refusal) throw refusal;
  return booked;
}

/** The requested bookings with their tee times, up to the first that cannot be booked, and why it cannot. */
interface Matched {
  readonly bookings: readonly MatchedBooking[];
  readonly refusal?: Refusal;
}

/** @throws {Refusal} of the first request that cannot be booked, unless those before it stay. */
function matchAll({ engine, channel }: Call, requests: readonly BookingRequest[], earlierStay: boolean): Matched {
  const bookings: MatchedBooking[] = [];
  for (const request of requests) {
    try {
      bookings.push(matchedBookingOf(engine, channel.name, request));
    } catch (refusal) {
      if (earlierStay && refusal instanceof Refusal) return { bookings, refusal };
      throw refusal;
    }
  }
  return { bookings };
}

/** Lets scenarios change the tee times, as others may do just before they are booked, and matches again. */
function changedByScenarios(
  call: Call,
  first: Matched,
  match: () => Matched,
  hold: (bookings: readonly MatchedBooking[]) => void,
): Matched {
  let matched = first;
  for (const trigger of call.triggered?.('change', () => hold(matched.bookings)) ?? NONE) {
    const { effect } = trigger.scenario;
    if (effect.kind !== 'change') continue;
    change(call.engine, effect.change, call.channel.name, matched.bookings[(trigger.item ?? 1) - 1]!);
    trigger.apply();
    matched = match();
    if (matched.refusal) break;
  }
  return matched;
}

const NONE: readonly TriggeredScenario[] = [];

/** Whether bookings share a reference. A v3 booking has one in any case. */
function hasLinked(requests: readonly BookingRequest[]): boolean {
  if (requests.length === 1) return false;
  const refs = requests.flatMap(({ linkedTeeTimeRef }) => linkedTeeTimeRef?.toLowerCase() ?? []);
  return new Set(refs).size < refs.length;
}

/** Triggers scenarios at the booking that they name: by default before the first or after the last. */
function applyAt(
  phase: TriggeredScenario['phase'],
  triggered: readonly TriggeredScenario[],
  index: number,
  of: number,
): void {
  const usual = phase === 'before-commit' ? 1 : of;
  for (const trigger of triggered) {
    // A group that is booked as a whole is one step, whichever of its bookings the scenario names.
    const due = of === 1 ? 1 : (trigger.item ?? usual);
    if (trigger.phase === phase && index + 1 === due) trigger.apply();
  }
}

function matchedBookingOf(engine: Engine, channel: string, request: BookingRequest): MatchedBooking {
  const { store, answers } = engine;
  const located = store.locate(request.teeId);
  const facility = located && store.world.facility(located.course.facilityId)!;
  if (facility && !isOpenTo(engine, facility, channel)) {
    throw cartProblem('facilities.connected-scope', `facility ${facility.id} is not connected to ${channel}`);
  }
  const booking = matchBooking(request, located);
  const { sheet, course } = located!;
  const zone = answers['time.borders'] === 'utc' ? 'UTC' : facility!.timeZone;
  if (store.instant(zone, sheet.day, booking.teeTime.minute) <= engine.now()) {
    throw cartProblem('bookings.request.teetime', `tee time ${booking.teeTime.teeId} is in the past`);
  }
  checkExtras(request, facility!);
  if (answers['booking.net-rate-check'] === 'checked') {
    // Of prices that are shown for each player, the whole cents add up to about the total.
    const least = course.leastAmount ?? 1;
    const leeway = answers['teetimes.price-meaning'] === 'each' ? (request.players * least) / 2 : 0;
    checkNetRate(booking, course, sheet.day, facility!, leeway);
  }
  return booking;
}

function checkExtras({ extraProducts }: BookingRequest, facility: Facility): void {
  const stray = extraProducts.find(({ mid }) => !facility.extraProducts.some((extra) => extra.mid === mid));
  if (!stray) return;
  throw invalid(
    'bookings.request.extraProduct',
    'extraProduct',
    `must name extra products of facility ${facility.id}`,
    stray.mid,
  );
}

/** The net total for the facility: the green fee for this number of players, plus the extra products. */
function checkNetRate(
  { request, product }: MatchedBooking,
  course: Course,
  day: number,
  facility: Facility,
  leeway: Cents,
): void {
  if (request.netRate === null) return;
  const extras = request.extraProducts.map(
    ({ mid, quantity }) => quantity * facility.extraProducts.find((extra) => extra.mid === mid)!.netRate,
  );
  const due = extras.reduce((sum, one) => sum + one, priceSteps(course, product, day)[request.players - 1]!.netRate);
  if (Math.abs(request.netRate - due) <= leeway) return;
  throw cartProblem(
    'bookings.request.netRate',
    `the net rate is ${due / 100} ${facility.currency}, the request says ${request.netRate / 100}`,
  );
}

type ChangeEffect = Extract<Effect, { kind: 'change' }>['change'];
type CredentialsChange = 'token-expired' | 'refresh-token-used' | 'credentials-revoked';

/** What others do to the tee time just before it is booked. */
function change(engine: Engine, what: ChangeEffect, channel: string, { teeTime, request }: MatchedBooking): void {
  const { store } = engine;
  const { course, sheet } = store.locate(teeTime.teeId)!;
  switch (what) {
    case 'sold-out':
    case 'price-changed':
      return store.amend([...store.amendments, { change: what, courseId: course.id, day: sheet.day }]);
    case 'tee-time-withdrawn':
      return store.amend([...store.amendments, { change: what, courseId: course.id, teeId: teeTime.teeId }]);
    case 'facility-disconnected':
      return store.amend([...store.amendments, { change: what, facilityId: request.facilityId, channel }]);
    case 'rival':
      return bookAll(engine, channel, teeTime.teeId, request);
    default:
      // The compiler names a change that is missing above.
      throw new Error(`\`${what satisfies CredentialsChange}\` is not a change of a tee time.`);
  }
}

/** Another channel books every free slot; a channel connected to the facility if there is one. */
function bookAll(engine: Engine, channel: string, teeId: number, request: BookingRequest): void {
  const { store } = engine;
  const facility = store.world.facility(request.facilityId)!;
  const { sheet, index } = store.locate(teeId)!;
  const teeTime = sheet.teeTimes[index]!;
  // Only the first booking is known to fit where earlier ones stay when a later one fails.
  const players = store.free(teeTime);
  if (players <= 0) return;
  const others = store.world.channels.map(({ name }) => name).filter((name) => name !== channel);
  const rival = others.find((name) => facility.channels.includes(name)) ?? others[0]!;
  const booking: MatchedBooking = {
    request: {
      ...request,
      players,
      ...buyer,
      netRate: null,
      extraProducts: [],
      comments: null,
      additionalPlayers: [],
      linkedTeeTimeRef: null,
    },
    teeTime,
    product: teeTime.products[0]!,
  };
  store.book([booking], { channel: rival, groupId: null, paymentIntent: null, now: engine.now() });
}
