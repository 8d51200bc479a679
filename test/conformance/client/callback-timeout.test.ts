import { expect, test } from 'vitest';
import { permissions } from '../../../src/conformance/client/types.js';
import { MAX_BODY } from '../../../src/conformance/run/check-options.js';
import { startReceiver } from '../../../src/cli/callback-receiver.js';
import { deploy, resultOf } from '../deployment.js';

const only = ['callback.timeout'];

test.each([1, 3, 10, 60])('hung up on after %i s is told, where the run has the time', async (seconds) => {
  const { check } = await deploy({ dialect: { answers: { 'callback.timeout-seconds': seconds } } });
  const report = await check({ allow: permissions, only, callbackTimeout: 90_000 });
  expect(report.dialect.answers).toEqual({ 'callback.timeout-seconds': seconds });
});

test.each([
  ['without the time to wait', {}, 'not-given', 'the time to wait for it (--timeout DURATION)'],
  [
    'with less time than the deployment takes',
    { callbackTimeout: 5000 },
    'not-enough-time',
    'a deployment that hangs up within 5 s (--timeout)',
  ],
])('%s the rule says what it lacks', async (_, changes, reason, missing) => {
  const { check } = await deploy();
  const result = resultOf(await check({ allow: permissions, only, ...changes }), 'callback.timeout');
  expect(result).toMatchObject({ verdict: 'inconclusive', reason, missing });
});

test.each([
  [1, 1000, {}],
  [0, 5000, {}],
  [1, 5000, { callbackTimeout: 10_000 }],
])('%i retries are told of one that is posted after %i ms, with %j', async (retries, delay, changes) => {
  const { check, later } = await deploy({}, undefined, async (posted, deliver) => {
    const status = await deliver(posted);
    if (status === 500 && posted.headers.get('x-attempt') === null) {
      posted.headers.set('x-attempt', '2');
      later(() => void deliver(posted), delay);
    }
    return status;
  });
  const report = await check({ allow: permissions, only: ['callback.retries'], ...changes });
  expect(report.dialect.answers).toEqual({ 'callback.retries': retries });
});

test('over a socket the receiver notices who hangs up, and answers who stays', async () => {
  const { receiver, close } = await startReceiver({ port: 0, deploymentIsLocal: true, maxBody: MAX_BODY });
  const held = async (signal?: AbortSignal) => {
    const address = await receiver.address('held');
    const posted = fetch(address.url, { method: 'POST', body: '{}', ...(signal ? { signal } : {}) }).then(
      ({ status }) => status,
      () => 'hung up',
    );
    await address.wait(1, 10_000);
    return { address, posted };
  };
  const leaving = new AbortController();
  const [left, stayed] = [await held(leaving.signal), await held()];
  leaving.abort();
  expect(await left.address.hungUp(10_000)).toBeGreaterThanOrEqual(0);
  expect(await left.posted).toBe('hung up');
  expect(await stayed.address.hungUp(1)).toBeUndefined();
  expect(await stayed.posted).toBe(200);
  close();
});
