import type { components } from '../../contract/index.js';
import { Inconclusive, unlessInconclusive } from '../client/outcome.js';
import { isObject } from '../../common/index.js';
import { newestWith, newestOf, operationIn, type VersionOf } from '../client/operations.js';
import { resource } from '../client/resource.js';
import type { Session } from '../client/session.js';

export type FacilityItem = components['schemas']['FacilityItem'];

/** The maximum number of facilities in one price request. */
export const MOST_IDS = 5;

/** The countries that a version lists. */
export function countries(
  session: Session,
  version: VersionOf<'listCountries'> = newestOf('listCountries'),
  connected?: boolean,
): Promise<readonly string[]> {
  return session.list<string>(operationIn('listCountries', version), { connected });
}

/** The listed countries that a request can name; the rules of the list report a blank one. */
export async function namesOfCountries(
  session: Session,
  version?: VersionOf<'listCountries'>,
  connected?: boolean,
): Promise<readonly string[]> {
  const listed: readonly unknown[] = await countries(session, version, connected);
  return listed.filter((name): name is string => typeof name === 'string' && /\S/.test(name));
}

/** The facilities that a version lists for a country. */
export function facilities(
  session: Session,
  version: VersionOf<'listFacilities'>,
  country: string,
  connected?: boolean,
): Promise<readonly FacilityItem[]> {
  return session.list<FacilityItem>(operationIn('listFacilities', version), { country, connected });
}

/**
 * What can be read of the newest list, or of an older one where nothing in it can be read: the rules of the form report
 * that.
 *
 * @throws {Inconclusive} if no version has a list with something that can be read.
 */
async function readableIn<V extends string, T>(
  versions: readonly V[],
  read: (version: V) => Promise<readonly unknown[]>,
  isReadable: (item: unknown) => item is T,
  lacking: (version: V) => string,
): Promise<readonly T[]> {
  let fault: unknown;
  for (const version of versions) {
    try {
      const list = await read(version);
      const found = list.filter(isReadable);
      if (found.length > 0 || list.length === 0) return found;
      fault ??= new Inconclusive('precondition', lacking(version));
    } catch (error) {
      unlessInconclusive(error);
      fault ??= error;
    }
  }
  throw fault;
}

/** The countries with a facility that the channel is connected to. */
export function namesOfConnectedCountries(session: Session): Promise<readonly string[]> {
  const served = session.run.transport.scope.versionsOf('listCountries');
  return readableIn(
    served.length > 0 ? served : [newestOf('listCountries')],
    (version) => countries(session, version, true),
    (name): name is string => typeof name === 'string' && /\S/.test(name),
    (version) => `a country whose name can be read (${version}.listCountries lists none)`,
  );
}

/** The facilities of a country that the channel is connected to. */
export function connectedFacilities(session: Session, country: string): Promise<readonly FacilityItem[]> {
  const served = session.run.transport.scope.versionsOf('listFacilities');
  return readableIn(
    served.length > 0 ? served : [newestOf('listFacilities')],
    (version) => facilities(session, version, country, true),
    (one): one is FacilityItem => isObject(one) && typeof one['id'] === 'number',
    (version) => `a connected facility whose \`id\` can be read (${version}.listFacilities lists none for ${country})`,
  );
}

/** A country and its facilities that the channel is connected to, at least one. */
export interface ConnectedCountry {
  readonly country: string;
  readonly facilities: readonly FacilityItem[];
}

/** Countries with their connected facilities, until there are more facilities than one price request allows. */
export const connectedCountries = resource(
  'connected facilities',
  async (session): Promise<readonly ConnectedCountry[]> => {
    const { scope } = session.run.transport;
    const isListed = scope.versionsOf('listCountries').length > 0 && scope.versionsOf('listFacilities').length > 0;
    if (!isListed) return [{ country: '', facilities: await namedFacilities(session) }];
    const found: ConnectedCountry[] = [];
    let fault: unknown;
    for (const country of await namesOfConnectedCountries(session)) {
      const here = await connectedFacilities(session, country).catch((error: unknown) => {
        unlessInconclusive(error);
        fault ??= error;
        return [];
      });
      if (here.length > 0) found.push({ country, facilities: here });
      if (isPlenty(found)) break;
    }
    if (found.length === 0 && fault !== undefined) throw fault;
    return found;
  },
);

/** Facilities of which only the id is known: those that the user named, or those of listed bookings. */
async function namedFacilities(session: Session): Promise<readonly FacilityItem[]> {
  const { scope } = session.run.transport;
  const { bookingList } = newestWith;
  const listed =
    scope.facilities.length > 0 || !scope.has(operationIn('listBookings', bookingList))
      ? []
      : await session.list<unknown>(operationIn('listBookings', bookingList), { fromDate: session.longAgo.query });
  const ids = listed.map((item) => (isObject(item) ? item['facilityId'] : undefined));
  const known = new Set([...scope.facilities, ...ids.filter((id) => typeof id === 'number')]);
  if (known.size === 0)
    throw new Inconclusive('out-of-scope', 'a facility: no operation in scope lists one (--facility)');
  return [...known].map((id) => Object.defineProperties({ id } as FacilityItem, unknownFields));
}

/** Fields of a facility that nothing has shown: a rule that looks at one is not run. */
const unknownFields = Object.fromEntries(
  (['name', 'website', 'email', 'address'] as const).map((name) => [
    name,
    {
      get(): never {
        throw new Inconclusive('out-of-scope', `the ${name} of a facility, which no operation in scope lists`);
      },
    },
  ]),
);

/** Two countries, one of them with facilities to compare, and enough facilities. */
function isPlenty(found: readonly ConnectedCountry[]): boolean {
  const counts = found.map(({ facilities }) => facilities.length);
  return counts.length > 1 && Math.max(...counts) > 1 && counts.reduce((sum, count) => sum + count) > MOST_IDS;
}

/** The country that the rules look at: preferably one with two connected facilities, so that they can be compared. */
export async function connectedCountry(session: Session): Promise<ConnectedCountry> {
  const all = await connectedCountries(session);
  const best = all.find(({ facilities }) => facilities.length > 1) ?? all[0];
  if (!best) throw new Inconclusive('no-data', 'a connected facility');
  return best;
}

/** The facility that the rules look at. */
export async function facility(session: Session): Promise<FacilityItem> {
  return (await connectedCountry(session)).facilities[0]!;
}
