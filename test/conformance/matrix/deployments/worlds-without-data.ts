import type { Amendment } from '../../../../src/engine/model/amend.js';
import { createSandbox, type Sandbox, type State } from '../../../../src/engine/library.js';
import { NOW } from '../../../support/client.js';

const DAY = 86_400_000;

/** The state of a default world in which operators have changed something. */
async function amended(change: (sandbox: Sandbox) => readonly Amendment[]): Promise<State> {
  const sandbox = await createSandbox({ now: NOW });
  const state = sandbox.snapshot();
  return { ...state, store: { ...state.store, amendments: change(sandbox) } };
}

/** A world in which the first channel has lost its facilities, but for so many. */
export function connectedTo(count: number): Promise<State> {
  return amended(({ db, channels: [channel] }) =>
    db.facilities
      .findMany()
      .filter(({ channels }) => channels.includes(channel!.name))
      .slice(count)
      .map(({ id }) => ({ change: 'facility-disconnected', facilityId: id, channel: channel!.name })),
  );
}

/** A world in which nothing is left for so many days, at the facilities that fit. */
export function soldOut(days: number, fits: (id: number) => boolean = () => true): Promise<State> {
  const today = Math.floor(Date.parse(NOW) / DAY);
  return amended(({ db }) =>
    db.courses
      .findMany()
      .filter(({ facilityId }) => fits(facilityId))
      .flatMap(({ id }) =>
        Array.from({ length: days }, (_, day) => ({ change: 'sold-out', courseId: id, day: today + day }) as const),
      ),
  );
}

/** A world without bookings from before the run. */
export async function unbooked(): Promise<State> {
  const state = (await createSandbox({ now: NOW })).snapshot();
  return { ...state, store: { ...state.store, bookings: [] } };
}
