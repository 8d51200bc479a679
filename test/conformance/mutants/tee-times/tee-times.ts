import { altering, type Layer } from '../../deployment.js';
import type { Mutant } from '../mutant.js';
import { lenient, later, reading, refusing } from '../layers/requests.js';

export const sheets = (version: string): RegExp => new RegExp(`/api/${version}/teetimes/`);
const missing = (value: string | null): boolean => value === null;
const versions = ['v2', 'v3', 'v4', 'v5'] as const;
export const byVersion = (make: (version: (typeof versions)[number]) => Mutant): readonly Mutant[] =>
  versions.map(make);

/** The tee times of an answer, whatever the version calls them. */
export const listIn = ({ data }: any): any[] => data.teeTimeV3 ?? data.teeTimeV2 ?? data;
export const each = (version: string, alter: (teeTime: any) => void): Layer =>
  altering(sheets(version), (body) => listIn(body).forEach(alter));
export const keeping = (
  version: string,
  keep: (teeTime: any, index: number, list: readonly unknown[]) => boolean,
): Layer =>
  altering(sheets(version), (body) => {
    const list = listIn(body);
    list.splice(0, list.length, ...list.filter(keep));
  });

const withoutCourse = reading(sheets('v5'), (_, url) => (url.pathname = url.pathname.replace(/v5(.*)\/\d+$/, 'v4$1')));

const guards: readonly Mutant[] = [
  ...byVersion((version) => ({
    rule: 'teetimes.path.facilityId',
    defect: `${version} accepts a facility id with letters after the number`,
    layer: reading(sheets(version), (_, url) => (url.pathname = url.pathname.replace('abc', ''))),
  })),
  ...byVersion((version) => ({
    rule: 'teetimes.query.bookingDate',
    defect: `${version} uses today if the day is missing`,
    layer: lenient(sheets(version), 'bookingDate', '01-06-2026', missing),
  })),
  ...byVersion((version) => ({
    rule: 'teetimes.query.players',
    defect: `${version} uses one player if the number is missing`,
    layer: lenient(sheets(version), 'players', '1', missing),
  })),
  ...byVersion((version) => ({
    rule: 'teetimes.query.holes',
    defect: `${version} uses 18 holes if the number is missing`,
    layer: lenient(sheets(version), 'holes', '18', missing),
  })),
  ...byVersion((version) => ({
    rule: 'limits.players',
    defect: `${version} accepts five players and searches for four`,
    layer: lenient(sheets(version), 'players', '4', (value) => Number(value) > 4),
  })),
  {
    rule: 'limits.players',
    defect: 'v3 returns tee times for zero players',
    layer: lenient(sheets('v3'), 'players', '1', (value) => value === '0'),
  },
  ...byVersion((version) => ({
    rule: 'limits.holes',
    // Nine, which the tee sheet has: an answer without tee times may be lawful.
    defect: `${version} accepts 10 holes`,
    layer: lenient(sheets(version), 'holes', '9', (value) => value === '10'),
  })),
  {
    rule: 'teetimes.path.courseId',
    defect: 'v5 accepts a course id with letters after the number',
    layer: reading(sheets('v5'), (_, url) => (url.pathname = url.pathname.replace('abc', ''))),
  },
];

const filters: readonly Mutant[] = [
  // What v2 and v3 do with it is left to them: they do not say how many slots are free.
  ...(['v4', 'v5'] as const).map((version) => ({
    rule: 'teetimes.filter.players' as const,
    defect: `${version} ignores the number of players`,
    layer: reading(sheets(version), (query) => query.set('players', '1')),
  })),
  {
    rule: 'teetimes.filter.players',
    defect: 'v4 finds no tee times for several players',
    layer: async (request, through) => {
      const isForOne = new URL(request.url).searchParams.get('players') === '1';
      return keeping('v4', () => isForOne)(request, through);
    },
  },
  ...byVersion((version) => ({
    rule: 'teetimes.filter.players-subset',
    defect: `${version} returns only tee times with exactly the requested number of free slots`,
    layer: async (request, through) => {
      const players = Number(new URL(request.url).searchParams.get('players'));
      const free = (one: any): number => one.players ?? one.products[0].available;
      return keeping(version, (one) => free(one) === players)(request, through);
    },
  })),
  ...byVersion((version) => ({
    rule: 'teetimes.filter.holes',
    defect: `${version} returns tee times of 9 holes if 18 are requested`,
    layer: reading(sheets(version), (query) => query.set('holes', '9')),
  })),
  ...byVersion((version) => ({
    rule: 'teetimes.filter.bookingDate',
    defect: `${version} is a day off`,
    layer: reading(sheets(version), (query) => query.set('bookingDate', later(query.get('bookingDate')!, 1))),
  })),
  ...byVersion((version) => ({
    rule: 'teetimes.filter.bookingDate',
    defect: `${version} swaps day and month`,
    layer: reading(sheets(version), (query) => {
      const [day, month, year] = query.get('bookingDate')!.split('-');
      query.set('bookingDate', `${month}-${day}-${year}`);
    }),
  })),
  {
    rule: 'teetimes.filter.course',
    defect: 'v5 ignores the course and returns the tee times of the facility',
    layer: withoutCourse,
  },
  {
    rule: 'teetimes.filter.course',
    defect: 'v5 ignores the course, and each course has tee times of either 9 or 18 holes',
    layer: async (request, through) => {
      const first = new URL(request.url).searchParams.get('holes') === '18';
      const apart = altering(/\/v[45]\/teetimes\//, (body) => {
        const names = listIn(body)
          .map(({ course }) => course)
          .sort();
        const [name] = first ? names : names.reverse();
        body.data.teeTimeV3 = listIn(body).filter(({ course }) => course === name);
      });
      return apart(request, (one) => withoutCourse(one, through));
    },
  },
  {
    rule: 'teetimes.courses-union',
    defect: 'v4 returns only the first ten tee times and v5 all of them',
    layer: keeping('v4', (_, index) => index < 10),
  },
];

