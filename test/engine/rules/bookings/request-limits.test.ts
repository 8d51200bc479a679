import { describe, expect } from 'vitest';
import { type Client, open, type Reply } from '../../../support/client.js';
import { everyWay, refusedField, keptIn } from '../../../support/requests.js';
import { rule } from '../../../support/rule.js';
import { findTeeTime, OPEN_FACILITY, teeTimesPath } from '../../../support/scenes.js';
import { openAtOnce, search, searchQuery } from '../../../support/views.js';

/** Values in JSON, of which some have a spelling of their own there. */
const limits = {
  players: { within: ['1', '2', '3', '4', '2.0', '3e0'], beyond: ['0', '-1', '5', '6', '400', '1e21', '0.5', '4.5'] },
  holes: { within: ['18', '18.0', '1.8e1'], beyond: ['0', '-9', '1', '8', '10', '17', '19', '27', '36', '9.5'] },
} as const;

/** Sends a booking in which one number stands as it was written. */
const withNumber = (client: Client, field: string, literal: string): Client => {
  const post: Client['post'] = (path, body) => {
    const text = JSON.stringify(body);
    return client.send('POST', path, { body: text.replace(new RegExp(`"${field}":[^,}]+`), `"${field}":${literal}`) });
  };
  return Object.assign(Object.create(client) as Client, { post });
};

for (const field of ['players', 'holes'] as const) {
  const ids = [`limits.${field}`, `bookings.request.${field}`] as const;
  describe(`${field} of a booking`, () => {
    for (const { name, at, post } of everyWay) {
      rule([...ids, 'bookings.effect.refused-no-trace'], `${name}: beyond the limits nothing is booked`, async () => {
        const clients = await open();
        const teeTime = await findTeeTime(clients.fairway, { players: 4 });
        const before = keptIn(clients.sandbox);
        for (const literal of limits[field].beyond) {
          const reply = await post(withNumber(clients.fairway, field, literal), teeTime);
          expect(reply, literal).toMatchObject(refusedField(`bookings.request.${field}`, at + field));
          expect(reply.body.message).toContain(`got ${JSON.stringify(JSON.parse(literal))} `);
        }
        expect(keptIn(clients.sandbox)).toEqual(before);
      });

      rule(ids, `${name}: within the limits, each is booked`, async () => {
        for (const literal of limits[field].within) {
          const { sandbox, fairway } = await open();
          const teeTime = await findTeeTime(fairway, { players: 4 });
          expect((await post(withNumber(fairway, field, literal), teeTime)).status, literal).toBe(200);
          const [booking] = sandbox.db.bookings.findMany((query) => query.where({ teeId: teeTime.teeid }));
          expect(booking).toMatchObject({ [field]: Number(literal) });
        }
      });
    }
  });
}

rule(['limits.holes', 'bookings.request.holes'], 'nine holes are booked too, in every form', async () => {
  const { fairway } = await open();
  const teeTime = await findTeeTime(fairway, { holes: 9, players: 4 });
  for (const { name, post } of everyWay.slice(0, 4)) {
    expect((await post(fairway, teeTime)).status, name).toBe(200);
  }
  const other = await findTeeTime(fairway, { holes: 9, players: 4 });
  expect((await everyWay.at(-1)!.post(fairway, other)).status).toBe(200);
});

describe('queries', () => {
  const asks: Readonly<Record<string, (client: Client, changes: Record<string, string>) => Promise<Reply>>> = {
    v2: (client, changes) => client.get(pathWith('v2', changes)),
    v3: (client, changes) => client.get(pathWith('v3', changes)),
    v4: (client, changes) => client.get(pathWith('v4', changes)),
    v5: (client, changes) =>
      client.get(pathWith('v4', changes).replace(`v4/teetimes/${OPEN_FACILITY}`, `v5/teetimes/${OPEN_FACILITY}/10011`)),
    search: (client, changes) => search(client, { ...searchQuery(), ...changes }),
  };
  const table = [
    { field: 'players', within: ['1', '2', '3', '4'], beyond: ['0', '-1', '5', '400'] },
    { field: 'holes', within: ['9', '18'], beyond: ['0', '-9', '1', '10', '27', '36'] },
  ] as const;

  for (const { field, within, beyond } of table) {
    for (const [name, ask] of Object.entries(asks)) {
      const id = `${name === 'search' ? 'search' : 'teetimes'}.query.${field}` as const;
      rule([`limits.${field}`, id], `${name} is asked for ${field} within the limits alone`, async () => {
        const { sandbox, fairway } = await openAtOnce();
        for (const value of within) {
          expect(await ask(fairway, { [field]: value }), value).toMatchObject({ status: 200, body: { success: true } });
        }
        await sandbox.callbacks.settled();
        const posted = sandbox.callbacks.deliveries.length;
        for (const value of beyond) {
          expect(await ask(fairway, { [field]: value }), value).toMatchObject(refusedField(id, field));
        }
        await sandbox.callbacks.settled();
        expect(sandbox.callbacks.deliveries.length).toBe(posted);
      });
    }
  }
});

function pathWith(version: 'v2' | 'v3' | 'v4', changes: Record<string, string>): string {
  const [path, query] = teeTimesPath(version).split('?');
  return `${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)), ...changes })}`;
}
