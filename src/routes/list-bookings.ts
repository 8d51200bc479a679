import type { Booking } from '../domain/booking.js';
import { DAY_MS, formatQueryDate } from '../domain/calendar.js';
import { invalid } from '../domain/refusal.js';
import type { Answers } from '../generated/questions.js';
import type { DayOfBookings } from '../store/ledger.js';
import { wholeOf } from '../store/kept.js';
import { type Call, encodeSuccess, type Engine, type Route } from './call.js';

/** One version's shape of a booking in a list. */
export interface BookingWriter {
  readonly key: string;
  write(booking: Booking, answers: Answers): unknown;
}

export interface RangeParams {
  /** Day numbers. */
  readonly fromDate: number | undefined;
  readonly toDate: number | undefined;
}

const LAST_DAY = 10_000_000;

/**
 * The channel's bookings by tee time, cancelled ones included (section "List bookings", list 1 to 3): without
 * `fromDate` only those still to come, with it also past ones; `toDate` narrows either.
 */
export function listBookings(writer: BookingWriter): Route<RangeParams> {
  return ({ engine, channel, params: { fromDate, toDate } }: Call<RangeParams>) => {
    const { answers, store } = engine;
    if (fromDate !== undefined && toDate !== undefined && fromDate > toDate) {
      throw invalid('bookings.list.toDate', 'toDate', 'must not be before `fromDate`', formatQueryDate(toDate));
    }
    const last = toDate === undefined ? LAST_DAY : toDate - (answers['booking-list.to-date'] === 'exclusive' ? 1 : 0);
    // A day before today in UTC is the earliest on which a tee time can still be to come in any zone.
    const first = fromDate ?? Math.floor(engine.now() / DAY_MS) - 1;
    const days = store.ledger.days(channel.name, first, last);
    const coming = fromDate === undefined ? whatIsToCome(engine, first + 3) : undefined;
    if (answers['booking-list.order'] === 'created') return { json: byCreation(days, coming, writer, answers) };
    const texts = days.map((day) => dayText(day, coming, writer, answers)).filter((text) => text !== '');
    const key = `bookings ${writer.key} ${channel.name} ${first} ${last} ${coming !== undefined}`;
    return { body: wholeOf(store.wholes, key, texts, () => encodeSuccess(`[${texts.join(',')}]`)) };
  };
}

interface Coming {
  /** From this day on every tee time is to come, wherever the facility lies. */
  readonly surelyFrom: number;
  has(booking: Booking): boolean;
}

function whatIsToCome(engine: Engine, surelyFrom: number): Coming {
  const now = engine.now();
  const utc = engine.answers['time.borders'] === 'utc';
  return { surelyFrom, has: (booking) => (utc ? booking.startsAtAsUtc : booking.startsAt) > now };
}

/** The text of a whole day is kept; only a day that the clock cuts is written booking by booking. */
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
