import { expect } from 'vitest';
import type { CreatingVersion } from '../engine/dialect/forms.js';
import { listOf, LISTING, LONG_AGO } from './booking-list.js';
import type { Client, Reply } from './client.js';
import { teeTimesOf, type TeeTime, type Wanted } from './scenes.js';
import { pricesOf } from './views.js';
import { ways } from './ways-to-book.js';

type Changes = Record<string, unknown>;

/** A way to book, with the version of its body and the place in it at which a booking stands. */
export interface Way {
  readonly name: string;
  readonly version: CreatingVersion;
  readonly at: string;
  post(client: Client, teeTime: TeeTime, changes?: Changes): Promise<Reply>;
}

const places: Readonly<Record<string, string>> = { 'v5 array': '[0].', 'v5 details': 'details[0].', 'v3 bulk': '[0].' };

export const everyWay: readonly Way[] = Object.entries(ways).map(([name, post]) => ({
  name,
  version: name.slice(0, 2) as CreatingVersion,
  at: places[name] ?? '',
  post,
}));

export function waysOf(versions: readonly CreatingVersion[]): readonly Way[] {
  return everyWay.filter(({ version }) => versions.includes(version));
}

type Clients = Readonly<Record<'fairway' | 'links' | 'caddie', Client>>;

/** All that a booking would change: the lists of every channel, tee times and prices of a facility and day. */
export async function traceOf({ fairway, links, caddie }: Clients, wanted: Wanted = {}): Promise<unknown> {
  const { facilityId = 1001, days = 10 } = wanted;
  const lists = [];
  for (const client of [fairway, links, caddie]) {
    for (const version of LISTING) lists.push(await listOf(client, version, { fromDate: LONG_AGO }));
  }
  const teeTimes = [];
  for (const holes of [9, 18]) teeTimes.push(await teeTimesOf(fairway, { facilityId, days, holes }));
  return { lists, teeTimes, prices: await pricesOf(fairway, [facilityId], days) };
}

/** What an answer must be that refuses a field, in `at` or at the top of the body. An invalid booking is a failed creation. */
export function refusedField(
  ruleId: string,
  path: string,
  creates = ruleId.startsWith('bookings.request.'),
): Record<string, unknown> {
  const escape = (text: string) => text.replace(/[.[\]]/g, String.raw`\$&`);
  const why = `\`${escape(path)}\` .*[^ ] \\(rule ${escape(ruleId)}\\)\\.`;
  const failed = `The booking could not be processed at the moment: ${why} Please try again; .* contact support\\.`;
  const message = new RegExp(`^${creates ? failed : why}$`);
  return { status: 400, rule: ruleId, body: { success: false, data: null, message: expect.stringMatching(message) } };
}
