import { useEffect } from 'preact/hooks';
import { minute } from '../../../data/clock.js';
import { BookDialog } from './book-dialog.js';
import type { ChannelLogin } from './book-request.js';
import { BookingDialog } from './booking-dialog.js';
import { type CourseDay, rowsOf, type SheetDay, type SheetRow, type ShownBooking } from '../cells.js';
import type { LostBookings } from '../marks.js';
import type { SheetChoice } from './choice.js';
import { TeeTimeDialog } from './tee-time-dialog.js';
import { localTime } from '../../../data/local-time.js';

interface CourseDialogProps {
  readonly day: SheetDay;
  readonly course: CourseDay;
  readonly logins: readonly ChannelLogin[];
  readonly cancelled: readonly ShownBooking[];
  readonly lost: LostBookings;
  readonly choice: SheetChoice;
  readonly choose: (choice: SheetChoice | undefined) => void;
  readonly done: () => unknown;
}

/** What is open over the grid, by the newest data of the sheet. It closes when its tee time or booking is gone. */
export function CourseDialog({ day, course, logins, cancelled, lost, choice, choose, done }: CourseDialogProps) {
  const rows = rowsOf(course, localTime(day.timeZone, minute.value), cancelled);
  const close = () => choose(undefined);
  const { row, booking } = subjectOf(rows, choice);
  const gone = choice.kind === 'booking' ? !booking : !row;
  useEffect(() => {
    if (gone) close();
  }, [gone]);
  const parts = { day, course, close, done };
  if (choice.kind === 'booking')
    return booking ? <BookingDialog {...parts} booking={booking} lost={lost.get(booking.bookingId)} /> : null;
  if (!row) return null;
  if (choice.kind === 'book') {
    return <BookDialog {...parts} teeTime={row.teeTime} players={choice.players} logins={logins} />;
  }
  const { teeId } = row.teeTime;
  return <TeeTimeDialog {...parts} row={row} book={() => choose({ kind: 'book', teeId, players: 1 })} />;
}

function subjectOf(
  rows: readonly SheetRow[],
  choice: SheetChoice,
): { readonly row?: SheetRow | undefined; readonly booking?: ShownBooking | undefined } {
  if (choice.kind !== 'booking') return { row: rows.find(({ teeTime }) => teeTime.teeId === choice.teeId) };
  const bookings = rows.flatMap(({ teeTime }) => teeTime.bookings);
  return { booking: bookings.find(({ bookingId }) => bookingId === choice.bookingId) };
}
