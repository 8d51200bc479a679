import { beforeAll, describe, expect, test } from 'vitest';
import { adminOf } from '../../support/admin.js';
import { open } from '../../support/client.js';
import { bookingFor, findTeeTime, type TeeTime } from '../../support/scenes.js';

let teeTime: TeeTime;
beforeAll(async () => {
  teeTime = await findTeeTime((await open()).fairway);
});

async function bookAs(fields: Record<string, unknown>, magic = true) {
  const { fairway, sandbox } = await open({ magic });
  const reply = await fairway.post('/api/v5/bookings', bookingFor(teeTime, fields));
  return { reply, sandbox, entry: sandbox.journal.entries.at(-1)! };
}

describe('a name that switches a scenario on', () => {
  const rows = [
    'PAYMENT-PI-FAILED',
    'payment-pi-failed',
    '  PAYMENT-PI-FAILED ',
    'payment-pi-failed\t',
    'Ada PAYMENT-PI-FAILED',
    'von  payment-pi-failed ',
  ];
  test.each(rows)('%j', async (contactLastName) => {
    const { reply, entry } = await bookAs({ contactLastName });
    expect([reply.status, reply.headers.get('teebox-scenario')]).toEqual([400, 'payment-pi-failed; source=body']);
    expect(entry.warnings).toBeUndefined();
  });
});

describe('a name that comes near is told in the journal, and strikes nothing', () => {
  const rows: readonly [name: string, write: string][] = [
    ['Payment-Pi-Failed', 'PAYMENT-PI-FAILED'],
    ['Payment-pi-failed', 'PAYMENT-PI-FAILED'],
    ['PAYMENT_PI_FAILED', 'PAYMENT-PI-FAILED'],
    ['Ada Slow', 'SLOW'],
    [' Rival ', 'RIVAL'],
  ];
  test.each(rows)('%j', async (contactLastName, write) => {
    const { reply, entry, sandbox } = await bookAs({ contactLastName });
    expect([reply.status, reply.headers.get('teebox-scenario')]).toEqual([200, null]);
    const word = contactLastName.trim().split(' ').at(-1)!;
    const warning = `\`contactLastName\` is "${word}", which switches nothing on. For the scenario, write ${write}.`;
    expect(entry.warnings).toEqual([warning]);
    const { body } = await adminOf(sandbox)('GET', 'requests');
    expect(body.requests.at(-1).warnings).toEqual([warning]);
  });

  test.each(['Lovelace', 'Slowly', 'payment', '', 7, null, '__proto__', 'constructor'])(
    'not %j',
    async (contactLastName) => {
      const { entry } = await bookAs({ contactLastName });
      expect([entry.warnings, entry.scenario]).toEqual([undefined, undefined]);
    },
  );

  test('not where names mean nothing', async () => {
    const { reply, entry } = await bookAs({ contactLastName: 'Slow', comments: '#teebox maintenance' }, false);
    expect([reply.status, entry.warnings]).toEqual([200, undefined]);
  });
});
