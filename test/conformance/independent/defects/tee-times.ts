import { dateOf, epochDay } from '../civil.js';
import type { Change } from '../run.js';
import { rewriting, sending, type Loose, wrap } from '../vary.js';
import { each, listOf } from './answers.js';
import { type Defect, done, seen } from './row.js';

const sheets = /teetimes./;
const newest = /v[345].teetimes/;
const rules = /^(teetimes|versions|prices|bookings|limits)/;

const shifted = (days: number): Change =>
  wrap('dayAsked', (before) => (query, name) => dateOf(epochDay(before(query, name)) + days));

let searches = 0;

export const teeTimes: readonly Defect[] = [
  seen('the day after', rules, shifted(1)),
  seen('the day before', rules, shifted(-1)),
  seen(
    'day and month changed over where they can be',
    rules,
    wrap('dayAsked', (before) => (query, name) => {
      const date = before(query, name);
      return Number(date.slice(8)) <= 12 ? `${date.slice(0, 4)}-${date.slice(8)}-${date.slice(5, 7)}` : date;
    }),
  ),
  seen('always today', rules, (service) => (service.dayAsked = () => '2026-06-01')),
  seen(
    'the whole week',
    rules,
    sending(/v4.teetimes/, ({ data }) =>
      data.teeTimeV3.push(
        ...data.teeTimeV3.slice(0, 1).map((one: Loose) => {
          return { ...one, teeid: one.teeid + 64, time: `2026-12-24${one.time.slice(10)}` };
        }),
      ),
    ),
  ),
  seen(
    'players is ignored',
    rules,
    wrap('fits', (before) => (slot, _, holes) => before(slot, 1, holes)),
  ),
  seen('exactly as many places as players', rules, (service) => {
    service.fits = (slot, players, holes) => slot.holes === holes && service.free(slot) === players;
  }),
  seen('more places than players', rules, (service) => {
    service.fits = (slot, players, holes) => slot.holes === holes && service.free(slot) > players;
  }),
  seen('sold-out tee times are listed', rules, (service) => {
    service.fits = (slot, players, holes) => slot.holes === holes && (players === 1 || service.free(slot) >= players);
  }),
  seen('holes is ignored', rules, (service) => (service.fits = (slot, players) => service.free(slot) >= players)),
  seen(
    'holes is ignored by v3',
    rules,
    wrap('teeTimes', (before) => (ask) => {
      const answer = before(ask) as Loose;
      if (ask.version === 3) {
        const other = new URLSearchParams(ask.query);
        other.set('holes', ask.query.get('holes') === '9' ? '18' : '9');
        answer.teeTimeV2.push(...(before({ ...ask, query: other }) as Loose).teeTimeV2);
      }
      return answer;
    }),
  ),
  seen(
    'the course is ignored',
    rules,
    wrap('teeTimes', (before) => (ask) => (ask.version === 5 ? before({ ...ask, version: 4 }) : before(ask))),
  ),
  seen('always the first course', rules, (service) => (service.findCourse = (club) => club.courses[0]!)),
  seen(
    'a facility of another channel by its own',
    rules,
    wrap('teeTimes', (before) => (ask) => before({ ...ask, args: ['101', ...ask.args.slice(1).map(() => '210')] })),
  ),
  seen(
    'ids change with each search',
    rules,
    each(sheets, (one) => {
      searches += 1;
      if (one.teeid) one.teeid += 1_000_000_000 + searches;
      else one.id += 1_000_000_000 + searches;
    }),
  ),
  seen(
    'two courses share ids',
    rules,
    each(/teetimes/, (one) => {
      if (one.teeid) one.teeid %= 64;
    }),
  ),
  seen(
    'an id for two tee times',
    rules,
    each(newest, (one) => {
      if (one.teeid) one.teeid -= one.teeid % 2;
    }),
  ),
  seen(
    'a tee time twice',
    rules,
    sending(newest, ({ data }) => listOf(data).push(...listOf(data).slice(0, 1))),
  ),
  seen(
    'v2 in UTC',
    rules,
    each(
      /v2.teetimes/,
      (one) => (one.time = new Date(Date.parse(`${one.time}Z`) - 7_200_000).toISOString().slice(0, 19)),
    ),
  ),
  seen(
    'v5 in UTC',
    rules,
    each(
      /v5.teetimes/,
      (one) => (one.time = new Date(Date.parse(`${one.time}Z`) - 7_200_000).toISOString().slice(0, 19)),
    ),
  ),
  seen(
    'v2 counts players, not places',
    rules,
    each(/v2.teetimes/, (one) => (one.players = 4 - one.players)),
  ),
  seen(
    'v3 costs something else',
    rules,
    each(/v3.teetimes/, ({ pricing }) => pricing.forEach(({ price }: Loose) => (price.amount += 5))),
  ),
  seen(
    'v5 costs something else',
    rules,
    each(/v5.teetimes/, ({ products }) =>
      products.forEach(({ pricing }: Loose) => pricing.forEach((one: Loose) => (one.price.amount += 5))),
    ),
  ),
  seen(
    'v4 names another course',
    rules,
    each(/v4.teetimes/, (one) => (one.course = `${one.course} GC`)),
  ),
  seen(
    'v3 lacks tee times',
    rules,
    sending(/v3.teetimes/, ({ data }) => void data.teeTimeV2.splice(1, 2)),
  ),
  seen(
    'v5 lacks a product',
    rules,
    each(/v5.teetimes/, (one) => (one.products = one.products.slice(1))),
  ),
  seen(
    'v2 says course',
    rules,
    each(/v2.teetimes/, (one) => {
      one.course = one.round;
      delete one.round;
    }),
  ),
  seen(
    'v4 is a list',
    rules,
    rewriting(/v4.teetimes/, (body) => ({ ...body, data: body.data.teeTimeV3 })),
  ),
  seen(
    'v2 is an object',
    rules,
    rewriting(/v2.teetimes/, (body) => ({ ...body, data: { teeTimes: body.data } })),
  ),
  seen(
    'empty sheets',
    /./,
    sending(sheets, ({ data }) => void listOf(data).splice(0)),
  ),
  done(
    'booked places are still free in v2',
    /^(bookings|versions|teetimes)/,
    wrap('teeTimes', (before, service) => (ask) => {
      const held = new Map(service.held);
      if (ask.version === 2) service.held.clear();
      const answer = before(ask);
      for (const [id, count] of held) service.held.set(id, count);
      return answer;
    }),
  ),
];
