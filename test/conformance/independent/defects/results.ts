import type { Change } from '../run.js';
import type { Search } from '../searches.js';
import { type Loose, wrap } from '../vary.js';
import { type Defect, done } from './row.js';

const rules = /^(callback|search)/;

/** Alters what is posted. */
const posting = (alter: (body: Loose) => unknown): Change =>
  wrap('message', (before) => (body) => before(alter(body) ?? body));
/** Alters what the search looks for. */
const looking = (alter: (search: Search) => Partial<Search>): Change =>
  wrap('deliver', (before) => (search) => before({ ...search, ...alter(search) }));

const eachTeeTime = (data: Loose, alter: (teeTime: Loose) => unknown): void =>
  data.forEach(({ teeTimeV3 }: Loose) => teeTimeV3.forEach(alter));

export const results: readonly Defect[] = [
  done(
    'the result without success',
    rules,
    posting(({ data }) => ({ data })),
  ),
  done(
    'the result is a bare list',
    rules,
    posting(({ data }) => data),
  ),
  done(
    'the result by facility',
    rules,
    posting(({ data }) => ({
      success: true,
      data: Object.fromEntries(data.map((one: Loose) => [one.facilityId, one])),
    })),
  ),
  done(
    'the result has a message for each facility',
    rules,
    wrap('deliver', (before) => (search) => {
      for (const club of search.clubs) before({ ...search, clubs: [club] });
    }),
  ),
  done(
    'tee times under another name',
    rules,
    posting(({ data }) => {
      for (const one of data) {
        one.teeTimes = one.teeTimeV3;
        delete one.teeTimeV3;
      }
    }),
  ),
  done(
    'tee times of v3 in the result',
    rules,
    wrap('writeSlot', (before) => (slot, version) => (version === 5 ? before(slot, 3) : before(slot, version))),
  ),
  done(
    'tee times are null where there are none',
    rules,
    posting(({ data }) => {
      for (const one of data) if (one.teeTimeV3.length === 0) one.teeTimeV3 = null;
    }),
  ),
  done(
    'facility ids as text',
    rules,
    posting(({ data }) => data.forEach((one: Loose) => (one.facilityId = String(one.facilityId)))),
  ),
  done(
    'a facility without tee times is left out',
    rules,
    posting(({ data }) => ({ success: true, data: data.filter((one: Loose) => one.teeTimeV3.length > 0) })),
  ),
  done(
    'a facility twice in the result',
    rules,
    posting(({ data }) => void data.push(data[0])),
  ),
  done(
    'another facility in the result',
    rules,
    looking(({ clubs }) => ({ clubs: [...clubs, ...clubs.slice(0, 1).map((club) => ({ ...club, id: 999 }))] })),
  ),
  done(
    'facilities change their tee times over',
    rules,
    posting(({ data }) => {
      if (data.length > 1) [data[0].facilityId, data[1].facilityId] = [data[1].facilityId, data[0].facilityId];
    }),
  ),
  done(
    'PUT',
    rules,
    wrap('message', (before) => (body) => ({ ...before(body), method: 'PUT' })),
  ),
  done(
    'a form',
    rules,
    wrap('message', (before) => (body) => {
      return {
        ...before(body),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `data=${encodeURIComponent(JSON.stringify(body))}`,
      };
    }),
  ),
  done(
    'the result is called text',
    rules,
    wrap('message', (before) => (body) => ({ ...before(body), headers: { 'content-type': 'text/plain' } })),
  ),
  done(
    'the result is a failure',
    rules,
    posting((body) => ({ ...body, success: false })),
  ),
  done(
    'success of the result as a word',
    rules,
    posting((body) => ({ ...body, success: 'true' })),
  ),
  done(
    'the result is text in JSON',
    rules,
    posting((body) => JSON.stringify(body)),
  ),
  done(
    'the result has a byte order mark',
    rules,
    wrap('message', (before) => (body) => ({ ...before(body), body: `\ufeff${JSON.stringify(body)}` })),
  ),
  done(
    'the result has no type',
    rules,
    wrap('message', (before) => (body) => ({ ...before(body), headers: {} })),
  ),
  done(
    'the result in UTC',
    rules,
    posting(({ data }) =>
      eachTeeTime(data, (one) => {
        one.time = new Date(Date.parse(`${one.time}Z`) - 7_200_000).toISOString().slice(0, 19);
      }),
    ),
  ),
  done(
    'every place is free in the result',
    rules,
    posting(({ data }) => eachTeeTime(data, ({ products }) => products.forEach((one: Loose) => (one.available = 4)))),
  ),
  done(
    'no extra products in the result',
    rules,
    posting(({ data }) => eachTeeTime(data, (one) => (one.extraProducts = []))),
  ),
  done(
    'the result lacks the last tee time of each day',
    rules,
    posting(({ data }) => {
      for (const one of data) {
        const dayOf = (teeTime: Loose): string => teeTime?.time.slice(0, 10);
        one.teeTimeV3 = one.teeTimeV3.filter((teeTime: Loose, at: number, all: Loose[]) => {
          return dayOf(teeTime) === dayOf(all[at + 1]);
        });
      }
    }),
  ),
  done(
    'the result of several days has each tee time twice',
    rules,
    posting(({ data }) => {
      for (const one of data) {
        const days = new Set(one.teeTimeV3.map(({ time }: Loose) => time.slice(0, 10)));
        if (days.size > 1) one.teeTimeV3 = [...one.teeTimeV3, ...one.teeTimeV3];
      }
    }),
  ),
  done(
    'ids of tee times differ in the result',
    rules,
    posting(({ data }) => data.forEach(({ teeTimeV3 }: Loose) => teeTimeV3.forEach((one: Loose) => (one.teeid += 1)))),
  ),
  done(
    'prices differ in the result',
    rules,
    posting(({ data }) =>
      data.forEach(({ teeTimeV3 }: Loose) =>
        teeTimeV3.forEach((one: Loose) => (one.products[0].pricing[0].price.amount += 1)),
      ),
    ),
  ),
  done(
    'the second course is missing in the result',
    rules,
    looking(({ clubs }) => ({ clubs: clubs.map((club) => ({ ...club, courses: club.courses.slice(0, 1) })) })),
  ),
];
