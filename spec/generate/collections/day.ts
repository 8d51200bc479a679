import type { Folder, Request } from './model.js';
import { keepTokens } from './scripts.js';

const ok = { status: 200, success: true };
const read = { method: 'GET', query: [], auth: true, wanted: ok, scenario: 'server-error' } as const;

const booking = `{
  "facilityId": {{offerFacilityId}},
  "teetime": "{{offerTeetime}}",
  "course": "{{offerCourse}}",
  "players": {{players}},
  "teeId": {{offerTeeId}},
  "holes": {{offerHoles}},
  "productId": {{offerProductId}},
  "contactFirstName": "Ada",
  "contactLastName": "Lovelace",
  "contactPhone": "+31 20 555 0100",
  "contactEmail": "ada@partner.example"
}`;

const search: readonly Request[] = [
  {
    ...read,
    name: '1 Trade the refresh token',
    description:
      'A refresh token works once. The new one is kept in the environment. All other requests do this by themselves when the access token is missing or expires.',
    method: 'POST',
    path: '/api/v5/token/refreshToken',
    body: '{ "refresh_token": "{{refreshToken}}" }',
    auth: false,
    scenario: 'rate-limited',
    after: keepTokens,
  },
  {
    ...read,
    name: '2 List the countries',
    description: 'The countries of the facilities that are connected to the channel.',
    path: '/api/v3/countries',
    query: [['connected', 'true']],
    after: `if (body.success && !body.data.includes(get('country'))) set('country', body.data[0]);`,
  },
  {
    ...read,
    name: '3 List the facilities',
    description: 'The connected facilities of the country. The next requests ask for the first five.',
    path: '/api/v3/facilities',
    query: [
      ['country', '{{country}}'],
      ['connected', 'true'],
    ],
    after: `if (body.success) set('offerFacilityIds', body.data.slice(0, 5).map(({ id }) => id).join(','));`,
  },
  {
    ...read,
    name: '4 List the prices',
    description: 'The prices of the week that begins in three weeks. The first day with room for all players is taken.',
    path: '/api/v5/price/insideDateRange',
    query: [
      ['facilityIds', '{{offerFacilityIds}}'],
      ['fromDate', '{{offerFrom}}'],
      ['toDate', '{{offerTo}}'],
    ],
    before: `const day = (days) => new Date(Date.now() + days * 86400000).toISOString().slice(0, 10).split('-').reverse().join('-');
set('offerFrom', day(21));
set('offerTo', day(27));`,
    after: `const players = Number(get('players'));
const free = (record) => record.availability.some(({ available }) => available >= players);
const offers = body.success ? body.data.records.filter(free) : [];
const offer = offers.find(({ productName }) => productName.includes(\`\${get('holes')} holes\`)) || offers[0];
if (offer) {
  set('offerFacilityId', offer.facilityId);
  set('offerCourseId', offer.courseId);
  set('offerDate', offer.date.split('-').reverse().join('-'));
}`,
  },
];

const book: readonly Request[] = [
  {
    ...read,
    name: '5 List the tee times',
    description: 'The tee times of that course on that day. The first one is taken.',
    path: '/api/v5/teetimes/{{offerFacilityId}}/{{offerCourseId}}',
    query: [
      ['bookingDate', '{{offerDate}}'],
      ['players', '{{players}}'],
      ['holes', '{{holes}}'],
    ],
    after: `const players = Number(get('players'));
const sold = (teeTime) => teeTime.products.find(({ available }) => available >= players);
const teeTime = body.success && body.data.teeTimeV3.find(sold);
if (teeTime) {
  set('offerTeeId', teeTime.teeid);
  set('offerTeetime', teeTime.time.replace('T', ' '));
  set('offerCourse', teeTime.course);
  set('offerHoles', teeTime.holes);
  set('offerProductId', sold(teeTime).mid);
}`,
  },
  {
    ...read,
    name: '6 Book',
    description: 'Books the tee time. Its slots are taken in every version of the API.',
    method: 'POST',
    path: '/api/v5/bookings',
    body: booking,
    scenario: 'payment-pi-failed; phase=after-commit',
    after: `if (body.success) set('offerBookingId', body.data.bookingId);`,
  },
  {
    ...read,
    name: '7 List the bookings',
    description: 'The bookings of the channel from today on.',
    path: '/api/v4/bookings',
    after: `check('the booking is in the list', () => {
  const booking = body.data.find(({ bookingId }) => bookingId === get('offerBookingId'));
  expect(booking && booking.status).to.equal('BOOKED');
});`,
  },
  {
    ...read,
    name: '8 Confirm the payment',
    description: 'Version 4 confirms payments. In version 5 this is paused.',
    method: 'POST',
    path: '/api/v4/bookings/payment/{{offerBookingId}}',
  },
];

/** The sandbox has an inbox, and no deployment has one. */
const ownInbox = {
  path: '/__admin/inbox/collections',
  auth: false,
  wanted: { status: 200 },
  before: `if (!(get('callbackUrl') || '').endsWith('/__admin/inbox/collections')) skip();`,
} as const;

const later: readonly Request[] = [
  {
    ...read,
    ...ownInbox,
    name: '9 Empty the inbox',
    description:
      'Drops the results of earlier days: Bruno cannot test an answer of a megabyte. No deployment has an inbox, so this is skipped there.',
    method: 'DELETE',
  },
  {
    ...read,
    name: '10 Search several facilities',
    description: 'Answers at once and without data. The result is posted to `callbackUrl`.',
    path: '/api/v5/teetimes',
    query: [
      ['facilityIds', '{{offerFacilityIds}}'],
      ['fromDate', '{{offerDate}}'],
      ['toDate', '{{offerDate}}'],
      ['players', '{{players}}'],
      ['holes', '{{holes}}'],
      ['callbackUrl', '{{callbackUrl}}'],
    ],
    scenario: 'callback-never',
    before: `if (!get('callbackUrl')) skip();`,
  },
  {
    ...read,
    ...ownInbox,
    name: '11 Read the callback',
    description:
      'The inbox of the sandbox has the result of the search. No deployment has an inbox, so this is skipped there.',
    before: `${ownInbox.before}
wait(500); // The result follows the answer of the search.`,
    after: `check('the result was posted', () => expect(body.messages.length).to.be.above(0));`,
  },
];

/** A day of a partner, from the token to the callback. Each request uses what the ones before it found. */
export const day: Folder = {
  name: "A partner's day",
  description: 'Send these requests in their order, or run the folder. Each one uses what the ones before it found.',
  requests: [...search, ...book, ...later],
};
