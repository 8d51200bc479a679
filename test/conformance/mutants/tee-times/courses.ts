import { reading } from '../layers/requests.js';
import type { Mutant } from '../mutant.js';
import { each, keeping, sheets } from './tee-times.js';

/** The course of the first request for each facility. */
const first = new Map<string, string>();

let last = '1001';

/** Mistakes about the courses of a facility, and about what versions share. */
export const courseMutants: readonly Mutant[] = [
  {
    rule: 'teetimes.filter.course',
    defect: 'v5 keeps the course of the first request for a facility',
    layer: reading(sheets('v5'), (_, url) => {
      const [, facility = '', course = ''] = /(\d+)\/(\d+)$/.exec(url.pathname) ?? [];
      if (!first.has(facility)) first.set(facility, course);
      url.pathname = url.pathname.replace(/\d+$/, first.get(facility)!);
    }),
  },
  {
    rule: 'teetimes.filter.course',
    defect: 'v5 returns the tee times of the facility for a course that has none',
    layer: async (request, through) => {
      const response = await through(request);
      const [, facility, course] = /v5\/teetimes\/(\d+)\/(\d+)\?/.exec(request.url) ?? [];
      if (!response.ok || facility === undefined || course === '2147483646') return response;
      const { data } = (await response.clone().json()) as { data: { teeTimeV3: unknown[] } };
      if (data.teeTimeV3.length > 0) return response;
      return through(
        new Request(request.url.replace(`v5/teetimes/${facility}/${course}`, `v4/teetimes/${facility}`), request),
      );
    },
  },
  {
    rule: 'teetimes.courses-union',
    defect: 'v5 returns only the first ten tee times of a course',
    layer: keeping('v5', (_, index) => index < 10),
  },
  {
    rule: 'teetimes.filter.course',
    defect: 'v5 returns the tee times of the facility for an unknown course',
    layer: reading(sheets('v5'), (_, url) => (url.pathname = url.pathname.replace(/v5(.*)\/2147483646$/, 'v4$1'))),
  },
  ...(['v2', 'v3', 'v4', 'v5'] as const).map((version): Mutant => ({
    rule: 'teetimes.filter.facility',
    defect: `${version} returns the tee times of the last facility for an unknown one`,
    layer: reading(sheets(version), (_, url) => {
      const [, facility = ''] = /teetimes\/(\d+)/.exec(url.pathname) ?? [];
      if (facility !== '2147483646') last = facility;
      else url.pathname = url.pathname.replace(facility, last);
    }),
  })),
  {
    rule: 'prices.facilities-only',
    defect: 'an unknown facility has the prices of the last one',
    layer: reading(/price/, (query) => {
      const ids = query.get('facilityIds') ?? '';
      if (ids !== '2147483646') last = ids;
      else query.set('facilityIds', last);
    }),
  },
  {
    rule: 'teetimes.product.once',
    defect: 'a tee time has its first product twice',
    layer: each('v4', ({ products }) => products.push(products[0])),
  },
  {
    rule: 'teetimes.product.once',
    defect: 'a tee time has its extra products twice',
    layer: each('v4', ({ extraProducts }) => extraProducts.push(...extraProducts)),
  },
  {
    rule: 'teetimes.same-across-versions',
    defect: 'v3 offers no extra products',
    layer: each('v3', (one) => (one.extraProducts = [])),
  },
];
