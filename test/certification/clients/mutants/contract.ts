import { basicCredentials } from '../../../../src/engine/model/world.js';
import { breaking, type ClientMutant, rewriteBody, rewriteUrl } from './mutant.js';

const exams = ['happy-day'];

const isoQuery = (url: URL): void => {
  for (const [name, value] of Object.entries(Object.fromEntries(url.searchParams))) {
    if (/^\d\d-\d\d-\d{4}$/.test(value)) url.searchParams.set(name, value.split('-').reverse().join('-'));
  }
};

export const contractMutants: readonly ClientMutant[] = [
  ...breaking('requests.no-secret-in-url', [
    {
      name: 'token-in-query',
      does: 'It sends its access token in the query of the lists.',
      exams,
      plant: (mutated) =>
        rewriteUrl(mutated, /\/v4\/bookings(\?|$)/, (url) =>
          url.searchParams.set('access_token', mutated.partner.transport.tokens.access!),
        ),
    },
  ]),
  ...breaking('requests.dates', [
    {
      name: 'iso-dates-for-tee-sheets',
      does: 'It asks for tee sheets with dates as yyyy-mm-dd.',
      exams,
      plant: (mutated) => rewriteUrl(mutated, /\/api\/v[2-5]\/teetimes\/\d/, isoQuery),
    },
    {
      name: 'iso-dates-for-prices',
      does: 'It asks for prices with dates as yyyy-mm-dd.',
      exams,
      plant: (mutated) => rewriteUrl(mutated, /insideDateRange/, isoQuery),
    },
    {
      name: 'iso-time-in-bookings',
      does: 'It books with the time as the tee sheet writes it, with a T.',
      exams,
      plant: (mutated) =>
        rewriteBody(mutated, /bookings$/, (text) => text.replaceAll(/("teetime":"[-\d]{10}) /g, '$1T')),
    },
  ]),
  ...breaking('requests.documented-paths', [
    {
      name: 'asks-for-one-booking',
      does: 'It reads each booking of its own from a path that the API specification does not have.',
      exams,
      plant({ partner: { transport, payments } }) {
        const pay = payments.payOne.bind(payments);
        payments.payOne = async (id, version) => {
          await transport.send(new Request(`${transport.account.baseUrl}/api/v4/bookings/${id}`));
          await pay(id, version);
        };
      },
    },
  ]),
  ...breaking('requests.documented-parameters', [
    {
      name: 'sorts-tee-sheets',
      does: 'It adds `sort=price` to requests for tee sheets.',
      exams,
      plant: (mutated) => rewriteUrl(mutated, /\/v[45]\/teetimes\/\d/, (url) => url.searchParams.set('sort', 'price')),
    },
    {
      name: 'players-out-of-range',
      does: 'It asks for tee times for a group of five.',
      exams,
      plant: (mutated) => rewriteUrl(mutated, /\/v[45]\/teetimes\/\d/, (url) => url.searchParams.set('players', '5')),
    },
  ]),
  ...breaking('requests.documented-body', [
    {
      name: 'sends-players-as-text',
      does: 'It sends the number of players as a string.',
      exams,
      plant: (mutated) =>
        rewriteBody(mutated, /\/v5\/bookings$/, (text) => text.replaceAll(/"players":(\d)/g, '"players":"$1"')),
    },
    {
      name: 'omits-phone',
      does: 'It books without the phone number of the contact.',
      exams,
      plant: (mutated) =>
        rewriteBody(mutated, /\/v5\/bookings$/, (text) => text.replaceAll(/"contactPhone":"[^"]*",/g, '')),
    },
  ]),
  ...breaking('requests.facility-ids-at-most-five', [
    {
      name: 'asks-prices-of-six',
      does: 'It asks for the prices of six facilities in one request.',
      exams,
      plant({ partner: { catalogue }, day }) {
        catalogue.perRequest = () => 6;
        day.showPrices = async () => {
          const others = (await catalogue.clubs('United Kingdom')).slice(0, 6).map(({ id }) => id);
          await catalogue.prices(others, day.first, 2);
        };
      },
    },
  ]),
  ...breaking('channel.one', [
    {
      name: 'lists-as-another-channel',
      does: 'It lists its bookings with the credentials of another channel.',
      exams,
      plant: (mutated) => {
        const { transport } = mutated.partner;
        const authorize = transport.authorize.bind(transport);
        transport.authorize = async (request) => {
          const token = await authorize(request);
          if (!/\/v1\/bookings(\?|$)/.test(request.url)) return token;
          request.headers.set('authorization', basicCredentials(mutated.second));
          return undefined;
        };
      },
    },
  ]),
];
