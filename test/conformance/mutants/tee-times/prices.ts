import type { Mutant } from '../mutant.js';
import { cut, path, query, records } from '../layers/prices.js';
import { later, lenient, refusing } from '../layers/requests.js';
import { keeping } from './tee-times.js';

const missing = (value: string | null): boolean => value === null;

const requests: readonly Mutant[] = [
  {
    rule: 'prices.query.facilityIds',
    defect: 'a request without facility ids returns the prices of one facility',
    layer: lenient(path, 'facilityIds', '1037', missing),
  },
  {
    rule: 'prices.each-facility',
    defect: 'the last of five facilities is left out',
    layer: cut((list, asked) => {
      const ids = asked.get('facilityIds')?.split(',') ?? [];
      return ids.length < 5 ? list : list.filter(({ facilityId }) => String(facilityId) !== ids[4]);
    }),
  },
  {
    rule: 'prices.facility-ids-limit',
    defect: 'a sixth facility is ignored without an error',
    layer: query((one) => one.set('facilityIds', (one.get('facilityIds') ?? '').split(',').slice(0, 5).join(','))),
  },
  {
    rule: 'prices.query.fromDate',
    defect: 'the first day defaults to today',
    layer: lenient(path, 'fromDate', '01-06-2026', missing),
  },
  {
    rule: 'prices.query.toDate',
    defect: 'the last day defaults to the first day',
    layer: query((one) => one.has('toDate') || one.set('toDate', one.get('fromDate')!)),
  },
  {
    rule: 'prices.range-order',
    defect: 'a range with its days in the wrong order is corrected',
    layer: query((one) => {
      const [from, to] = [one.get('fromDate') ?? '', one.get('toDate') ?? ''];
      if (from === '' || later(from, -1) !== to) return;
      one.set('fromDate', to);
      one.set('toDate', from);
    }),
  },
  ...(['offset', 'limit'] as const).map((name): Mutant => ({
    rule: `prices.query.${name}`,
    defect: `a negative ${name} is ignored`,
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
    defect: 'the last day is left out of a range of several days',
    layer: query((one) => {
      const to = one.get('toDate');
      if (to !== null && to !== one.get('fromDate')) one.set('toDate', later(to, -1));
    }),
  },
  {
    rule: 'prices.range-inclusive',
    defect: 'the first day is left out of a range of several days',
    layer: query((one) => {
      const from = one.get('fromDate');
      if (from !== null && from !== one.get('toDate')) one.set('fromDate', later(from, 1));
    }),
  },
  {
    rule: 'prices.range-only',
    defect: 'prices of one day after the range are returned too',
    layer: query((one) => one.has('toDate') && one.set('toDate', later(one.get('toDate')!, 1))),
  },
  {
    rule: 'prices.facilities-only',
    defect: 'the list ends with records of another facility',
    layer: cut((list) => [...list, ...list.slice(0, 1).map((one) => ({ ...one, facilityId: 1002 }))]),
  },
  {
    rule: 'prices.facilities-only',
    defect: 'a single facility comes with the next one',
    layer: query((one) => {
      const ids = one.get('facilityIds') ?? '';
      if (/^\d+$/.test(ids)) one.set('facilityIds', `${ids},${Number(ids) === 1037 ? 1014 : 1037}`);
    }),
  },
  {
    rule: 'prices.facilities-only',
    defect: 'facility ids are matched by their first digits',
    layer: cut((list) => list.map((one) => ({ ...one, facilityId: Math.floor(one.facilityId / 10) }))),
  },
  {
    rule: 'prices.each-facility',
    defect: 'only the first facility is answered',
    layer: query((one) => one.set('facilityIds', (one.get('facilityIds') ?? '').split(',')[0]!)),
  },
  {
    rule: 'prices.each-facility',
    defect: 'five facilities are too many',
    layer: refusing(path, 400, ({ searchParams: one }) => one.get('facilityIds')?.split(',').length === 5),
  },
  {
    rule: 'prices.connected-facilities',
    defect: 'a facility that is listed as connected has no prices for the channel',
    layer: refusing(path, 403, ({ searchParams: one }) => one.get('facilityIds')?.includes('1037') === true),
  },
  {
    rule: 'prices.each-course',
    defect: 'the first course of a facility has no prices',
    layer: cut((list) => list.filter(({ courseId }) => courseId % 10 !== 1)),
  },
  {
    rule: 'prices.each-course',
    defect: 'the price list is empty',
    layer: cut(() => []),
  },
  {
    rule: 'prices.agrees-product',
    defect: 'the price list has names of its own for products',
    layer: records((one) => (one.productName = `${one.productName} (online)`)),
  },
  {
    rule: 'prices.no-duplicates',
    defect: 'each record is there twice',
    layer: cut((list) => list.flatMap((one) => [one, one])),
  },
  {
    rule: 'prices.no-duplicates',
    defect: 'the day at the border of two months is there twice',
    layer: cut((list) => [...list, ...list.slice(-1)]),
  },
  {
    rule: 'prices.range-only',
    defect: 'a single day is answered with the day before it, in another time zone',
    layer: query((one) => {
      const [from, to] = [one.get('fromDate'), one.get('toDate')];
      if (from === null || from !== to) return;
      one.set('fromDate', later(from, -1));
      one.set('toDate', later(from, -1));
    }),
  },
  {
    rule: 'prices.range-union',
    defect: 'a range of several days lists each product for its first day only',
    layer: cut((list) => {
      const first = new Map<string, string>();
      for (const { productId, date } of list) first.set(productId, first.get(productId) ?? date);
      return list.filter(({ productId, date }) => first.get(productId) === date);
    }),
  },
];

const agreement: readonly Mutant[] = [
  {
    rule: 'prices.item.dayOfWeek-matches',
    defect: 'the day of the week is one day off',
    layer: records((one) => {
      const next = { monday: 'sunday', tuesday: 'monday', wednesday: 'tuesday', thursday: 'wednesday' };
      one.dayOfWeek = (next as any)[one.dayOfWeek] ?? one.dayOfWeek;
    }),
  },
  {
    rule: 'prices.agrees-facility',
    defect: 'the country is a code',
    layer: records((one) => (one.countryName = 'XX')),
  },
  {
    rule: 'prices.agrees-teetimes',
    defect: 'all prices are in euros',
    layer: records((one) => (one.currency = 'XEU')),
  },
  {
    rule: 'prices.agrees-facility',
    defect: 'the facility has the name of the course',
    layer: records((one) => (one.facilityName = one.courseName)),
  },
  {
    rule: 'prices.agrees-teetimes',
    defect: 'the price list adds tax to its prices',
    layer: records((one) => (one.price = Math.round(one.price * 121) / 100)),
  },
  {
    rule: 'prices.agrees-availability',
    defect: 'v4 shows no tee times at all',
    layer: keeping('v4', () => false),
  },
  {
    rule: 'prices.agrees-availability',
    defect: 'the times of the price list are wrong by hours',
    layer: records(({ availability }) =>
      availability.forEach((one: any) => (one.time = one.time.replace(/^(\d)(\d)/, '$1$2').replace(/^0/, '1'))),
    ),
  },
  {
    rule: 'prices.agrees-availability',
    defect: 'the price list contains sold-out tee times',
    layer: records(({ availability }) => availability.push({ time: '05:00:00', available: 4 })),
  },
  {
    rule: 'prices.agrees-availability',
    defect: 'the price list shows four free slots for each tee time',
    layer: records(({ availability }) => availability.forEach((one: any) => (one.available = 4))),
  },
];

/** Mistakes about prices. */
export const priceMutants: readonly Mutant[] = [...requests, ...ranges, ...agreement];
