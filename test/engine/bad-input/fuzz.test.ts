import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { OperationId } from '../../../src/contract/generated/operations.js';
import * as strict from '../../../src/contract/generated/built/response-validators-strict.js';
import { type CreatingVersion, forms } from '../dialect/forms.js';
import { anything, type Anything } from '../../support/bad-input/fuzz.js';
import { listOf, LONG_AGO } from '../../support/booking-list.js';
import type { Client, Reply } from '../../support/client.js';
import { initialTokenOf } from '../../support/credentials.js';
import { everyOperation } from '../../support/operations.js';
import { traceOf } from '../../support/requests.js';
import { sampled } from '../../support/sampled.js';
import { findTeeTime } from '../../support/scenes.js';
import { openAtOnce } from '../../support/views.js';
import { bookedIds } from '../../support/ways-to-book.js';

const SEED = 20260602;

/** An answer of the service, whatever came: the envelope of the operation, or that of a refusal. */
function judge({ operation, path, headers: sent }: Anything, { status, headers, body, text, rule }: Reply): void {
  const said = `${operation.id} ${path}: ${status} ${text.slice(0, 300)}`;
  if ('teebox-scenario' in sent && headers.get('content-type') === 'application/problem+json') {
    // No text of the fuzz is a scenario, and that is no matter of the service.
    expect(body, said).toMatchObject({ status: 400, fits: expect.any(Array), detail: expect.stringMatching(/\w/) });
    return;
  }
  expect(headers.get('content-type'), said).toBe('application/json; charset=utf-8');
  expect(rule, said).toMatch(/^\w/);
  if (status === 200) expect(strict.responses[operation.id as OperationId](body), said).toBe(true);
  else {
    expect(status, said).toBeGreaterThanOrEqual(400);
    expect(status, said).toBeLessThan(500);
    expect(strict.failure(body), said).toBe(true);
  }
}

const everyBooking = async (clients: readonly Client[]): Promise<string[]> => {
  const lists = await Promise.all(clients.map((client) => listOf(client, 'v4', { fromDate: LONG_AGO })));
  return lists.flat().map(({ bookingId }) => bookingId);
};

describe('whatever is sent gets an answer of the service', () => {
  const walk = async (operation: (typeof everyOperation)[number], numRuns: number) => {
    const { id } = operation;
    const opened = await openAtOnce();
    const { fairway, links, caddie, sandbox } = opened;
    const creates = /create/.test(id);
    const before = await traceOf(opened);
    const form = creates
      ? forms[id.slice(0, 2) as CreatingVersion]
      : () => ({ refresh_token: initialTokenOf(fairway) });
    const good = form(await findTeeTime(fairway, { players: 4 }), {});
    const planted = await everyBooking([fairway, links, caddie]);
    const booked: string[] = [];
    const statuses = new Set<number>();
    const property = fc.asyncProperty(anything(operation, good), async (one) => {
      const { method, path, headers, body } = one;
      const reply = await fairway.send(method, path, { headers, body });
      judge(one, reply);
      statuses.add(reply.status);
      if (creates && reply.status === 200) booked.push(...bookedIds(reply));
    });
    await fc.assert(property, { seed: SEED, numRuns, endOnFailure: true });
    await sandbox.callbacks.settled();
    // Nothing is there but what was answered with success.
    expect((await everyBooking([fairway, links, caddie])).sort()).toEqual([...planted, ...booked].sort());
    if (booked.length === 0) expect(await traceOf(opened)).toEqual(before);
    expect(statuses.size).toBeGreaterThan(1);
    if (creates) expect(booked.length).toBeGreaterThan(0);
  };
  for (const one of everyOperation) {
    sampled(one.id, /create/.test(one.id) ? [60, 250] : [15, 60], (count) => walk(one, count));
  }
});
