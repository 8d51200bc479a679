import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as strict from '../src/generated/response-validators-strict.js';
import type { OperationSpec, ParameterSpec } from '../src/generated/operations.js';
import { forms } from './dialect/forms.js';
import { type Client, open } from './support/client.js';
import { everyOperation, pathOf } from './support/operations.js';
import { traceOf } from './support/requests.js';
import { bookingFor, findTeeTime } from './support/scenes.js';

describe('whatever comes', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      '%',
      '%00',
      '%ff',
      '..',
      'null',
      'NaN',
      '9'.repeat(400),
      '\ud800',
      '1001,1001',
    ),
    fc.integer().map(String),
    fc.double().map(String),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      anything,
      fc.array(tie('any')),
      fc.dictionary(anything, tie('any')),
    ),
  })).any;

  const callOf = (operation: OperationSpec) =>
    fc.record({
      operation: fc.constant(operation),
      path: fc.dictionary(
        fc.constantFrom(...operation.parameters.map(({ name }: ParameterSpec) => name), 'x'),
        anything,
      ),
      extra: fc.webQueryParameters(),
      body: fc.option(
        fc.oneof(
          value.map((one) => JSON.stringify(one)),
          anything,
        ),
        { nil: undefined },
      ),
      fields: fc.dictionary(
        fc.constantFrom(...Object.keys(forms.v3(sample, {})), 'linkedTeeTimeRef', '__proto__'),
        value,
      ),
    });
  const sample = {
    teeid: 1,
    time: '2026-06-11T10:00:00',
    course: 'x',
    holes: 18,
    extraProducts: [],
    products: [{ mid: 1 }],
  };

  const wellFormed = (text: string) => text.replaceAll(/\p{Surrogate}/gu, '?');
  /** As a segment of a path; dots alone would be resolved before they are sent. */
  const segmentOf = (text: string) => encodeURIComponent(wellFormed(text)).replace(/^\.{0,2}$/, '-');

  /** The path with some parameters replaced, and more besides. */
  function addressOf(operation: OperationSpec, changes: Readonly<Record<string, string>>, extra: string): string {
    const [path, query = ''] = pathOf(operation).split('?');
    const search = new URLSearchParams(query);
    let address = path!;
    for (const { name, in: place } of operation.parameters) {
      const sent = changes[name];
      if (sent === undefined) continue;
      if (place === 'query') search.append(name, wellFormed(sent));
      else address = address.replace(/[^/]+$/, () => segmentOf(sent));
    }
    return `${address}?${search}&${extra}`;
  }

  async function sendTo(
    client: Client,
    operation: OperationSpec,
    address: string,
    body: string | undefined,
  ): Promise<void> {
    const reply = await client.send(operation.method, address, operation.method === 'POST' ? { body: body ?? '' } : {});
    expect(reply.status, reply.text).toBeLessThan(500);
    const judge =
      reply.status === 200 ? strict.responses[operation.id as keyof typeof strict.responses] : strict.failure;
    expect(judge(reply.body), `${operation.id} ${reply.status} ${reply.text.slice(0, 300)}`).toBe(true);
  }

  test.each(everyOperation.map((one) => [one.id, one] as const))('%s answers in the envelope', async (_, operation) => {
    const clients = await open();
    const { fairway } = clients;
    const before = await traceOf(clients);
    const teeTime = await findTeeTime(fairway);
    const run = async ({
      path,
      extra,
      body,
      fields,
    }: {
      path: Record<string, string>;
      extra: string;
      body: string | undefined;
      fields: object;
    }) => {
      await sendTo(fairway, operation, addressOf(operation, path, extra), body);
      if (!operation.id.includes('create')) return;
      // A booking that is right but for some of its fields, none of which may be what books it.
      const near = { ...bookingFor(teeTime), ...fields, teeId: -1 };
      for (const one of [near, [near], { details: [near] }])
        await sendTo(fairway, operation, operation.path, JSON.stringify(one));
    };
    await fc.assert(fc.asyncProperty(callOf(operation), run), { seed: 7, numRuns: 40 });
    await fairway.sandbox.callbacks.settled();
    expect(await traceOf(clients)).toEqual(before);
  });
});
