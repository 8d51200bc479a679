import { useRef } from 'preact/hooks';
import { call, perform } from '../../data/api.js';
import { minute } from '../../data/clock.js';
import { useLive, useReload } from '../../data/journal.js';
import { useKept, useLoad } from '../../data/load.js';
import { dayAfter, localTime } from '../../data/local-time.js';
import { freeSlots } from './cells.js';

/** How many days are looked at for one with a tee time, as a course may be closed for a season. */
const LOOKED_AT = 31;
const DAY_MS = 86_400_000;

/** The day on which the sheets of a facility open: the first from today on with a slot that can be booked. */
export function useOpeningDay(facilityId: number | string | undefined): string | undefined {
  // Again on the next day, as after a move of the clock.
  const turn = minute.value === 0 ? undefined : Math.floor(minute.value / DAY_MS);
  const { data } = useLoad(
    async () => (facilityId && turn !== undefined ? openingDay(String(facilityId)) : undefined),
    [facilityId, turn],
  );
  const kept = useRef<{ readonly of: typeof facilityId; readonly day: string }>(undefined);
  if (data) kept.current = { of: facilityId, day: data };
  return kept.current?.of === facilityId ? kept.current?.day : undefined;
}

async function openingDay(facilityId: string): Promise<string> {
  const read = (query: { readonly date?: string }) =>
    perform(call('GET', 'tee-sheets/{facilityId}', { path: { facilityId }, query }));
  const first = await read({});
  let day = first;
  for (let ahead = 1; ahead <= LOOKED_AT; ahead += 1) {
    const now = localTime(day.timeZone, minute.value);
    if (day.courses.some((course) => freeSlots(course, now) > 0)) return day.date;
    day = await read({ date: dayAfter(first.today, ahead) });
  }
  return first.today;
}

/** The tee sheets of a facility on a day, kept current. While another day is on its way, the one before stays. */
export function useFacilityDay(facilityId: string, date: string | undefined) {
  const path = { facilityId };
  const command = call('GET', 'tee-sheets/{facilityId}', { path, query: date ? { date } : {} });
  const { data, ...loaded } = useKept(command);
  useReload(loaded.reload, [loaded.reload]);
  const day = data?.facilityId === Number(facilityId) ? data : undefined;
  return { ...loaded, command, day };
}

/** The credentials of the channels, which a refresh or a scenario changes. */
export function useLogins() {
  const { data } = useLive(call('GET', 'channels'));
  return data?.channels ?? [];
}
