import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { check } from '../../../src/conformance/run/check.js';
import type { Report } from '../../../src/conformance/client/types.js';
import { operations } from '../../../src/contract/generated/operations.js';
import { nodeHost } from '../../../src/cli/node-host.js';
import { serve } from '../../../src/cli/server.js';
import { NOW } from '../../support/client.js';
import { sampled } from '../../support/sampled.js';
import { dayIn } from '../../support/scenes.js';
import { rawBytes, startProxied } from './proxied.js';

const credentials = { username: 'fairway', password: 'not-a-secret-fairway' };
const basic = `Basic ${btoa(`${credentials.username}:${credentials.password}`)}`;

async function startSandbox(): Promise<string> {
  const server = await serve(await createSandbox({ now: NOW }), { port: 0 });
  onTestFinished(() => server.close());
  return server.url;
}

const day = dayIn(3).query;
/** A value for each parameter; sometimes one that does not fit. */
const values: Readonly<Record<string, readonly string[]>> = {
  country: ['Portugal', 'the%20Netherlands', 'Atlantis', ''],
  facilityId: ['1001', '1002', 'abc', '999999'],
  courseId: ['1', '2'],
  bookingDate: [day, 'tomorrow'],
  fromDate: [day],
  toDate: [day, dayIn(5).query],
  players: ['1', '4', '9'],
  holes: ['18', '9'],
  facilityIds: ['1001', '1001,1002'],
  callbackUrl: ['http%3A%2F%2F127.0.0.1%3A1%2F'],
  VERSION_NO: ['v5'],
};

const request = fc
  .record({
    operation: fc.constantFrom(...operations),
    choice: fc.infiniteStream(fc.nat(30)),
    body: fc.constantFrom('{}', '[{"facilityId":1001}]', '{"refresh_token":"x"}', '{', '{"name":"Søren ⛳"}'),
    lines: fc.subarray(['Accept: */*', `Authorization: ${basic}`, 'X-a: 1', 'x-A: 2', 'Origin: http://localhost:5173']),
    isChunked: fc.boolean(),
  })
  .map(({ operation, choice, body, lines, isChunked }) => {
    const pick = (name: string): string => {
      const all = values[name] ?? ['1'];
      return all[(choice.next().value ?? 0) % all.length]!;
    };
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => pick(name));
    const query = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => `${name}=${pick(name)}`);
    const head = [`${operation.method} ${path}?${query.join('&')} HTTP/1.1`, 'Host: localhost', ...lines];
    if (operation.method === 'GET') return `${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`;
    const bytes = Buffer.from(body).toString('latin1');
    const [framing, text] = isChunked
      ? ['Transfer-Encoding: chunked', `${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n`]
      : [`Content-Length: ${bytes.length}`, bytes];
    return `${[...head, 'Content-Type: application/json', framing, 'Connection: close'].join('\r\n')}\r\n\r\n${text}`;
  });

/** An answer but for the headers of its connection, and for the second in which it was sent. */
const endToEnd = (text: string): string =>
  text.replace(/^(connection|keep-alive|date|transfer-encoding): .*\r\n/gim, '');

describe('through the proxy', () => {
  sampled('every answer of a random walk is the same, byte for byte', [40, 150], async (numRuns) => {
    const [direct, target] = [await startSandbox(), await startSandbox()];
    const { url } = await startProxied(target);
    await fc.assert(
      fc.asyncProperty(request, async (text) => {
        const asTarget = text.replace('Host: localhost', `Host: ${new URL(target).host}`);
        expect(endToEnd(await rawBytes(url, text))).toBe(endToEnd(await rawBytes(direct, asTarget)));
      }),
      { numRuns },
    );
  });

  test('the conformance suite comes to the same verdicts', { tags: ['slow'] }, async () => {
    const [direct, target] = [await startSandbox(), await startSandbox()];
    const { url } = await startProxied(target);
    const only = ['countries.*', 'envelope.*', 'errors.*', 'auth.*', 'tokens.*', 'bookings.list*', 'prices.record.*'];
    const run = (baseUrl: string): Promise<Report> =>
      check({
        baseUrl,
        first: { basic: credentials },
        host: { ...nodeHost, now: () => Date.parse(NOW) },
        only,
        depth: 'quick',
      });
    const [one, other] = await Promise.all([run(direct), run(url)]);
    const said = ({ rules }: Report) => rules.map(({ id, verdict, message }) => ({ id, verdict, message }));
    expect(said(other)).toEqual(said(one));
    expect(other.counts.pass).toBeGreaterThan(10);
  });
});
