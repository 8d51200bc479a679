import type { Client, Reply } from '../../support/client.js';
import { bookingFor, findTeeTime, type TeeTime } from '../../support/scenes.js';

type Fields = Record<string, unknown>;

/** The versions that create bookings, each with one complete booking in its form. */
export const forms = {
  v2: (teeTime: TeeTime, changes: Fields): Fields => {
    const { course, productId: _, ...rest } = bookingFor(teeTime);
    return { ...rest, round: course, ...changes };
  },
  v3: (teeTime: TeeTime, changes: Fields): Fields => {
    const { productId: _, ...rest } = bookingFor(teeTime);
    const lists = { extraProduct: [], additionalPlayers: [] };
    return { ...rest, ...lists, netRate: 80, comments: 'none', linkedTeeTimeRef: newRef(), ...changes };
  },
  v5: (teeTime: TeeTime, changes: Fields): Fields => bookingFor(teeTime, changes),
};

let refs = 0;

/** A reference that no other booking has: one of v3 has one in any case. */
function newRef(): string {
  return `3f1d2c4b-5a69-4788-9706-${String(++refs).padStart(12, '0')}`;
}

export type CreatingVersion = keyof typeof forms;
export const creating = Object.keys(forms) as CreatingVersion[];

/** Posts bodies in the form of a version; v3 takes lists alone. */
export function postIn(client: Client, version: CreatingVersion, body: Fields): Promise<Reply> {
  return version === 'v3' ? client.post('/api/v3/bulkbookings', [body]) : client.post(`/api/${version}/bookings`, body);
}

/** Books one tee time in a version; a field that is undefined is left out. */
export async function bookIn(client: Client, version: CreatingVersion, changes: Fields = {}): Promise<Reply> {
  return postIn(client, version, forms[version](await findTeeTime(client), changes));
}

/** Status and, of a refusal, the rule that each version names for the same booking. */
export async function bookInAll(client: Client, changes: Fields): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const version of creating) {
    const { status, rule } = await bookIn(client, version, changes);
    seen.push(status === 200 ? 200 : `${status} ${rule}`);
  }
  return seen;
}