const agreement: readonly Mutant[] = [
  {
    rule: 'teetimes.same-across-versions',
    defect: 'v2 returns times in another time zone',
    layer: each(
      'v2',
      (one) => (one.time = one.time.replace(/T(\d\d)/, (_: string, hour: string) => `T0${+hour % 10}`)),
    ),
  },
  {
    rule: 'teetimes.same-across-versions',
    defect: 'v2 shows tee times after the next change of the clocks an hour later',
    layer: each('v2', (one) => {
      if (one.time < '2026-10-25' || one.time > '2027-02-28') return;
      one.time = one.time.replace(/T(\d\d)/, (_: string, hour: string) => `T${String(+hour + 1).padStart(2, '0')}`);
    }),
  },
  {
    rule: 'teetimes.same-across-versions',
    defect: 'v3 truncates the name of the course',
    layer: each('v3', (one) => (one.course = one.course.slice(0, 5))),
  },
  {
    rule: 'teetimes.same-across-versions',
    defect: 'v2 counts the booked slots instead of the free ones',
    layer: each('v2', (one) => (one.players = 5 - one.players)),
  },
  {
    rule: 'teetimes.same-across-versions',
    defect: 'v2 lists no tee times',
    layer: keeping('v2', () => false),
  },
  {
    rule: 'teetimes.same-across-versions',
    defect: 'v3 leaves out the last tee time',
    layer: keeping('v3', (_, index, { length }) => index < length - 1),
  },
  {
    rule: 'teetimes.same-across-versions',
    defect: 'v5 shows one slot more than v4',
    layer: each('v5', (one) => one.products.forEach((product: any) => (product.available += 1))),
  },
  ...(['v2', 'v3'] as const).map((version): Mutant => ({
    rule: 'teetimes.price-across-versions',
    defect: `${version} shows the price for two players for every number of players`,
    layer: each(version, ({ pricing }) =>
      pricing.forEach((step: any) => (step.price = pricing.at(1)?.price ?? step.price)),
    ),
  })),
  {
    rule: 'teetimes.price-across-versions',
    defect: 'v2 shows prices in cents',
    layer: each('v2', ({ pricing }) => pricing.forEach(({ price }: any) => (price.amount *= 100))),
  },
  {
    rule: 'teetimes.cancellation.bounds-order',
    defect: 'v3 swaps the bounds of a cancellation range',
    layer: altering(sheets('v3'), ({ data }) => {
      for (const one of data.facilityCancellationPolicyRange) {
        [one.minimumPlayer, one.maximumPlayer] = [one.maximumPlayer, one.minimumPlayer];
      }
    }),
  },
  {
    rule: 'teetimes.cancellation.by-facility',
    defect: 'v5 returns another cancellation policy',
    layer: altering(sheets('v5'), ({ data }) => {
      for (const one of data.facilityCancellationPolicyRange) one.timePeriod /= 24;
    }),
  },
  {
    rule: 'teetimes.cancellation.by-facility',
    defect: 'v3 omits the last cancellation range',
    layer: altering(sheets('v3'), ({ data }) => data.facilityCancellationPolicyRange.pop()),
  },
];

const answered: readonly Mutant[] = [
  {
    rule: 'teetimes.course-unknown',
    defect: 'an unknown course is answered with 400',
    layer: refusing(sheets('v5'), 400, ({ pathname }) => pathname.endsWith('/2147483646')),
  },
  {
    rule: 'teetimes.item-v3.players-meaning',
    defect: 'v2 and v3 repeat the number of players',
    layer: async (request, through) => {
      const players = Number(new URL(request.url).searchParams.get('players'));
      return each('v[23]', (one) => (one.players = players))(request, through);
    },
  },
  {
    rule: 'teetimes.product.players',
    defect: 'products have a maximum number of players',
    layer: each('v[45]', ({ products }) => products.forEach((one: any) => (one.players = 4))),
  },
  {
    rule: 'teetimes.product.linkedProducts',
    defect: 'the last product of a tee time has null in the place of its linked products',
    layer: each('v[45]', ({ products }) => (products.at(-1).linkedProducts = null)),
  },
  {
    rule: 'teetimes.product.linked-elements',
    defect: 'products have the ids of linked products',
    layer: each('v[45]', ({ products }) => products.forEach((one: any) => one.linkedProducts.push(1))),
  },
  {
    rule: 'teetimes.item.teeid-books',
    defect: 'the booking list returns the position of the tee time in its day as its id',
    layer: altering(/\/api\/v4\/bookings$/, ({ data }) => {
      for (const one of [data].flat()) one.teeId %= 128;
    }),
  },
  {
    rule: 'teetimes.product.mid-books',
    defect: 'an unknown product is replaced with a known one',
    layer: async (request, through) => {
      if (request.method !== 'POST' || !request.url.endsWith('/v5/bookings')) return through(request);
      const body = (await request.clone().json()) as any;
      if (body.productId !== 2_147_483_646) good = body.productId;
      else body.productId = good;
      return through(new Request(request, { method: 'POST', body: JSON.stringify(body) }));
    },
  },
];
let good: unknown;

/** Mistakes about tee times. */
export const teeTimeMutants: readonly Mutant[] = [...guards, ...filters, ...agreement, ...answered];
