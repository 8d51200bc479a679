import { createSandbox, type Sandbox } from '../../../src/engine/library.js';
import { type Call, filled, pathOf, type Values } from './call.js';
import { type Ask, seedValues } from './values.js';

/** The calls with their values, and what a sandbox in its initial state answers. */
export interface Answered {
  readonly values: Values;
  /** By the id of the call, with each list cut to its first element. */
  readonly answers: ReadonlyMap<string, unknown>;
}

/** Makes each call in a sandbox in its initial state, after the call that it needs. */
export async function answered(calls: readonly Call[]): Promise<Answered> {
  const sandbox = await createSandbox({ now: '2026-06-01T08:00:00Z' });
  const seeded = await seedValues(sandbox, askAs(sandbox));
  const values = { ...seeded, ...(await idsOf(sandbox, calls, seeded)) };
  const answers = new Map<string, unknown>();
  for (const call of calls) {
    await sandbox.reset();
    const needed = calls.find(({ id }) => id === call.needs);
    if (needed) await answer(sandbox, needed, values);
    answers.set(call.id, shortened(await answer(sandbox, call, values)));
  }
  return { values, answers };
}

/** The first booking and the first group of a sandbox have ids of their own. */
async function idsOf(sandbox: Sandbox, calls: readonly Call[], values: Values): Promise<Values> {
  const several = calls.find(({ id }) => id === 'v5.createBooking.several')!;
  const { data } = (await answer(sandbox, several, values)) as {
    data: { groupId: number; bookingIds: [{ bookingId: string }] };
  };
  return { bookingId: data.bookingIds[0].bookingId, groupId: data.groupId };
}

function credentials(sandbox: Sandbox): Record<string, string> {
  const { username, password } = sandbox.channels[0]!;
  return { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'content-type': 'application/json' };
}

function askAs(sandbox: Sandbox): Ask {
  return async (path) => {
    const response = await sandbox.fetch(`http://sandbox.test/api/${path}`, { headers: credentials(sandbox) });
    return ((await response.json()) as { data: unknown }).data;
  };
}

async function answer(sandbox: Sandbox, call: Call, values: Values): Promise<unknown> {
  const response = await sandbox.fetch(`http://sandbox.test${pathOf(call, values)}`, {
    method: call.method,
    headers: credentials(sandbox),
    ...(call.body !== undefined && { body: filled(call.body, values) }),
  });
  const body = (await response.json()) as { success: boolean };
  if (!body.success) {
    const { status } = response;
    throw new Error(
      `The call ${call.id} was answered ${status}: ${JSON.stringify(body)}. Correct spec/generate/calls.`,
    );
  }
  return body;
}

function shortened(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (_, value: unknown) => (Array.isArray(value) ? value.slice(0, 1) : value)));
}
