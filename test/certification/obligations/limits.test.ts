import { describe } from 'vitest';
import { type GivenCall, judges } from '../../support/obligations/traffic.js';

const get = (path: string, rest: Partial<GivenCall> = {}): GivenCall => ({
  request: `GET ${path}`,
  takes: 0.01,
  ...rest,
});
const countries = (at: number, rest: Partial<GivenCall> = {}) => get('/api/v3/countries', { at, ...rest });
const limited = (after?: string): Partial<GivenCall> => ({
  status: 429,
  answer: '',
  ...(after === undefined ? {} : { responseHeaders: { 'retry-after': after } }),
});
const down = { status: 503, answer: '' };
const notFound = { status: 404, answer: '' };
/** Calls that show that the clock runs. */
const before = Array.from({ length: 6 }, (_, at) => get('/api/v2/countries', { at }));
const inExam = { facts: { exam: 'rate-limited', clientOk: true } };

describe('limits.retry-after', () => {
  judges('limits.retry-after', {
    'waits as told': ['pass', ...before, countries(10, limited('2')), countries(12.02)],
    'waits until a date': ['pass', countries(10, limited('Mon, 15 Jun 2026 08:00:20 GMT')), countries(20)],
    'gives up': ['pass', ...before, countries(10, limited('2'))],
    'asks for other things': [
      'pass',
      ...before,
      countries(10, limited('2')),
      get('/api/v3/facilities?country=Spain', { at: 10.5 }),
    ],
    'repeats at once, twice': [
      'fail',
      ...before,
      countries(10, limited('2')),
      countries(10.1, limited('2')),
      countries(10.2),
    ],
    'repeats before a date, twice': [
      'fail',
      ...before,
      ...[10, 11, 12].map((at) => countries(at, limited('Mon, 15 Jun 2026 08:00:20 GMT'))),
    ],
    'repeats a service that is down, twice': [
      'fail',
      ...before,
      ...[10, 11, 12].map((at) => countries(at, { ...limited('60'), status: 503 })),
    ],
    'repeats one time, as a person who reloads may': [
      'not-seen',
      ...before,
      countries(10, limited('2')),
      countries(10.5),
    ],
    'was sent before the answer was there': [
      'pass',
      ...before,
      countries(10, { ...limited('2'), takes: 1 }),
      countries(10.2),
      countries(10.3),
    ],
    'a clock that is held': [
      'not-seen',
      ...[1, 1, 1, 1, 1, 1].map((at) => countries(at, { ...limited('2'), takes: 0 })),
    ],
    'no header': ['not-seen', ...before, countries(10, limited()), countries(10.1)],
    'a header that says nothing': ['not-seen', ...before, countries(10, limited('soon')), countries(10.1)],
    'a header of another status': [
      'not-seen',
      ...before,
      countries(10, { status: 404, answer: '', responseHeaders: { 'retry-after': '2' } }),
      countries(10.1),
    ],
  });
  judges(
    'limits.retry-after',
    {
      'waits in an exam': ['pass', ...before, countries(10, limited('2')), countries(12)],
      'repeats one time in an exam': ['fail', ...before, countries(10, limited('2')), countries(10.5)],
    },
    inExam,
  );
  judges(
    'limits.retry-after',
    { 'a person repeats one time in an exam': ['not-seen', ...before, countries(10, limited('2')), countries(10.5)] },
    { facts: { exam: 'rate-limited' } },
  );
});

describe('limits.backs-off', () => {
  const attempts = (count: number, gap: number, rest: Partial<GivenCall> = down) =>
    Array.from({ length: count }, (_, index) => countries(10 + index * (gap + 0.01), rest));
  judges('limits.backs-off', {
    'waits longer each time': [
      'pass',
      ...before,
      countries(10, down),
      countries(10.5, down),
      countries(11.5, down),
      countries(14),
    ],
    'gives up': ['pass', ...before, countries(10, down)],
    'repeats twice at once': ['pass', ...before, ...attempts(3, 0)],
    'repeats three times at once': ['fail', ...before, ...attempts(4, 0)],
    'repeats three times at once after 429': ['fail', ...before, ...attempts(4, 0.02, limited())],
    'repeats many times, slowly': ['pass', ...before, ...attempts(9, 1)],
    'repeats what was refused': ['not-seen', ...before, ...attempts(9, 0, { ...notFound, test: 'one' })],
    'repeats without end what was refused': ['fail', ...before, ...attempts(30, 0.05, { ...notFound, test: 'one' })],
    'repeats what was refused, perhaps once for each test': ['not-seen', ...before, ...attempts(30, 0.05, notFound)],
    'looks again and again for what is not there yet': [
      'not-seen',
      ...before,
      ...attempts(30, 0.5, { ...notFound, test: 'one' }),
    ],
    'repeats what succeeded': ['not-seen', ...before, ...attempts(9, 0, {})],
    'sends different requests': [
      'pass',
      ...before,
      ...[1, 2, 3, 4, 5].map((id) => get(`/api/v3/facilities/${id}`, { at: 10 + id * 0.02, ...down })),
    ],
    'sends the same many times in parallel': [
      'pass',
      ...before,
      ...Array.from({ length: 9 }, (_, at) => countries(10 + at / 100, { ...down, takes: 1 })),
    ],
    'a clock that is held': ['not-seen', ...Array.from({ length: 9 }, () => countries(1, { ...down, takes: 0 }))],
  });
});
