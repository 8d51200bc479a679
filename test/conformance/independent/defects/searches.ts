import type { Change } from '../run.js';
import type { Search } from '../searches.js';
import { replying, rewriting, withStatus, wrap } from '../vary.js';
import { type Defect, done } from './row.js';

const rules = /^(callback|search)/;
const path = /v5.teetimes$/;

/** Alters what the search looks for. */
const looking = (alter: (search: Search) => Partial<Search>): Change =>
  wrap('deliver', (before) => (search) => before({ ...search, ...alter(search) }));

/** The parameters of the newest search serve all that are under way. */
const mixed =
  (...names: readonly (keyof Search)[]): Change =>
  (service) => {
    const deliver = service.deliver.bind(service);
    let newest: Search | undefined;
    const search = service.search.bind(service);
    service.search = (ask) => {
      const answer = search(ask);
      newest = {
        clubs: service.clubsAsked(ask.query, ask.channel, 50),
        dates: service.searchDays(ask.query),
        players: service.playersAsked(ask.query),
        holes: service.holesAsked(ask.query),
        url: service.callbackAsked(ask.query),
      };
      return answer;
    };
    service.deliver = (one) => deliver({ ...one, ...Object.fromEntries(names.map((name) => [name, newest![name]])) });
  };

export const searches: readonly Defect[] = [
  done(
    'the result is the answer',
    rules,
    wrap('search', (before, service) => (ask) => {
      before(ask);
      return service.result({
        clubs: service.clubsAsked(ask.query, ask.channel, 50),
        dates: ['2026-07-01'],
        players: 1,
        holes: 18,
        url: '',
      }) as never;
    }),
  ),
  done(
    'an acknowledgement without data',
    /^(callback|search|envelope)/,
    rewriting(path, ({ success }) => ({ success })),
  ),
  done(
    'acknowledged with an empty list',
    rules,
    rewriting(path, (body) => ({ ...body, data: [] })),
  ),
  done('no result', rules, (service) => (service.deliver = () => undefined)),
  done(
    'no result for more than one facility',
    rules,
    wrap('deliver', (before) => (search) => {
      if (search.clubs.length === 1) before(search);
    }),
  ),
  done(
    'no result for more than one day',
    rules,
    wrap('deliver', (before) => (search) => {
      if (search.dates.length === 1) before(search);
    }),
  ),
  done(
    'the first facility alone',
    rules,
    looking(({ clubs }) => ({ clubs: clubs.slice(0, 1) })),
  ),
  done(
    'the result ignores players',
    rules,
    looking(() => ({ players: 1 })),
  ),
  done(
    'the result ignores holes',
    rules,
    looking(() => ({ holes: 18 })),
  ),
  done(
    'the result has both holes',
    rules,
    wrap('result', (before) => (search) => {
      const other = before({ ...search, holes: 27 - search.holes });
      return before(search).map((one, index) => ({
        ...one,
        teeTimeV3: [...(one['teeTimeV3'] as []), ...(other[index]!['teeTimeV3'] as [])],
      }));
    }),
  ),
  done(
    'the result has the first day alone',
    rules,
    looking(({ dates }) => ({ dates: dates.slice(0, 1) })),
  ),
  done(
    'the result lacks the last day',
    rules,
    looking(({ dates }) => (dates.length > 1 ? { dates: dates.slice(0, -1) } : {})),
  ),
  done(
    'the result lacks the first day',
    rules,
    looking(({ dates }) => (dates.length > 1 ? { dates: dates.slice(1) } : {})),
  ),
  done(
    'the result is of another day',
    rules,
    looking(() => ({ dates: ['2026-08-20'] })),
  ),
  done(
    'no result for a single day',
    rules,
    wrap('deliver', (before) => (search) => {
      if (search.dates.length > 1) before(search);
    }),
  ),
  done('one result for each address', rules, (service) => {
    const known = new Set<string>();
    wrap('deliver', (before) => (search) => {
      if (!known.has(search.url)) before(search);
      known.add(search.url);
    })(service);
  }),
  done(
    'the result is posted twice',
    rules,
    wrap('deliver', (before) => (search) => {
      before(search);
      before(search);
    }),
  ),
  done('a failed delivery ends the deliveries', rules, (service) => {
    let isOver = false;
    wrap('deliver', (before) => (search) => {
      if (!isOver) before(search);
    })(service);
    const { post } = service.around;
    service.around.post = async (url, message) => {
      const status = await post(url, message);
      isOver ||= status >= 400;
      return status;
    };
  }),
  done(
    'more places than players in the result',
    rules,
    looking(({ players }) => ({ players: players === 1 ? 1 : players + 1 })),
  ),
  done(
    'a search for four players finds nothing',
    rules,
    looking(({ players, dates }) => ({ dates: players === 4 ? [] : dates })),
  ),
  done(
    'a search for nine holes finds nothing',
    rules,
    looking(({ holes, dates }) => ({ dates: holes === 9 ? [] : dates })),
  ),
  done(
    'day and month changed over where they can be, in searches',
    rules,
    wrap('searchDate', (before) => (text) => {
      const date = before(text);
      if (!date || !/^\d\d-/.test(text) || Number(date.slice(8)) > 12) return date;
      return `${date.slice(0, 4)}-${date.slice(8)}-${date.slice(5, 7)}`;
    }),
  ),
  done('two searches share players', rules, mixed('players')),
  done('two searches share an address', rules, mixed('url')),
  done('two searches share facilities', rules, mixed('clubs')),
  done('two searches share dates', rules, mixed('dates')),
  done(
    'the answer has a job',
    rules,
    rewriting(path, (body) => ({ ...body, data: { jobId: 17 } })),
  ),
  done(
    'a search of several facilities crashes',
    rules,
    replying(path, (response, { url }) =>
      /facilityIds=[^&]*(,|%2C)/i.test(url) ? withStatus(response, 500) : response,
    ),
  ),
  done(
    'the address loses its path',
    rules,
    looking(({ url }) => ({ url: new URL(url).origin })),
  ),
  done(
    'the address loses its query',
    rules,
    looking(({ url }) => ({ url: url.split('?')[0]! })),
  ),
  done(
    'the address is put in lower case',
    rules,
    looking(({ url }) => ({ url: url.toLowerCase() })),
  ),
  done(
    'a plus of the address becomes a blank',
    rules,
    looking(({ url }) => ({ url: url.replaceAll('%2B', '+') })),
  ),
  done(
    'the address is decoded twice',
    rules,
    looking(({ url }) => ({ url: decodeURIComponent(url) })),
  ),
];
