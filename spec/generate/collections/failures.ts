import { createSandbox } from '../../../src/engine/library.js';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import { type Call, filled, pathOf, type Values } from '../calls/call.js';
import { requestOf } from './by-version.js';
import type { Folder, Request } from './model.js';

/** Scenarios that refuse a request, each in the way it does by default, and one that refuses after the booking was made. */
const struck: readonly { readonly id: string; readonly header: string; readonly books: boolean }[] = [
  ...scenarios
    .filter(({ effect }) => effect.kind === 'refusal')
    .map(({ id, operations }) => ({ id, header: id, books: operations.some((name) => name.startsWith('create')) })),
  { id: 'payment-pi-failed', header: 'payment-pi-failed; phase=after-commit', books: true },
];

/** Failures that a header asks the sandbox for, with the status that it answers. */
export async function failures(calls: readonly Call[], values: Values): Promise<Folder> {
  const requests: Request[] = [];
  for (const { id, header, books } of struck) {
    const call = calls.find((one) => one.id === (books ? 'v5.createBooking' : 'v3.listCountries'))!;
    const { status, body } = await failure(call, values, header);
    const { means, after } = scenarios.find((one) => one.id === id)!;
    const state = header === id ? after['before-commit'] : after['after-commit'];
    requests.push({
      ...requestOf(call, body),
      name: header === id ? id : `${id} after the commit`,
      description: `${means} ${state ?? ''}`.trim(),
      scenario: header,
      struck: true,
      wanted: { status, success: false },
    });
  }
  const description =
    'Each request asks the sandbox for a failure, by the header `Teebox-Scenario`. A deployment ignores it.';
  return { name: 'Failures on demand', description, requests };
}

async function failure(call: Call, values: Values, scenario: string): Promise<{ status: number; body: unknown }> {
  const sandbox = await createSandbox({ now: '2026-06-01T08:00:00Z' });
  const { username, password } = sandbox.channels[0]!;
  const response = await sandbox.fetch(`http://sandbox.test${pathOf(call, values)}`, {
    method: call.method,
    headers: {
      authorization: `Basic ${btoa(`${username}:${password}`)}`,
      'content-type': 'application/json',
      'teebox-scenario': scenario,
    },
    ...(call.body !== undefined && { body: filled(call.body, values) }),
  });
  return { status: response.status, body: await response.json() };
}
