import { reading } from '../layers/requests.js';
import type { Mutant } from '../mutant.js';
import { each, keeping, sheets } from './tee-times.js';

/** The course of the first request for each facility. */
const first = new Map<string, string>();

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
    rule: 'teetimes.courses-union',
    defect: 'v5 returns only the first ten tee times of a course',
    layer: keeping('v5', (_, index) => index < 10),
  },
  {
    rule: 'teetimes.same-across-versions',
    defect: 'v3 offers no extra products',
    layer: each('v3', (one) => (one.extraProducts = [])),
  },
];
