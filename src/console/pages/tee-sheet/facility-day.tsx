import { call } from '../../data/api.js';
import { useReload } from '../../data/journal.js';
import { useCall, useKept } from '../../data/load.js';

/** The tee sheets of a facility on a day, kept current. While another day is on its way, the one before stays. */
export function useFacilityDay(facilityId: string, query: { readonly date?: string; readonly courseId?: string }) {
  const path = { facilityId };
  const command = call('GET', 'tee-sheets/{facilityId}', { path, query });
  const { data, ...loaded } = useKept(command);
  useReload(loaded.reload, [loaded.reload]);
  const day = data?.facilityId === Number(facilityId) ? data : undefined;
  return { ...loaded, command, day };
}

/** The credentials of the channels, which a refresh or a scenario changes. */
export function useLogins() {
  const { data, reload } = useCall(call('GET', 'channels'));
  useReload(reload, [reload]);
  return data?.channels ?? [];
}
