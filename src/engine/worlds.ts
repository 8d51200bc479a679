import { CallbackTraffic } from './callbacks/traffic.js';
import { type Fetch, fetchBy, type Handle } from './fetch.js';
import { changedHints, type HostHints } from './api/host-hints.js';
import { loadReader } from './state/sandbox-state.js';
import type { State } from './state/state.js';
import { createWorld } from './store/world.js';
import { refuseUnknownOptions, type Sandbox, type SandboxOptions, sandboxOptions } from './options.js';
import { WorldNeeded } from './api/authenticate.js';
import { createSandboxAt, type WorldSandbox } from './sandbox.js';
import { WorldTable } from './world-table.js';

export interface WorldsOptions extends SandboxOptions {
  /**
   * Maximum number of worlds beside the main one; the least recently used one is deleted first, and those with bookings
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
  onWorldEnd: true,
} as const satisfies Readonly<Record<keyof WorldsOptions, true>>;

const MOST = 100;
const HOUR = 3_600_000;
const BUDGET = 536_870_912;
const prefix = /^\/w\/([A-Za-z0-9][\w.-]{0,63})(?=\/)/;

/**
 * Creates worlds for a server: `createWorlds` without the queries.
 *
 * @throws {Error} for an unknown or invalid option, with the reason.
 */
export async function createServedWorlds(
  options: WorldsOptions = {},
): Promise<ServedWorlds & { readonly main: WorldSandbox }> {
  refuseUnknownOptions('createWorlds', options, worldsOptions);
  const {
    maxWorlds = MOST,
    idle = HOUR,
    memoryBudget = BUDGET,
    onWorldEnd = () => {},
    state,
    callbacks,
    onChange,
    changes,
    ...rest
  } = options;
  // The others start at the baseline of the same world, without the listeners of the main one.
  const saved: Partial<State> = state === undefined ? {} : (await loadReader()).parseState(state);
  const { seed = saved.seed, facilities = saved.facilities } = rest;
  const size = { ...(seed === undefined ? {} : { seed }), ...(facilities === undefined ? {} : { facilities }) };
  const traffic = new CallbackTraffic();
  const catalogue = createWorld(size);
  const make = (name: string, forStrangers = false) =>
    createSandboxAt({ prefix: `/w/${name}`, forStrangers, catalogue, traffic }, { ...rest, ...size });
  const now = options.clock ?? (() => 0);
  const worlds = new WorldTable({ make, most: maxWorlds, idle, budget: memoryBudget, now, ended: onWorldEnd });
  const main = await createSandboxAt(
    { worlds, catalogue, traffic },
    {
      ...rest,
      ...(state === undefined ? {} : { state }),
      ...(callbacks === undefined ? {} : { callbacks }),
      ...(onChange ? { onChange } : {}),
      ...(changes ? { changes } : {}),
    },
  );
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
    const { handle, world } = await this.make(name);
    const response = await handle(request, hints);
    world.end('It was never made.');
    return response;
  }
}
