import { describe, expect } from 'vitest';
import { type CallOptions, open } from '../../../support/client.js';
import { UNKNOWN_TOKEN } from '../../../support/credentials.js';
import { bodyOf, everyOperation, pathOf } from '../../../support/operations.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime } from '../../../support/scenes.js';

interface Sent extends CallOptions {
  readonly given: string;
  readonly path: (right: string) => string;
}

const same = (right: string): string => right;
const deep = '['.repeat(5000);

/** Requests that go wrong in one way each, whatever the operation. */
const wrong: readonly Sent[] = [
  { given: 'no query', path: (right) => right.split('?')[0]! },
  { given: 'a query that is empty', path: (right) => right.replaceAll(/=[^&]*/g, '=') },
  { given: 'a query of odd letters', path: (right) => right.replaceAll(/=[^&]*/g, '=%00%F0%9F%8F%8C%27%22%3C') },
  { given: 'a query that is no UTF-8', path: (right) => right.replaceAll(/=[^&]*/g, '=%FF%FE') },
  { given: 'a query ten times over', path: (right) => `${right}${`&${right.split('?')[1] ?? 'x=1'}`.repeat(10)}` },
  { given: 'huge numbers in the path', path: (right) => right.replaceAll(/\/\d+(?=\/|\?|$)/g, '/9'.padEnd(40, '9')) },
  { given: 'odd letters in the path', path: (right) => right.replaceAll(/\/\d+(?=\/|\?|$)/g, '/%00__proto__%25') },
  { given: 'a name of every object', path: (right) => `${right.split('?')[0]}?__proto__=1&constructor=1` },
  { given: 'a bad token', path: same, headers: { authorization: `Bearer ${UNKNOWN_TOKEN}` } },
  { given: 'credentials that are no base64', path: same, headers: { authorization: 'Basic %%%' } },
];

const bodies: readonly unknown[] = [
  '',
  'null',
  '1',
  '"text"',
  '{',
  '{"a":',
  deep,
  [],
  [null],
  [[]],
  [{}],
  { details: {} },
];

describe('no request is answered with a server error', () => {
  for (const operation of everyOperation) {
    rule('errors.server-error', operation.id, async () => {
      const { fairway } = await open();
      const right = pathOf(operation);
      const seen: unknown[] = [];
      const send = async (given: string, path: string, options: CallOptions) => {
        const { status, body } = await fairway.send(operation.method, path, options);
        seen.push(status);
        expect({ given, isServerError: status >= 500, success: body?.success }).toEqual({
          given,
          isServerError: false,
          success: status === 200 ? expect.any(Boolean) : false,
        });
      };
      const own = bodyOf(operation);
      await send('right', right, own);
      for (const { given, path, headers = {} } of wrong) await send(given, path(right), { ...own, headers });
      if (operation.bodies) for (const body of bodies) await send(JSON.stringify(body).slice(0, 40), right, { body });
      expect(seen.filter((status) => status !== 200).length, 'wrong requests that are refused').toBeGreaterThan(1);
    });
  }

  rule('errors.server-error', 'creating a booking with any one field odd', async () => {
    const { fairway } = await open();
    const booking = bookingFor(await findTeeTime(fairway));
    for (const field of [...Object.keys(booking), 'netRate', 'extraProduct', 'additionalPlayers', 'linkedTeeTimeRef']) {
      for (const odd of [null, -1, 1e308, 2 ** 53, '', '\u0000', '\uD800', [], [null], {}, { mid: {} }]) {
        const { status, body } = await fairway.post('/api/v5/bookings', { ...booking, [field]: odd });
        expect({ field, odd, isServerError: status >= 500 }).toEqual({ field, odd, isServerError: false });
        expect(body).toHaveProperty('success', status === 200);
      }
    }
  });
});
