import type { WorldsHost } from './admin/route.js';
import type { WorldSandbox } from './sandbox.js';

export interface WorldTableOptions {
  readonly make: (name: string) => Promise<WorldSandbox>;
  /** Maximum number of worlds beside the main one. */
  readonly most: number;
  /** Idle timeout in milliseconds. */
  readonly idle: number;
  /** Maximum of bytes of all worlds. */
  readonly budget: number;
  readonly now: () => number;
  readonly ended: (world: string, reason: string) => void;
}

interface RunningWorld {
  readonly name: string;
  readonly sandbox: Promise<WorldSandbox>;
  /** The world, after it was made. */
  made?: WorldSandbox['world'];
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
export class WorldTable implements WorldsHost {
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
    this.#main = { name: '', sandbox: Promise.resolve(sandbox), made: sandbox.world, used: 0, bytes: NO_BYTES };
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

  #add(name: string, sandbox: Promise<WorldSandbox>): RunningWorld {
    const world: RunningWorld = { name, sandbox, used: 0, bytes: NO_BYTES };
    this.#worlds.set(name, world);
    // Whoever asked for a world that cannot be made is told so.
    void sandbox.then(
      (made) => (world.made = made.world),
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
      ({ world: made }) => made.end(reason),
      () => {},
    );
    this.#worlds.delete(name);
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
    const all = [...this.#worlds.values(), ...(this.#main ? [this.#main] : [])];
    let droppable = all.reduce((sum, { made }) => sum + (made?.droppableBytes ?? 0), 0);
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
