import { describe, expect, test } from 'vitest';
import type { Schedule } from '../../../src/engine/model/clock.js';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { createWorld } from '../../../src/engine/store/world.js';
import { creating, forms } from '../dialect/forms.js';
import { listedIds, LISTING } from '../../support/booking-list.js';
import { open } from '../../support/client.js';
import { postPatiently } from '../../support/scenarios/patience.js';
import { dayIn, findTeeTime, type Json } from '../../support/scenes.js';
import { isMade, seenOf } from '../../support/scenarios/struck.js';
import { pricesOf } from '../../support/views.js';

const magicOf = (seed: number) => [...createWorld({ seed }).facilities()].filter(({ scenario }) => scenario);
const magic = magicOf(1);
const rows = magic.flatMap(({ id, name, scenario }) =>
  creating.map((version) => ({ id, name, version, asked: scenario! })),
);

/** Delays take no time here, but for one that is to outlast its caller. */
const schedule: Schedule = (work, delay) => {
  const timer = setTimeout(work, delay > 60_000 ? delay : 0);
  return () => clearTimeout(timer);
};
const paths = { v2: '/api/v2/bookings', v3: '/api/v3/bulkbookings', v5: '/api/v5/bookings' };

/** Books one place at a facility in the form of a version. */
async function book(options: SandboxOptions, facilityId: number, version: (typeof creating)[number]) {
  const { fairway, sandbox } = await open({ schedule, ...options });
  const teeTime = await findTeeTime(fairway, { facilityId });
  const body = forms[version](teeTime, { facilityId });
  const before = await listedIds(fairway, 'v4');
  const reply = await postPatiently(fairway, paths[version], version === 'v3' ? [body] : body);
  return { fairway, sandbox, reply, before };
}

describe('a facility that is named for what it does', () => {
  test.each(rows)('$name strikes a booking in $version', async ({ id, version, asked }) => {
    const [scenarioId] = asked.split(';');
    const scenario = scenarios.find((one) => one.id === scenarioId)!;
    const phase = asked.includes('after-commit') ? 'after-commit' : (Object.keys(scenario.after)[0] as 'after-commit');
    const { fairway, sandbox, reply, before } = await book({}, id, version);
    const seen = seenOf(scenario.effect);
    if (typeof reply === 'string') {
      expect(reply).toBe(seen);
    } else {
      expect(reply.status).toBe(seen === 'booked' ? 200 : 400);
      expect(reply.headers.get('teebox-scenario')).toBe(`${scenarioId}; source=facility`);
    }
    const entry = sandbox.journal.entries.find(({ method }) => method === 'POST');
    expect(entry!.scenario).toMatchObject({ id: scenarioId, source: 'facility', struck: true, phase });
    for (const list of LISTING) {
      const made = (await listedIds(fairway, list)).length - before.length;
      expect(made, list).toBe(isMade(scenario, phase) ? 1 : 0);
    }
  });

  test.each(rows)('$name is an ordinary one in $version where magic is off', async ({ id, version }) => {
    const { reply, sandbox } = await book({ magic: false }, id, version);
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    expect(sandbox.journal.entries.at(-1)).not.toHaveProperty('scenario');
  });

  test('gives way to what the request itself asks for', async () => {
    const { fairway } = await open({ schedule });
    const teeTime = await findTeeTime(fairway, { facilityId: magic[0]!.id });
    const changes = { facilityId: magic[0]!.id };
    const headers = { 'teebox-scenario': 'unprocessable' };
    const byHeader = await fairway.post('/api/v5/bookings', forms.v5(teeTime, changes), { headers });
    expect(byHeader.headers.get('teebox-scenario')).toBe('unprocessable; source=header');
    const named = forms.v5(teeTime, { ...changes, contactLastName: 'TRANSFER-FAILED' });
    const byName = await fairway.post('/api/v5/bookings', named);
    expect(byName.headers.get('teebox-scenario')).toBe('transfer-failed; source=body');
  });
});

describe('there are facilities named for what they do', () => {
  test('for each of the documented failures, with names of their own', () => {
    const asked = magic.map(({ scenario }) => scenario!.split(';')[0]);
    const refusals = scenarios.filter(
      ({ checkpoint, effect }) => effect.kind === 'refusal' && checkpoint !== 'arrival',
    );
    expect(asked).toEqual(expect.arrayContaining(refusals.map(({ id }) => id)));
    expect(new Set(magic.map(({ name }) => name)).size).toBe(magic.length);
  });

  test.each([2, 99, 4711])('in the world of seed %i too, by the same ids and names', (seed) => {
    const told = (list: typeof magic) => list.map(({ id, name, scenario }) => ({ id, name, scenario }));
    expect(told(magicOf(seed))).toEqual(told(magic));
  });

  test('and in a large world none beside them', () => {
    const large = [...createWorld({ seed: 1, facilities: 300 }).facilities()].filter(({ scenario }) => scenario);
    expect(large.map(({ id }) => id)).toEqual(magic.map(({ id }) => id));
  });

  /** A few days of every month, which have each weekday among them. */
  const year = { fast: { every: 30, days: 3 }, slow: { every: 365, days: 365 } };
  const isOpenAllYear = async (seed: number, { every, days }: { every: number; days: number }) => {
    const { fairway, links, caddie } = await open({ seed });
    for (const client of [fairway, links, caddie]) {
      for (const { id, name } of magic) {
        for (let first = 1; first + days <= 366; first += every) {
          const records = (await pricesOf(client, [id], first, first + days - 1)).filter(({ availability }: Json) =>
            availability.some(({ available }: Json) => available > 0),
          );
          const shown = [...new Set(records.map(({ date }: Json) => date))].sort();
          expect(shown, name).toEqual(Array.from({ length: days }, (_, day) => dayIn(first + day).iso));
        }
      }
    }
  };
  test.each([1, 7])('open for every channel in every month of a year, in the world of seed %i', (seed) =>
    isOpenAllYear(seed, year.fast),
  );
  test.each([1, 7])(
    'open for every channel on every day of a year, in the world of seed %i',
    { tags: ['slow'] },
    (seed) => isOpenAllYear(seed, year.slow),
  );
});
