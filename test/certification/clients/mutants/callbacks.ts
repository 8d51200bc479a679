import { foundIn } from '../partner/receiver.js';
import { oneRounds } from '../partner/shop-day.js';
import { offersOf } from '../partner/tee-sheets.js';
import { breaking, type ClientMutant, type Mutated } from './mutant.js';

/** Lets the receiver answer certain results with an error. */
function failsAt({ partner: { search } }: Mutated, fails: (id: string, text: string) => boolean): void {
  const { receiver } = search;
  const handle = receiver.handle.bind(receiver);
  receiver.handle = async (request) => {
    const id = new URL(request.url).searchParams.get('search') ?? '';
    const isFailing = fails(id, await request.clone().text());
    const response = await handle(request);
    return isFailing ? new Response('Internal error', { status: 500 }) : response;
  };
}

export const callbackMutants: readonly ClientMutant[] = [
  ...breaking('callbacks.answers', [
    {
      name: 'receiver-fails',
      does: 'Its receiver answers every result with a 500.',
      exams: ['happy-day'],
      plant: (mutated) => failsAt(mutated, () => true),
    },
    {
      name: 'receiver-works-first',
      does: 'Its receiver answers a result only after it has worked on it for a minute.',
      exams: ['happy-day'],
      plant({ partner: { search, host } }) {
        const { receiver } = search;
        const handle = receiver.handle.bind(receiver);
        receiver.handle = async (request) => {
          const response = await handle(request);
          await host.sleep(61_000);
          return response;
        };
      },
    },
  ]),
  ...breaking('callbacks.late', [
    {
      name: 'fails-at-late-result',
      does: 'Its receiver fails at a result for which it has given up to wait.',
      also: { 'callbacks.out-of-order': 'the result of the other search has come before' },
      exams: ['callback-late'],
      plant(mutated) {
        const { search } = mutated.partner;
        search.within = async (milliseconds, result) => {
          await mutated.partner.host.sleep(milliseconds > 0 ? 100 : 0);
          void result;
          return undefined;
        };
        failsAt(mutated, (id) => !search.receiver.waiting.has(id));
      },
    },
  ]),
  ...breaking('callbacks.repeated', [
    {
      name: 'fails-at-repeated-result',
      does: 'Its receiver fails at a result that it has already taken.',
      also: { 'callbacks.out-of-order': 'the result of the other search has come before' },
      exams: ['callback-repeated'],
      plant(mutated) {
        const seen = new Set<string>();
        failsAt(mutated, (id) => !(!seen.has(id) && seen.add(id)));
      },
    },
    {
      name: 'books-for-each-result',
      does: 'It books as a result comes, also when the same one comes again.',
      exams: ['callback-repeated'],
      plant({ partner: { search, bookings }, day }) {
        const { receiver } = search;
        const handle = receiver.handle.bind(receiver);
        receiver.handle = async (request) => {
          const found = foundIn(await request.clone().text()) ?? [];
          const all = found.flatMap(({ facilityId, teeTimeV3 }) => offersOf(facilityId, teeTimeV3, 2));
          const roomy = oneRounds(
            all.filter(({ available }) => available === 4),
            all.length,
          );
          const response = await handle(request);
          if (roomy.length > 0) await bookings.send('single', [day.wishFor(roomy.at(-1)!, 4)]);
          return response;
        };
      },
    },
  ]),
  ...breaking('callbacks.out-of-order', [
    {
      name: 'fails-out-of-order',
      does: 'Its receiver fails at the result of a search that is older than the last one.',
      exams: ['callback-out-of-order'],
      plant: (mutated) => {
        let last = '';
        failsAt(mutated, (id) => {
          const isOld = id < last;
          last = id > last ? id : last;
          return isOld;
        });
      },
    },
  ]),
  ...breaking('callbacks.partial', [
    {
      name: 'ignores-partial-result',
      does: 'It books at the last facility, and takes it for sold out if a result lacks it.',
      exams: ['callback-partial'],
      plant({ partner: { search } }) {
        search.missingIn = () => [];
        const offers = search.offers.bind(search);
        search.offers = async (wanted) =>
          (await offers(wanted)).sort((one, other) => other.facilityId - one.facilityId);
      },
    },
  ]),
  ...breaking('callbacks.empty', [
    {
      name: 'fails-at-empty-result',
      does: 'Its receiver fails at a result without tee times.',
      also: { 'callbacks.answers': 'an empty result is to be answered like any other' },
      exams: ['callback-empty'],
      plant: (mutated) =>
        failsAt(mutated, (_, text) => (foundIn(text) ?? []).every((one) => one.teeTimeV3.length === 0)),
    },
  ]),
  ...breaking('callbacks.missing', [
    {
      name: 'waits-forever',
      does: 'It waits for the result of a search without an end.',
      exams: ['callback-missing'],
      plant({ partner: { search } }) {
        search.within = (_, result) => result;
      },
    },
  ]),
];
