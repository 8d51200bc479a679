import { breaking, type ClientMutant, rewrite } from './mutant.js';

const exams = ['happy-day'];

export const requestMutants: readonly ClientMutant[] = [
  ...breaking('requests.content-type', [
    {
      name: 'sends-text',
      does: 'It sends bookings as `text/plain`.',
      exams,
      plant: (mutated) =>
        rewrite(mutated, /bookings$/, async (request) => {
          if (request.method === 'POST') request.headers.set('content-type', 'text/plain');
          return request;
        }),
    },
  ]),
  ...breaking('requests.no-secret-in-url', [
    {
      name: 'token-in-callback-url',
      does: 'It puts its access token into the address of its receiver, to know its own results.',
      exams,
      plant({ partner: { search, transport } }) {
        const { receiver } = search;
        const addressOf = receiver.addressOf.bind(receiver);
        receiver.addressOf = (id) => `${addressOf(id)}&access=${transport.tokens.access}`;
      },
    },
  ]),
];
