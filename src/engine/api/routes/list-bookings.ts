import type { Booking } from '../../model/booking.js';
import { DAY_MS, formatQueryDate } from '../../model/calendar.js';
import { invalid } from '../../model/refusal.js';
import type { Answers } from '../../../contract/index.js';
import type { DayOfBookings } from '../../store/ledger.js';
import { cachedBody } from '../../store/caches.js';
import { type Call, encodeSuccess, type Engine, type Route } from './call.js';

/** The shape of a booking list item in one version. */
export interface BookingWriter<Written = unknown> {
  readonly key: string;
  write(booking: Booking, answers: Answers): Written;
}

export interface RangeParams {
  /** Day numbers. */
  readonly fromDate: number | undefined;
  readonly toDate: number | undefined;
}

const LAST_DAY = 10_000_000;

/**
 * The channel's bookings by tee time, including cancelled ones (section "List bookings", list 1 to 3). Without
 * `fromDate` only future ones, with it also past ones; `toDate` limits both.
 */
export function listBookings<Written>(writer: BookingWriter<Written>): Route<RangeParams, Written[]> {
  return ({ engine, channel, params: { fromDate, toDate } }: Call<RangeParams>) => {
    const { answers, store } = engine;
    if (fromDate !== undefined && toDate !== undefined && fromDate > toDate) {
      throw invalid('bookings.list.toDate', 'toDate', 'must not be before `fromDate`', formatQueryDate(toDate));
    }
    const last = toDate === undefined ? LAST_DAY : toDate - (answers['booking-list.to-date'] === 'exclusive' ? 1 : 0);
    // The earliest local day with a future tee time, in any time zone, is yesterday in UTC.
    const first = fromDate ?? Math.floor(engine.now() / DAY_MS) - 1;
    const days = store.ledger.days(channel.name, first, last);
    const coming = fromDate === undefined ? whatIsToCome(engine, first + 3) : undefined;
    if (answers['booking-list.order'] === 'created') return { json: byCreation(days, coming, writer, answers) };
    const texts = days.map((day) => dayText(day, coming, writer, answers)).filter((text) => text !== '');
    const key = `bookings ${writer.key} ${channel.name} ${first} ${last} ${coming !== undefined}`;
    return { body: cachedBody(store.caches.wholes, key, texts, () => encodeSuccess(`[${texts.join(',')}]`)) };
  };
}

interface Coming {
  /** From this day on every tee time is in the future, in any time zone. */
  readonly surelyFrom: number;
  has(booking: Booking): boolean;
}

function whatIsToCome(engine: Engine, surelyFrom: number): Coming {
  const now = engine.now();
  const utc = engine.answers['time.borders'] === 'utc';
  return { surelyFrom, has: (booking) => (utc ? booking.startsAtAsUtc : booking.startsAt) > now };
}

/** The text of a whole day is cached; only the current day is written booking by booking. */
function dayText(day: DayOfBookings, coming: Coming | undefined, writer: BookingWriter, answers: Answers): string {
  if (coming && day.day < coming.surelyFrom) return write(day.bookings.filter(coming.has), writer, answers);
  const written = day.written.get(writer.key);
  if (written !== undefined) return written;
  const text = write(day.bookings, writer, answers);
  day.written.set(writer.key, text);
  return text;
}

function byCreation(
  days: readonly DayOfBookings[],
  coming: Coming | undefined,
  writer: BookingWriter,
  answers: Answers,
): string {
  const bookings = days.flatMap((day) => (coming ? day.bookings.filter(coming.has) : day.bookings));
  return `[${write(
    bookings.sort((a, b) => a.sequence - b.sequence),
    writer,
    answers,
  )}]`;
}

function write(bookings: readonly Booking[], writer: BookingWriter, answers: Answers): string {
  return bookings.map((booking) => JSON.stringify(writer.write(booking, answers))).join(',');
}
