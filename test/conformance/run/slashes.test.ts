import { expect, test } from 'vitest';
import { deploy, idsWith, type Layer } from '../deployment.js';
import { everything } from '../full-run.js';

/** A deployment that serves only paths with a slash at the end, and redirects the others. */
const redirecting =
  (status: number): Layer =>
  async (request, through) => {
    const url = new URL(request.url);
    if (url.pathname.endsWith('/')) {
      url.pathname = url.pathname.slice(0, -1);
      const { method, headers } = request;
      const body = method === 'GET' ? {} : { body: await request.text() };
      return through(new Request(url, { method, headers, ...body }));
    }
    return new Response(null, { status, headers: { location: `${url.pathname}/${url.search}` } });
  };

test.each([301, 308])('a deployment that redirects to paths with a slash by %i is checked', async (status) => {
  const { sandbox, check } = await deploy({}, redirecting(status));
  const only = ['countries.*', 'facilities.list*', 'bookings.create'];
  const report = await check({ ...(status === 301 ? {} : everything(sandbox)), depth: 'quick', only });
  expect(report.exitCode).toBe(0);
  expect([...idsWith(report, 'fail'), ...idsWith(report, 'error')]).toEqual([]);
  expect(idsWith(report, 'pass')).toContain(status === 301 ? 'facilities.list' : 'bookings.create');
});

test('a redirect to another host is not followed', async () => {
  const elsewhere: Layer = async ({ url }) =>
    new Response(null, { status: 301, headers: { location: `https://elsewhere.test${new URL(url).pathname}/` } });
  const { sent, check } = await deploy({}, elsewhere);
  expect(await check()).toMatchObject({ verdict: 'unreachable' });
  expect(sent.every((one) => !one.includes('/?') && !one.endsWith('/'))).toBe(true);
});
