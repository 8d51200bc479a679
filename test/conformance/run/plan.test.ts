import { expect, test } from 'vitest';
import { memoryJournal } from '../../../src/conformance/client/credentials.js';
import { plan } from '../../../src/conformance/run/plan.js';
import { permissions } from '../../../src/conformance/client/types.js';
import { deploy } from '../deployment.js';

test('a plan tells every kind of request and sends none', async () => {
  const { options, sent } = await deploy();
  const planned = await plan({ ...options, depth: 'quick' });
  expect(sent).toEqual([]);
  expect(planned.every(({ effect }) => effect === 'read')).toBe(true);
  const lines = planned.map(({ method, path }) => `${method} ${path}`);
  expect(lines).toContain('GET /api/v3/facilities?country={country}&connected=true');
  expect(lines).toContain('GET /api/v3/facilities/details/{facilityId}');
});

test('and with leave also what it would write, without touching a token', { tags: ['slow'] }, async () => {
  const { options, sent } = await deploy();
  const touched: string[] = [];
  const journal = {
    ...memoryJournal('a-refresh-token'),
    intent: async (token: string) => void touched.push(token),
  };
  const planned = await plan({ ...options, first: { journal }, allow: permissions, depth: 'quick' });
  expect(sent).toEqual([]);
  expect(touched).toEqual([]);
  expect(new Set(planned.map(({ effect }) => effect))).toEqual(new Set(['read', ...permissions]));
});
