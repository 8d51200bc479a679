import type { Day } from '../day.js';
import { isObject, type Caller } from '../exchange.js';
import type { Session } from '../session.js';
import { bookings, type ListVersion } from './bookings.js';

/** A listed booking of any version. */
export type Listed = Readonly<Record<string, unknown>>;
/** The same, as far as all versions have it. */
export type Item = Listed & { readonly bookingId: string; readonly createdAt?: unknown };

export const listVersions: readonly ListVersion[] = ['v4', 'v2', 'v1'];

/** The list of a version. It is read after the whole lists, so that what they hold is there already. */
export async function list(
  session: Session,
  version: ListVersion,
  range: { readonly from?: Day; readonly to?: Day } = {},
  as: Caller = 'first',
): Promise<readonly Listed[]> {
  await wholeLists(session);
  return objects(await bookings(session, version, range, as));
}

/** The list of each version with past bookings. */
export function wholeLists(session: Session): Promise<Readonly<Record<ListVersion, readonly Listed[]>>> {
  return session.once('whole booking lists', async (session) => {
    const from = session.longAgo;
    const found: Partial<Record<ListVersion, readonly Listed[]>> = {};
    for (const version of listVersions) found[version] = objects(await bookings(session, version, { from }));
    return found as Record<ListVersion, readonly Listed[]>;
  });
}

/** Every booking of the channel that some version lists, each once. */
export async function known(session: Session): Promise<readonly Item[]> {
  const lists = await wholeLists(session);
  const items = new Map<string, Item>();
  for (const version of listVersions) {
    for (const item of lists[version]) {
      const { bookingId } = item;
      if (typeof bookingId === 'string' && !items.has(bookingId)) items.set(bookingId, { ...item, bookingId });
    }
  }
  return [...items.values()];
}

function objects(list: readonly unknown[]): readonly Listed[] {
  return list.filter(isObject);
}
