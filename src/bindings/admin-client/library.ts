/**
 * A typed client of the admin API, for tests that run in another process than the sandbox.
 *
 * @module
 */
import type { adminComponents as components, adminOperations as operations, WorldFile } from '../../contract/index.js';
import { type AdminClientOptions, type AdminSend, createSend } from './send.js';

export { AdminError } from './admin-error.js';
export type { AdminClientOptions } from './send.js';

type AdminSchemas = components['schemas'];
type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** The admin API of one sandbox. Every method throws an `AdminError` that says what failed. */
export interface Admin {
  /** The base URL of the sandbox, without a trailing slash. */
  readonly baseUrl: string;
  version(): Promise<AdminSchemas['Version']>;
  /** The channels with the credentials that work now. */
  channels(): Promise<AdminSchemas['ChannelList']['channels']>;
  reset(): Promise<void>;
  /** Arms a scenario. */
  arm(
    scenario: string,
    options?: Partial<Omit<AdminSchemas['PlanRequest'], 'scenario'>>,
  ): Promise<AdminSchemas['Plan']>;
  plans(): Promise<AdminSchemas['Plan'][]>;
  /** Disarms a plan, or all. */
  disarm(id?: string): Promise<void>;
  readonly chaos: AdminChaos;
  requests(filter?: Partial<Omit<QueryOf<'listRequests'>, 'format'>>): Promise<AdminSchemas['RequestSummary'][]>;
  explain(id: string): Promise<AdminSchemas['Explanation']>;
  /** Waits for requests. Throws if too few or too many match; the message names the closest one. */
  verify(expectation: Partial<AdminSchemas['Expectation']>): Promise<AdminSchemas['Verified']>;
  bookings(filter?: Partial<QueryOf<'listBookings'>>): Promise<AdminSchemas['Booking'][]>;
  /** What happened to a booking, and what is no longer known of it. */
  history(bookingId: string): Promise<AdminSchemas['BookingHistory']>;
  /** The facilities with what each is good for in a test; `next` is the `from` of the next page. */
  facilities(filter?: Partial<QueryOf<'listFacilities'>>): Promise<AdminSchemas['FacilityList']>;
  /** Cancels a booking; `force` overrides the policy of the facility. */
  cancel(bookingId: string, options?: { readonly force?: boolean }): Promise<AdminSchemas['Cancelled']>;
  readonly teeSheets: AdminTeeSheets;
  readonly clock: AdminClock;
  readonly state: AdminState;
  readonly snapshots: AdminSnapshots;
  readonly callbacks: AdminCallbacks;
  readonly world: AdminWorld;
  readonly worlds: AdminWorlds;
}

/** The facilities, courses and prices of the sandbox. */
export interface AdminWorld {
  /** The file in force, without passwords and tokens; its `world` is null for a generated world. */
  get(): Promise<AdminSchemas['WorldShown']>;
  /** Starts anew with another world file. `reset` drops the bookings that clients have made, which refuse it otherwise. */
  replace(file: WorldFile, options?: { readonly reset?: boolean }): Promise<AdminSchemas['WorldShown']>;
}

/** The tee sheets of facilities, and what their operators change. */
export interface AdminTeeSheets {
  /** One day of a facility; default: today. */
  get(facilityId: number, day?: Partial<QueryOf<'getTeeSheets'>>): Promise<AdminSchemas['TeeSheets']>;
  changes(facilityId: number): Promise<AdminSchemas['SheetChanges']['changes']>;
  /** Withdraws a tee time, sells out a day, raises its prices, disconnects a channel, or books as another buyer. */
  change(facilityId: number, change: AdminSchemas['SheetChange']): Promise<AdminSchemas['SheetChanged']>;
  /** Undoes the changes that match, or all. */
  undo(facilityId: number, filter?: Partial<QueryOf<'undoSheetChanges'>>): Promise<AdminSchemas['SheetChangesUndone']>;
}

/** A random mix of scenarios. */
export interface AdminChaos {
  /** With its counters; null if there is none. */
  get(): Promise<AdminSchemas['ChaosShown']['chaos']>;
  /** Starts it, instead of the mix before. */
  start(mix: AdminSchemas['ChaosRequest']): Promise<AdminSchemas['Chaos']>;
  stop(): Promise<void>;
}

