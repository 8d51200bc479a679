import { useRef } from 'preact/hooks';
import { call } from '../../data/api.js';
import { useReload } from '../../data/journal.js';
import { useCall } from '../../data/load.js';
import type { SheetDay } from './cells.js';

/** The tee sheets of a facility on a day, kept current. While another day is on its way, the one before stays. */
export function useFacilityDay(facilityId: string, date: string | undefined) {
  const path = { facilityId };
  const command = call('GET', 'tee-sheets/{facilityId}', { path, query: date === undefined ? {} : { date } });
  const { data, error, reload } = useCall(command);
  useReload(reload, [reload]);
  const kept = useRef<SheetDay | undefined>(undefined);
  if (data) kept.current = data;
  const same = kept.current?.facilityId === Number(facilityId) ? kept.current : undefined;
  return { command, day: data ?? (error ? undefined : same), error, reload, waiting: !data && !error };
}

/** The credentials of the channels, which a refresh or a scenario changes. */
export function useLogins() {
  const { data, reload } = useCall(call('GET', 'channels'));
  useReload(reload, [reload]);
  return data?.channels ?? [];
}
