import { expect, test } from 'vitest';
import { memoryJournal } from '../../../src/conformance/client/credentials.js';
import type { Exchange } from '../../../src/conformance/client/exchange.js';
import { operationOf } from '../../../src/contract/index.js';
import { plan, type PlannedRequest } from '../../../src/conformance/run/plan.js';
import { permissions } from '../../../src/conformance/client/types.js';
import { operations } from '../../../src/contract/generated/operations.js';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
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

const NOW = '2031-03-10T12:00:00Z';

/** A plan at a machine whose clock shows {@link NOW}, and what it did meanwhile. */
async function planned(changes: Partial<CheckOptions> = {}) {
  const { options, sent } = await deploy();
  const host = { ...options.host, now: () => Date.parse(NOW) };
  return { requests: await plan({ ...options, host, ...changes }), sent };
}

/** The days of tee times and prices in queries that are valid dates. */
const daysIn = (requests: readonly PlannedRequest[]): string[] =>
  requests
    .filter(({ path }) => /v4\/teetimes|v5\/teetimes/.test(path))
    .flatMap(({ path }) => [...path.matchAll(/=(\d\d)-(\d\d)-(\d{4})/g)].map(([, d, m, y]) => `${y}-${m}-${d}`))
    .filter((day) => !day.endsWith('-02-31'));

const expectAhead = (requests: readonly PlannedRequest[]): void => {
  const days = daysIn(requests);
  expect(days.length).toBeGreaterThan(3);
  expect(days.filter((day) => day < '2031-03-10' || day > '2031-07-01')).toEqual([]);
};

test('a plan tells every kind of request and its days, by the clock of the machine, and sends none', async () => {
  const { requests, sent } = await planned();
  expect(sent).toEqual([]);
  expect(requests.every(({ effect }) => effect === 'read')).toBe(true);
  const lines = requests.map(({ method, path }) => `${method} ${path}`);
  expect(lines).toContain('GET /api/v3/facilities?country={country}&connected=true');
  expect(lines).toContain('GET /api/v3/facilities/details/{facilityId}');
  expectAhead(requests);
});

test('and with leave also what it would write, without touching a token', async () => {
  const touched: string[] = [];
  const journal = {
    ...memoryJournal('a-refresh-token'),
    intent: async (token: string) => void touched.push(token),
  };
  const { requests, sent } = await planned({ first: { journal }, allow: permissions });
  expect(sent).toEqual([]);
  expect(touched).toEqual([]);
  expect(new Set(requests.map(({ effect }) => effect))).toEqual(new Set(['read', ...permissions]));
  expectAhead(requests);
});

test.each([
  ['standard', 'everything is allowed', permissions],
  ['quick', 'nothing is allowed', []],
] as const)('a %s plan where %s has the operations of the run, within a tenth', async (depth, _, allow) => {
  const { sandbox, options, check } = await deploy();
  const told = { ...everything(sandbox), allow, depth };
  const requests = await plan({ ...options, ...told });
  const used = new Set<string>();
  const note = ({ operation, request }: Exchange): void => {
    if (operation) used.add(`${request.method} ${operationOf(operation).path}`);
  };
  const report = await check({
    ...told,
    onEvent: (event) => event.type === 'exchange' && note(event.exchange),
  });
  expect(Math.abs(total(requests) - report.requests)).toBeLessThan(report.requests / 10);
  expect(operationsIn(requests)).toEqual([...used].sort());
  expect(operationsIn(requests).some((name) => name.includes('bulkbookings/payment'))).toBe(allow.length > 0);
});
