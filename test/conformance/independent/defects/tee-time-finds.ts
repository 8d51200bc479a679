import { sending, type Loose, wrap } from '../vary.js';
import { each, listOf } from './answers.js';
import { type Defect, seen } from './row.js';

const rules = /^(teetimes|versions|prices|bookings|limits)/;

/** Mistakes of what a search for tee times finds. */
export const teeTimeFinds: readonly Defect[] = [
  seen(
    'a search for four players finds nothing',
    rules,
    wrap('fits', (before) => (slot, players, holes) => players < 4 && before(slot, players, holes)),
  ),
  seen(
    'a search for nine holes finds nothing',
    rules,
    wrap('holesAsked', (before) => (query) => (before(query) === 9 ? 0 : 18)),
  ),
  seen(
    'the last tee time of a day is never found',
    rules,
    wrap('teeTimes', (before) => (ask) => {
      const answer = before(ask) as Loose;
      listOf(answer).pop();
      return answer;
    }),
  ),
  seen(
    'v4 has the first course alone',
    rules,
    wrap('teeTimes', (before, service) => (ask) => {
      if (ask.version !== 4) return before(ask);
      const [course] = service.findClub(ask.args[0]!).courses;
      return before({ ...ask, version: 5, args: [ask.args[0]!, String(course!.id)] });
    }),
  ),
  seen(
    'v4 has a tee time of another facility too',
    rules,
    wrap('teeTimes', (before) => (ask) => {
      const answer = before(ask) as Loose;
      if (ask.version !== 4) return answer;
      const other = before({ ...ask, args: [ask.args[0] === '140' ? '118' : '140'] }) as Loose;
      return { ...answer, teeTimeV3: [...answer.teeTimeV3, ...other.teeTimeV3.slice(0, 1)] };
    }),
  ),
  seen(
    'as many places as were asked for',
    rules,
    sending(/v[45].teetimes/, ({ data }, { url }) => {
      const players = Number(new URL(url).searchParams.get('players'));
      for (const { products } of listOf(data)) for (const one of products) one.available = players;
    }),
  ),
  seen(
    'v3 has no extra products',
    rules,
    each(/v3.teetimes/, (one) => (one.extraProducts = [])),
  ),
  seen(
    'v2 has the prices of another day',
    rules,
    each(/v2.teetimes/, ({ pricing }) => pricing.forEach(({ price }: Loose) => (price.amount *= 1.25))),
  ),
  seen(
    'v3 in another order of prices',
    rules,
    each(/v3.teetimes/, ({ pricing }) => {
      const amounts = pricing.map(({ price }: Loose) => price.amount).toReversed();
      pricing.forEach(({ price }: Loose, at: number) => (price.amount = amounts[at]));
    }),
  ),
  seen(
    'an unknown course has those of all',
    rules,
    wrap('teeTimes', (before, service) => (ask) => {
      const { courses } = service.findClub(ask.args[0]!);
      const isKnown = courses.some(({ id }) => id === Number(ask.args[1]));
      return before(ask.version === 5 && !isKnown ? { ...ask, version: 4 } : ask);
    }),
  ),
  seen(
    'an unknown facility has those of the first',
    rules,
    wrap('findOwnClub', (before, service) => (channel, id) => {
      return service.clubs.some((club) => club.id === Number(id)) ? before(channel, id) : service.clubs[0]!;
    }),
  ),
  seen(
    'v5 finds nothing on the second course',
    rules,
    sending(/v5.teetimes/, ({ data }, { url }) => {
      if (Number(/(\d+)\?/.exec(url)?.[1]) % 10 === 1) data.teeTimeV3 = [];
    }),
  ),
  seen(
    'a product twice',
    rules,
    each(/v[45].teetimes/, ({ products }) => products.push(products[0])),
  ),
  seen(
    'extra products twice',
    rules,
    each(/v[45].teetimes/, ({ extraProducts }) => extraProducts.push(...extraProducts)),
  ),
];
