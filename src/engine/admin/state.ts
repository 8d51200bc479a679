import { Booking, recordOf } from '../model/booking.js';
import { ValidationError, slicesBy } from '../../common/index.js';
import type { State } from '../state/state.js';
import { Problem, shown } from './problem.js';
import { readJsonInSlices } from './read.js';
import type { AdminCall, AdminHost, AdminRoute } from './route.js';
import { MOST_SNAPSHOTS, type Snapshot } from './snapshots.js';
import { streamed } from './streamed.js';

/** The state as data, and named snapshots. */
export const stateRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'state', answer: async ({ host }) => streamed(await snapshotOf(host), host) },
  { method: 'GET', path: 'capsule', answer: capsule },
  { method: 'PUT', path: 'state', answer: replace },
  { method: 'GET', path: 'snapshots', answer: list },
  { method: 'DELETE', path: 'snapshots', answer: clear },
  { method: 'GET', path: 'snapshots/:name', answer: (call) => streamed(find(call).state, call.host) },
  { method: 'PUT', path: 'snapshots/:name', answer: take },
  { method: 'DELETE', path: 'snapshots/:name', answer: remove },
  { method: 'POST', path: 'snapshots/:name/restore', answer: restore },
];

const LARGEST_STATE = 268_435_456;
const form = /^[A-Za-z0-9._-]{1,64}$/;

/** The state, whose bookings are made into data a few at a time, unless an earlier one shares them. */
async function snapshotOf(host: AdminHost): Promise<State> {
  await slicesBy(host.pause)(unrecorded(host.engine.store.ledger.all()), recordOf);
  return host.snapshot();
}

function* unrecorded(bookings: Iterable<Booking>): Iterable<Booking> {
  for (const booking of bookings) if (!Booking.kept(booking)) yield booking;
}

/** The last requests as a file. */
async function capsule({ host }: AdminCall): Promise<Response> {
  return streamed(await host.capsule(), host, { 'content-disposition': 'attachment; filename="teebox-capsule.json"' });
}

async function replace({ host, request }: AdminCall): Promise<unknown> {
  const state = await readJsonInSlices(request, LARGEST_STATE, host.pause);
  return restored(host, state);
}

async function restored(host: AdminHost, state: unknown): Promise<unknown> {
  try {
    await host.restore(state);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new Problem(400, `Failed to load the state: ${error.message} Nothing was changed.`, {}, error.fits);
  }
  return { status: 'restored' };
}

function list({ host: { snapshots } }: AdminCall): unknown {
  return { count: snapshots.all.length, snapshots: snapshots.all.map(summaryOf) };
}

function summaryOf({ name, takenAt, state }: Snapshot): unknown {
  return { name, takenAt, bookings: state.store.bookings.length };
}

async function take({ host, path }: AdminCall): Promise<unknown> {
  const { snapshots, engine } = host;
  const name = path['name']!;
  if (!form.test(name)) {
    const due = 'must have 1 to 64 letters, digits or any of . _ -';
    throw new Problem(400, `The name of a snapshot ${due}; got ${shown(name)}.`);
  }
  const state = await snapshotOf(host);
  if (!snapshots.takes(name)) {
    throw new Problem(409, `There are ${MOST_SNAPSHOTS} snapshots already, the most that are kept. DELETE one first.`);
  }
  const snapshot = { name, takenAt: new Date(engine.now()).toISOString(), state };
  snapshots.keep(snapshot);
  return summaryOf(snapshot);
}

function restore(call: AdminCall): Promise<unknown> {
  return restored(call.host, find(call).state);
}

function find({ host, path }: AdminCall): Snapshot {
  const snapshot = host.snapshots.get(path['name']!);
  if (snapshot) return snapshot;
  throw unknownSnapshot(path['name']!);
}

function remove({ host, path }: AdminCall): unknown {
  if (!host.snapshots.delete(path['name']!)) throw unknownSnapshot(path['name']!);
  return { status: 'deleted' };
}

function clear({ host }: AdminCall): unknown {
  host.snapshots.clear();
  return { status: 'deleted' };
}

function unknownSnapshot(name: string): Problem {
  return new Problem(404, `There is no snapshot ${shown(name)}. GET snapshots lists those that are kept.`);
}
