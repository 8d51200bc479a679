/** The sandboxes of a server: one at the origin, and one for each `/w/{world}`, made on first use. */
import { defined } from '../common/index.js';
import { CallbackTraffic } from './callbacks/traffic.js';
import { type Fetch, fetchBy, type Handle } from './fetch.js';
import { changedHints, type HostHints } from './api/host-hints.js';
import { loadReader, worldFor } from './state/sandbox-state.js';
import type { State } from './state/state.js';
import { type Placement, refuseUnknownOptions, type Sandbox, type SandboxOptions, sandboxOptions } from './options.js';
import { WorldNeeded } from './api/authenticate.js';
import { createSandboxAt, type WorldSandbox } from './sandbox.js';
import type { WorldsHost } from './admin/route.js';

export interface WorldsOptions extends SandboxOptions {
  /**
   * Maximum number of worlds besides the main one; the least recently used one is deleted first, and those with bookings
   * last. Default: 100.
   */
  readonly maxWorlds?: number;
  /**
   * Idle timeout of a world in milliseconds. It needs the option `clock`. A world whose events are followed is not idle.
   */
  readonly idle?: number;
  /**
   * Maximum of bytes that all worlds hold, estimated from above. Caches are dropped first, then bodies in journals, then
   * worlds. Default: 512 MiB.
   */
  readonly memoryBudget?: number;
  /** Maximum of bytes after which further bookings are refused with 507, as the main world never ends. Default: 1 GiB. */
  readonly bookingBudget?: number;
  /** Called with the name of a world that was evicted or deleted, and the reason. */
  readonly onWorldEnd?: (world: string, reason: string) => void;
}

/** The main world, and others that are created on their first request with valid credentials. */
export interface ServedWorlds {
  /** The sandbox at the origin. */
  readonly main: Omit<Sandbox, 'db'>;
  /** Sends `{origin}/w/{world}/...` to that world and everything else to the main one. */
  readonly fetch: Fetch;
  /** Answers one request for a host. */
  readonly handle: Handle;
}

const worldsOptions = {
  ...sandboxOptions,
  maxWorlds: true,
  idle: true,
  memoryBudget: true,
  bookingBudget: true,
  onWorldEnd: true,
} as const satisfies Readonly<Record<keyof WorldsOptions, true>>;

const MOST = 100;
const HOUR = 3_600_000;
const BUDGET = 536_870_912;
const BOOKING_BUDGET = 2 * BUDGET;
const prefix = /^\/w\/([A-Za-z0-9][\w.-]{0,63})(?=\/)/;

/**
 * Creates worlds for a server: `createWorlds` without the queries.
 *
 * @param send How the host sends callbacks. Default: the global `fetch`.
 * @throws {Error} for an unknown or invalid option, with the reason.
 */
export async function createServedWorlds(
  options: WorldsOptions = {},
  send?: Placement['send'],
): Promise<ServedWorlds & { readonly main: WorldSandbox }> {
  refuseUnknownOptions('createWorlds', options, worldsOptions);
  const {
    maxWorlds = MOST,
    idle = HOUR,
    memoryBudget = BUDGET,
    bookingBudget = BOOKING_BUDGET,
    onWorldEnd = () => {},
    state,
    callbacks,
    onChange,
    changes,
    ...rest
  } = options;
  // The others start at the baseline of the same world, without the listeners of the main one.
  const saved: Partial<State> = state === undefined ? {} : (await loadReader()).parseState(state);
  const hasRoom = (): boolean => worlds.hasRoom;
  const catalogue = await worldFor(rest, saved);
  const shared = { traffic: new CallbackTraffic(), catalogue, hasRoom, ...defined({ send }) };
  const make = (name: string, forStrangers = false) =>
    createSandboxAt({ prefix: `/w/${name}`, forStrangers, ...shared }, rest);
  const now = options.clock ?? (() => 0);
  const worlds = new WorldTable({
    make,
    most: maxWorlds,
    idle,
    budget: memoryBudget,
    bookingBudget,
    now,
    ended: onWorldEnd,
  });
  const own = { ...rest, ...defined({ state, callbacks, onChange, changes }) };
  const main = await createSandboxAt({ worlds, ...shared }, own);
  worlds.countMain(main);
  const strangers = new Strangers(worlds, make);
  const handle: Handle = (request, hints) => {
    const name = maxWorlds === 0 ? undefined : nameIn(request.url);
    if (name !== undefined) return strangers.handle(name, request, hints);
    worlds.touchMain();
    return main.handle(request, hints);
  };
  return { main, fetch: fetchBy(handle), handle };
}

