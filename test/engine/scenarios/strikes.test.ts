import { describe, expect, test } from 'vitest';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import { appliesTo } from '../../../src/engine/scenarios/spec.js';
import { forms } from '../dialect/forms.js';
import { quick } from '../../support/model-based/operated-walk.js';
import { postPatiently } from '../../support/scenarios/patience.js';
import { traceOf } from '../../support/requests.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { codeOf, expectAfter, refusalOf, seenOf, stateOf } from '../../support/scenarios/struck.js';
import { openAtOnce } from '../../support/views.js';
import { everyStrike, waysToArm } from '../../support/scenarios/ways-to-arm.js';
import { ways } from '../../support/ways-to-book.js';

/** Delays take no time here. */
const { schedule } = quick;
const striking = scenarios.filter((one) => appliesTo(one, 'createBooking') && one.checkpoint !== 'credentials');

/** What was armed for everything would strike a look at the state too, so that is taken from a twin. */
const untouched = openAtOnce().then(async (twins) => ({
  teeTime: await findTeeTime(twins.fairway),
  before: await stateOf(twins),
}));

const arming = Object.entries(waysToArm);

describe.each(arming)('switched on by %s', (name, way) => {
  const rows = everyStrike(striking).filter(([, scenario, phase]) => way.says?.(scenario, phase) ?? true);
  /** The first way has every strike; what the others arm is the same from there on, so each has its share in the fast list. */
  const place = arming.findIndex(([other]) => other === name);
  const tagsOf = (at: number): string[] => (place === 0 || at % (arming.length - 1) === place - 1 ? [] : ['slow']);
  describe.each(rows.map((row, at) => ({ tags: tagsOf(at), row })))(
    '$row.0',
    ({ tags, row: [spec, scenario, phase] }) => {
      test('strikes one booking and no other', { tags }, async () => {
        const { teeTime, before } = await untouched;
        const clients = await openAtOnce({ schedule, ...way.options?.(spec) });
        const { fairway } = clients;
        await way.before?.(fairway, scenario.id, phase);
        const reply = await postPatiently(
          fairway,
          '/api/v5/bookings',
          forms.v5(teeTime, way.fields?.(spec) ?? {}),
          way.headers?.(spec) ?? {},
        );
        const seen = seenOf(scenario.effect);
        const entry = fairway.sandbox.journal.entries.find(({ method }) => method === 'POST')!;
        if (typeof reply === 'string') {
          expect(reply).toBe(seen);
        } else {
          expect(reply.headers.get('teebox-scenario')).toBe(`${scenario.id}; source=${way.source}`);
          if (seen === 'booked') expect(reply).toMatchObject({ status: 200, body: { success: true } });
          if (seen === 'refused') expect(reply).toMatchObject(refusalOf(codeOf(scenario.effect), entry.requestId));
          if (seen === 'broken') expect([reply.status, reply.body]).toEqual([200, undefined]);
        }
        expect(entry).toMatchObject({
          operation: 'v5.createBooking',
          channel: 'fairway',
          state: seen === 'cut' ? 'cut' : 'answered',
          status: reply === 'cut' ? 0 : expect.any(Number),
          scenario: { id: scenario.id, source: way.source, struck: true, phase },
        });
        fairway.sandbox.scenarios.disarm();
        await expectAfter(clients, { scenario, phase }, teeTime, before);
        const next = await findTeeTime(fairway, { facilityId: 1007 });
        const later = await fairway.post('/api/v5/bookings', bookingFor(next, { facilityId: 1007 }));
        expect([later.status, later.headers.get('teebox-scenario')]).toEqual([200, null]);
      });
    },
  );
});

describe('every way to book', () => {
  const refusing = striking.filter(({ effect }) => effect.kind === 'refusal');
  test.each(Object.entries(ways))('%s is struck by a name in the form', async (_, post) => {
    for (const { id, effect } of refusing) {
      const clients = await openAtOnce();
      const { teeTime, before } = await untouched;
      const reply = await post(clients.fairway, teeTime, { contactLastName: id.toUpperCase() });
      expect(reply).toMatchObject(refusalOf(codeOf(effect), reply.headers.get('teebox-request-id')!));
      expect(reply.headers.get('teebox-scenario')).toBe(`${id}; source=body`);
      expect(await traceOf(clients)).toEqual(before.trace);
    }
  });

  test('an injected cart problem, one that arises and a real one are equal byte for byte', async () => {
    const texts = [];
    for (const [changes, asked] of [
      [{ course: 'Elsewhere' }, undefined],
      [{}, 'cart-problem'],
      [{}, 'rival'],
      [{}, 'sold-out'],
      [{}, 'tee-time-withdrawn'],
      [{}, 'facility-disconnected'],
    ] as const) {
      const { fairway } = await openAtOnce();
      const body = bookingFor(await findTeeTime(fairway), changes);
      const headers = asked === undefined ? {} : { 'teebox-scenario': asked };
      const { status, text } = await fairway.post('/api/v5/bookings', body, { headers });
      texts.push([status, text]);
    }
    expect(new Set(texts.map(String)).size).toBe(1);
  });
});