export interface AdminClock {
  get(): Promise<AdminSchemas['Clock']>;
  freeze(): Promise<AdminSchemas['ClockMoved']>;
  resume(): Promise<AdminSchemas['ClockMoved']>;
  /** Sets the clock to an instant, in ISO 8601 with a time zone or as a `Date`. */
  set(instant: string | Date): Promise<AdminSchemas['ClockMoved']>;
  /** Advances the clock by milliseconds or by an ISO 8601 duration, such as `PT49H`. */
  advance(duration: number | string): Promise<AdminSchemas['ClockMoved']>;
}

export interface AdminState {
  export(): Promise<AdminSchemas['State']>;
  restore(state: AdminSchemas['State']): Promise<void>;
}

export interface AdminSnapshots {
  list(): Promise<AdminSchemas['Snapshot'][]>;
  take(name: string): Promise<AdminSchemas['Snapshot']>;
  restore(name: string): Promise<void>;
  delete(name: string): Promise<void>;
}

export interface AdminCallbacks {
  list(): Promise<AdminSchemas['CallbackSummary'][]>;
  get(id: string): Promise<AdminSchemas['Callback']>;
  redeliver(id: string): Promise<AdminSchemas['CallbackSummary']>;
  /** The address of an inbox, to be used as a `callbackUrl`. */
  inboxUrl(name: string): string;
  inbox(name: string): Promise<AdminSchemas['Inbox']>;
  emptyInbox(name: string): Promise<void>;
}

/** The worlds of a server. Only the admin API of its main world lists and deletes them. */
export interface AdminWorlds {
  list(): Promise<AdminSchemas['WorldList']['worlds']>;
  delete(name: string): Promise<void>;
  /** The admin API of another world, which the first change creates. */
  of(name: string): Admin;
}

/**
 * Makes a client of the admin API of a sandbox.
 *
 * @throws {TypeError} if `baseUrl` is not an absolute http or https URL.
 * @example
 * const admin = createAdmin('http://127.0.0.1:4653/w/run-7');
 * await admin.arm('payment-pi-failed', { times: 1 });
 * await admin.verify({ operation: 'createBooking', atLeast: 1, timeoutMs: 5000 });
 */
export function createAdmin(baseUrl: string, options: AdminClientOptions = {}): Admin {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new TypeError(`The base URL must be an absolute http or https URL; got ${JSON.stringify(baseUrl)}.`);
  }
  const base = baseUrl.replace(/\/+$/, '');
  const send = createSend(base, options);
  return {
    baseUrl: base,
    ...journalOf(send),
    ...scenariosOf(send),
    version: () => send({ method: 'GET', path: 'version' }),
    channels: async () => (await send<AdminSchemas['ChannelList']>({ method: 'GET', path: 'channels' })).channels,
    reset: () => done(send, 'POST', 'reset'),
    bookings: async (query = {}) =>
      (await send<AdminSchemas['BookingList']>({ method: 'GET', path: 'bookings', query })).bookings,
    cancel: (id, { force = false } = {}) =>
      send({ method: 'POST', path: `bookings/${part(id)}/cancel`, query: { force: String(force) } }),
    history: (id) => send({ method: 'GET', path: `bookings/${part(id)}/history` }),
    facilities: (query = {}) => send({ method: 'GET', path: 'facilities', query }),
    teeSheets: teeSheetsOf(send),
    clock: clockOf(send),
    state: {
      export: () => send({ method: 'GET', path: 'state' }),
      restore: (state) => done(send, 'PUT', 'state', state),
    },
    snapshots: snapshotsOf(send),
    callbacks: callbacksOf(send, base),
    world: {
      get: () => send({ method: 'GET', path: 'world' }),
      replace: (body, { reset = false } = {}) =>
        send({ method: 'PUT', path: 'world', query: { reset: String(reset) }, body }),
    },
    worlds: {
      list: async () => (await send<AdminSchemas['WorldList']>({ method: 'GET', path: 'worlds' })).worlds,
      delete: (name) => done(send, 'DELETE', `worlds/${part(name)}`),
      of: (name) => createAdmin(`${new URL(base).origin}/w/${part(name)}`, options),
    },
  };
}

