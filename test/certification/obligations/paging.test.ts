import { describe } from 'vitest';
import { type GivenCall, judges, type Sessions } from '../../support/obligations/traffic.js';

/** A page of prices: the records of an answer from an offset, and the total that it says. */
function page(query: string, records: number, total: number, rest: Partial<GivenCall> = {}): GivenCall {
  const data = { records: Array.from({ length: records }, () => ({})), total };
  const dates = 'facilityIds=1,2&fromDate=20-06-2026&toDate=21-06-2026';
  return { request: `GET /api/v5/price/insideDateRange?${dates}${query}`, answer: { success: true, data }, ...rest };
}
const first = page('&limit=10', 10, 25);
const second = page('&limit=10&offset=10', 10, 25);
const third = page('&limit=10&offset=20', 5, 25);
const down = { status: 503, answer: '' };
const failed = page('&limit=10&offset=10', 0, 0, down);
/** A page that is shorter than its limit. */
const short = (offset: number): GivenCall => page(`&limit=10&offset=${offset}`, 5, 25);
const known = [first, second].map((one) => ({ ...one, channel: 'fairway' }));
/** Its credentials are not known any more, so that it is of no channel. */
const unknown = page('&limit=10&offset=20', 0, 0, { answer: { success: false } });
const other = page('&limit=10', 10, 25, {
  request: 'GET /api/v5/price/insideDateRange?facilityIds=9&fromDate=20-06-2026&toDate=21-06-2026&limit=10',
});

describe('paging.to-the-end', () => {
  const anywhere: Sessions = {
    'reads all pages': ['pass', first, second, third],
    'reads until an empty page': ['pass', page('&limit=10', 10, 10), page('&limit=10&offset=10', 0, 10)],
    'reads pages in any order': ['pass', first, third, second],
    'takes the number of a page for its offset': [
      'fail',
      ...[0, 1, 2, 3].map((at) => page(`&limit=40&offset=${at}`, 40, 43)),
    ],
    'reads pages that overlap by one': ['pass', ...[0, 9, 18, 27].map((at) => page(`&limit=10&offset=${at}`, 10, 37))],
    'reads each page four times': [
      'pass',
      ...[0, 0, 0, 0, 10, 10, 10, 10].map((at) => page(`&limit=10&offset=${at}`, 10, 20)),
    ],
    'the first page is answered last': [
      'pass',
      page('&limit=10', 10, 20, { at: 1, takes: 5 }),
      page('&limit=10&offset=10', 10, 20, { at: 1, takes: 1 }),
    ],
    'reads all in one page': ['not-seen', page('', 25, 25)],
    'reads one selection to the end, and another not': ['pass', first, second, third, other],
    'tries the next page in vain': ['not-seen', first, failed],
    'tries the next page with an expired token': ['not-seen', ...known, unknown],
    'reads less than there is without a limit': ['fail', page('', 10, 25)],
    'a total of the page alone': ['not-seen', page('&limit=10', 10, 10)],
    'a refused request': ['not-seen', page('', 0, 0, { status: 400, answer: { success: false } })],
    'a total that is too large, and an empty page at the end': [
      'pass',
      first,
      second,
      third,
      page('&offset=25', 0, 30),
    ],
    'two tests read the one page that there is': ['not-seen', page('', 25, 25), page('', 25, 25)],
  };
  judges('paging.to-the-end', { ...anywhere, 'reads the first page, as it wants': ['not-seen', first] });
  judges(
    'paging.to-the-end',
    {
      ...anywhere,
      'wants as many as it gets, and no more': ['not-seen', first],
      'wants the first two pages': ['not-seen', first, second],
      'wants one from the middle': ['not-seen', page('&limit=1&offset=5', 1, 25)],
      'gets less than it asks for, and stops': ['fail', short(0)],
      'stops before the last page': ['fail', short(0), short(5), short(10), short(15)],
      'adds its limit to the offset': ['fail', short(0), short(10), short(20), page('&limit=10&offset=30', 0, 25)],
      'adds one page to the offset': ['fail', ...[0, 1, 2].map((offset) => short(offset))],
      'gets less than it asks for, and reads on from there': ['pass', ...[0, 5, 10, 15, 20].map(short)],
      'reads all pages beside a test that reads the first': [
        'pass',
        short(0),
        short(5),
        short(0),
        ...[10, 15, 20].map(short),
      ],
      'tries the page after a short one in vain': ['not-seen', short(0), page('&limit=10&offset=5', 0, 0, down)],
      'reads on after a refused token, and another selection as it wants': [
        'pass',
        other,
        first,
        second,
        page('&limit=10&offset=20', 0, 0, { status: 401, answer: { success: false } }),
        third,
      ],
    },
    {
      facts: { exam: 'happy-day', clientOk: true },
    },
  );
  judges('paging.to-the-end', { 'a person looks at one page': ['not-seen', first] }, { facts: { exam: 'happy-day' } });
  judges('paging.to-the-end', { 'broke off': ['not-seen', first] }, { facts: { exam: 'outage', clientOk: false } });
});

describe('paging.stops', () => {
  const empty = (offset: number, rest: Partial<GivenCall> = {}) => page(`&limit=10&offset=${offset}`, 0, 25, rest);
  judges('paging.stops', {
    'stops when it has all': ['pass', first, second, third],
    'stops after an empty page': ['pass', first, second, third, empty(30)],
    'goes on behind the end': ['fail', first, second, third, empty(30), empty(40), empty(50)],
    'sends one more page from another worker': ['pass', first, second, third, empty(30), empty(40)],
    'asks for many pages at the same time': [
      'pass',
      ...[0, 10, 20, 30, 40, 50].map((offset) =>
        page(`&offset=${offset}`, offset < 25 ? 10 : 0, 25, { at: 1, takes: 1 + offset / 100 }),
      ),
    ],
    'reads again from the start': ['pass', first, second, third, empty(30), first, second, third, empty(30)],
    'finds nothing, ever': ['not-seen', page('', 0, 0), page('', 0, 0), page('', 0, 0)],
    'no prices': ['not-seen', { request: 'GET /api/v3/countries' }],
  });
});
