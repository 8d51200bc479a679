import { expect, test } from 'vitest';
import { exploreDeployment } from '../../../src/conformance/index.js';
import { deploy } from '../deployment.js';

test.for([500, 429])('a deployment that answers each booking with %i is not explored', async (status) => {
  const { options } = await deploy({}, (request, through) =>
    request.method === 'POST' && new URL(request.url).pathname.endsWith('bookings')
      ? Promise.resolve(Response.json({}, { status }))
      : through(request),
  );
  const result = await exploreDeployment({ ...options, allow: ['bookings'], seed: 7, walks: 3 });
  expect(result).toMatchObject({ exitCode: 4, verdict: 'too-little-explored' });
});
