import { dateOf, epochDay, hash } from '../civil.js';
import { asking, rewriting, sending, wrap } from '../vary.js';
import { type Defect, seen } from './row.js';

const path = /price/;
const rules = /^prices/;
const parameter = (alter: (parameters: URLSearchParams) => void) =>
  asking(path, ({ searchParams }) => alter(searchParams));

export const prices: readonly Defect[] = [
  seen(
    'prices of another facility too',
    rules,
    parameter((query) => query.set('facilityIds', `${query.get('facilityIds')},118`)),
  ),
  seen(
    'prices of all facilities',
    rules,
    wrap('prices', (before, service) => (ask) => {
      if (ask.query.get('facilityIds'))
        service.clubsAsked = (_, channel) => service.clubs.filter((club) => service.isConnected(channel, club));
      return before(ask);
    }),
  ),
  seen(
    'the first facility alone',
    rules,
    parameter((query) => query.set('facilityIds', query.get('facilityIds')?.split(',')[0] ?? '')),
  ),
  seen(
    'the last facility alone',
    rules,
    parameter((query) => query.set('facilityIds', query.get('facilityIds')?.split(',').at(-1) ?? '')),
  ),
  seen(
    'without the last day',
    rules,
    wrap('daysAsked', (before) => (from, to) => (from === to ? before(from, to) : before(from, to).slice(0, -1))),
  ),
  seen(
    'without the first day',
    rules,
    wrap('daysAsked', (before) => (from, to) => (from === to ? before(from, to) : before(from, to).slice(1))),
  ),
  seen('the price list is empty', rules, (service) => (service.recordsOf = () => [])),
  seen(
    'a single day has no prices',
    rules,
    wrap('daysAsked', (before) => (from, to) => before(from, to).slice(0, -1)),
  ),
  seen(
    'a day too many',
    rules,
    wrap('daysAsked', (before) => (from, to) => before(from, dateOf(epochDay(to) + 1))),
  ),
  seen(
    'the first day alone',
    rules,
    wrap('daysAsked', (before) => (from, to) => before(from, to).slice(0, 1)),
  ),
  seen(
    'limit is ignored',
    rules,
    parameter((query) => query.delete('limit')),
  ),
  seen(
    'offset is ignored',
    rules,
    parameter((query) => query.delete('offset')),
  ),
  seen('offset counts pages', rules, (service) => {
    service.page = (all, offset, limit) => ({
      records: all.slice(offset * limit, offset * limit + limit),
      total: all.length,
    });
  }),
  seen('offset begins with one', rules, (service) => {
    service.page = (all, offset, limit) => ({
      records: all.slice(Math.max(0, offset - 1)).slice(0, limit),
      total: all.length,
    });
  }),
  seen('limit is where the page ends', rules, (service) => {
    service.page = (all, offset, limit) => ({ records: all.slice(offset, limit), total: all.length });
  }),
  seen('one record too many', rules, (service) => {
    service.page = (all, offset, limit) => ({ records: all.slice(offset, offset + limit + 1), total: all.length });
  }),
  seen('the last page is empty', rules, (service) => {
    service.page = (all, offset, limit) => ({
      records: offset + limit > all.length ? [] : all.slice(offset, offset + limit),
      total: all.length,
    });
  }),
  seen('total without the offset', rules, (service) => {
    service.page = (all, offset, limit) => ({ records: all.slice(offset, offset + limit), total: all.length - offset });
  }),
  seen('pages in an order of chance', rules, (service) => {
    const page = service.page.bind(service);
    let turn = 0;
    service.page = (all, ...rest) => {
      turn += 1;
      return page(
        all.toSorted((one, other) => hash(JSON.stringify(one), turn) - hash(JSON.stringify(other), turn)),
        ...rest,
      );
    };
  }),
  seen(
    'total as text',
    rules,
    sending(path, ({ data }) => void (data.total = String(data.total))),
  ),
  seen(
    'records as data',
    rules,
    rewriting(path, (body) => ({ ...body, data: body.data.records })),
  ),
  seen(
    'records twice',
    rules,
    wrap('recordsOf', (before) => (club, dates) => [...before(club, dates), ...before(club, dates.slice(0, 1))]),
  ),
  seen(
    'five facilities are refused',
    /^prices/,
    wrap('clubsAsked', (before, service) => (query, channel, most) => {
      if (most === 5 && query.get('facilityIds')?.split(',').length === 5)
        throw service.invalid('facilityIds', 'fewer');
      return before(query, channel, most);
    }),
  ),
  seen(
    'a limit is refused',
    /^prices/,
    wrap('countAsked', (before, service) => (query, name, fallback) => {
      if (query.has(name) && name === 'limit') throw service.invalid(name, 'absent');
      return before(query, name, fallback);
    }),
  ),
  seen(
    'a limit needs an offset',
    /^prices/,
    wrap('countAsked', (before, service) => (query, name, fallback) => {
      if (query.has('limit') && !query.has('offset')) throw service.invalid('offset', 'given');
      return before(query, name, fallback);
    }),
  ),
];
