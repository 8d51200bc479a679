import { Collection } from '@msw/data';
import { expect, test } from 'vitest';
import { createSandbox, type Database, type RowQuery } from '../../../src/engine/library.js';

type Row = ReturnType<Database['bookings']['findMany']>[number];

/** The rows as the library keeps them if it makes each itself. */
async function madeByLibrary(rows: readonly Row[]) {
  class Copy {
    constructor(fields: object) {
      Object.assign(this, fields);
    }
  }
  const validate = (value: unknown) => ({ value: value as Row });
  const made = new Collection({ schema: { '~standard': { version: 1, vendor: 'test', validate } } });
  for (const row of rows) await made.create(new Copy(row) as Row);
  return made;
}

const ofFairway = (q: RowQuery<Row>) => q.where({ channel: 'fairway' });

test.each<[name: string, options: object, from?: number]>([
  ['all', {}],
  ['the first', { take: 3 }],
  ['the last', { take: -3 }],
  ['those after others', { skip: 2, take: 2 }],
  ['in an order', { orderBy: { teeId: 'desc' } }],
  ['in the order of two fields', { orderBy: [{ players: 'asc' }, { teeId: 'desc' }], take: 4 }],
  ['from a cursor on', { take: 3 }, 4],
  ['from a cursor on, without it', { skip: 1 }, 4],
  ['back from a cursor', { take: -3 }, 5],
])('queries of bookings find what the library finds in rows of its own: %s', async (_name, options, from) => {
  const { db } = await createSandbox();
  const rows = db.bookings.findMany();
  expect(rows.length).toBeGreaterThan(6);
  const library = await madeByLibrary(rows);
  for (const predicate of [undefined, ofFairway]) {
    const at = (all: readonly object[]) => (from === undefined ? options : { ...options, cursor: all[from] });
    const due: unknown[] = library.findMany(predicate as never, at(library.all()));
    const found = db.bookings.findMany(predicate as never, at(rows));
    expect(due).toMatchObject(found.map(({ bookingId }) => ({ bookingId })));
    expect(db.bookings.count()).toBe(library.count());
  }
});

test('queries show each booking at once, and none of before a reset', async () => {
  const sandbox = await createSandbox();
  const planted = sandbox.db.bookings.count();
  const saved = sandbox.snapshot();
  const [, second] = sandbox.db.bookings.findMany();
  await sandbox.restore({ ...saved, store: { ...saved.store, bookings: saved.store.bookings.slice(0, 2) } });
  expect(sandbox.db.bookings.count()).toBe(2);
  expect(sandbox.db.bookings.findFirst((q) => q.where({ bookingId: second!.bookingId }))).toMatchObject({
    bookingId: second!.bookingId,
  });
  expect(sandbox.db.bookings.findMany()).not.toContain(second);
  await sandbox.reset();
  expect(sandbox.db.bookings.count()).toBe(planted);
});

test('queries take values, functions and conditions of nested fields, which their types know', async () => {
  const { db } = await createSandbox();
  const all = db.bookings.findMany();
  const alone = (q: RowQuery<Row>) => q.where({ players: (count) => count === 1, status: 'BOOKED' });
  expect(db.bookings.findMany(alone)).toEqual(all.filter((one) => one.players === 1 && one.status === 'BOOKED'));
  const named = (q: RowQuery<Row>) => q.where({ additionalPlayers: { firstName: 'Nobody' } });
  expect(db.bookings.findMany(named).every((one) => one.additionalPlayers.length === 0)).toBe(true);
  expect(db.bookings.findMany((q) => alone(q).or((row) => row.players !== 1, { status: 'CANCELED' }))).toEqual(all);
  // @ts-expect-error: no booking has this field.
  expect(db.bookings.findFirst((q) => q.where({ lastName: 'Lovelace' }))).toBeUndefined();
  expect(() => db.bookings.findFirst((q) => q.where({ bookingId: 'none' }), { strict: true })).toThrow();
});
