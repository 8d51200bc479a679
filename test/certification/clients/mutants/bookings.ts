import { oneRounds } from '../partner/shop-day.js';
import type { Offer } from '../partner/tee-sheets.js';
import type { Wish } from '../partner/wishes.js';
import { breaking, type ClientMutant, type Mutated, rewriteWishes } from './mutant.js';

const exams = ['happy-day'];

const withOffer = (wish: Wish, changes: Partial<Offer>): Wish => ({ ...wish, offer: { ...wish.offer, ...changes } });

function later(time: string): string {
  return new Date(Date.parse(`${time}Z`) + 600_000).toISOString().slice(0, 19);
}

/** Reads the tee sheets again after a failure, and books what it had before. */
function readsInVain({ partner: { bookings } }: Mutated): void {
  bookings.afterFailure = async (_error, last, anew) => {
    await anew();
    return last;
  };
}

export const bookingMutants: readonly ClientMutant[] = [
  ...breaking('bookings.current-tee-sheet', [
    {
      name: 'books-withdrawn-tee-time',
      does: 'After a cart problem it reads the tee sheet again, and books a tee time that has gone from it.',
      exams: ['tee-time-withdrawn'],
      plant: readsInVain,
    },
    {
      name: 'invents-tee-time',
      does: 'It counts up the identifier of a tee time, in the hope that the next one is free as well.',
      exams,
      plant: (mutated) => rewriteWishes(mutated, (wish) => withOffer(wish, { teeId: wish.offer.teeId + 1_000_003 })),
    },
    {
      name: 'moves-tee-time',
      does: 'It books ten minutes after the tee time.',
      exams,
      plant: (mutated) => rewriteWishes(mutated, (wish) => withOffer(wish, { time: later(wish.offer.time) })),
    },
    {
      name: 'books-other-product',
      does: 'It books a product that the tee time does not sell.',
      exams,
      plant: (mutated) =>
        rewriteWishes(mutated, (wish) => {
          const { product } = wish.offer;
          return product && !wish.linkedTeeTimeRef ? withOffer(wish, { product: { ...product, id: 1 } }) : wish;
        }),
    },
    {
      name: 'mixes-up-holes',
      does: 'It books nine holes where the tee time has eighteen, and the other way round.',
      exams,
      plant: (mutated) =>
        rewriteWishes(mutated, (wish) =>
          wish.linkedTeeTimeRef ? wish : withOffer(wish, { holes: wish.offer.holes === 9 ? 18 : 9 }),
        ),
    },
  ]),
  ...breaking('bookings.price', [
    {
      name: 'keeps-old-price',
      does: 'After a cart problem it reads the tee sheet again, and books at the price that it had before.',
      exams: ['price-changed-checked'],
      plant: readsInVain,
    },
    {
      name: 'counts-in-hundredths',
      does: 'It takes each currency for one of two decimals, and turns yen that it counts as hundredths into a hundredth of them.',
      exams: ['no-decimals'],
      // Only where no amount has decimals are they taken for hundredths.
      plant: (mutated) =>
        rewriteWishes(mutated, (wish) => {
          const { netRate = 0 } = wish.offer;
          return Number.isInteger(netRate) && netRate > 1000 ? withOffer(wish, { netRate: netRate / 100 }) : wish;
        }),
    },
    {
      name: 'adds-its-margin',
      does: 'It sends its own price to the facility, and not the net rate.',
      exams,
      plant: (mutated) =>
        rewriteWishes(mutated, (wish) => withOffer(wish, { netRate: (wish.offer.netRate ?? 0) + 7.5 })),
    },
  ]),
  ...breaking('bookings.players-available', [
    {
      name: 'overbooks',
      does: 'It books for four players where fewer slots are free.',
      exams,
      plant({ day }) {
        const sell = day.sell.bind(day);
        day.sell = (way, count, guest, reader, choose = oneRounds) => {
          const few: typeof choose = (offers, most) =>
            choose(
              offers.filter(({ available }) => available < 4),
              most,
            );
          return sell(way, count, guest, reader, guest === 0 ? few : choose);
        };
        const wishFor = day.wishFor.bind(day);
        day.wishFor = (offer, guest) => {
          const { netRate: _, ...unpriced } = offer;
          return guest === 0 ? { ...wishFor(unpriced, guest), players: 4 } : wishFor(offer, guest);
        };
      },
    },
  ]),
];