/** The name of a world in a URL. */
function nameIn(url: string): string | undefined {
  const path = url.indexOf('/', url.indexOf('://') + 3);
  return url.startsWith('/w/', path) ? prefix.exec(url.slice(path))?.[1] : undefined;
}

/**
 * Answers requests to worlds that do not exist. Those without valid credentials make none, or an image on any page could
 * evict a world: one world, which never changes, answers them all.
 */
class Strangers {
  #blank: Promise<WorldSandbox> | undefined;

  constructor(
    readonly worlds: WorldTable,
    readonly make: (name: string, forStrangers?: boolean) => Promise<WorldSandbox>,
  ) {}

  async handle(name: string, request: Request, hints: HostHints = {}): Promise<Response> {
    if (this.worlds.has(name)) return (await this.worlds.of(name)).handle(request, hints);
    this.#blank ??= this.make('-', true);
    try {
      return await (await this.#blank).handle(request, hints);
    } catch (error) {
      if (!(error instanceof WorldNeeded)) throw error;
      const { body, isGlance } = error;
      const rest = body === undefined ? hints : changedHints(hints, { body });
      return isGlance ? await this.#glance(name, request, rest) : (await this.worlds.of(name)).handle(request, rest);
    }
  }

  /** What a world would answer if it were made now. To read makes none. */
  async #glance(name: string, request: Request, hints: HostHints): Promise<Response> {
    const sandbox = await this.make(name);
    const response = await sandbox.handle(request, hints);
    sandbox.end('It was never made.');
    return response;
  }
}

interface WorldTableOptions {
  readonly make: (name: string) => Promise<WorldSandbox>;
  /** Maximum number of worlds besides the main one. */
  readonly most: number;
  /** Idle timeout in milliseconds. */
  readonly idle: number;
  /** Maximum of bytes of all worlds. */
  readonly budget: number;
  /** Maximum of bytes with which bookings are taken. */
  readonly bookingBudget: number;
  readonly now: () => number;
  readonly ended: (world: string, reason: string) => void;
}

interface RunningWorld {
  readonly name: string;
  readonly sandbox: Promise<WorldSandbox>;
  /** The world, after it was made. */
  made?: WorldSandbox;
  /** The time of its last request in epoch milliseconds. */
  used: number;
  /** Its bytes when they were counted last. */
  bytes: number;
}

/**
 * The part of the memory for caches and bodies, even if bookings fill all of it. With less, each request would make anew
 * what the one before it has dropped.
 */
const KEPT_SHARE = 1 / 8;

/** Until the world is made. */
const NO_BYTES = 0;

/** The worlds of a server, least recently used first, and the memory that they hold. */
class WorldTable implements WorldsHost {
  readonly #worlds = new Map<string, RunningWorld>();
  /** The main world; it is in no list, and never ends. */
  #main: RunningWorld | undefined;
  /** The worlds with requests since their bytes were counted. */
  readonly #grown = new Set<RunningWorld>();
  #bytes = 0;

  constructor(readonly options: WorldTableOptions) {}

  /** Whether there is a world of this name. */
  has(name: string): boolean {
    this.#endIdle();
    return this.#worlds.has(name);
  }

  /** The world of this name, which is made if there is none. */
  of(name: string): Promise<WorldSandbox> {
    this.#endIdle();
    let world = this.#worlds.get(name);
    if (!world) {
      this.#makeRoom(this.options.most - 1);
      world = this.#add(name, this.options.make(name));
    }
    this.#touch(world);
    this.#count(world);
    return world.sandbox;
  }

  /** Counts the main world among those whose memory has a limit. */
  countMain(sandbox: WorldSandbox): void {
    this.#main = { name: '', sandbox: Promise.resolve(sandbox), made: sandbox, used: 0, bytes: NO_BYTES };
    this.#count(this.#main);
  }

