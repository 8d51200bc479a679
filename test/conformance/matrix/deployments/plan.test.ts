import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/client/exchange.js';
import { operationOf } from '../../../../src/contract/index.js';
import { plan, type PlannedRequest } from '../../../../src/conformance/run/plan.js';
import { permissions } from '../../../../src/conformance/client/types.js';
import { operations } from '../../../../src/contract/generated/operations.js';
import { deploy } from '../../deployment.js';
import { everything } from '../../full-run.js';

const total = (planned: readonly { count: number }[]) => planned.reduce((sum, { count }) => sum + count, 0);

/** Method and path of a planned request; its operation if it has one. */
const nameOf = ({ method, path }: PlannedRequest): string => `${method} ${path.split('?')[0]}`;
/** The operations among planned requests. */
const operationsIn = (planned: readonly PlannedRequest[]): string[] => {
  const known = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  return [...new Set(planned.map(nameOf))].filter((name) => known.has(name)).sort();
};

describe.each([
  ['everything is allowed', permissions],
  ['nothing is', []],
])('where %s', (_, allow) => {
  test.each(['quick', 'standard'] as const)(
    'a %s plan has the operations of the run, within a tenth',
    async (depth) => {
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
    },
  );

  test('the days of tee times and prices are ahead of the clock of the machine', async () => {
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
});
