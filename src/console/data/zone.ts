import { signal } from '@preact/signals';
import { call } from './api.js';
import { useCall } from './load.js';

/** The time zone of the facility whose tee sheet was shown last. */
export const shownZone = signal<string | undefined>(undefined);

/** The time zone in which a person thinks: that of the tee sheet that was shown last, or of the first facility. */
export function useFacilityZone(): string {
  const { data } = useCall(call('GET', 'facilities', { query: { limit: 1 } }));
  return shownZone.value ?? data?.facilities[0]?.timeZone ?? 'UTC';
}
