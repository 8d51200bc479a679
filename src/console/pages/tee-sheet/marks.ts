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

/** As many as the journal of the sandbox keeps. */
const MOST_LOST = 1000;

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
      const others = (old: readonly RequestRow[]) => old.filter(({ id }) => !fresh.some((one) => one.id === id));
      if (fresh.length > 0) setLost((old) => [...others(old), ...fresh].slice(-MOST_LOST));
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

type MadeBooking = Pick<ShownBooking, 'bookingId' | 'channel' | 'createdAt'>;

/** Whether a request can have made a booking, by channel and time. Its history tells for sure. */
function mayHaveMade({ channel, at, durationMs = 0 }: RequestRow, booking: MadeBooking): boolean {
  const after = Date.parse(booking.createdAt) - Date.parse(at);
  return channel === booking.channel && after >= 0 && after <= durationMs + SLACK_MS;
}

/** The event that made a booking, and whether its client has used or listed the booking since. */
async function originOf({ bookingId }: MadeBooking): Promise<{ readonly made: LostEvent; readonly known: boolean }> {
  const { events } = await perform(call('GET', 'bookings/{bookingId}/history', { path: { bookingId } }));
  const since = events.filter(({ kind, requestId }) => kind !== 'created' && kind !== 'callback' && requestId !== null);
  return { made: events.find(({ kind }) => kind === 'created')!, known: since.some(({ status }) => status === 200) };
}

/** Those of some bookings of which the client may not know. */
export function useLost(bookings: readonly MadeBooking[]): LostBookings {
  const { lost, lists } = useLostRequests();
  const [found, setFound] = useState<LostBookings>(new Map());
  /** By booking, the request that made it; empty if its client knows. Neither changes. */
  const makers = useRef(new Map<string, string>());
  useEffect(() => followJournal({ stale: (why) => void (why === 'reset' && makers.current.clear()) }), []);
  useEffect(() => {
    let current = true;
    const ids = new Set(lost.map(({ id }) => id));
    const read = async () => {
      const next = new Map<string, LostEvent>();
      for (const booking of bookings) {
        const key = `${booking.bookingId} ${booking.createdAt}`;
        const maker = makers.current.get(key);
        if (maker === undefined ? !lost.some((one) => mayHaveMade(one, booking)) : !ids.has(maker)) continue;
        const { made, known } = await originOf(booking);
        makers.current.set(key, known ? '' : (made.requestId ?? ''));
        if (!known && ids.has(made.requestId ?? '')) next.set(booking.bookingId, made);
      }
      if (current) setFound(next);
    };
    void read().catch(() => {});
    return () => void (current = false);
  }, [bookings, lost, lists]);
  return found;
}

/** The bookings that came while the sheet was open. */
export function useArrivals(course: CourseDay): ReadonlySet<string> {
  const first = useRef<ReadonlySet<string>>(undefined);
  const ids = bookingsOf(course).map(({ bookingId }) => bookingId);
  first.current ??= new Set(ids);
  return new Set(ids.filter((id) => !first.current!.has(id)));
}
