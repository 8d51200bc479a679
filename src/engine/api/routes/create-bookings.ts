import type { Booking, BookingRequest } from '../../model/booking.js';
import type { Strike } from '../../scenarios/strike.js';
import { checkLinked, type Wish } from '../../model/linked.js';
import { cartProblem, matchWish } from '../../model/match.js';
import { invalid, Refusal } from '../../model/refusal.js';
import { priceSteps } from '../../model/tee-sheet.js';
import type { Course, Facility } from '../../model/world.js';
import { type Answers, requestValidators } from '../../../contract/index.js';
import { type BodyValidator, checkBody, readBooking, refuseIncomplete, type RequestForm } from './booking-request.js';
import type { Answer, Call, Engine } from './call.js';
import { change } from './changes.js';
import { isOpenTo } from './facilities.js';
import type { Payload, Schemas } from './payload.js';

/** The booking id that the caller sees (question `booking.id-form`). */
export function idOf(booking: Booking, answers: Answers): string {
  return answers['booking.id-form'] === 'short' ? booking.code : booking.bookingId;
}

/** The shape of the body decides: single, multiple, or multiple with payment (section "Create booking"). */
export function createBooking(call: Call): Answer<Payload<'v5.createBooking'>> {
  const {
    body,
    engine: { answers },
  } = call;
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
  const {
    body,
    engine: { answers },
  } = call;
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
 * Matches, checks and books in one step, so that one of two racing requests for the last slots is refused.
 * Whether a failed item undoes the items before it is an open question (`booking.group-failure`).
 */
function book(
  call: Call,
  requests: readonly BookingRequest[],
  group: 'group' | 'bulk' | null,
  paymentIntent: string | null,
): Booking[] {
  const { engine, channel } = call;
  const { store, answers } = engine;
  const now = engine.now();
  const groupId = group === null ? null : store.groupId(group);
  const terms = { channel: channel.name, groupId, paymentIntent, now };
  let { wishes, refusal } = wishesOf(engine, channel.name, requests, now);
  // Half a linked group would break the rules of linked tee times, so every dialect books all of it or nothing.
  const linked = hasLinked(requests);
  const earlierStay = answers['booking.group-failure'] === 'earlier-stay' && !linked;
  if (refusal && !earlierStay) throw refusal;
  checkLinked(wishes);
  const ready = () => store.hold(earlierStay ? wishes.slice(0, 1) : wishes);
  for (const strike of refusal ? NONE : (call.strikes?.('change', ready) ?? NONE)) {
    const { effect } = strike.scenario;
    if (effect.kind !== 'change') continue;
    change(engine, effect.change, channel.name, wishes[(strike.item ?? 1) - 1]!);
    strike.apply();
    ({ wishes, refusal } = wishesOf(engine, channel.name, requests, now));
    if (refusal && !earlierStay) throw refusal;
    if (refusal) break;
  }
  const strikes = refusal || !call.strikes ? NONE : [...call.strikes('step', ready)];
  const steps = earlierStay ? wishes.map((wish) => [wish]) : [wishes];
  const booked: Booking[] = [];
  for (const [index, step] of steps.entries()) {
    if (strikes.length > 0) store.hold(step);
    applyAt('before-commit', strikes, index, steps.length);
    booked.push(...store.book(step, terms));
    applyAt('after-commit', strikes, index, steps.length);
  }
  if (refusal) throw refusal;
  return booked;
}

const NONE: readonly Strike[] = [];

/** Whether bookings share a reference. A v3 booking has one in any case. */
function hasLinked(requests: readonly BookingRequest[]): boolean {
  if (requests.length === 1) return false;
  const refs = requests.flatMap(({ linkedTeeTimeRef }) => linkedTeeTimeRef?.toLowerCase() ?? []);
  return new Set(refs).size < refs.length;
}

/** Strikes at the booking that a scenario names: by default before the first or after the last. */
function applyAt(phase: Strike['phase'], strikes: readonly Strike[], index: number, of: number): void {
  const usual = phase === 'before-commit' ? 1 : of;
  for (const strike of strikes) {
    // A group that is booked as a whole is one step, whichever of its bookings the scenario strikes.
    const due = of === 1 ? 1 : (strike.item ?? usual);
    if (strike.phase === phase && index + 1 === due) strike.apply();
  }
}

/** Resolves the requests, up to the first that cannot be booked. */
function wishesOf(
  engine: Engine,
  channel: string,
  requests: readonly BookingRequest[],
  now: number,
): { wishes: Wish[]; refusal?: Refusal } {
  const wishes: Wish[] = [];
  for (const request of requests) {
    try {
      wishes.push(wishOf(engine, channel, request, now));
    } catch (refusal) {
      if (refusal instanceof Refusal) return { wishes, refusal };
      throw refusal;
    }
  }
  return { wishes };
}

function wishOf(engine: Engine, channel: string, request: BookingRequest, now: number): Wish {
  const { store, answers } = engine;
  const located = store.locate(request.teeId);
  const facility = located && store.world.facility(located.course.facilityId)!;
  if (facility && !isOpenTo(engine, facility, channel)) {
    throw cartProblem('facilities.connected-scope', `facility ${facility.id} is not connected to ${channel}`);
  }
  const wish = matchWish(request, located);
  const { sheet, course } = located!;
  const zone = answers['time.borders'] === 'utc' ? 'UTC' : facility!.timeZone;
  if (store.instant(zone, sheet.day, wish.teeTime.minute) <= now) {
    throw cartProblem('bookings.request.teetime', `tee time ${wish.teeTime.teeId} is in the past`);
  }
  checkExtras(request, facility!);
  if (answers['booking.net-rate-check'] === 'checked') checkNetRate(wish, course, sheet.day, facility!);
  return wish;
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
function checkNetRate({ request, product }: Wish, course: Course, day: number, facility: Facility): void {
  if (request.netRate === null) return;
  const extras = request.extraProducts.map(
    ({ mid, quantity }) => quantity * facility.extraProducts.find((extra) => extra.mid === mid)!.netRate,
  );
  const due = extras.reduce((sum, one) => sum + one, priceSteps(course, product, day)[request.players - 1]!.netRate);
  if (request.netRate === due) return;
  throw cartProblem('bookings.request.netRate', `the net rate is ${due} cents, the request says ${request.netRate}`);
}
