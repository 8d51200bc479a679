import { expect } from 'vitest';
import type { Sandbox } from '../../src/engine/library.js';
import type { CreatingVersion } from '../engine/dialect/forms.js';
import { LISTING, listReply, LONG_AGO } from './booking-list.js';
import type { Client, Reply } from './client.js';
import { teeTimesPath, type TeeTime, type Wanted } from './scenes.js';
import { pricesReply } from './views.js';
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

/**
 * All that a booking would change: the lists of every channel, tee times and prices of a facility and day. It is in the
 * words of the answers, which are compared in no time.
 */
export async function traceOf({ fairway, links, caddie }: Clients, wanted: Wanted = {}): Promise<readonly string[]> {
  const { facilityId = 1001, days = 10 } = wanted;
  const replies: Reply[] = [];
  for (const client of [fairway, links, caddie]) {
    for (const version of LISTING) replies.push(await listReply(client, version, { fromDate: LONG_AGO }));
  }
  for (const holes of [9, 18]) replies.push(await fairway.get(teeTimesPath('v4', { facilityId, days, holes })));
  replies.push(await pricesReply(fairway, [facilityId], days));
  expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  return replies.map(({ text }) => text);
}

/** All that a sandbox will ever show, and so what a request that does nothing leaves as it is. It takes less than one list. */
export function keptIn(sandbox: Sandbox): string {
  return JSON.stringify(sandbox.snapshot().store);
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
