import { basicCredentials } from '../../src/engine/model/world.js';
import { bookingFor, dayIn, type TeeTime } from '../support/scenes.js';
import type { Server } from './children.js';
import { type NextRequest, requestBytes } from './load.js';

/** The channel that calls in every case. */
export const authorization = basicCredentials({ username: 'fairway', password: 'not-a-secret-fairway' });
const jsonHeaders = { Authorization: authorization, 'Content-Type': 'application/json' };

export const CREATE_PATH = '/api/v5/bookings';
/** The committed facilities, at which is booked. */
const FIRST_FACILITY = 1001;
const FACILITIES = 67;
/** Bookings of one request that makes many. */
const A_REQUEST = 1000;

/** What a server answered to one request, read whole. */
export interface Answered {
  readonly body: string;
  readonly contentType: string;
}

/** Asks once. @throws {Error} when the answer is not 200. */
export async function ask(server: Server, path: string, body?: string): Promise<Answered> {
  const init = body === undefined ? {} : { method: 'POST', body };
  const response = await fetch(server.url + path, { ...init, headers: jsonHeaders });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}: ${text.slice(0, 300)}`);
  return { body: text, contentType: response.headers.get('content-type')! };
}

/** The same GET again and again. */
export function getRequest(path: string): NextRequest {
  const bytes = requestBytes('GET', path, { Authorization: authorization });
  return () => bytes;
}

/** Each prepared request once. @throws {Error} when there are none left. */
export function inTurn(requests: readonly Buffer[]): NextRequest {
  let at = 0;
  return () => {
    const bytes = requests[at++];
    if (!bytes) throw new Error(`The ${requests.length} prepared requests are used up.`);
    return bytes;
  };
}

/** The same requests for ever, one after the other. */
export function inCircles(requests: readonly Buffer[]): NextRequest {
  let at = 0;
  return () => requests[at++ % requests.length]!;
}

export function bookingRequest(body: unknown): Buffer {
  return requestBytes('POST', CREATE_PATH, jsonHeaders, JSON.stringify(body));
}

/** The tee times of all courses of a facility on one day, for one player and 18 holes. */
export function sheetPath(facilityId: number, days: number): string {
  return `/api/v4/teetimes/${facilityId}?bookingDate=${dayIn(days).query}&players=1&holes=18`;
}

/** Bodies of bookings that all succeed: of each tee time as many as it has places, less those to be spared. */
export async function bookingsOn(server: Server, facilityId: number, days: number, spared = 0): Promise<object[]> {
  const { body } = await ask(server, sheetPath(facilityId, days));
  return bookingsIn(body, facilityId, spared);
}

/** The same of a sheet that was read. */
function bookingsIn(sheet: string, facilityId: number, spared: number): object[] {
  const teeTimes = JSON.parse(sheet).data.teeTimeV3 as TeeTime[];
  const rounds = teeTimes.filter(({ products }) => products[0].name.startsWith('Green fee'));
  // Place by place and not tee time by tee time, so that neighbouring bookings lie apart as those of callers do.
  const bodies: object[] = [];
  for (let place = 1 + spared; place <= 4; place += 1) {
    for (const teeTime of rounds) {
      if (teeTime.products[0].available >= place) bodies.push(bookingFor(teeTime, { facilityId }));
    }
  }
  return bodies;
}

/** So many different bookings, from the given day on over all facilities that the channel sells. */
export async function manyBookings(server: Server, count: number, fromDay: number): Promise<object[]> {
  const bodies: object[] = [];
  for (let days = fromDay; bodies.length < count; days += 1) {
    for (let id = FIRST_FACILITY; id < FIRST_FACILITY + FACILITIES && bodies.length < count; id += 1) {
      bodies.push(...(await bookingsOn(server, id, days)));
    }
  }
  return bodies.slice(0, count);
}

/** Makes the bookings, many in a request. */
export async function bookAll(server: Server, bodies: readonly object[]): Promise<void> {
  for (let at = 0; at < bodies.length; at += A_REQUEST) {
    await ask(server, CREATE_PATH, JSON.stringify(bodies.slice(at, at + A_REQUEST)));
  }
}

/** Sends a request to something that answers as a server does, and gives back the text of the answer. */
export type Send = (path: string, body?: string) => Promise<string>;

/** Makes so many bookings from the given day on, and keeps none of them here. */
export async function fill(send: Send, count: number, fromDay: number): Promise<void> {
  let missing = count;
  let waiting: object[] = [];
  for await (const bodies of bookingsFrom(send, fromDay)) {
    waiting = waiting.concat(bodies);
    while (missing > 0 && waiting.length >= Math.min(A_REQUEST, missing)) {
      const some = waiting.splice(0, Math.min(A_REQUEST, missing));
      await send(CREATE_PATH, JSON.stringify(some));
      missing -= some.length;
    }
    if (missing === 0) return;
  }
}

/** Bodies of bookings from the given day on, without an end, sheet by sheet. */
async function* bookingsFrom(send: Send, fromDay: number): AsyncGenerator<object[]> {
  for (let days = fromDay; ; days += 1) {
    for (let id = FIRST_FACILITY; id < FIRST_FACILITY + FACILITIES; id += 1) {
      yield bookingsIn(await send(sheetPath(id, days)), id, 0);
    }
  }
}
