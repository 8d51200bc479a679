import type { WorldsHost } from './admin/index.js';
import { CallbackTraffic } from './callbacks/traffic.js';
import { type Fetch, fetchBy, type Handle } from './fetch.js';
import { loadReader } from './state/sandbox-state.js';
import { refuseUnknownOptions, type Sandbox, type SandboxOptions, sandboxOptions } from './options.js';
import { createSandboxAt, type WorldSandbox } from './sandbox.js';

export interface WorldsOptions extends SandboxOptions {
  /** Maximum number of worlds beside the main one; the least recently used one is deleted first. Default: 100. */
  readonly maxWorlds?: number;
  /**
   * Idle timeout of a world in milliseconds. It needs the option `clock`. A world whose events are followed is not idle.
   */
  readonly idle?: number;
  /** Called with the name of a world that was evicted or deleted, and the reason. */
  readonly onWorldEnd?: (world: string, reason: string) => void;
}

/** The main world, and others that are created on their first request. */
export interface Worlds {
  /** The sandbox at the origin. */
  readonly main: Sandbox;
  /** Sends `{origin}/w/{world}/...` to that world and everything else to the main one. */
  readonly fetch: Fetch;
  /** Answers one request for a host. */
  readonly handle: Handle;
}

interface RunningWorld {
  readonly sandbox: Promise<WorldSandbox>;
  /** The sandbox, after it was made. */
  made?: WorldSandbox;
  /** The time of its last request in epoch milliseconds. */
  used: number;
}

const worldsOptions = {
  ...sandboxOptions,
  maxWorlds: true,
  idle: true,
  onWorldEnd: true,
} as const satisfies Readonly<Record<keyof WorldsOptions, true>>;

const MOST = 100;
const HOUR = 3_600_000;
const prefix = /^\/w\/([A-Za-z0-9][\w.-]{0,63})(?=\/)/;

/**
 * Creates several sandboxes behind one address. Each world has its own state, clock, scenarios and counters, so that
 * parallel test runs can share a server and differ only in their base URL.
 *
 * @throws {Error} for an unknown or invalid option, with the reason.
 * @example
 * const worlds = await createWorlds({ maxWorlds: 10 });
 * const response = await worlds.fetch('http://sandbox.test/w/run-7/__admin/health');
 */
export async function createWorlds(options: WorldsOptions = {}): Promise<Worlds> {
  refuseUnknownOptions('createWorlds', options, worldsOptions);
  const { maxWorlds = MOST, idle = HOUR, onWorldEnd = () => {}, state, onChange, ...rest } = options;
  // The others start at the baseline of the same world, without the listeners of the main one.
  const { seed, facilities } = state === undefined ? {} : (await loadReader()).parseState(state);
  const size = { ...(seed === undefined ? {} : { seed }), ...(facilities === undefined ? {} : { facilities }) };
  const traffic = new CallbackTraffic();
  const make = (name: string) => createSandboxAt({ prefix: `/w/${name}`, traffic }, { ...size, ...rest });
  const worlds = new WorldTable({ make, most: maxWorlds, idle, now: options.clock ?? (() => 0), ended: onWorldEnd });
  const main = await createSandboxAt(
    { worlds, traffic },
    { ...rest, ...(state === undefined ? {} : { state }), ...(onChange ? { onChange } : {}) },
  );
  const handle: Handle = (request, hints) => {
    const { url } = request;
    const path = url.indexOf('/', url.indexOf('://') + 3);
    if (!url.startsWith('/w/', path)) return main.handle(request, hints);
    const name = prefix.exec(url.slice(path))?.[1];
    if (name === undefined || maxWorlds === 0) return main.handle(request, hints);
    return worlds.of(name).then((sandbox) => sandbox.handle(request, hints));
  };
  return { main, fetch: fetchBy(handle), handle };
}

interface WorldTableOptions {
  readonly make: (name: string) => Promise<WorldSandbox>;
  readonly most: number;
  readonly idle: number;
  readonly now: () => number;
  readonly ended: (world: string, reason: string) => void;
}

function newWorld(sandbox: Promise<WorldSandbox>): RunningWorld {
  const world: RunningWorld = { sandbox, used: 0 };
  // Whoever asked for a world that cannot be made is told so.
  void sandbox.then(
    (made) => (world.made = made),
    () => {},
  );
  return world;
}

/** The worlds beside the main one, least recently used first. */
class WorldTable implements WorldsHost {
  readonly #worlds = new Map<string, RunningWorld>();

  constructor(readonly options: WorldTableOptions) {}

  of(name: string): Promise<WorldSandbox> {
    const { make, most } = this.options;
    this.#sweep(this.#worlds.has(name) ? most : most - 1);
    const world = this.#worlds.get(name) ?? newWorld(make(name));
    this.#touch(name, world);
    return world.sandbox;
  }

  list(): ReturnType<WorldsHost['list']> {
    this.#sweep(this.options.most);
    return [...this.#worlds].map(([name, { used }]) => ({ name, lastUsed: used }));
  }

  delete(name: string): boolean {
    return this.#end(name, 'it was deleted');
  }

  #touch(name: string, world: RunningWorld): void {
    world.used = this.options.now();
    this.#worlds.delete(name);
    this.#worlds.set(name, world);
  }

  #end(name: string, why: string): boolean {
    const reason = `The world \`${name}\` has ended: ${why}.`;
    void this.#worlds.get(name)?.sandbox.then(
      (sandbox) => sandbox.end(reason),
      () => {},
    );
    const found = this.#worlds.delete(name);
    if (found) this.options.ended(name, reason);
    return found;
  }

  /** Deletes idle worlds, and others until there is room: those that nobody follows first. */
  #sweep(room: number): void {
    const { idle, most, now } = this.options;
    for (const [name, world] of this.#worlds) {
      if (now() - world.used <= idle) break;
      if (world.made?.isFollowed) this.#touch(name, world);
      else this.#end(name, `it had no request for ${idle / 1000} seconds`);
    }
    while (this.#worlds.size > room) {
      const names = [...this.#worlds.keys()];
      const unfollowed = names.find((name) => !this.#worlds.get(name)!.made?.isFollowed);
      this.#end(unfollowed ?? names[0]!, `another world took its place, as there is room for ${most}`);
    }
  }
}
