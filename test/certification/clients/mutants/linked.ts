import { coveredBy, type Offer } from '../partner/tee-sheets.js';
import type { Wish } from '../partner/wishes.js';
import { breaking, type ClientMutant, type Mutated, rewriteWishes } from './mutant.js';

const exams = ['happy-day'];

/** Lets every round of a linked product go out changed. */
function rewriteRounds(mutated: Mutated, edit: (wish: Wish, at: number) => Wish): void {
  rewriteWishes(mutated, (wish, at) => (wish.linkedTeeTimeRef === undefined ? wish : edit(wish, at)));
}

export const linkedMutants: readonly ClientMutant[] = [
  ...breaking('bookings.linked.ref', [
    {
      name: 'links-without-reference',
      does: 'It books the rounds of a linked product without a reference.',
      exams,
      plant: (mutated) =>
        rewriteRounds(mutated, (wish) => {
          const { linkedTeeTimeRef: _, ...unlinked } = wish;
          return unlinked;
        }),
    },
  ]),
  ...breaking('bookings.linked.shared-ref', [
    {
      name: 'links-with-two-references',
      does: 'It gives each round of a linked product a reference of its own.',
      exams,
      plant: (mutated) =>
        rewriteRounds(mutated, (wish) => ({ ...wish, linkedTeeTimeRef: mutated.partner.host.newId() })),
    },
  ]),
  ...breaking('bookings.linked.one-product', [
    {
      name: 'links-two-products',
      does: 'It books another green fee for the second round.',
      exams,
      plant(mutated) {
        const { sheets } = mutated.partner;
        const seen = new Map<number, Offer>();
        const offers = sheets.offers.bind(sheets);
        sheets.offers = async (query) => {
          const all = await offers(query);
          for (const offer of all) if (coveredBy(offer) === offer.holes) seen.set(offer.teeId, offer);
          return all;
        };
        rewriteRounds(mutated, (wish, at) => {
          const other = seen.get(wish.offer.teeId);
          return at === 0 || !other ? wish : { ...wish, offer: other };
        });
      },
    },
  ]),
  ...breaking('bookings.linked.players', [
    {
      name: 'links-fewer-players',
      does: 'It books the second round for one player less.',
      exams,
      plant: (mutated) =>
        rewriteRounds(mutated, (wish, at) => {
          if (at === 0) return wish;
          const { netRate: _, ...offer } = wish.offer;
          return { ...wish, offer, players: 1 };
        }),
    },
  ]),
  ...breaking('bookings.linked.holes', [
    {
      name: 'links-one-round',
      does: 'It books only the first round of a product that covers two.',
      exams,
      plant({ partner: { bookings } }) {
        const send = bookings.send.bind(bookings);
        bookings.send = (way, wishes) => send(way, wishes[0]!.linkedTeeTimeRef ? wishes.slice(0, 1) : wishes);
      },
    },
  ]),
];
