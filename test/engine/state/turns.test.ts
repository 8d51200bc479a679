import { expect, onTestFinished, test, vi } from 'vitest';
import type { State } from '../../../src/engine/library.js';
import { open, ORIGIN } from '../../support/client.js';
import { manyBookings } from '../../support/many-bookings.js';

/** What is done at most between two turns of the event loop: characters of JSON, and objects of records. */
async function mostInOneTurn<T>(work: () => Promise<T>): Promise<{ characters: number; objects: number; result: T }> {
  const { parse, stringify } = JSON;
  const { freeze } = Object;
  const most = { characters: 0, objects: 0 };
  let [characters, objects, isOver] = [0, 0, false];
  const spies = [
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
      characters += text.length;
      return parse(text, reviver);
    }),
    vi.spyOn(JSON, 'stringify').mockImplementation((...given: unknown[]) => {
      const text = stringify(given[0]);
      characters += text?.length ?? 0;
      return text;
    }),
    vi.spyOn(Object, 'freeze').mockImplementation((one: unknown) => {
      objects += 1;
      return freeze(one);
    }),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  const turn = (): void => {
    most.characters = Math.max(most.characters, characters);
    most.objects = Math.max(most.objects, objects);
    [characters, objects] = [0, 0];
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work();
  isOver = true;
  turn();
  spies.forEach((spy) => spy.mockRestore());
  return { ...most, result };
}

const nobody = { append: () => {}, counted: () => {}, kept: () => undefined };
const player = { firstName: 'Ada', lastName: 'Lovelace' };

/** Up to six megabytes of state: in one go, each row would exceed its bounds several times. */
test.each<[what: string, count: number, more: Partial<State['store']['bookings'][number]>, objects: number]>([
  ['many bookings', 3000, {}, 700],
  ['long bookings', 250, { comments: 'x'.repeat(20_000) }, 700],
  ['bookings with many players', 250, { additionalPlayers: Array.from({ length: 300 }, () => player) }, 7000],
])(
  'a state of %s holds up other requests for a few milliseconds at a time',
  { tags: ['slow'] },
  async (_, count, more, objects) => {
    const many = await manyBookings(count);
    const state = {
      ...many,
      store: { ...many.store, bookings: many.store.bookings.map((one) => ({ ...one, ...more })) },
    };
    const text = JSON.stringify(state);
    const { sandbox } = await open({ changes: nobody });
    const ask = async (method: string, path: string, body: string | null) => {
      const response = await sandbox.fetch(new Request(`${ORIGIN}/__admin/${path}`, { method, body }));
      return { status: response.status, text: await response.text() };
    };
    const calls: readonly (readonly [method: string, path: string, body?: string])[] = [
      ['PUT', 'state', text],
      ['GET', 'state'],
      ['GET', 'bookings?text=ada'],
      ['PUT', 'snapshots/one'],
      ['GET', 'snapshots/one'],
      ['POST', 'snapshots/one/restore'],
    ];
    for (const [method, path, body = null] of calls) {
      const { result, ...most } = await mostInOneTurn(() => ask(method, path, body));
      expect({ method, path, ...most, status: result.status }).toEqual({
        method,
        path,
        characters: expect.toSatisfy((one) => one < 500_000),
        objects: expect.toSatisfy((one) => one < objects),
        status: 200,
      });
      if (method === 'GET' && path === 'state')
        expect(JSON.parse(result.text).store.bookings).toEqual(state.store.bookings);
    }
  },
);

test('a state that does not arrive whole changes nothing', async () => {
  const { sandbox } = await open();
  const before = JSON.stringify(sandbox.snapshot());
  const text = JSON.stringify(await manyBookings(650));
  let isSent = false;
  const body = new ReadableStream({
    pull(controller) {
      if (isSent) return controller.error(new Error('The client went away.'));
      controller.enqueue(new TextEncoder().encode(text.slice(0, -1)));
      isSent = true;
    },
  });
  const init = { method: 'PUT', body, duplex: 'half' };
  const { status } = await sandbox.fetch(new Request(`${ORIGIN}/__admin/state`, init));
  expect({ status, state: JSON.stringify(sandbox.snapshot()) }).toEqual({ status: 400, state: before });
});
