import type { components } from '../../generated/types.js';
import { Inconclusive } from '../outcome.js';
import type { Session } from '../session.js';

export type FacilityItem = components['schemas']['FacilityItem'];

const COUNTRIES_TRIED = 4;
/** The most facilities of one price request. */
export const MOST_IDS = 5;

/** The countries that a version lists. */
export function countries(
  session: Session,
  version: 'v2' | 'v3' = 'v3',
  connected?: boolean,
): Promise<readonly string[]> {
  return session.list<string>(`${version}.listCountries`, { connected });
}

/** The facilities that a version lists for a country. */
export function facilities(
  session: Session,
  version: 'v1' | 'v2' | 'v3',
  country: string,
  connected?: boolean,
): Promise<readonly FacilityItem[]> {
  return session.list<FacilityItem>(`${version}.listFacilities`, { country, connected });
}

/** A country and the facilities there that the channel is connected to, of which there is at least one. */
export interface Place {
  readonly country: string;
  readonly facilities: readonly FacilityItem[];
}

/** Some countries with the facilities there that the channel is connected to: so many of these, if there are. */
export function places(
  session: Session,
  least = session.run.transport.limited ? MOST_IDS : MOST_IDS + 1,
): Promise<readonly Place[]> {
  return session.once(`places ${least}`, async (session) => {
    const found: Place[] = [];
    for (const country of (await countries(session, 'v3', true)).slice(0, COUNTRIES_TRIED)) {
      const here = await facilities(session, 'v3', country, true);
      if (here.length > 0) found.push({ country, facilities: here });
      if (isPlenty(found, least)) break;
    }
    return found;
  });
}

/** Two countries, one of them with facilities to compare, and enough facilities. */
function isPlenty(places: readonly Place[], least: number): boolean {
  const counts = places.map(({ facilities }) => facilities.length);
  return counts.length > 1 && Math.max(...counts) > 1 && counts.reduce((sum, count) => sum + count) >= least;
}

/** The place that the rules look at: the first of some countries with two facilities, so that there is something to compare. */
export async function place(session: Session): Promise<Place> {
  const all = await places(session);
  const best = all.find(({ facilities }) => facilities.length > 1) ?? all[0];
  if (!best) throw new Inconclusive('no-data', 'a facility that the channel is connected to');
  return best;
}

/** The facility that the rules look at. */
export async function facility(session: Session): Promise<FacilityItem> {
  return (await place(session)).facilities[0]!;
}
