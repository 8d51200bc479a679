import { expect, test } from 'vitest';
import { memoryJournal } from '../../../src/conformance/client/credentials.js';
import { check } from '../../../src/conformance/run/check.js';
import { plan } from '../../../src/conformance/run/plan.js';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import { type Depth, permissions } from '../../../src/conformance/client/types.js';
import type { Sandbox } from '../../../src/engine/library.js';
import { deploy } from '../deployment.js';
import { everything } from '../full-run.js';

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

/** What a plan says, beside what the run then sends, for credentials and permissions as users have them. */
async function saidAndSent(changes: (sandbox: Sandbox) => Partial<CheckOptions>, depth: Depth) {
  const { options, sent, sandbox } = await deploy();
  const { second: _, ...alone } = options;
  const own = { ...alone, depth, ...changes(sandbox) };
  const planned = await plan(own);
  await check(own);
  return { said: planned.reduce((sum, { count }) => sum + count, 0), sent: sent.length };
}

const reading = (): Partial<CheckOptions> => ({});
const second = ({ channels }: Sandbox): Partial<CheckOptions> => ({
  second: { basic: { username: channels[1]!.username, password: channels[1]!.password } },
});
const booking = (): Partial<CheckOptions> => ({ allow: ['bookings'] });

const cases = [
  ['reading', 'quick', reading],
  ['reading', 'standard', reading],
  ['reading', 'thorough', reading],
  ['reading with a second channel', 'quick', second],
  ['reading with a second channel', 'standard', second],
  ['bookings', 'quick', booking],
  ['bookings', 'standard', booking],
  ['bookings', 'thorough', booking],
  ['everything', 'quick', everything],
  ['everything', 'standard', everything],
  ['everything', 'thorough', everything],
] as const;

test.each(cases)(
  'a plan of %s at the depth %s is within a tenth of what a run sends',
  { tags: ['slow'] },
  (_, depth, changes) => isNear(changes, depth),
);

async function isNear(changes: (sandbox: Sandbox) => Partial<CheckOptions>, depth: Depth): Promise<void> {
  const { said, sent } = await saidAndSent(changes, depth);
  expect(Math.abs(said - sent) / sent, `${said} said, ${sent} sent`).toBeLessThan(0.1);
}
