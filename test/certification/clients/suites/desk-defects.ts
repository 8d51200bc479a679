/** Everyday defects of the library for booking desks, each forbidden by the API specification or by common sense. */
import type { ObligationId } from '../../../../src/contract/index.js';
import type { Desk } from './desk-suite.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

export interface DeskDefect {
  /** What the client does. */
  readonly does: string;
  /** The obligations that name it: the first one in any case, and the others depending on what else the tests do. */
  readonly wanted: readonly ObligationId[];
  /** The exam that shows it, besides the happy day. */
  readonly exam?: string;
  plant(desk: Desk): void;
}

/** Changes the requests of a client. */
function rewrite(
  { client }: Desk,
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

const onPath = (path: RegExp, from: RegExp, to: string) => (desk: Desk) =>
  rewrite(desk, path, (own) => ({ path: own.replace(from, to) }));

/** Changes each booking of a request. */
const onBookings =
  (edit: (booking: Json) => Json, path = /bookings$/) =>
  (desk: Desk) =>
    rewrite(desk, path, (_, body) => {
      if (body === undefined) return {};
      if (Array.isArray(body)) return { body: body.map(edit) };
      return { body: body.details ? { ...body, details: body.details.map(edit) } : edit(body) };
    });

const { entries, fromEntries } = Object;
const without = (name: string) => (booking: Json) => fromEntries(entries(booking).filter(([own]) => own !== name));

const isSheet = /\/teetimes\/\d/;
const isPrice = /\/price\//;
const isToken = /refreshToken$/;
const isBooking = /\/v5\/bookings$/;

const ofRequests: readonly DeskDefect[] = [
  {
    does: 'sends its token request as text',
    wanted: ['requests.content-type'],
    plant: (desk) => rewrite(desk, isToken, () => ({ headers: { 'content-type': 'text/plain' } })),
  },
  {
    does: 'sends bookings as a form',
    wanted: ['requests.content-type'],
    plant: (desk) =>
      rewrite(desk, isBooking, () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' } })),
  },
  {
    does: 'sends its token in the query as well',
    wanted: ['requests.no-secret-in-url'],
    plant: (desk) => rewrite(desk, isSheet, (path) => ({ path: `${path}&token=${desk.client.tokens.access}` })),
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
    does: 'books in v2 with the course of v5',
    wanted: ['requests.documented-body'],
    plant: onBookings(({ round, ...one }) => ({ ...one, course: round }), /\/v2\/bookings$/),
  },
  {
    does: 'leaves the net rate out of v3 bulk bookings',
    wanted: ['requests.documented-body'],
    plant: onBookings(without('netRate'), /bulkbookings$/),
  },
  {
    does: 'sends the refresh token under another name',
    wanted: ['requests.documented-body'],
    plant: (desk) => rewrite(desk, isToken, (_, body) => ({ body: { refreshToken: body.refresh_token } })),
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
    plant: (desk) =>
      rewrite(desk, isPrice, (path) => ({
        path: path.replace(/facilityIds=([\d,]+)/, (_, ids: string) =>
          ids
            .split(',')
            .map((id) => `facilityIds=${id}`)
            .join('&'),
        ),
      })),
  },
  {
    does: 'asks for countries in a version that does not have them',
    wanted: ['requests.documented-paths'],
    plant: onPath(/countries/, /v3/, 'v5'),
  },
  {
    does: 'reads its list of bookings without a version',
    wanted: ['requests.documented-paths'],
    plant: onPath(/v4\/bookings$/, /v4\//, ''),
  },
  {
    does: 'asks for the prices of seven facilities at once',
    wanted: ['requests.facility-ids-at-most-five'],
    plant: (desk) => (desk.mostAtOnce = 7),
  },
];

const ofTokens: readonly DeskDefect[] = [
  {
    does: 'refreshes before each call',
    wanted: ['tokens.not-each-call'],
    plant({ client }) {
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
    plant({ client }) {
      const renew = client.renew.bind(client);
      client.renew = () => renew().finally(() => (client.tokens.refresh = client.settings.refreshToken));
    },
  },
  {
    does: 'never refreshes again',
    wanted: ['tokens.on-expiry'],
    exam: 'token-expired',
    plant({ client }) {
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
    plant({ client }) {
      const renew = client.renew.bind(client);
      client.renew = async () => {
        const { access } = client.tokens;
        await renew();
        if (access !== undefined) client.tokens.access = access;
      };
    },
  },
  {
    does: 'refreshes for each of several calls at the same time',
    wanted: ['tokens.one-at-a-time'],
    exam: 'token-expired',
    plant({ client }) {
      const renew = client.renew.bind(client);
      client.renew = () => {
        client.tokens.renewing = undefined;
        return renew();
      };
    },
  },
];

const ofBookings: readonly DeskDefect[] = [
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
  {
    does: 'sends what the customer pays as net rate',
    wanted: ['bookings.price'],
    plant: (desk) => {
      desk.rateOf = ({ pricing }, players) =>
        pricing.find(({ quantity }: Json) => quantity === players).publicRate.amount + 1;
    },
  },
  {
    does: 'leaves the extras out of the net rate',
    wanted: ['bookings.price'],
    plant: (desk) => {
      const rateOf = desk.rateOf.bind(desk);
      desk.rateOf = (product, players) => rateOf(product, players, []);
    },
  },
  {
    does: 'sends the net rate in cents',
    wanted: ['bookings.price'],
    plant: (desk) => {
      const rateOf = desk.rateOf.bind(desk);
      desk.rateOf = (...given) => rateOf(...given) * 100;
    },
  },
  {
    does: 'books for four where fewer slots are free',
    wanted: ['bookings.players-available'],
    plant(desk) {
      const bodyOf = desk.bodyOf.bind(desk);
      desk.bodyOf = (teeTime, players, extras, product) => {
        const { netRate: _, ...body } = bodyOf(teeTime, players, extras, product);
        return { ...body, players: 4 };
      };
      const sheet = desk.sheet.bind(desk);
      desk.sheet = async (...query) =>
        (await sheet(...query)).filter(({ products }) => query[2] === 9 || products[0].available < 4);
    },
  },
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
    plant: (desk) =>
      rewrite(desk, isBooking, (_, body) =>
        Array.isArray(body) ? { body: [body[0], { ...body[1], players: 1 }] } : {},
      ),
  },
  {
    does: 'books the same tee time as both rounds',
    wanted: ['bookings.linked.holes'],
    plant: (desk) => rewrite(desk, isBooking, (_, body) => (Array.isArray(body) ? { body: [body[0], body[0]] } : {})),
  },
];

const blindly = (desk: Desk): void => {
  desk.after = (reply) => (reply === undefined || reply.status >= 500 ? 'again' : 'stop');
};
/** Sends a booking again and again after one of the documented failures. */
const insisting =
  (words: RegExp) =>
  (desk: Desk): void => {
    const after = desk.after.bind(desk);
    desk.after = (reply) => (words.test(JSON.stringify(reply?.body ?? '')) ? 'again' : after(reply));
    desk.attempts = 12;
    desk.waitAfter = () => 1;
  };

const lost: readonly ObligationId[] = ['bookings.looks-before-retry', 'bookings.one-for-one-wish'];

const ofFailures: readonly DeskDefect[] = [
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
    does: 'looks into the list, and books again all the same',
    wanted: ['bookings.one-for-one-wish'],
    exam: 'booking-answer-lost',
    plant(desk) {
      const find = desk.find.bind(desk);
      desk.find = async (body) => void (await find(body));
    },
  },
  {
    does: 'insists while the tee sheet does not respond',
    wanted: ['failures.tee-sheet-unresponsive'],
    exam: 'tee-sheet-unresponsive-persistent',
    plant: insisting(/unresponsive/),
  },
  {
    does: 'insists while bookings fail',
    wanted: ['failures.creation'],
    exam: 'booking-failed-persistent',
    plant: insisting(/creation has failed/i),
  },
  {
    does: 'insists while the first payment step fails',
    wanted: ['failures.payment-pi'],
    exam: 'payment-pi-failed-persistent',
    plant: insisting(/PI/),
  },
  {
    does: 'insists while the second payment step fails',
    wanted: ['failures.payment-pv'],
    exam: 'payment-pv-failed-persistent',
    plant: insisting(/PV/),
  },
  {
    does: 'insists while bookings cannot be processed',
    wanted: ['failures.unprocessable'],
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
  {
    does: 'does not wait as long as it is asked to',
    wanted: ['limits.retry-after'],
    exam: 'rate-limited-at-booking',
    plant: (desk) => (desk.waitAfter = () => 110),
  },
  {
    does: 'repeats reads at once',
    wanted: ['limits.backs-off'],
    exam: 'long-outage',
    plant(desk) {
      desk.attempts = 8;
      desk.waitAfter = () => 0;
    },
  },
];

const ofReads: readonly DeskDefect[] = [
  {
    does: 'reads one page of prices',
    wanted: ['paging.to-the-end'],
    exam: 'small-pages',
    plant(desk) {
      desk.pages = async (ids) => (await desk.page(ids, 0)).records;
    },
  },
  {
    does: 'counts pages in place of records',
    wanted: ['paging.to-the-end'],
    exam: 'small-pages',
    plant(desk) {
      desk.pages = async (ids) => {
        const records: Json[] = [];
        for (let page = 0, total = 1; records.length < total && page < 3; page += 1) {
          const read = await desk.page(ids, page);
          records.push(...read.records);
          total = read.total;
        }
        return records;
      };
    },
  },
  {
    does: 'adds its limit to the offset where pages are shorter',
    wanted: ['paging.to-the-end'],
    exam: 'small-pages',
    plant(desk) {
      desk.pages = async (ids) => {
        const records: Json[] = [];
        for (let offset = 0, total = 1; offset < total; offset += 20) {
          const read = await desk.page(ids, offset);
          records.push(...read.records);
          total = read.total;
        }
        return records;
      };
    },
  },
  {
    does: 'reads on behind the last page',
    wanted: ['paging.stops'],
    plant(desk) {
      const pages = desk.pages.bind(desk);
      desk.pages = async (ids) => {
        const records = await pages(ids);
        for (let page = 0; page < 5; page += 1) await desk.page(ids, records.length + page * 20);
        return records;
      };
    },
  },
  {
    does: 'confirms the payment of a tee time',
    wanted: ['payments.identifier'],
    plant(desk) {
      let teeId = 0;
      const bodyOf = desk.bodyOf.bind(desk);
      desk.bodyOf = (...given) => {
        teeId = given[0].teeid;
        return bodyOf(...given);
      };
      desk.payOne = () => desk.pay(`/api/v4/bookings/payment/${teeId}`);
    },
  },
  {
    does: 'confirms the payment of a group as that of a booking',
    wanted: ['payments.identifier'],
    plant: (desk) => (desk.payGroup = ({ groupId }) => desk.pay(`/api/v4/bookings/payment/${groupId}`)),
  },
  {
    does: 'confirms the payment of a booking that it does not have',
    wanted: ['payments.own'],
    plant: (desk) => (desk.payOne = () => desk.pay('/api/v4/bookings/payment/undefined')),
  },
];

/** A reply that the client cannot use throws, as it does in a strict decoder. */
const strictly =
  (refuses: (text: string, status: number) => boolean) =>
  ({ client }: Desk): void => {
    const raw = client.raw.bind(client);
    client.raw = async (...request) => {
      const reply = await raw(...request);
      if (reply.status < 300 && refuses(JSON.stringify(reply.body), reply.status)) throw new Error('unexpected answer');
      return reply;
    };
  };

const ofForms: readonly DeskDefect[] = [
  {
    does: 'refuses fields that it does not know',
    wanted: ['robust.unknown-fields'],
    exam: 'unknown-fields',
    plant: strictly((text) => text.includes('addedLater')),
  },
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
    does: 'takes 200 alone for a success',
    wanted: ['robust.lawful-forms'],
    exam: 'other-success',
    plant: strictly((_, status) => status !== 200),
  },
  {
    does: 'takes the first picture of a facility for granted',
    wanted: ['robust.empty-lists'],
    exam: 'empty-extras',
    plant: strictly((text) => /"images":\[\]/.test(text)),
  },
  {
    does: 'sends names in another encoding',
    wanted: ['robust.non-ascii'],
    exam: 'non-ascii',
    plant: onBookings((one) =>
      one.course ? { ...one, course: Buffer.from(one.course as string).toString('latin1') } : one,
    ),
  },
  {
    does: 'repeats without end or pause in an outage',
    wanted: ['robust.outage', 'limits.backs-off'],
    exam: 'long-outage',
    plant(desk) {
      desk.attempts = 90;
      desk.waitAfter = () => 0;
    },
  },
];

const ofCallbacks: readonly DeskDefect[] = [
  {
    does: 'answers results with an error',
    wanted: ['callbacks.answers'],
    plant(desk) {
      const take = desk.take.bind(desk);
      desk.take = (text) => (take(text), 500);
    },
  },
  {
    does: 'hangs up when it has read a result',
    wanted: ['callbacks.answers'],
    plant(desk) {
      const take = desk.take.bind(desk);
      desk.take = (text) => (take(text), 0);
    },
  },
  {
    does: 'fails at a result that it has had before',
    wanted: ['callbacks.repeated'],
    exam: 'callback-repeated',
    plant(desk) {
      const take = desk.take.bind(desk);
      desk.take = (text) => (desk.results.length > 0 ? 500 : take(text));
    },
  },
  {
    does: 'fails at a result without tee times',
    wanted: ['callbacks.empty', 'callbacks.answers'],
    exam: 'callback-empty',
    plant(desk) {
      const take = desk.take.bind(desk);
      desk.take = (text) => (/"teeTimeV3":\[\{/.test(text) ? take(text) : 500);
    },
  },
];

export const deskDefects: readonly DeskDefect[] = [
  ...ofRequests,
  ...ofTokens,
  ...ofBookings,
  ...ofFailures,
  ...ofReads,
  ...ofForms,
  ...ofCallbacks,
];
