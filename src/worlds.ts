import type { WorldsHost } from './admin/index.js';
import { type Fetch, fetchBy, type Handle } from './fetch.js';
import { parseState } from './state/state.js';
import { refuseUnknownOptions, type Sandbox, type SandboxOptions, sandboxOptions } from './options.js';
import { createSandboxAt } from './sandbox.js';

export interface WorldsOptions extends SandboxOptions {
  /** Maximum number of worlds beside the main one; the least recently used one is deleted first. Default: 100. */
  readonly maxWorlds?: number;
  /** Idle timeout of a world in milliseconds. It needs the option `clock`. */
  readonly idle?: number;
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
  readonly sandbox: Promise<Sandbox>;
  /** The time of its last request in epoch milliseconds. */
  used: number;
}

const worldsOptions = {
  ...sandboxOptions,
  maxWorlds: true,
  idle: true,
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
  const { maxWorlds = MOST, idle = HOUR, state, onChange, ...rest } = options;
  // The others start at the baseline of the same world, without the listeners of the main one.
  const { seed, facilities } = state === undefined ? {} : await parseState(state);
  const size = { ...(seed === undefined ? {} : { seed }), ...(facilities === undefined ? {} : { facilities }) };
  const make = (name: string) => createSandboxAt({ prefix: `/w/${name}` }, { ...size, ...rest });
  const worlds = new WorldTable(make, maxWorlds, idle, options.clock ?? (() => 0));
  const main = await createSandboxAt(
    { worlds },
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

/** The worlds beside the main one, least recently used first. */
class WorldTable implements WorldsHost {
  readonly #worlds = new Map<string, RunningWorld>();

  constructor(
    readonly make: (name: string) => Promise<Sandbox>,
    readonly most: number,
    readonly idle: number,
    readonly now: () => number,
  ) {}

  of(name: string): Promise<Sandbox> {
    this.#sweep(this.#worlds.has(name) ? this.most : this.most - 1);
    const world = this.#worlds.get(name) ?? { sandbox: this.make(name), used: 0 };
    world.used = this.now();
    this.#worlds.delete(name);
    this.#worlds.set(name, world);
    return world.sandbox;
  }

  list(): ReturnType<WorldsHost['list']> {
    this.#sweep(this.most);
    return [...this.#worlds].map(([name, { used }]) => ({ name, lastUsed: used }));
  }

  delete(name: string): boolean {
    // This also drops its pending callbacks.
    void this.#worlds.get(name)?.sandbox.then((sandbox) => sandbox.reset());
    return this.#worlds.delete(name);
  }

  /** Deletes idle worlds, and others until there is room. */
  #sweep(room: number): void {
    for (const [name, { used }] of this.#worlds) {
      if (this.#worlds.size <= room && this.now() - used <= this.idle) return;
      this.delete(name);
    }
  }
}
