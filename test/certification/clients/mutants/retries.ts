import { oneRounds } from '../partner/shop-day.js';
import { breaking, type ClientMutant, type Mutated } from './mutant.js';

/** What makes a client book blindly: nothing is looked up, and the same wishes are sent again. */
function retriesBlindly({ partner: { bookings } }: Mutated): void {
  bookings.madeAllTheSame = async () => [];
  bookings.afterFailure = async (_error, last) => last;
}

/** Finds in the list what was made, and does not make use of it. */
function looksInVain({ partner: { bookings } }: Mutated): void {
  const look = bookings.madeAllTheSame.bind(bookings);
  bookings.madeAllTheSame = async (error, wishes) => {
    await look(error, wishes);
    return [];
  };
  bookings.afterFailure = async (_error, last) => last;
}

/** Books where there is room for a second booking. */
function choosesRoomy({ day }: Mutated): void {
  const sell = day.sell.bind(day);
  day.sell = (way, count, guest, reader, choose = oneRounds) =>
    sell(way, count, guest, reader, (offers, most) =>
      choose(
        offers.filter(({ available }) => available === 4),
        most,
      ),
    );
}

export const retryMutants: readonly ClientMutant[] = [
  ...breaking('bookings.looks-before-retry', [
    {
      name: 'retries-lost-booking',
      does: 'It sends a booking again when its answer was lost, without a look into the list.',
      exams: ['booking-unreachable'],
      plant: retriesBlindly,
    },
    {
      name: 'looks-at-another-day',
      does: 'It looks into the list of a day on which it did not book.',
      exams: ['booking-unreachable'],
      plant(mutated) {
        const { bookings } = mutated.partner;
        bookings.afterFailure = async (_error, last) => last;
        const list = bookings.list.bind(bookings);
        bookings.list = () => list('2027-01-01', '2027-01-02');
      },
    },
    {
      name: 'resends-every-request',
      does: 'Its HTTP library repeats every request without an answer, also a booking.',
      exams: ['booking-unreachable'],
      plant({ partner: { transport } }) {
        transport.isRepeatable = ({ url }) => !url.includes('/payment/');
      },
    },
  ]),
  ...breaking('bookings.one-for-one-wish', [
    {
      name: 'books-again-what-is-listed',
      does: 'After a lost answer it finds its booking in the list, and books again all the same.',
      exams: ['booking-answer-lost'],
      plant: looksInVain,
    },
    {
      name: 'books-again-what-is-listed-after-a-search',
      does: 'After a lost answer it finds its booking in the list, reads the tee times again, and books the same.',
      exams: ['booking-answer-lost'],
      plant(mutated) {
        looksInVain(mutated);
        mutated.partner.bookings.afterFailure = async (_error, last, anew) => {
          await anew();
          return last;
        };
      },
    },
    {
      name: 'books-again-after-lost-answer',
      does: 'It books again when the answer was lost after the booking was made.',
      also: { 'bookings.looks-before-retry': 'it did not look' },
      exams: ['booking-answer-lost'],
      plant: retriesBlindly,
    },
    {
      name: 'books-again-after-server-error',
      does: 'It books again when the service answered with an error of its own.',
      also: { 'bookings.looks-before-retry': 'it did not look' },
      exams: ['booking-server-error'],
      plant: retriesBlindly,
    },
    {
      name: 'books-again-after-broken-json',
      does: 'It books again when it could not read the answer.',
      also: { 'bookings.looks-before-retry': 'it did not look' },
      exams: ['booking-malformed'],
      plant: retriesBlindly,
    },
    {
      name: 'books-whole-group-again',
      does: 'It books a whole group again of which a part was made, as it has seen in the list.',
      exams: ['group-partly-made'],
      plant(mutated) {
        choosesRoomy(mutated);
        looksInVain(mutated);
      },
    },
    {
      name: 'books-again-after-timeout',
      does: 'It books again when no answer came in time.',
      also: { 'bookings.looks-before-retry': 'it did not look' },
      exams: ['booking-timeout'],
      plant: retriesBlindly,
    },
  ]),
];
