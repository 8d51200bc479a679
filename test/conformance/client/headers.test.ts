import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/client/exchange.js';
import { check } from '../../../src/conformance/run/check.js';
import { deploy, type Layer } from '../deployment.js';
import { dialectOf } from '../full-run.js';

const gatewayBasic = { username: 'gate', password: 'g-a-t-e-w-a-y' };
const only = ['countries.*', 'auth.bearer', 'auth.required'];

/** A gateway that asks for Basic credentials of its own, and hands on the rest. */
const gateway: Layer = async (request, through) => {
  if (request.headers.get('authorization') !== `Basic ${btoa('gate:g-a-t-e-w-a-y')}`) {
    return new Response('<h1>Sign in</h1>', { status: 401 });
  }
  const headers = new Headers(request.headers);
  headers.delete('authorization');
  return through(new Request(request, { headers }));
};

async function throughGateway(changes: object) {
  const { sandbox, options } = await deploy(dialectOf({ 'auth.bearer-header': 'X-Access-Token' }), gateway);
  const { second: _, ...alone } = options;
  const exchanges: Exchange[] = [];
  const report = await check({
    ...alone,
    first: { refreshToken: sandbox.channels[0]!.refreshToken! },
    bearerHeader: 'X-Access-Token',
    only,
    onEvent: (event) => void (event.type === 'exchange' && exchanges.push(event.exchange)),
    ...changes,
  });
  return { report, exchanges };
}

test('Basic credentials of a gateway go beside the bearer token, and into no report', async () => {
  const { report, exchanges } = await throughGateway({ gatewayBasic });
  expect(report).toMatchObject({ exitCode: 0, counts: { fail: 0, warn: 0 } });
  expect(report.rules.find(({ id }) => id === 'auth.bearer')?.verdict).toBe('pass');
  expect(JSON.stringify(exchanges)).not.toContain('g-a-t-e-w-a-y');
  expect(JSON.stringify(exchanges)).not.toContain(btoa('gate:g-a-t-e-w-a-y'));
  expect(exchanges[1]!.request.headers).toMatchObject({ authorization: '***', 'x-access-token': 'Bearer ***' });
});

test('without them the gateway refuses', async () => {
  const { report } = await throughGateway({});
  expect(report).toMatchObject({ exitCode: 3, verdict: 'refused' });
});

test('headers that the run sets itself are refused', async () => {
  await expect(throughGateway({ headers: { Host: 'elsewhere' } })).rejects.toThrow('--header cannot set Host');
});