const part = encodeURIComponent;

async function done(send: AdminSend, method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<void> {
  await send({ method, path, body });
}

function journalOf(send: AdminSend): Pick<Admin, 'requests' | 'explain' | 'verify'> {
  return {
    requests: async (query = {}) =>
      (await send<AdminSchemas['RequestList']>({ method: 'GET', path: 'requests', query })).requests,
    explain: (id) => send({ method: 'GET', path: `requests/${part(id)}/explain` }),
    verify: (expectation) => send({ method: 'POST', path: 'requests/verify', body: expectation }),
  };
}

function scenariosOf(send: AdminSend): Pick<Admin, 'arm' | 'plans' | 'disarm' | 'chaos'> {
  const chaos = async (method: 'GET' | 'POST', body?: unknown) =>
    (await send<AdminSchemas['ChaosShown']>({ method, path: 'chaos', body })).chaos;
  return {
    chaos: {
      get: () => chaos('GET'),
      start: async (mix) => (await chaos('POST', mix))!,
      stop: () => done(send, 'DELETE', 'chaos'),
    },
    arm: (scenario, plan = {}) => send({ method: 'POST', path: 'plans', body: { scenario, ...plan } }),
    plans: async () => (await send<AdminSchemas['PlanList']>({ method: 'GET', path: 'plans' })).plans,
    disarm: (id) => done(send, 'DELETE', id === undefined ? 'plans' : `plans/${part(id)}`),
  };
}

function teeSheetsOf(send: AdminSend): AdminTeeSheets {
  const path = (facilityId: number) => `tee-sheets/${facilityId}/changes`;
  return {
    get: (facilityId, query = {}) => send({ method: 'GET', path: `tee-sheets/${facilityId}`, query }),
    changes: async (id) => (await send<AdminSchemas['SheetChanges']>({ method: 'GET', path: path(id) })).changes,
    change: (facilityId, body) => send({ method: 'POST', path: path(facilityId), body }),
    undo: (facilityId, query = {}) => send({ method: 'DELETE', path: path(facilityId), query }),
  };
}

function clockOf(send: AdminSend): AdminClock {
  const move = (body: AdminSchemas['ClockMove']): Promise<AdminSchemas['ClockMoved']> =>
    send({ method: 'POST', path: 'clock', body });
  return {
    get: () => send({ method: 'GET', path: 'clock' }),
    freeze: () => move({ freeze: true }),
    resume: () => move({ resume: true }),
    set: (instant) => move({ set: typeof instant === 'string' ? instant : instant.toISOString() }),
    advance: (duration) => move({ advance: typeof duration === 'string' ? duration : `PT${duration / 1000}S` }),
  };
}

function snapshotsOf(send: AdminSend): AdminSnapshots {
  const path = (name: string) => `snapshots/${part(name)}`;
  return {
    list: async () => (await send<AdminSchemas['SnapshotList']>({ method: 'GET', path: 'snapshots' })).snapshots,
    take: (name) => send({ method: 'PUT', path: path(name) }),
    restore: (name) => done(send, 'POST', `${path(name)}/restore`),
    delete: (name) => done(send, 'DELETE', path(name)),
  };
}

function callbacksOf(send: AdminSend, base: string): AdminCallbacks {
  return {
    list: async () => (await send<AdminSchemas['CallbackList']>({ method: 'GET', path: 'callbacks' })).callbacks,
    get: (id) => send({ method: 'GET', path: `callbacks/${part(id)}` }),
    redeliver: (id) => send({ method: 'POST', path: `callbacks/${part(id)}/redeliver` }),
    inboxUrl: (name) => `${base}/__admin/inbox/${part(name)}`,
    inbox: (name) => send({ method: 'GET', path: `inbox/${part(name)}` }),
    emptyInbox: (name) => done(send, 'DELETE', `inbox/${part(name)}`),
  };
}
