import type { Booking, BookingRequest } from '../domain/booking.js';
import { checkLinked, type Wish } from '../domain/linked.js';
import { cartProblem, matchWish } from '../domain/match.js';
import { invalid, Refusal } from '../domain/refusal.js';
import { priceSteps } from '../domain/tee-sheet.js';
import type { Course, Facility } from '../domain/world.js';
import * as validators from '../generated/request-validators.js';
import type { Answers } from '../generated/questions.js';
import { type BodyValidator, checkBody, readBooking, type RequestForm } from './booking-request.js';
import type { Answer, PendingStrike, Call, Engine } from './call.js';
import { change } from './changes.js';
import { isOpenTo } from './facilities.js';

/** The identifier a caller is given (question `booking.id-form`). */
export function idOf(booking: Booking, answers: Answers): string {
  return answers['booking.id-form'] === 'short' ? booking.code : booking.bookingId;
}

/** Single, multiple, or multiple with payment: the shape of the body decides (section "Create booking"). */
export async function createBooking(call: Call): Promise<Answer> {
  const {
    body,
    engine: { answers },
  } = call;
  const status = answers['success.create-status'];
  if (Array.isArray(body)) {
    checkBody(validators.BookingRequestV5List as BodyValidator, body, 'bookings.create.multiple');
    const booked = await book(call, readAll(body, 'BookingRequestV5', '', answers), 'group', null);
    return { data: groupAnswer('groupId', booked, answers), status };
  }
  if (typeof body === 'object' && body !== null && 'details' in body) {
    checkBody(validators.BookingsWithPayment as BodyValidator, body, 'bookings.create.with-payment');
    const { details, paymentIntent = null } = body as { details: unknown[]; paymentIntent?: string | null };
    const booked = await book(call, readAll(details, 'BookingRequestV5', 'details', answers), 'group', paymentIntent);
    return { data: groupAnswer('groupId', booked, answers), status };
  }
  return createSingle(call, 'BookingRequestV5', validators.BookingRequestV5 as BodyValidator);
}

/** One booking in the v2 form, which knows rounds and no products. */
export function createRoundBooking(call: Call): Promise<Answer> {
  return createSingle(call, 'BookingRequestV2', validators.BookingRequestV2 as BodyValidator);
}

/** A list of bookings in the v3 bulk form. */
export async function createBulkBooking(call: Call): Promise<Answer> {
  const {
    body,
    engine: { answers },
  } = call;
  checkBody(validators.BookingRequestV3List as BodyValidator, body, 'bookings.create.bulk');
  const booked = await book(call, readAll(body as unknown[], 'BookingRequestV3', '', answers), 'bulk', null);
  return { data: groupAnswer('bulkBookingId', booked, answers), status: answers['success.create-status'] };
}

async function createSingle(call: Call, form: RequestForm, validator: BodyValidator): Promise<Answer> {
  const {
    body,
    engine: { answers },
  } = call;
  checkBody(validator, body, 'bookings.create.single');
  const request = readBooking(body as Record<string, unknown>, form, '', answers);
  if (request.linkedTeeTimeRef !== null && answers['booking.linked-ref-single'] === 'refused') {
    throw invalid(
      'bookings.request.linkedTeeTimeRef',
      'linkedTeeTimeRef',
      'must stand in a list of bookings',
      request.linkedTeeTimeRef,
    );
  }
  const [booking] = await book(call, [request], null, null);
  return { data: { bookingId: idOf(booking!, answers) }, status: answers['success.create-status'] };
}

function readAll(items: readonly unknown[], form: RequestForm, at: string, answers: Answers): BookingRequest[] {
  return items.map((item, index) => readBooking(item as Record<string, unknown>, form, `${at}[${index}].`, answers));
}

function groupAnswer(idName: 'groupId' | 'bulkBookingId', booked: readonly Booking[], answers: Answers): unknown {
  const bookingIds = booked.map((booking) => ({
    bookingId: idOf(booking, answers),
    teetime: booking.time,
    courseId: booking.courseId,
  }));
  return { [idName]: booked[0]!.groupId, bookingIds };
}

/**
 * Matches, checks and takes in one step, so that of two racing requests for the last places one is refused.
 * Whether a bad item undoes the good ones before it is an open question (`booking.group-failure`).
 */
async function book(
  call: Call,
  requests: readonly BookingRequest[],
  group: 'group' | 'bulk' | null,
  paymentIntent: string | null,
): Promise<Booking[]> {
  const { engine, channel } = call;
  const { store, answers } = engine;
  const now = engine.now();
  const groupId = group === null ? null : store.groupId(group);
  const terms = { channel: channel.name, groupId, paymentIntent, now };
  let { wishes, refusal } = wishesOf(engine, channel.name, requests, now);
  // Half a linked group would break the linked rules, so such a request stands or falls whole in every dialect.
  const linked = requests.some(({ linkedTeeTimeRef }) => linkedTeeTimeRef !== null);
  const earlierStay = answers['booking.group-failure'] === 'earlier-stay' && !linked;
  if (refusal && !earlierStay) throw refusal;
  checkLinked(wishes);
  const booked: Booking[] = [];
  const strike = refusal ? undefined : call.strike?.(() => store.hold(earlierStay ? wishes.slice(0, 1) : wishes));
  if (strike?.effect.kind === 'change') {
    change(engine, strike.effect.change, channel.name, wishes[(strike.item ?? 1) - 1]!);
    strike.strike();
    ({ wishes, refusal } = wishesOf(engine, channel.name, requests, now));
    if (refusal && !earlierStay) throw refusal;
  }
  const steps = earlierStay ? wishes.map((wish) => [wish]) : [wishes];
  try {
    for (const [index, step] of steps.entries()) {
      if (strike && strike.effect.kind !== 'change') store.hold(step);
      strikeAt('before-commit', strike, index, steps.length);
      booked.push(...store.book(step, terms));
      strikeAt('after-commit', strike, index, steps.length);
    }
  } finally {
    await store.mirrored();
  }
  if (refusal) throw refusal;
  return booked;
}

/** Refuses at the step of the booking that a scenario names: by default before the first or after the last. */
function strikeAt(phase: PendingStrike['phase'], strike: PendingStrike | undefined, index: number, of: number): void {
  if (strike?.phase !== phase || strike.effect.kind === 'change') return;
  const usual = phase === 'before-commit' ? 1 : of;
  // A group that stands or falls whole is one step, whichever of its bookings is struck.
  const due = of === 1 ? 1 : (strike.item ?? usual);
  if (index + 1 === due) strike.strike();
}

/** What the requests mean, up to the first that means nothing that can be booked. */
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
  if (store.instant(zone, sheet.day, wish.slot.minute) <= now) {
    throw cartProblem('bookings.request.teetime', `tee time ${wish.slot.teeId} is past`);
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

/** The total for the facility: the step of the green fee for these players, and the extras. */
function checkNetRate({ request, product }: Wish, course: Course, day: number, facility: Facility): void {
  if (request.netRate === null) return;
  const extras = request.extraProducts.map(
    ({ mid, quantity }) => quantity * facility.extraProducts.find((extra) => extra.mid === mid)!.netRate,
  );
  const due = extras.reduce((sum, one) => sum + one, priceSteps(course, product, day)[request.players - 1]!.netRate);
  if (request.netRate === due) return;
  throw cartProblem('bookings.request.netRate', `the net rate is ${due} cents, the request says ${request.netRate}`);
}
