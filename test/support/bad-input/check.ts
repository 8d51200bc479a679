import { expect } from 'vitest';
import { type Client, open } from '../client.js';
import { keptIn, refusedField } from '../requests.js';
import type { BadRequest } from './parameters.js';

/** The sandbox on which bad requests leave nothing, and what it was before the first of them. */
export interface Ground {
  readonly client: Client;
  expectUntouched(): Promise<void>;
}

export async function ground(): Promise<Ground> {
  const { sandbox, fairway } = await open();
  const before = keptIn(sandbox);
  const expectUntouched = async () => {
    await sandbox.callbacks.settled();
    expect(sandbox.callbacks.deliveries).toEqual([]);
    expect(keptIn(sandbox)).toBe(before);
  };
  return { client: fairway, expectUntouched };
}

/** Rules by which nothing is refused as a failed creation. */
const others: readonly string[] = ['versions.query-once', 'envelope.json-body'];

/** Sends a bad request: refused in the envelope, naming the field and the rule, with nothing done. */
export async function check({ client, expectUntouched }: Ground, row: BadRequest): Promise<void> {
  const { given, method, path, headers = {}, body, want } = row;
  const { status, rule, field, says } = want;
  const reply = await client.send(method, path, { headers, body });
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('teebox-rule'), given).toMatch(new RegExp(`^${rule}; basis=(stated|implied|open)$`));
  const creates = method === 'POST' && path.endsWith('bookings') && !others.includes(rule);
  const refused = { status, body: { success: false, data: null, message: expect.any(String) } };
  expect(reply, given).toMatchObject(field ? { ...refusedField(rule, field, creates), status } : refused);
  if (says) expect(reply.body.message, given).toMatch(says);
  await expectUntouched();
}
