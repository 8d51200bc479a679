import { expect } from 'vitest';
import type { State } from '../../../src/engine/library.js';
import { basic } from '../credentials.js';
import { bookingFor, type TeeTime } from '../scenes.js';

/** What is killed. */
interface Target {
  readonly baseUrl: string;
}

const headers = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };
/** Bookings of a group, each for another tee time. */
export const GROUP = 3;

/** What one request was answered. */
export interface Answered {
  /** The bookings that it made. */
  readonly ids: readonly string[];
  /** The number in the id of the request. */
  readonly request: number;
}

/** A client's answers in order. */
export interface KilledClient {
  readonly answered: Answered[];
  /** Bookings of its request that may be under way. */
  readonly atOnce: number;
}

async function post({ baseUrl }: Target, path: string, body: unknown): Promise<{ data: unknown; request: number }> {
  const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { data: unknown };
  expect({ status: response.status, answer }).toMatchObject({ status: 200 });
  return { data: answer.data, request: Number(response.headers.get('teebox-request-id')!.slice('req-'.length)) };
}

async function bookOne(server: Target, [teeTime]: readonly TeeTime[]): Promise<Answered> {
  const { data, request } = await post(server, '/api/v5/bookings', bookingFor(teeTime!));
  return { ids: [(data as { bookingId: string }).bookingId], request };
}

async function bookGroup(server: Target, teeTimes: readonly TeeTime[]): Promise<Answered> {
  const { data, request } = await post(
    server,
    '/api/v5/bookings',
    teeTimes.map((one) => bookingFor(one)),
  );
  const { bookingIds } = data as { bookingIds: readonly { bookingId: string }[] };
  return { ids: bookingIds.map(({ bookingId }) => bookingId), request };
}

/** Starts clients that book one after the other until the server is gone; every other one books groups. */
export function bookUntilKilled(server: Target, free: readonly TeeTime[], clients: number) {
  // Place by place, so that neighbours are different tee times.
  const places = [1, 2, 3, 4].flatMap((place) => free.filter(({ products }) => products[0].available >= place));
  const share = Math.floor(places.length / clients);
  const started = Array.from({ length: clients }, (_, client) => {
    const [atOnce, book] = client % 2 === 0 ? [1, bookOne] : [GROUP, bookGroup];
    const own = places.slice(client * share, (client + 1) * share);
    const killed: KilledClient = { answered: [], atOnce };
    const work = async (): Promise<void> => {
      for (let at = 0; at + atOnce <= own.length; at += atOnce) {
        killed.answered.push(await book(server, own.slice(at, at + atOnce)));
      }
    };
    return { killed, work };
  });
  const ended = Promise.all(started.map(({ work }) => work())).catch((error: unknown) =>
    // The connection broke.
    expect(error).toBeInstanceOf(TypeError),
  );
  return { clients: started.map(({ killed }) => killed), ended };
}

/** The bookings in the file are those of before and the answered ones, and at most the request under way of each client. */
export function checkBookings(
  saved: readonly string[],
  before: readonly string[],
  clients: readonly KilledClient[],
): void {
  expect(saved.slice(0, before.length)).toEqual(before);
  const more = new Set(saved.slice(before.length));
  for (const { ids } of clients.flatMap(({ answered }) => answered)) {
    for (const id of ids) expect(more.delete(id), `the answered booking ${id}`).toBe(true);
  }
  expect(more.size).toBeLessThanOrEqual(clients.reduce((sum, { atOnce }) => sum + atOnce, 0));
}

/** The bookings are those of one moment, and each group of a client is whole. */
export function checkGroups({ bookings, sequence, groups }: State['store'], ofSeed: number): void {
  expect(bookings.map((booking) => booking.sequence)).toEqual(bookings.map((_, index) => index + 1));
  expect(sequence).toBe(bookings.length);
  const sizes = new Map<number, number>();
  for (const { groupId } of bookings) if (groupId !== null) sizes.set(groupId, (sizes.get(groupId) ?? 0) + 1);
  expect(sizes.size).toBe(groups);
  const own = [...sizes.values()].slice(ofSeed);
  expect(own).toEqual(own.map(() => GROUP));
}

/** Trades a refresh token; gives back the next one and the access token. */
export async function refresh({ baseUrl }: Target, token: string): Promise<{ access: string; next: string }> {
  const response = await fetch(`${baseUrl}/api/v5/token/refreshToken`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: token }),
  });
  const answer = (await response.json()) as { data: { access_token: string; refresh_token: string } };
  expect({ status: response.status, answer }).toMatchObject({ status: 200 });
  return { access: answer.data.access_token, next: answer.data.refresh_token };
}

/** The free places of tee times by their ids. */
export function placesOf(teeTimes: readonly TeeTime[]): ReadonlyMap<number, number> {
  return new Map(teeTimes.map(({ teeid, products }) => [teeid, products[0].available as number]));
}
