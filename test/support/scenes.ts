import type { Client } from './client.js';

/** The day on which the sandboxes of the tests stand. */
const FIRST_DAY = Date.UTC(2026, 5, 1);

/** A day counted from the first one, as queries (`dd-mm-yyyy`) and responses (`yyyy-mm-dd`) write it. */
export function dayIn(days: number): { readonly query: string; readonly iso: string } {
  const iso = new Date(FIRST_DAY + days * 86_400_000).toISOString().slice(0, 10);
  return { query: iso.split('-').reverse().join('-'), iso };
}

/** Part of an answer, judged by the test that reads it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

/** A tee time as v4 shows it. */
export interface TeeTime {
  readonly teeid: number;
  readonly time: string;
  readonly course: string;
  readonly holes: number;
  readonly extraProducts: readonly Json[];
  readonly products: readonly Json[];
}

/** What to look for; the facility is one that `fairway` and `links` share and that is open every day. */
export interface Wanted {
  readonly facilityId?: number;
  readonly days?: number;
  readonly players?: number;
  readonly holes?: number;
}

export const OPEN_FACILITY = 1001;

/** A query of the fields that are there. */
export function queryText(fields: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
}

/** Path and query of the tee times of a facility on one day. */
export function teeTimesPath(version: 'v2' | 'v3' | 'v4', wanted: Wanted = {}): string {
  const { facilityId = OPEN_FACILITY, days = 10, players = 1, holes = 18 } = wanted;
  return `/api/${version}/teetimes/${facilityId}?bookingDate=${dayIn(days).query}&players=${players}&holes=${holes}`;
}

/** The tee times of v4, in which one has all that a booking needs. */
export async function teeTimesOf(client: Client, wanted: Wanted = {}): Promise<TeeTime[]> {
  const { body } = await client.get(teeTimesPath('v4', wanted));
  return body.data.teeTimeV3;
}

/** The first tee time that fits; there is one, or the test is wrong. */
export async function findTeeTime(client: Client, wanted: Wanted = {}): Promise<TeeTime> {
  const [first] = await teeTimesOf(client, wanted);
  if (!first) throw new Error(`No tee time fits ${JSON.stringify(wanted)}. Please look for another day.`);
  return first;
}

/** A complete v5 booking of a tee time and its first product. */
export function bookingFor(teeTime: TeeTime, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    facilityId: OPEN_FACILITY,
    teetime: teeTime.time.replace('T', ' '),
    course: teeTime.course,
    players: 1,
    teeId: teeTime.teeid,
    holes: teeTime.holes,
    productId: teeTime.products[0].mid,
    contactFirstName: 'Ada',
    contactLastName: 'Lovelace',
    contactPhone: '+31 20 555 0100',
    contactEmail: 'ada@partner.example',
    ...changes,
  };
}
