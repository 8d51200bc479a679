import { expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/client/exchange.js';
import type { CheckOptions } from '../../../../src/conformance/run/check-options.js';
import { decisiveOf } from '../../../../src/conformance/report/check-report.js';
import { findingsAmong } from '../../../../src/conformance/run/summary/finding-groups.js';
import { operations } from '../../../../src/contract/generated/operations.js';
import { deploy, type Layer } from '../../deployment.js';
import { everything } from '../../full-run.js';
import { refused } from '../../mutants/layers/booking-lists.js';

/** A service that does not work in part, and the operation that its first finding must name. */
interface Collapse {
  readonly what: string;
  readonly operation: string;
  readonly fits: (request: Request) => boolean | Promise<boolean>;
  /** Whether a run that only reads meets it. */
  readonly reads: boolean;
}

const pathOf = ({ url }: Request): string => new URL(url).pathname;

/** Every operation in every version; a payment goes by either method. */
const whole: readonly Collapse[] = operations
  .filter(({ id }) => !id.endsWith('.post'))
  .map(({ id, name, method, path }) => {
    const shape = new RegExp(`^${path.replace('{version}', 'v\\d').replace(/\{\w+\}/g, '[^/]+')}$`);
    const isPayment = name.startsWith('confirm');
    const fits = (request: Request): boolean => (isPayment || request.method === method) && shape.test(pathOf(request));
    return { what: id, operation: id, fits, reads: method === 'GET' && !isPayment && name !== 'searchTeeTimes' };
  });

/** Bookings of a version whose body has a shape. */
function shaped(what: string, has: (body: unknown) => boolean): Collapse {
  const fits = async (request: Request): Promise<boolean> =>
    request.method === 'POST' && pathOf(request) === '/api/v5/bookings' && has(await request.clone().json());
  return { what: `v5.createBooking ${what}`, operation: 'v5.createBooking', fits, reads: false };
}

const withDetails = (body: unknown): boolean => typeof body === 'object' && body !== null && 'details' in body;
const shapes: readonly Collapse[] = [
  shaped('of one', (body) => !Array.isArray(body) && !withDetails(body)),
  shaped('of a list', Array.isArray),
  shaped('with `details`', withDetails),
];

const holes = operations
  .filter(({ name }) => name === 'listTeeTimes')
  .flatMap(({ id, path }) =>
    [9, 18].map((number): Collapse => {
      const shape = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
      const fits = (request: Request): boolean =>
        shape.test(pathOf(request)) && new URL(request.url).searchParams.get('holes') === String(number);
      return { what: `${id} for ${number} holes`, operation: id, fits, reads: true };
    }),
  );

/** A run against a service that refuses, and the operation of its first finding. */
async function runAgainst({ fits, reads }: Collapse, status: number) {
  const layer: Layer = async (request, through) => ((await fits(request)) ? refused(status) : through(request));
  const { sandbox, check } = await deploy({}, layer);
  const exchanges = new Map<string, Exchange>();
  const onEvent: CheckOptions['onEvent'] = (event) => {
    if (event.type === 'exchange') exchanges.set(event.exchange.id, event.exchange);
  };
  const report = await check({ ...(reads ? {} : everything(sandbox)), depth: 'quick', onEvent });
  const [first] = findingsAmong(report.rules);
  const operation = first && decisiveOf(first, { exchanges })?.operation?.replace(/\.post$/, '');
  return { exitCode: report.exitCode, operation, message: first?.message, concern: first?.concern };
}

/** Operations fail with a server error, or refuse, in turn: each in some of its versions. */
const statuses = [500, 400, 405];
const table = [...whole, ...shapes, ...holes].map((collapse, index) => ({ ...collapse, status: statuses[index % 3]! }));

test.each(table.filter(({ operation, status }) => operation !== 'refreshToken' || status !== 400))(
  'the first finding names $what that always answers $status',
  async ({ status, ...collapse }) => {
    const found = await runAgainst(collapse, status);
    expect(found).toMatchObject({ exitCode: 1, operation: collapse.operation, concern: 'access' });
  },
);

test('a refresh that always answers 400 ends the run: the token may be wrong', async () => {
  const layer: Layer = async (request, through) =>
    pathOf(request).endsWith('/token/refreshToken') ? refused() : through(request);
  const { sandbox, check } = await deploy({}, layer);
  const message = expect.stringContaining('refreshToken returns 400') as string;
  expect(await check(everything(sandbox))).toMatchObject({ exitCode: 3, verdict: 'refused', message });
});
