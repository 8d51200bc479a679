/** Everyday defects that change what any client sends or takes, each forbidden by the API specification or by common sense. */
import type { ObligationId } from '../../../../src/contract/index.js';
import type { GolfClient, Reply } from './golf-client.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

export interface Defect<Program> {
  /** What the client does. */
  readonly does: string;
  /** The obligations that name it: the first one in any case, and the others depending on what else the tests do. */
  readonly wanted: readonly ObligationId[];
  /** The exam that shows it, besides the happy day. */
  readonly exam?: string;
  plant(program: Program): void;
}

export type ClientDefect = Defect<GolfClient>;

/** Changes the requests of a client. */
function rewrite(
  client: GolfClient,
  path: RegExp,
  edit: (path: string, body: Json) => { path?: string; body?: Json; headers?: Record<string, string> },
): void {
  const raw = client.raw.bind(client);
  client.raw = (method, own, body, headers) => {
    if (!path.test(own)) return raw(method, own, body, headers);
    const changed = edit(own, body);
    return raw(method, changed.path ?? own, changed.body ?? body, { ...headers, ...changed.headers });
  };
}

export const onPath = (path: RegExp, from: RegExp, to: string) => (client: GolfClient) =>
  rewrite(client, path, (own) => ({ path: own.replace(from, to) }));

/** Changes each booking of a request. */
const onBookings =
  (edit: (booking: Json) => Json, path = /bookings$/) =>
  (client: GolfClient) =>
    rewrite(client, path, (_, body) => {
      if (body === undefined) return {};
      if (Array.isArray(body)) return { body: body.map(edit) };
      return { body: body.details ? { ...body, details: body.details.map(edit) } : edit(body) };
    });

const { entries, fromEntries } = Object;
const without = (name: string) => (booking: Json) => fromEntries(entries(booking).filter(([own]) => own !== name));

const isSheet = /\/teetimes\/\d/;
const isSearch = /\/teetimes\?/;
const isPrice = /\/price\//;
const isToken = /refreshToken$/;
const isBooking = /\/v5\/bookings$/;

