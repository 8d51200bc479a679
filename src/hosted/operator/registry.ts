import type { WorldCalls } from '../calls.js';
import { DurableObject } from '../durable-object.js';
import type { Env } from '../env.js';
import type { ObjectContext } from '../platform.js';
import type { WorldMaking, RegistryClient, WorldChanges } from './registry-client.js';
import { RegistryTable, type ListedWorld } from './registry-table.js';
import type { WorldSettings, WorldUsage } from './settings.js';

const MINUTE = 60_000;
/** How long a world that has ended stays in the list and keeps its name. */
const KEPT = 30 * 24 * 60 * MINUTE;
/** Worlds that one alarm settles. */
const AT_ONCE = 100;

/** The list of worlds: one object of the deployment, which alone makes and deletes worlds. */
export class Registry extends DurableObject<Env> implements RegistryClient {
  readonly #table = new RegistryTable(this.ctx.storage);
  /** The names of worlds that are being made or deleted. Only one process has this object, so nothing else does so. */
  readonly #busy = new Set<string>();

  constructor(ctx: ObjectContext, env: Env) {
    super(ctx, env);
    // Nothing is being made or deleted at the start, so these are left from before.
    if (this.#table.unsettled(1).length > 0) void ctx.storage.setAlarm(Date.now());
  }

  async has(name: string): Promise<boolean> {
    return this.#table.find(name) !== undefined;
  }

  async create(settings: WorldSettings, most: number): Promise<WorldMaking> {
    const { name } = settings;
    if (this.#busy.has(name)) return { refused: 'unsettled' };
    if (this.#table.find(name)) return { refused: 'taken' };
    if (this.#table.counts.live + this.#busy.size >= most) return { refused: 'full' };
    return this.#alone(name, async () => {
      if (this.#table.isUnsettled(name)) await this.#settle(name);
      this.#table.unsettle(name);
      await this.#tidyBy(Date.now() + MINUTE);
      const made = await this.#world(name).configure(settings);
      if ('validationError' in made) {
        await this.#settle(name);
        return made;
      }
      return { world: this.#table.add(settings, Date.now()), channels: made.channels };
    });
  }

  async list(after: number, limit: number): Promise<{ count: number; worlds: ListedWorld[] }> {
    return { count: this.#table.counts.listed, worlds: this.#table.page(after, limit) };
  }

  async find(name: string): Promise<ListedWorld | null> {
    return this.#table.find(name) ?? null;
  }

  /** The world itself knows its limits best: a stop between both writes of a change leaves an old row. */
  async usage(name: string): Promise<{ world: ListedWorld; usage: WorldUsage | null } | null> {
    const world = this.#table.find(name);
    if (!world) return null;
    const usage = world.endedAt === null ? await this.#world(name).usage() : null;
    if (!usage) return { world, usage };
    const { expiresAt, limits } = usage;
    const known = JSON.stringify([world.expiresAt, world.limits]);
    if (known !== JSON.stringify([expiresAt, limits])) this.#table.change(name, expiresAt, limits);
    return { world: { ...world, expiresAt, limits }, usage };
  }

  async change(name: string, changed: WorldChanges): Promise<boolean> {
    const world = this.#table.find(name);
    if (!world || world.endedAt !== null) return false;
    if (!(await this.#world(name).adjust(changed))) return false;
    const { expiresAt = world.expiresAt, limits = world.limits } = changed;
    this.#table.change(name, expiresAt, limits);
    return true;
  }

  async remove(name: string): Promise<boolean> {
    const world = this.#table.find(name);
    if (!world || this.#busy.has(name)) return false;
    await this.#alone(name, async () => {
      this.#table.remove(world);
      await this.#tidyBy(Date.now() + MINUTE);
      await this.#settle(name);
    });
    return true;
  }

  /** Called by a world whose data is deleted, maybe more than once. */
  async ended(name: string, reason: string, at: number): Promise<void> {
    const world = this.#table.find(name);
    if (!world || world.endedAt !== null || world.createdAt > at) return;
    this.#table.end(name, reason, at);
    await this.#tidyBy(at + KEPT);
  }

  /** Completes what a stop of the process has interrupted, and forgets worlds that ended long ago. */
  async alarm(): Promise<void> {
    const now = Date.now();
    for (const { name } of this.#table.endedBefore(now - KEPT, AT_ONCE)) await this.remove(name);
    for (const name of this.#table.unsettled(AT_ONCE)) {
      // A world that cannot be reached now is tried again by the next alarm.
      if (!this.#busy.has(name)) await this.#alone(name, () => this.#settle(name)).catch(() => {});
    }
    const first = this.#table.firstEnd();
    if (this.#table.unsettled(1).length > 0) await this.#tidyBy(now + MINUTE);
    else if (first !== undefined) await this.#tidyBy(Math.max(first + KEPT, now + MINUTE));
  }

  async #alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.#busy.add(name);
    try {
      return await work();
    } finally {
      this.#busy.delete(name);
    }
  }

  /** Deletes whatever there is of a world that is not in the list. */
  async #settle(name: string): Promise<void> {
    await this.#world(name).end('the operator deleted it');
    this.#table.settle(name);
  }

  async #tidyBy(at: number): Promise<void> {
    const { storage } = this.ctx;
    const set = await storage.getAlarm();
    if (set === null || set > at) await storage.setAlarm(at);
  }

  #world(name: string): WorldCalls {
    const { WORLDS } = this.env;
    return WORLDS.get(WORLDS.idFromName(name) as never);
  }
}
