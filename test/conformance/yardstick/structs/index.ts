import type { Channel, Surroundings } from '../../independent/desk.js';
import type { Ask } from './ask.js';
import { type Mistake, mistakes } from './mistakes.js';
import { evidence } from './regressions.js';
import { serve } from './service.js';
import { begin } from './state.js';
import { accounts } from './world.js';

export const channels: readonly Channel[] = accounts.map(({ name, password, refreshToken }) => ({
  name,
  password,
  refreshToken,
}));

/** Answers one request. `broken` are names of regressions; none for the deployment as it should be. */
export function deploy(
  around: Surroundings,
  broken: ReadonlySet<string> = new Set(),
): { handle(request: Request): Promise<Response> } {
  const state = begin(around, broken);
  return { handle: (request) => serve(state, request) };
}

export interface Regression {
  readonly name: string;
  /** Whether reads alone can show it. */
  readonly how: 'reading' | 'writing';
  /** Where the API specification forbids it: the section and a summary of its words. */
  readonly forbidden: string;
  /** A few requests whose responses differ between the broken and the unbroken deployment. */
  readonly shows: (ask: Ask) => Promise<unknown>;
}

export const regressions: readonly Regression[] = Object.entries(mistakes).map(([mistake, name]) => ({
  name,
  ...evidence[mistake as Mistake],
}));

/** What is unusual about this deployment and nevertheless permitted, or its choice where the specification is silent. */
export const oddities: readonly string[] = [
  'Lists without a documented order (countries, facilities, bookings, price steps, extra products, callback results) come in another order with each request.',
  'JSON has a trailing newline, escapes <, > and & as \\u003c, \\u003e and \\u0026, and writes amounts from one million on with an exponent (5.95e+06).',
  'A path that does not exist gets the plain text "404 page not found"; a wrong method gets 405 with Allow.',
  'Errors are application/problem+json: the envelope with success false and data null, and title, status and detail, which holds the message.',
  'Both schemes, Basic and Bearer, work in every version. One password contains a colon.',
  'The token refresh exists below v1 to v5. An access token stays valid until it expires, even after the next refresh.',
  'A missing or wrong credential gets 401, even for a booking creation; a used refresh token gets 401.',
  'Payments are confirmed with POST only. A second confirmation succeeds again, one of a cancelled booking gets 409.',
  'The message of the paused v5 payment confirmation is a member `message` beside success and data.',
  'Group ids of v5 and bulk ids of v3 come from one sequence, so the bulk payment accepts both.',
  'Without connection, a facility is in the lists and has details, but its tee times and prices get 404, and its bookings 400.',
  'An unknown country has an empty facility list. `connected` is read as Go reads booleans: 1, t, true, 0, f, false and so on.',
  'The price of a step is the total for its players, and groups pay more or less per head. Steps above the free slots are left out.',
  'A price record is about one player. Its availability lists the tee times at which the product is sold.',
  'Twilight rates are products of their own, sold from an hour of the day on. 18-hole courses sell nine holes late in the day.',
  'At nine-hole courses, 18-hole products are offered with the tee times of nine holes and have to be linked; a search for 18 holes finds nothing there.',
  'v2 and v3 show and book the first product of a tee time. Their `players` is the number of free slots.',
  'A page of price records has 100 entries by default and at most 200. Ranges of more than 731 days get 400.',
  'Closed days have price records with an empty availability. Tee times that have begun are not offered.',
  'The search for several facilities takes dates in both formats, and mentions a repeated facility once.',
  'createdAt and created are in UTC with a Z; tee times are on the clock of the facility.',
  'Unknown members of a body are ignored and null is the same as missing. facilityId may be a string of digits, netRate too. contactName is accepted instead of the two names.',
  'The v3 bulk form requires netRate, extraProduct, comments and additionalPlayers, which may be empty, but not linkedTeeTimeRef.',
  'A linkedTeeTimeRef that exists joins the earlier bookings of the channel with that reference, and the rules hold for all of them.',
  'With toDate alone the booking list has the bookings from now to that day. Both days are inclusive.',
  'The v3 by-id and verbose forms have no address2. Countries are spelled with the leading word the, an accent, an apostrophe or an ampersand.',
];
