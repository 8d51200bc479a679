import type { AdminType } from '../../../data/api.js';

type FacilityUse = AdminType<'FacilityUse'>;

/** Which facilities are looked for. */
export interface FacilityFilter {
  readonly text?: string;
  readonly goodFor?: FacilityUse;
}

/** What a facility is good for, for a person. */
export const useWords: Readonly<Record<FacilityUse, string>> = {
  'linked-tee-times': 'Linked tee times',
  'two-courses': 'Two or more courses',
  'nine-holes': 'Nine holes',
  unconnected: 'No channel connected',
  'several-channels': 'Several channels connected',
  'closed-days': 'Closed on a weekday',
  'closed-season': 'Closed for a season',
  'extra-products': 'Extra products',
  'cancellation-by-players': 'Cancellation by players',
  'payment-at-booking': 'Paid with the booking',
  'payment-in-parts': 'Paid in parts',
  'payment-at-club': 'Paid at the club',
  'fails-on-purpose': 'Fails on purpose',
};

/** The filter in the query of an address. */
export function filterIn(query: URLSearchParams): FacilityFilter {
  const text = query.get('text');
  const goodFor = query.get('goodFor');
  return { ...(text && { text }), ...(goodFor !== null && goodFor in useWords && { goodFor: goodFor as FacilityUse }) };
}
