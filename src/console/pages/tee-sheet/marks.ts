import { useEffect, useRef, useState } from 'preact/hooks';
import { type AdminType, call, perform } from '../../data/api.js';
import { followJournal } from '../../data/journal.js';
import type { RequestRow } from '../../data/request-log.js';
import { bookingsOf, type CourseDay, type SheetDay, type ShownBooking } from './cells.js';

/** The event that made a booking. */
export type LostEvent = AdminType<'BookingEvent'>;

/** The bookings of which the client may not know, by id, each with the event that made it. */
export type LostBookings = ReadonlyMap<string, LostEvent>;

/** The cancelled bookings of a day, the newest first, as of the newest data of the sheet. */
export function useCancelled({ facilityId, date }: SheetDay, course: CourseDay): readonly ShownBooking[] {
  const [cancelled, setCancelled] = useState<readonly ShownBooking[]>([]);
  useEffect(() => {
    let current = true;
    const read = async () => {
      const query = { facilityId, status: 'CANCELED', order: 'newest' } as const;
      const { bookings } = await perform(call('GET', 'bookings', { query }));
      if (current) setCancelled(bookings.filter(({ time }) => time.startsWith(date)));
    };
    void read().catch(() => {});
    return () => void (current = false);
  }, [course]);
  return cancelled;
}

const creates = ['createBooking', 'createBulkBooking'] as const;

/** Whether a request may have booked without its client knowing: it failed after the commit, or lost its client. */
function isLost({ operation = '', state, scenario }: RequestRow): boolean {
  if (state === 'open' || !creates.some((name) => operation.endsWith(`.${name}`))) return false;
  return scenario?.struck && scenario.phase ? scenario.phase === 'after-commit' : state === 'cut';
}

/** The requests that may have booked without their client knowing, and how often a channel has asked for its list. */
function useLostRequests() {
  const [lost, setLost] = useState<readonly RequestRow[]>([]);
  const [lists, setLists] = useState(0);
  useEffect(() => {
    const take = (rows: readonly RequestRow[]) => {
      const fresh = rows.filter(isLost);
      if (fresh.length > 0)
        setLost((old) => [...old.filter(({ id }) => !fresh.some((one) => one.id === id)), ...fresh]);
    };
    const read = async () => {
      for (const operation of creates) {
        const found = await perform(call('GET', 'requests', { query: { operation } }));
        if ('requests' in found) take(found.requests);
      }
    };
    void read().catch(() => {});
    return followJournal({
      entry: (row) => {
        take([row]);
        if (row.state !== 'open' && row.operation?.endsWith('.listBookings')) setLists((count) => count + 1);
      },
      stale: (why) => {
        if (why === 'reset') setLost([]);
        void read().catch(() => {});
      },
    });
  }, []);
  return { lost, lists };
}

const SLACK_MS = 2000;

/** Whether a request can have made a booking, by channel and time. Its history tells for sure. */
function mayHaveMade({ channel, at, durationMs = 0 }: RequestRow, booking: ShownBooking): boolean {
  const after = Date.parse(booking.createdAt) - Date.parse(at);
  return channel === booking.channel && after >= 0 && after <= durationMs + SLACK_MS;
}

/** The event that made a booking, if its client was not told and has not used or listed the booking since. */
async function lostEvent({ bookingId }: ShownBooking, lost: readonly RequestRow[]): Promise<LostEvent | undefined> {
  const { events } = await perform(call('GET', 'bookings/{bookingId}/history', { path: { bookingId } }));
  const made = events.find(({ kind, requestId }) => kind === 'created' && lost.some(({ id }) => id === requestId));
  const known = events.some(
    ({ kind, requestId, status }) => kind !== 'created' && kind !== 'callback' && requestId !== null && status === 200,
  );
  return known ? undefined : made;
}

/** The bookings of a course of which the client may not know. */
export function useLost(course: CourseDay): LostBookings {
  const { lost, lists } = useLostRequests();
  const [found, setFound] = useState<LostBookings>(new Map());
  /** What a client knows stays so. Another lost request may be the one that made a booking. */
  const told = useRef(new Set<string>());
  useEffect(() => {
    let current = true;
    const read = async () => {
      const next = new Map<string, LostEvent>();
      for (const booking of bookingsOf(course)) {
        const key = `${booking.bookingId} ${booking.createdAt} ${lost.length}`;
        if (told.current.has(key) || !lost.some((one) => mayHaveMade(one, booking))) continue;
        const event = await lostEvent(booking, lost);
        if (event) next.set(booking.bookingId, event);
        else told.current.add(key);
      }
      if (current) setFound(next);
    };
    void read().catch(() => {});
    return () => void (current = false);
  }, [course, lost, lists]);
  return found;
}

/** The bookings that came while the sheet was open. */
export function useArrivals(course: CourseDay): ReadonlySet<string> {
  const first = useRef<ReadonlySet<string>>(undefined);
  const ids = bookingsOf(course).map(({ bookingId }) => bookingId);
  first.current ??= new Set(ids);
  return new Set(ids.filter((id) => !first.current!.has(id)));
}
