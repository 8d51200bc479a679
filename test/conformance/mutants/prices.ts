import { altering, type Layer } from '../deployment.js';
import type { Mutant } from './mutant.js';
import { later, lenient, reading } from './ways.js';

const path = /\/price\/insideDateRange$/;
const missing = (value: string | null): boolean => value === null;
const query = (change: (query: URLSearchParams) => void): Layer => reading(path, change);
const records = (alter: (record: any, index: number) => void): Layer =>
  altering(path, ({ data }) => data.records.forEach(alter));
const cut = (change: (records: any[], query: URLSearchParams) => any[]): Layer => {
  return async (request, through) =>
    altering(path, ({ data }) => {
      const records = change(data.records, new URL(request.url).searchParams);
      data.total += records.length - data.records.length;
      data.records = records;
    })(request, through);
};

const requests: readonly Mutant[] = [
  {
    rule: 'prices.query.facilityIds',
    defect: 'without facility ids prices of one come',
    layer: lenient(path, 'facilityIds', '1037', missing),
  },
  {
    rule: 'prices.query.facilityIds',
    defect: 'the last of five facilities is left out',
    layer: cut((list, asked) => {
      const ids = asked.get('facilityIds')?.split(',') ?? [];
      return ids.length < 5 ? list : list.filter(({ facilityId }) => String(facilityId) !== ids[4]);
    }),
  },
  {
    rule: 'prices.facility-ids-limit',
    defect: 'a sixth facility is left out without a word',
    layer: query((one) => one.set('facilityIds', (one.get('facilityIds') ?? '').split(',').slice(0, 5).join(','))),
  },
  {
    rule: 'prices.query.fromDate',
    defect: 'a first day that is missing is today',
    layer: lenient(path, 'fromDate', '01-06-2026', missing),
  },
  {
    rule: 'prices.query.toDate',
    defect: 'a last day that is missing is the first',
    layer: query((one) => one.has('toDate') || one.set('toDate', one.get('fromDate')!)),
  },
  {
    rule: 'prices.query.toDate',
    defect: 'a range that runs backwards is turned round',
    layer: query((one) => {
      const [from, to] = [one.get('fromDate') ?? '', one.get('toDate') ?? ''];
      if (from === '' || later(from, -1) !== to) return;
      one.set('fromDate', to);
      one.set('toDate', from);
    }),
  },
  ...(['offset', 'limit'] as const).map((name): Mutant => ({
    rule: `prices.query.${name}`,
    defect: `a negative ${name} is as good as none`,
    layer: query((one) => Number(one.get(name)) < 0 && one.delete(name)),
  })),
];

const ranges: readonly Mutant[] = [
  {
    rule: 'prices.range-inclusive',
    defect: 'the last day is left out',
    layer: cut((list, asked) =>
      list.filter(({ date }) => date !== asked.get('toDate')!.split('-').reverse().join('-')),
    ),
  },
  {
    rule: 'prices.range-inclusive',
    defect: 'the last day is left out of a range of several',
    layer: query((one) => {
      const to = one.get('toDate');
      if (to !== null && to !== one.get('fromDate')) one.set('toDate', later(to, -1));
    }),
  },
  {
    rule: 'prices.range-inclusive',
    defect: 'the first day is left out of a range of several',
    layer: query((one) => {
      const from = one.get('fromDate');
      if (from !== null && from !== one.get('toDate')) one.set('fromDate', later(from, 1));
    }),
  },
  {
    rule: 'prices.range-only',
    defect: 'a day more than asked for comes along',
    layer: query((one) => one.has('toDate') && one.set('toDate', later(one.get('toDate')!, 1))),
  },
  {
    rule: 'prices.facilities-only',
    defect: 'records of a neighbour stand at the end',
    layer: cut((list) => [...list, ...list.slice(0, 1).map((one) => ({ ...one, facilityId: 1002 }))]),
  },
  {
    rule: 'prices.range-union',
    defect: 'over several days each product is listed for its first day only',
    layer: cut((list) => {
      const first = new Map<string, string>();
      for (const { productId, date } of list) first.set(productId, first.get(productId) ?? date);
      return list.filter(({ productId, date }) => first.get(productId) === date);
    }),
  },
];

const pages: readonly Mutant[] = [
  { rule: 'prices.limit-bounds', defect: 'the limit is ignored', layer: query((one) => one.delete('limit')) },
  {
    rule: 'prices.limit-bounds',
    defect: 'a page has one record more than its limit',
    layer: query((one) => one.has('limit') && one.set('limit', String(Number(one.get('limit')) + 1))),
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
    defect: 'pages overlap by a record',
    layer: query((one) => Number(one.get('offset')) > 0 && one.set('offset', String(Number(one.get('offset')) - 1))),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'a record is lost between two pages',
    layer: query((one) => Number(one.get('offset')) > 0 && one.set('offset', String(Number(one.get('offset')) + 1))),
  },
  {
    rule: 'prices.pages-concatenate',
    defect: 'the records are sorted by price on each page',
    layer: cut((list) => [...list].sort((a, b) => a.price - b.price)),
  },
  {
    rule: 'prices.default-limit',
    defect: 'twenty records come without a limit',
    layer: query((one) => one.has('limit') || one.set('limit', '20')),
  },
  {
    rule: 'prices.max-limit',
    defect: 'no page has more than thirty records',
    layer: query((one) => Number(one.get('limit')) > 30 && one.set('limit', '30')),
  },
  {
    rule: 'prices.default-offset',
    defect: 'without an offset the first record is left out',
    layer: query((one) => one.has('offset') || one.set('offset', '1')),
  },
];

const agreement: readonly Mutant[] = [
  {
    rule: 'prices.item.dayOfWeek-matches',
    defect: 'the week begins a day late',
    layer: records((one) => {
      const next = { monday: 'sunday', tuesday: 'monday', wednesday: 'tuesday', thursday: 'wednesday' };
      one.dayOfWeek = (next as any)[one.dayOfWeek] ?? one.dayOfWeek;
    }),
  },
  {
    rule: 'prices.agrees-facility',
    defect: 'all prices are in euros',
    layer: records((one) => (one.currency = 'XEU')),
  },
  {
    rule: 'prices.agrees-facility',
    defect: 'the name of the facility is that of the course',
    layer: records((one) => (one.facilityName = one.courseName)),
  },
  {
    rule: 'prices.agrees-teetimes',
    defect: 'tax comes on top in the price list',
    layer: records((one) => (one.price = Math.round(one.price * 121) / 100)),
  },
  {
    rule: 'prices.agrees-availability',
    defect: 'the price list is an hour off',
    layer: records(({ availability }) =>
      availability.forEach((one: any) => (one.time = one.time.replace(/^(\d)(\d)/, '$1$2').replace(/^0/, '1'))),
    ),
  },
  {
    rule: 'prices.agrees-availability',
    defect: 'the price list has tee times that are sold out',
    layer: records(({ availability }) => availability.push({ time: '05:00:00', available: 4 })),
  },
  {
    rule: 'prices.agrees-availability',
    defect: 'the price list says four slots of each tee time',
    layer: records(({ availability }) => availability.forEach((one: any) => (one.available = 4))),
  },
];

/** Mistakes about prices. */
export const priceMutants: readonly Mutant[] = [...requests, ...ranges, ...pages, ...agreement];
