import { altering, type Layer } from '../deployment.js';
import type { Mutant } from './mutant.js';
import { reading } from './layers/requests.js';

/** Days are also taken the other way round, as the year comes first. */
const eitherForm = (path: RegExp, name: string): Layer =>
  reading(path, (query) => {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(query.get(name) ?? '') ?? [];
    if (year) query.set(name, `${day}-${month}-${year}`);
  });

/** Bookings whose time is written as queries write days are read all the same. */
const eitherBody =
  (path: RegExp): Layer =>
  async (request, through) => {
    if (request.method !== 'POST' || !path.test(request.url)) return through(request);
    const turned = (text: string): string => text.replace(/"(\d\d)-(\d\d)-(\d{4}) /, '"$3-$2-$1 ');
    return through(new Request(request, { method: 'POST', body: turned(await request.clone().text()) }));
  };

const queries: readonly (readonly [what: string, path: RegExp, name: string])[] = [
  ['the v2 tee sheet', /\/v2\/teetimes/, 'bookingDate'],
  ['the v3 tee sheet', /\/v3\/teetimes/, 'bookingDate'],
  ['the v4 tee sheet', /\/v4\/teetimes/, 'bookingDate'],
  ['the v5 tee sheet', /\/v5\/teetimes\//, 'bookingDate'],
  ['the price list', /\/v5\/price/, 'fromDate'],
  ['the v1 booking list', /\/v1\/bookings$/, 'fromDate'],
  ['the v2 booking list', /\/v2\/bookings$/, 'fromDate'],
  ['the v4 booking list', /\/v4\/bookings$/, 'fromDate'],
];

const bodies: readonly (readonly [what: string, path: RegExp])[] = [
  ['v2', /\/v2\/bookings$/],
  ['v3', /\/v3\/bulkbookings$/],
  ['v5', /\/v5\/bookings$/],
];

const written: readonly (readonly [what: string, path: RegExp, name: string, to: (text: string) => string])[] = [
  ['v2 writes times with a space', /\/v2\/teetimes/, 'time', (text) => text.replace('T', ' ')],
  ['v3 writes times without seconds', /\/v3\/teetimes/, 'time', (text) => text.slice(0, 16)],
  ['v4 writes times in UTC', /\/v4\/teetimes/, 'time', (text) => `${text}Z`],
  [
    'v3 writes the creation time of a facility without milliseconds',
    /\/v3\/facilities\/\d+$/,
    'created',
    (text) => text.slice(0, 19),
  ],
  ['the booking list writes days with slashes', /\/v4\/bookings$/, 'teetime', (text) => text.replace(/-/g, '/')],
];

/** Alters a text wherever it stands under a name. */
function everywhere(value: unknown, name: string, to: (text: string) => string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (key === name && typeof item === 'string') (value as Record<string, unknown>)[key] = to(item);
    else everywhere(item, name, to);
  }
}

/** The size from which on a body is refused. */
const bodiesUpTo =
  (most: number): Layer =>
  async (request, through) => {
    const size = request.method === 'POST' ? (await request.clone().text()).length : 0;
    return size > most
      ? Response.json({ success: false, data: null, message: 'Too long.' }, { status: 413 })
      : through(request);
  };

/** A limit of requests, counted over all of a run. */
const upTo = (most: number): Layer => {
  let count = 0;
  return async (request, through) =>
    (count += 1) > most
      ? Response.json({ success: false, data: null }, { status: 429, headers: { 'retry-after': '60' } })
      : through(request);
};

/** Mistakes about dates, and other answers to what is open about limits. */
export const dateMutants: readonly Mutant[] = [
  ...queries.map(([what, path, name]): Mutant => ({
    rule: 'dates.query-format',
    defect: `${what} also accepts yyyy-mm-dd`,
    layer: eitherForm(path, name),
  })),
  {
    rule: 'dates.query-format',
    defect: '31 February is read as 3 March',
    layer: reading(/\/v4\/teetimes/, (query) => {
      const day = query.get('bookingDate');
      if (day?.startsWith('31-02')) query.set('bookingDate', day.replace('31-02', '03-03'));
    }),
  },
  ...bodies.map(([what, path]): Mutant => ({
    rule: 'dates.body-format',
    defect: `a ${what} booking also accepts dd-mm-yyyy`,
    layer: eitherBody(path),
  })),
  ...written.map(([defect, path, name, to]): Mutant => ({
    rule: 'dates.response-format',
    defect,
    layer: altering(path, (body) => everywhere(body, name, to)),
  })),
  { rule: 'limits.body-size', defect: 'bodies of more than 5000 bytes are refused', layer: bodiesUpTo(5000) },
  {
    rule: 'limits.rate',
    defect: 'only the first two requests are accepted',
    options: { only: ['limits.rate', 'countries.*'] },
    layer: upTo(2),
  },
];