  /** Notes a request to the main world. */
  touchMain(): void {
    if (this.#main) this.#count(this.#main);
  }

  list(): ReturnType<WorldsHost['list']> {
    this.#endIdle();
    return [...this.#worlds.values()].map(({ name, used }) => ({ name, lastUsed: used }));
  }

  delete(name: string): boolean {
    return this.#end(name, 'it was deleted');
  }

  /** The bytes of all worlds as they are now. */
  get bytes(): number {
    this.#recount();
    return this.#bytes;
  }

  /** Whether there is room for further bookings, when all is dropped that can be. */
  get hasRoom(): boolean {
    const most = this.options.bookingBudget;
    return this.#bytes <= most || this.bytes - this.#droppable <= most;
  }

  get #all(): readonly RunningWorld[] {
    return [...this.#worlds.values(), ...(this.#main ? [this.#main] : [])];
  }

  get #droppable(): number {
    return this.#all.reduce((sum, { made }) => sum + (made?.droppableBytes ?? 0), 0);
  }

  #add(name: string, sandbox: Promise<WorldSandbox>): RunningWorld {
    const world: RunningWorld = { name, sandbox, used: 0, bytes: NO_BYTES };
    this.#worlds.set(name, world);
    this.#main?.made?.tellChange('worlds');
    // Whoever asked for a world that cannot be made gets an error.
    void sandbox.then(
      (made) => (world.made = made),
      () => {},
    );
    return world;
  }

  #touch(world: RunningWorld): void {
    world.used = this.options.now();
    this.#worlds.delete(world.name);
    this.#worlds.set(world.name, world);
  }

  #end(name: string, why: string): boolean {
    const world = this.#worlds.get(name);
    if (!world) return false;
    const reason = `The world \`${name}\` has ended: ${why}.`;
    void world.sandbox.then(
      (made) => made.end(reason),
      () => {},
    );
    this.#worlds.delete(name);
    this.#main?.made?.tellChange('worlds');
    this.#grown.delete(world);
    this.#bytes -= world.bytes;
    this.options.ended(name, reason);
    return true;
  }

  #endIdle(): void {
    const { idle, now } = this.options;
    for (const world of this.#worlds.values()) {
      if (now() - world.used <= idle) break;
      if (world.made?.isFollowed) this.#touch(world);
      else this.#end(world.name, `it had no request for ${idle / 1000} seconds`);
    }
  }

  #makeRoom(most: number): void {
    const { size } = this.#worlds;
    if (size <= most) return;
    const why = `another world took its place, as there is room for ${this.options.most}`;
    for (const { name } of this.#inOrderOfEviction().slice(0, size - most)) this.#end(name, why);
  }

  /** Least recently used first; those with bookings last, and those that somebody follows after their like. */
  #inOrderOfEviction(): RunningWorld[] {
    const rank = ({ made }: RunningWorld) => (made && made.bookings > 0 ? 2 : 0) + (made?.isFollowed ? 1 : 0);
    return [...this.#worlds.values()].sort((one, other) => rank(one) - rank(other));
  }

  /** Counts what requests before this one have added, and notes that this one may add to the world. */
  #count(world: RunningWorld): void {
    this.#recount(world);
    if (this.#bytes > this.options.budget) this.#relieve();
    this.#grown.add(world);
  }

  /** @param next The world that grows next, and need not be taken away to be added again. */
  #recount(next?: RunningWorld): void {
    for (const world of this.#grown) {
      if (!world.made) continue;
      const { bytes, isBusy } = world.made;
      this.#bytes += bytes - world.bytes;
      world.bytes = bytes;
      if (!isBusy && world !== next) this.#grown.delete(world);
    }
  }

  /** Frees memory: caches first, then bodies in journals, then worlds. */
  #relieve(): void {
    const { budget } = this.options;
    // A little more than is due, so that not every request has to.
    const enough = () => this.#bytes <= budget * (1 - KEPT_SHARE);
    const all = this.#all;
    let droppable = this.#droppable;
    for (const part of ['dropCaches', 'dropBodies'] as const) {
      for (const world of all) {
        if (enough()) return;
        if (droppable <= budget * KEPT_SHARE) break;
        droppable -= world.made?.droppableBytes ?? 0;
        world.made?.[part]();
        droppable += world.made?.droppableBytes ?? 0;
        this.#grown.add(world);
        this.#recount();
      }
    }
    // The newest is in use, also while the main one is asked.
    const newest = [...this.#worlds.values()].at(-1);
    const why = `other worlds needed its memory, as all together have ${Math.round(budget / 1_048_576)} MiB`;
    for (const world of this.#inOrderOfEviction()) {
      if (enough()) return;
      if (world !== newest) this.#end(world.name, why);
    }
  }
}
