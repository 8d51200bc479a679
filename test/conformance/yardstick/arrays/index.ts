/** A deployment of the service with the habits of a classic web framework, and its everyday regressions. */
import type { Channel, Surroundings } from '../../independent/desk.js';
import { mistakes } from './regressions.js';
import { Service } from './service.js';
import type { Ask } from './regressions.js';

export interface Regression {
  /** A sentence, as a changelog of mistakes would say it. */
  readonly name: string;
  /** Whether reads alone show it, or bookings, payments, tokens or searches with a callback are needed. */
  readonly how: 'reading' | 'writing';
  /** Where the specification forbids it. */
  readonly forbidden: string;
  /** A few requests whose responses differ between broken and unbroken. */
  readonly shows: (ask: Ask) => Promise<unknown>;
}

export const channels: readonly Channel[] = [
  { name: 'fairway-direct', password: 'bunker:Rake-7', refreshToken: 'init_fairway_b5b1c0' },
  { name: 'birdie-box', password: 'Pin+High/3', refreshToken: 'init_birdie_77e2aa' },
];

export const regressions: readonly Regression[] = Object.values(mistakes);

/** Answers one request. `broken` are names of regressions; none for the deployment as it should be. */
export function deploy(
  around: Surroundings,
  broken: ReadonlySet<string> = new Set(),
): { handle(request: Request): Promise<Response> } {
  return new Service(around, channels, (mistake) => broken.has(mistakes[mistake].name));
}

/** Lawful oddities of this deployment, in words. */
export const oddities: readonly string[] = [
  'JSON is written with \\/ for slashes and \\uXXXX for letters beyond ASCII, as application/json; charset=UTF-8.',
  'Amounts are products of floating-point numbers and may end in 0000000000001, the same everywhere.',
  'Unknown paths get 404 and known paths with another method get 405, both with an HTML page.',
  'A GET with a trailing slash is redirected with 301; other methods get 404.',
  'Validation errors get 422, and 400 for bookings. The body is {success, data: null, error: {code, message}}.',
  'Numbers may be sent as strings, with spaces around them, in bodies and queries.',
  'connected accepts true, 1, yes and on, and their opposites.',
  'Payments accept POST only.',
  'All versions accept both Basic credentials and bearer tokens (Authorization: Bearer sess_...).',
  'An earlier access token stays valid until it expires, even after the next refresh.',
  'Token refresh exists in v1 to v5 with the same effect, and needs no other credentials.',
  'addition is left out of an address that has none.',
  'Countries are listed in the order of their first facility.',
  'An unknown country has an empty facility list, with 200.',
  'Facilities can be read by every channel. Tee times, prices and bookings need a connection, or get 403.',
  'Evening tee times at 18-hole courses cover nine holes, and are other tee times with their own ids.',
  'Twilight rates are products of their own, so a product has one price per day.',
  'The price of a step is the total for its quantity. All four steps are listed, whatever is available.',
  'A price record gives the price of one player. A closed day has records with an empty availability.',
  'Full tee times and tee times in the past are left out of tee sheets and of availability.',
  'Tee sheets reach 730 days ahead and are empty after that, and in the past.',
  'An 18-hole product at a nine-hole course is listed at nine-hole tee times, after the plain product.',
  'A price page has 100 entries by default and at most 500; a larger limit is treated as 500.',
  'Ranges whose end is before their start get 422.',
  'The search for several facilities accepts both date formats, and ranges of up to 92 days.',
  'Booking ids join country code, facility, tee time and a suffix. Group ids are integers shared by v3 and v5.',
  'v2 and v3 bookings are sold with the first product of the tee time.',
  'A later request may add a round to a linked group if all rules hold for the whole group.',
  'createdAt has no zone and is in UTC; tee times are in local time of the facility.',
  'A paid booking stays BOOKED and may be paid again. Paying for a cancelled booking gets 422.',
  'The paused v5 payment carries its message at the top level of the body.',
  'Net rates in booking requests are not compared with the offer.',
];
