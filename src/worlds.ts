import type { WorldsHost } from './admin/index.js';
import type { HostHints } from './app/passage.js';
import { worldOf } from './app/state.js';
import type { Sandbox, SandboxOptions } from './options.js';
import { createSandbox } from './sandbox.js';

export interface WorldsOptions extends SandboxOptions {
  /** Worlds kept at most beside the main one; the one that was idle longest goes first. Default: 100. */
  readonly maxWorlds?: number;
  /** Milliseconds without a request after which a world goes; told by `clock`, without which none does. */
  readonly idle?: number;
}

/** The main world, and others that are made when they are first asked for. */
export interface Worlds {
  /** The sandbox at the origin itself. */
  readonly main: Sandbox;
  /** Answers `{origin}/w/{world}/...` by that world and everything else by the main one. */
  fetch(request: Request, hints?: HostHints): Response | Promise<Response>;
}

interface World {
  readonly sandbox: Promise<Sandbox>;
  /** Epoch milliseconds of its last request. */
  used: number;
}

const MOST = 100;
const HOUR = 3_600_000;
const prefix = /^\/w\/([A-Za-z0-9][\w.-]{0,63})(?=\/)/;

/**
 * Sandboxes side by side behind one address. Each world has state, clock, scenarios and counters of its own, so that
 * parallel test runs share a server by changing nothing but their base URL.
 *
 * @throws {Error} for an option that cannot be used, saying which and why.
 * @example
 * const worlds = await createWorlds({ maxWorlds: 10 });
 * const response = await worlds.fetch(new Request('http://sandbox.test/w/run-7/__admin/health'));
 */
export async function createWorlds(options: WorldsOptions = {}): Promise<Worlds> {
  const { maxWorlds = MOST, idle = HOUR, state, onChange, ...rest } = options;
  // The others begin at the baseline of the same world, and nobody is told of them.
  const size = state === undefined ? {} : worldOf(state);
  const make = (name: string) => createSandbox({ ...size, ...rest }, { prefix: `/w/${name}` });
  const worlds = new WorldTable(make, maxWorlds, idle, options.clock ?? (() => 0));
  const main = await createSandbox(
    { ...rest, ...(state === undefined ? {} : { state }), ...(onChange ? { onChange } : {}) },
    { worlds },
  );
  return {
    main,
    fetch: (request, hints) => {
      const { url } = request;
      const path = url.indexOf('/', url.indexOf('://') + 3);
      if (!url.startsWith('/w/', path)) return main.fetch(request, hints);
      const name = prefix.exec(url.slice(path))?.[1];
      if (name === undefined || maxWorlds === 0) return main.fetch(request, hints);
      return worlds.of(name).then((sandbox) => sandbox.fetch(request, hints));
    },
  };
}

/** The worlds beside the main one, in order of use: the first is the one that was idle longest. */
class WorldTable implements WorldsHost {
  readonly #worlds = new Map<string, World>();

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
    // What it has under way ends with it.
    void this.#worlds.get(name)?.sandbox.then((sandbox) => sandbox.reset());
    return this.#worlds.delete(name);
  }

  /** Drops the idle ones, and more until there is room. */
  #sweep(room: number): void {
    for (const [name, { used }] of this.#worlds) {
      if (this.#worlds.size <= room && this.now() - used <= this.idle) return;
      this.delete(name);
    }
  }
}
