import { expect, test } from 'vitest';
import { memoryJournal } from '../../../src/conformance/client/credentials.js';
import type { Exchange } from '../../../src/conformance/client/exchange.js';
import { operationOf } from '../../../src/contract/index.js';
import { plan, type PlannedRequest } from '../../../src/conformance/run/plan.js';
import { permissions } from '../../../src/conformance/client/types.js';
import { operations } from '../../../src/contract/generated/operations.js';
import { deploy } from '../deployment.js';
import { everything } from '../full-run.js';

const total = (planned: readonly { count: number }[]) => planned.reduce((sum, { count }) => sum + count, 0);

/** Method and path of a planned request; its operation if it has one. */
const nameOf = ({ method, path }: PlannedRequest): string => `${method} ${path.split('?')[0]}`;
/** The operations among planned requests. */
const operationsIn = (planned: readonly PlannedRequest[]): string[] => {
  const known = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  return [...new Set(planned.map(nameOf))].filter((name) => known.has(name)).sort();
};

test('a plan tells every kind of request and sends none', async () => {
  const { options, sent } = await deploy();
  const planned = await plan(options);
  expect(sent).toEqual([]);
  expect(planned.every(({ effect }) => effect === 'read')).toBe(true);
  const lines = planned.map(({ method, path }) => `${method} ${path}`);
  expect(lines).toContain('GET /api/v3/facilities?country={country}&connected=true');
  expect(lines).toContain('GET /api/v3/facilities/details/{facilityId}');
});

test('and with leave also what it would write, without touching a token', async () => {
  const { options, sent } = await deploy();
  const touched: string[] = [];
  const journal = {
    ...memoryJournal('a-refresh-token'),
    intent: async (token: string) => void touched.push(token),
  };
  const planned = await plan({ ...options, first: { journal }, allow: permissions });
  expect(sent).toEqual([]);
  expect(touched).toEqual([]);
  expect(new Set(planned.map(({ effect }) => effect))).toEqual(new Set(['read', ...permissions]));
});

test.each([
  ['standard', 'everything is allowed', permissions],
  ['quick', 'nothing is allowed', []],
] as const)('a %s plan where %s has the operations of the run, within a tenth', async (depth, _, allow) => {
  const { sandbox, options, check } = await deploy();
  const told = { ...everything(sandbox), allow, depth };
  const planned = await plan({ ...options, ...told });
  const used = new Set<string>();
  const note = ({ operation, request }: Exchange): void => {
    if (operation) used.add(`${request.method} ${operationOf(operation).path}`);
  };
  const { requests } = await check({
    ...told,
    onEvent: (event) => event.type === 'exchange' && note(event.exchange),
  });
  expect(Math.abs(total(planned) - requests)).toBeLessThan(requests / 10);
  expect(operationsIn(planned)).toEqual([...used].sort());
  expect(operationsIn(planned).some((name) => name.includes('bulkbookings/payment'))).toBe(allow.length > 0);
});

test.each([
  ['everything is allowed', permissions],
  ['nothing is allowed', []],
])('where %s, the days of tee times and prices are ahead of the clock of the machine', async (_, allow) => {
  const { sandbox, options } = await deploy();
  const now = Date.parse('2031-03-10T12:00:00Z');
  const host = { ...options.host, now: () => now };
  const planned = await plan({ ...options, host, ...everything(sandbox), allow });
  const paths = planned.map(({ path }) => path).filter((path) => /v4\/teetimes|v5\/teetimes/.test(path));
  const days = paths.flatMap((path) =>
    [...path.matchAll(/=(\d\d)-(\d\d)-(\d{4})/g)].map(([, d, m, y]) => `${y}-${m}-${d}`),
  );
  expect(days.length).toBeGreaterThan(3);
  const valid = days.filter((day) => !day.endsWith('-02-31'));
  expect(valid.filter((day) => day < '2031-03-10' || day > '2031-07-01')).toEqual([]);
});
