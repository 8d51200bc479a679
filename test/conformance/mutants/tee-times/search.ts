import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import type { Layer } from '../../deployment.js';
import type { Mutant } from '../mutant.js';

/** Changes the query of a search before the service sees it. */
export const searching =
  (change: (query: URLSearchParams) => void): Layer =>
  async (request, through) => {
    const url = new URL(request.url);
    if (!url.pathname.endsWith('/v5/teetimes')) return through(request);
    change(url.searchParams);
    return through(new Request(url, { headers: request.headers }));
  };

/** Searches for a default where a parameter is missing or wrong. */
const lenientSearch = (name: string, usual: string, fits: (value: string | null) => boolean): Layer =>
  searching((query) => {
    if (fits(query.get(name))) query.set(name, usual);
  });

/** Answers a search that is refused as if it were accepted. */
const acknowledging =
  (fits: (query: URLSearchParams) => boolean): Layer =>
  async (request, through) => {
    const response = await through(request);
    const { pathname, searchParams } = new URL(request.url);
    const waved = pathname.endsWith('/v5/teetimes') && response.status === 400 && fits(searchParams);
    return waved ? Response.json({ success: true, data: null }) : response;
  };

const missing = (value: string | null): boolean => value === null;
const unchecked: readonly Mutant[] = (
  [
    ['facilityIds', '1011'],
    ['fromDate', '2026-07-01'],
    ['toDate', '2026-07-02'],
    ['players', '1'],
    ['holes', '18'],
  ] as const
).map(([name, usual]) => ({
  rule: `search.query.${name}` as RuleId,
  defect: `a search does not require ${name}`,
  layer: lenientSearch(name, usual, missing),
}));

/** Mistakes of the search up to its acknowledgement. */
export const searchMutants: readonly Mutant[] = [
  ...unchecked,
  {
    rule: 'search.query.players',
    defect: 'a search for five players is accepted',
    layer: lenientSearch('players', '4', (value) => value === '5'),
  },
  {
    rule: 'search.query.form',
    defect: 'a search up to a nonexistent day is accepted',
    layer: acknowledging((query) => query.get('toDate') === '31-02-2027'),
  },
  {
    rule: 'search.query.callbackUrl',
    defect: 'a search without an address is acknowledged',
    layer: acknowledging((query) => !query.has('callbackUrl')),
  },
  {
    rule: 'search.request',
    defect: 'a search must be sent as POST',
    layer: async (request, through) =>
      new URL(request.url).pathname.endsWith('/v5/teetimes')
        ? Response.json({ success: false, data: null }, { status: 405 })
        : through(request),
  },
  {
    rule: 'search.date-format',
    defect: 'a day written as yyyy-mm-dd is misread, so that no tee time is found',
    layer: searching((query) => {
      for (const name of ['fromDate', 'toDate']) {
        const value = query.get(name);
        if (value && /^\d{4}-/.test(value)) query.set(name, '2001-01-01');
      }
    }),
  },
  {
    rule: 'search.asynchronous',
    defect: 'the immediate response contains the result',
    layer: async (request, through) => {
      const response = await through(request);
      const search = new URL(request.url).pathname.endsWith('/v5/teetimes') && response.ok;
      return search ? Response.json({ success: true, data: [{ facilityId: 1, teeTimeV3: [] }] }) : response;
    },
  },
  {
    rule: 'search.unknown-facility',
    defect: 'an unknown facility is refused',
    layer: async (request, through) =>
      /facilityIds=[^&]*2147483646/.test(request.url)
        ? Response.json({ success: false, data: null }, { status: 404 })
        : through(request),
  },
];
