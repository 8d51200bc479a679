import { altering, type Layer } from '../../deployment.js';
import type { Mutant } from '../mutant.js';
import { cut, path, query } from '../layers/prices.js';
import { refusing } from '../layers/requests.js';

let turns = 0;

interface Asked {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** Answers some pages otherwise: without records, or with the first ones. */
const paged =
  (how: (asked: Asked) => 'none' | 'first' | undefined): Layer =>
  async (request, through) => {
    const url = new URL(request.url);
    const response = await through(request.clone() as Request);
    if (!path.test(url.pathname) || !response.ok) return response;
    const body = (await response.json()) as { data: { records: unknown[]; total: number } };
    const numberOf = (name: string): number => Number(url.searchParams.get(name) ?? 0);
    const what = how({ offset: numberOf('offset'), limit: numberOf('limit'), total: body.data.total });
    if (what === 'first') {
      url.searchParams.delete('offset');
      return through(new Request(url, request));
    }
    if (what === 'none') body.data.records = [];
    return Response.json(body);
  };

/** Mistakes about pages of prices. */
export const pricePageMutants: readonly Mutant[] = [
  { rule: 'prices.limit-bounds', defect: 'the limit is ignored', layer: query((one) => one.delete('limit')) },
  {
    rule: 'prices.limit-bounds',
    defect: 'a page has one record more than its limit',
    layer: query((one) => one.has('limit') && one.set('limit', String(Number(one.get('limit')) + 1))),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'the records have no order',
    layer: cut((list) => {
      turns += 1;
      return list.length < 2 ? list : [...list.slice(turns % list.length), ...list.slice(0, turns % list.length)];
    }),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'a page that is not full is empty',
    layer: cut((list, asked) => (list.length < Number(asked.get('limit') ?? 0) ? [] : list)),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'a page has one record less than its limit',
    layer: query((one) => one.has('limit') && one.set('limit', String(Math.max(1, Number(one.get('limit')) - 1)))),
  },
  {
    rule: 'prices.limit-alone',
    defect: 'the limit is ignored without an offset',
    layer: query((one) => one.has('offset') || one.delete('limit')),
  },
  {
    rule: 'prices.limit-alone',
    defect: 'a limit without an offset skips the first record',
    layer: query((one) => one.has('limit') && !one.has('offset') && one.set('offset', '1')),
  },
  {
    rule: 'prices.limit-alone',
    defect: 'a limit without an offset is refused',
    layer: refusing(path, 400, ({ searchParams: one }) => one.has('limit') && !one.has('offset')),
  },
  {
    rule: 'prices.total',
    defect: 'the total is one too many',
    layer: altering(path, ({ data }) => (data.total += 1)),
  },
  {
    rule: 'prices.total',
    defect: 'the total is what is left after the offset',
    layer: async (request, through) => {
      const offset = Number(new URL(request.url).searchParams.get('offset') ?? 0);
      return altering(path, ({ data }) => (data.total -= offset))(request, through);
    },
  },
  {
    rule: 'prices.total',
    defect: 'the total is the number of pages',
    layer: async (request, through) => {
      const limit = Number(new URL(request.url).searchParams.get('limit') ?? 20);
      return altering(path, ({ data }) => (data.total = Math.ceil(data.total / limit)))(request, through);
    },
  },
  { rule: 'prices.offset-skips', defect: 'the offset is ignored', layer: query((one) => one.delete('offset')) },
  {
    rule: 'prices.offset-skips',
    defect: 'the offset counts pages',
    layer: query((one) => {
      const limit = Number(one.get('limit') ?? 1);
      if (one.has('offset')) one.set('offset', String(Number(one.get('offset')) * limit));
    }),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'pages overlap by one record',
    layer: query((one) => Number(one.get('offset')) > 0 && one.set('offset', String(Number(one.get('offset')) - 1))),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'a last page that is full is empty',
    layer: paged(({ offset, limit, total }) => (offset + limit === total && offset > 0 ? 'none' : undefined)),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'an offset beyond the total begins at the start',
    layer: paged(({ offset, total }) => (offset > total ? 'first' : undefined)),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'one record is missing between two pages',
    layer: query((one) => Number(one.get('offset')) > 0 && one.set('offset', String(Number(one.get('offset')) + 1))),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'the records are sorted by price on each page',
    layer: cut((list) => [...list].sort((a, b) => a.price - b.price)),
  },
  {
    rule: 'prices.default-limit',
    defect: 'the default limit is twenty records',
    layer: query((one) => one.has('limit') || one.set('limit', '20')),
  },
  {
    rule: 'prices.max-limit',
    defect: 'the largest page has thirty records',
    layer: query((one) => Number(one.get('limit')) > 30 && one.set('limit', '30')),
  },
  {
    rule: 'prices.default-offset',
    defect: 'the default offset is one',
    layer: query((one) => one.has('offset') || one.set('offset', '1')),
  },
];