export const ofRequests: readonly ClientDefect[] = [
  {
    does: 'sends its token request as text',
    wanted: ['requests.content-type'],
    plant: (client) => rewrite(client, isToken, () => ({ headers: { 'content-type': 'text/plain' } })),
  },
  {
    does: 'sends bookings as a form',
    wanted: ['requests.content-type'],
    plant: (client) =>
      rewrite(client, isBooking, () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' } })),
  },
  {
    does: 'sends its token in the query as well',
    wanted: ['requests.no-secret-in-url'],
    plant: (client) => rewrite(client, isSheet, (path) => ({ path: `${path}&token=${client.tokens.access}` })),
  },
  {
    does: 'asks for tee sheets with yyyy-mm-dd',
    wanted: ['requests.dates'],
    plant: onPath(isSheet, /bookingDate=(\d\d)-(\d\d)-(\d{4})/, 'bookingDate=$3-$2-$1'),
  },
  {
    does: 'asks for prices with slashes in dates',
    wanted: ['requests.dates'],
    plant: onPath(isPrice, /Date=(\d\d)-(\d\d)-(\d{4})&toDate=(\d\d)-(\d\d)-(\d{4})/, 'Date=$1/$2/$3&toDate=$4/$5/$6'),
  },
  {
    does: 'books with the T of the tee sheet',
    wanted: ['requests.dates'],
    plant: onBookings((one) => ({ ...one, teetime: one.teetime.replace(' ', 'T') })),
  },
  {
    does: 'books without the seconds of a tee time',
    wanted: ['requests.dates'],
    plant: onBookings((one) => ({ ...one, teetime: one.teetime.slice(0, 16) })),
  },
  {
    does: 'sends the number of players as text',
    wanted: ['requests.documented-body'],
    plant: onBookings((one) => ({ ...one, players: `${one.players}` })),
  },
  {
    does: 'books without a phone number',
    wanted: ['requests.documented-body'],
    plant: onBookings(without('contactPhone')),
  },
  {
    does: 'books without a product in v5',
    wanted: ['requests.documented-body'],
    plant: onBookings(without('productId'), isBooking),
  },
  {
    does: 'misspells a field of bookings',
    wanted: ['requests.documented-body'],
    plant: onBookings(({ teetime, ...one }) => ({ ...one, teeTime: teetime })),
  },
  {
    does: 'sends the refresh token under another name',
    wanted: ['requests.documented-body'],
    plant: (client) => rewrite(client, isToken, (_, body) => ({ body: { refreshToken: body.refresh_token } })),
  },
  {
    does: 'asks for tee sheets without a number of players',
    wanted: ['requests.documented-parameters'],
    plant: onPath(isSheet, /&players=\d/, ''),
  },
  {
    does: 'asks for rounds of 27 holes',
    wanted: ['requests.documented-parameters'],
    plant: onPath(isSheet, /holes=\d+/, 'holes=27'),
  },
  {
    does: 'misspells a parameter of tee sheets',
    wanted: ['requests.documented-parameters'],
    plant: onPath(isSheet, /bookingDate=/, 'bookingdate='),
  },
  {
    does: 'sorts tee sheets by a parameter that is not there',
    wanted: ['requests.documented-parameters'],
    plant: onPath(isSheet, /$/, '&sort=price'),
  },
  {
    does: 'repeats facilityIds in place of a list with commas',
    wanted: ['requests.documented-parameters'],
    plant: (client) =>
      rewrite(client, isPrice, (path) => ({
        path: path.replace(/facilityIds=([\d,]+)/, (_, ids: string) =>
          ids
            .split(',')
            .map((id) => `facilityIds=${id}`)
            .join('&'),
        ),
      })),
  },
];

/** For clients that read countries and book in v2. */
export const ofOlderVersions: readonly ClientDefect[] = [
  {
    does: 'books in v2 with the course of v5',
    wanted: ['requests.documented-body'],
    plant: onBookings(({ round, ...one }) => ({ ...one, course: round }), /\/v2\/bookings$/),
  },
  {
    does: 'asks for countries in a version that does not have them',
    wanted: ['requests.documented-paths'],
    plant: onPath(/countries/, /v3/, 'v5'),
  },
];

/** For clients that list their bookings and book in v3. */
export const ofLists: readonly ClientDefect[] = [
  {
    does: 'leaves the net rate out of v3 bulk bookings',
    wanted: ['requests.documented-body'],
    plant: onBookings(without('netRate'), /bulkbookings$/),
  },
  {
    does: 'reads its list of bookings without a version',
    wanted: ['requests.documented-paths'],
    plant: onPath(/v4\/bookings$/, /v4\//, ''),
  },
];

export const ofTokens: readonly ClientDefect[] = [
  {
    does: 'refreshes before each call',
    wanted: ['tokens.not-each-call'],
    plant(client) {
      const call = client.call.bind(client);
      client.call = async (...request) => {
        await client.renew();
        return call(...request);
      };
    },
  },
  {
    does: 'refreshes with its first refresh token each time',
    wanted: ['tokens.newest', 'tokens.no-reuse'],
    exam: 'token-expired',
    plant(client) {
      const renew = client.renew.bind(client);
      client.renew = () => renew().finally(() => (client.tokens.refresh = client.settings.refreshToken));
    },
  },
  {
    does: 'never refreshes again',
    wanted: ['tokens.on-expiry'],
    exam: 'token-expired',
    plant(client) {
      client.call = async (method, path, body) => {
        if (client.tokens.access === undefined) await client.renew();
        return client.raw(method, path, body, { authorization: `Bearer ${client.tokens.access}` });
      };
    },
  },
  {
    does: 'goes on with the expired token after a refresh',
    wanted: ['tokens.on-expiry'],
    exam: 'token-expired',
    plant(client) {
      const renew = client.renew.bind(client);
      client.renew = async () => {
        const { access } = client.tokens;
        await renew();
        if (access !== undefined) client.tokens.access = access;
      };
    },
  },
];

/** For clients that send calls at the same time. */
export const ofTokensAtOnce: readonly ClientDefect[] = [
  {
    does: 'refreshes for each of several calls at the same time',
    wanted: ['tokens.one-at-a-time'],
    exam: 'token-expired',
    plant(client) {
      const renew = client.renew.bind(client);
      client.renew = () => {
        client.tokens.renewing = undefined;
        return renew();
      };
    },
  },
];

export const ofTeeTimes: readonly ClientDefect[] = [
  {
    does: 'sends tee times in UTC',
    wanted: ['bookings.current-tee-sheet'],
    plant: onBookings((one) => {
      const time = new Date(Date.parse(`${one.teetime.replace(' ', 'T')}Z`) - 7_200_000).toISOString();
      return { ...one, teetime: time.slice(0, 19).replace('T', ' ') };
    }),
  },
  {
    does: 'sends the name of the course in capitals',
    wanted: ['bookings.current-tee-sheet'],
    plant: onBookings((one) => ({ ...one, ...(one.course ? { course: one.course.toUpperCase() } : {}) })),
  },
  {
    does: 'books nine holes where it was shown eighteen',
    wanted: ['bookings.current-tee-sheet'],
    plant: onBookings((one) => (one.linkedTeeTimeRef ? one : { ...one, holes: 27 - one.holes })),
  },
  {
    does: 'books a product that it has from its own settings',
    wanted: ['bookings.current-tee-sheet'],
    plant: onBookings((one) => (one.linkedTeeTimeRef ? one : { ...one, productId: 77 }), isBooking),
  },
  {
    does: 'books the position of a tee time in the list in place of its id',
    wanted: ['bookings.current-tee-sheet'],
    plant: onBookings((one) => ({ ...one, teeId: one.teeId % 50 })),
  },
];

/** For clients that book two rounds as one product. */
export const ofRounds: readonly ClientDefect[] = [
  {
    does: 'books two rounds without a reference',
    wanted: ['bookings.linked.ref'],
    plant: onBookings(without('linkedTeeTimeRef'), isBooking),
  },
  {
    does: 'makes a reference up that is no UUID',
    wanted: ['bookings.linked.ref'],
    plant: onBookings((one) => (one.linkedTeeTimeRef ? { ...one, linkedTeeTimeRef: 'rounds-17' } : one), isBooking),
  },
  {
    does: 'gives each round a reference of its own',
    wanted: ['bookings.linked.shared-ref'],
    plant: onBookings(
      (one) =>
        one.linkedTeeTimeRef
          ? { ...one, linkedTeeTimeRef: `8a0c0d5e-52a1-4f0e-8b1c-${`${one.teeId}`.padStart(12, '0').slice(-12)}` }
          : one,
      isBooking,
    ),
  },
  {
    does: 'books the second round for fewer players',
    wanted: ['bookings.linked.players'],
    plant: (client) =>
      rewrite(client, isBooking, (_, body) =>
        Array.isArray(body) ? { body: [body[0], { ...body[1], players: 1 }] } : {},
      ),
  },
  {
    does: 'books the same tee time as both rounds',
    wanted: ['bookings.linked.holes'],
    plant: (client) =>
      rewrite(client, isBooking, (_, body) => (Array.isArray(body) ? { body: [body[0], body[0]] } : {})),
  },
];

/** A reply that the client cannot use throws, as it does in a strict decoder. */
const strictly =
  (refuses: (text: string, status: number) => boolean) =>
  (client: GolfClient): void => {
    const raw = client.raw.bind(client);
    client.raw = async (...request) => {
      const reply = await raw(...request);
      if (reply.status < 300 && refuses(JSON.stringify(reply.body), reply.status)) throw new Error('unexpected answer');
      return reply;
    };
  };

export const ofForms: readonly ClientDefect[] = [
  {
    does: 'refuses fields that it does not know',
    wanted: ['robust.unknown-fields'],
    exam: 'unknown-fields',
    plant: strictly((text) => text.includes('addedLater')),
  },
  {
    does: 'takes 200 alone for a success',
    wanted: ['robust.lawful-forms'],
    exam: 'other-success',
    plant: strictly((_, status) => status !== 200),
  },
  {
    does: 'sends names in another encoding',
    wanted: ['robust.non-ascii'],
    exam: 'non-ascii',
    plant: onBookings((one) =>
      one.course ? { ...one, course: Buffer.from(one.course as string).toString('latin1') } : one,
    ),
  },
];

/** For clients that read facilities. */
export const ofFacilities: readonly ClientDefect[] = [
  {
    does: 'cannot read texts that are null',
    wanted: ['robust.null-optionals'],
    exam: 'null-optionals',
    plant: strictly((text) => /"(addition|phoneNumber|address1|state|course)":null/.test(text)),
  },
  {
    does: 'needs each field of an address',
    wanted: ['robust.lawful-forms'],
    exam: 'absent-optionals',
    plant: strictly((text) => /"address":/.test(text) && !/"address":\{[^}]*"addition"/.test(text)),
  },
  {
    does: 'takes the first picture of a facility for granted',
    wanted: ['robust.empty-lists'],
    exam: 'empty-extras',
    plant: strictly((text) => /"images":\[\]/.test(text)),
  },
];

/** For clients that search with a callback. */
export const ofSearches: readonly ClientDefect[] = [
  {
    does: 'searches with slashes in dates',
    wanted: ['requests.dates'],
    plant: onPath(isSearch, /fromDate=(\d\d)-(\d\d)-(\d{4})/, 'fromDate=$1/$2/$3'),
  },
  {
    does: 'searches without a number of players',
    wanted: ['requests.documented-parameters'],
    plant: onPath(isSearch, /&players=\d/, ''),
  },
  {
    does: 'misspells the address of results',
    wanted: ['requests.documented-parameters'],
    plant: onPath(isSearch, /callbackUrl=/, 'callbackURL='),
  },
  {
    does: 'searches for eight players',
    wanted: ['requests.documented-parameters'],
    plant: onPath(isSearch, /players=\d/, 'players=8'),
  },
  {
    does: 'sends its token in the query of searches',
    wanted: ['requests.no-secret-in-url'],
    plant: (client) => rewrite(client, isSearch, (path) => ({ path: `${path}&token=${client.tokens.access}` })),
  },
  {
    does: 'searches in a version that does not have it',
    wanted: ['requests.documented-paths'],
    plant: onPath(isSearch, /v5/, 'v6'),
  },
];

/** A helper around the client that sends a request again at once. */
const repeating =
  (method: string, path: RegExp, times: number, repeats: (reply: Reply | undefined) => boolean) =>
  (client: GolfClient): void => {
    const raw = client.raw.bind(client);
    client.raw = async (own, ...request) => {
      if (own !== method || !path.test(request[0])) return raw(own, ...request);
      for (let left = times; left > 0; left -= 1) {
        const reply = await raw(own, ...request).catch(() => undefined);
        if (reply && !repeats(reply)) return reply;
      }
      return raw(own, ...request);
    };
  };

const isLost = (reply: Reply | undefined): boolean => reply === undefined || reply.status >= 500;
const blindly = repeating('POST', /bookings$/, 1, isLost);
const insisting = (words: RegExp) =>
  repeating('POST', /bookings$/, 11, (reply) => words.test(JSON.stringify(reply?.body ?? '')));

const lost: readonly ObligationId[] = ['bookings.looks-before-retry', 'bookings.one-for-one-wish'];

/**
 * Books again where nobody should.
 *
 * @param blindly How a program does that once, without a look whether the first attempt has booked.
 * @param insisting How it does that again and again, after an answer with these words.
 */
export function ofBookingAgain<Program>(
  blindly: (program: Program) => void,
  insisting: (words: RegExp) => (program: Program) => void,
): readonly Defect<Program>[] {
  return [
    ...['booking-answer-lost', 'booking-timeout', 'booking-server-error', 'booking-malformed', 'booking-truncated'].map(
      (exam) => ({ does: `books again blindly in the exam ${exam}`, wanted: lost, exam, plant: blindly }),
    ),
    {
      does: 'books again blindly what never arrived',
      wanted: ['bookings.looks-before-retry'],
      exam: 'booking-unreachable',
      plant: blindly,
    },
    {
      does: 'insists while the tee sheet does not respond',
      wanted: ['failures.tee-sheet-unresponsive', 'limits.backs-off'],
      exam: 'tee-sheet-unresponsive-persistent',
      plant: insisting(/unresponsive/),
    },
    {
      does: 'insists while bookings fail',
      wanted: ['failures.creation', 'limits.backs-off'],
      exam: 'booking-failed-persistent',
      plant: insisting(/creation has failed/i),
    },
    {
      does: 'insists while the first payment step fails',
      wanted: ['failures.payment-pi', 'limits.backs-off'],
      exam: 'payment-pi-failed-persistent',
      plant: insisting(/PI/),
    },
    {
      does: 'insists while the second payment step fails',
      wanted: ['failures.payment-pv', 'limits.backs-off'],
      exam: 'payment-pv-failed-persistent',
      plant: insisting(/PV/),
    },
    {
      does: 'insists while bookings cannot be processed',
      wanted: ['failures.unprocessable', 'limits.backs-off'],
      exam: 'unprocessable-persistent',
      plant: insisting(/processed/),
    },
    {
      does: 'books again after a failed transfer',
      wanted: ['failures.transfer'],
      exam: 'transfer-failed',
      plant: insisting(/transfer/),
    },
    {
      does: 'books the same again after a cart problem',
      wanted: ['failures.cart'],
      exam: 'cart-problem',
      plant: insisting(/cart/),
    },
  ];
}

/** For clients that do not send anything again themselves. */
export const ofRetries: readonly ClientDefect[] = [
  ...ofBookingAgain(blindly, insisting),
  {
    does: 'does not wait as long as it is asked to',
    wanted: ['limits.retry-after'],
    exam: 'rate-limited-at-booking',
    plant: repeating('POST', /bookings$/, 2, (reply) => reply?.status === 429),
  },
  {
    does: 'repeats reads at once',
    wanted: ['limits.backs-off'],
    exam: 'long-outage',
    plant: repeating('GET', /./, 7, isLost),
  },
];
