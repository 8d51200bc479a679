import { expect, test } from 'vitest';
import type { Report } from '../../../src/conformance/client/types.js';
import { deploy } from '../deployment.js';

const judgedIn = ({ rules }: Report): string[] =>
  rules.filter(({ verdict }) => ['pass', 'fail', 'warn', 'observed'].includes(verdict)).map(({ id }) => id);

/** A run against a deployment whose clock is elsewhere; with a header `Date` that a gateway sets, or none. */
async function runIn(now: string | undefined, only: readonly string[] = ['*'], date?: string): Promise<Report> {
  const { check } = await deploy(now === undefined ? {} : { now }, async (request, go) => {
    const response = await go(request);
    const headers = new Headers(response.headers);
    if (date !== undefined) headers.set('date', new Date(date).toUTCString());
    return new Response(response.body, { status: response.status, headers });
  });
  return check({ depth: 'quick', only });
}

const some = ['teetimes.item-v3.*', 'teetimes.query.*', 'prices.query.*', 'bookings.list.*'];

test.each([
  ['2030-05-01T10:00:00Z', undefined, /at about 2030-04-.* ahead of .* newest booking/],
  ['2030-05-01T10:00:00Z', '2030-05-01T10:00:00Z', /at about 2030-05-01 10:0\d UTC, \d years ahead of .* Date header/],
  ['2019-09-30T23:00:00Z', undefined, /at about 2019-.* years behind .* newest booking/],
  ['2019-09-30T23:00:00Z', '2019-09-30T23:00:00Z', /at about 2019-09-30 23:0\d UTC, .* years behind .* Date header/],
] as const)(
  'a deployment at %s with Date %s is checked at its own days, and the report says so',
  { tags: ['slow'] },
  async (now, date, hint) => {
    const [before, report] = [await runIn(undefined, some), await runIn(now, some, date)];
    expect(judgedIn(report)).toEqual(judgedIn(before));
    expect(judgedIn(before).length).toBeGreaterThan(20);
    expect([report.exitCode, before.hints]).toEqual([0, []]);
    expect(report.hints).toEqual([expect.stringMatching(hint)]);
  },
);

test.each(['2021-11-29T05:00:00Z', '2041-01-01T00:00:00Z'])(
  'a header Date of %s does not mislead about tee times that are on sale now',
  async (date) => {
    const [before, report] = [
      await runIn(undefined, ['teetimes.item-v3.*']),
      await runIn(undefined, ['teetimes.item-v3.*'], date),
    ];
    expect([judgedIn(report), report.hints]).toEqual([judgedIn(before), []]);
    expect(judgedIn(report).length).toBeGreaterThan(2);
  },
);

test('no rule is lost to a clock that is years away', { tags: ['slow'] }, async () => {
  const [before, ...others] = [
    await runIn(undefined),
    await runIn('2030-05-01T10:00:00Z'),
    await runIn('2019-05-01T10:00:00Z'),
  ];
  for (const report of others) expect(judgedIn(report)).toEqual(judgedIn(before!));
});
