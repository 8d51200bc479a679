import { ValidationError } from '../common/index.js';
import { noSuchWorld } from './absent.js';
import { Activity } from './activity.js';
import { Alarms, nextAlarm, postDue } from './alarms.js';
import { answerHosts, type HostAnswer, type HostOrder } from './callbacks/host-orders.js';
import type { Configured, WorldCalls } from './calls.js';
import { DurableObject } from './durable-object.js';
import type { Env } from './env.js';
import { HostedWorld, type HostedParts } from './hosted-world.js';
import { endOf, goneWords, idleAt } from './lifetime.js';
import { WorldMeter } from './operator/meter.js';
import type { WorldSettings, WorldUsage } from './operator/settings.js';
import { WorldLog } from './world-log.js';
import { type WorldEnd, WorldStorage } from './world-storage.js';

/** One world: its sandbox in memory, and the state of it in the database of the object. */
export class WorldObject extends DurableObject<Env> implements WorldCalls {
  readonly #storage = new WorldStorage(this.ctx.storage);
  readonly #alarms = new Alarms(this.ctx.storage);
  #hosted: Promise<HostedWorld | undefined> | undefined;
  /** The same, when it is there. */
  #awake: HostedWorld | undefined;

  async fetch(request: Request): Promise<Response> {
    const hosted = await this.#open();
    const end = hosted ? endOf(hosted.settings, null, Date.now()) : this.#storage.end();
    if (!hosted || end) return noSuchWorld(request, nameIn(request), end && goneWords(end));
    return hosted.answer(request);
  }

  async configure(settings: WorldSettings): Promise<Configured> {
    try {
      const hosted = await HostedWorld.make(settings, this.#parts());
      await this.end('it was made anew');
      this.#storage.begin(settings);
      this.#awake = hosted;
      hosted.begin();
      this.#hosted = Promise.resolve(hosted);
      hosted.activity.touch(Date.now());
      this.#plan();
      return { channels: hosted.sandbox.channels.map((channel) => ({ ...channel })) };
    } catch (error) {
      if (error instanceof ValidationError) return { validationError: error.message, fits: error.fits };
      if (error instanceof RangeError) return { validationError: error.message, fits: [] };
      throw error;
    }
  }

  async adjust(changed: Parameters<WorldCalls['adjust']>[0]): Promise<boolean> {
    const settings = this.#storage.settings();
    if (!settings || endOf(settings, null, Date.now())) return false;
    this.#storage.adjust({ ...settings, ...changed });
    (await this.#open())?.adjust({ ...settings, ...changed });
    this.#plan();
    return true;
  }

  async usage(): Promise<WorldUsage | null> {
    const settings = this.#storage.settings();
    if (!settings) return null;
    const { expiresAt, limits } = settings;
    const hosted = await this.#hosted;
    const { counts, bookings = 0 } = hosted?.activity.now ?? this.#storage.activity() ?? {};
    const meter = hosted?.meter ?? new WorldMeter(limits, counts);
    return { ...meter.usage(Date.now(), bookings, this.ctx.storage.sql.databaseSize), expiresAt, limits };
  }

  async hosts(order: HostOrder): Promise<HostAnswer | null> {
    const hosted = this.#storage.settings() && (await this.#open());
    if (!hosted) return null;
    const refusal = order.by === null ? undefined : hosted.countGuess(Date.now());
    if (refusal) return { status: refusal.status, detail: refusal.message };
    return answerHosts(hosted.callbacks, order, hosted.settings.tokenHash);
  }

  async end(reason: string): Promise<void> {
    const hosted = await this.#hosted;
    hosted?.end(reason);
    this.#hosted = undefined;
    this.#awake = undefined;
    this.#alarms.wentOff();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** Runs at the earliest of what is due; see `callbacks` and `expiresAt`. */
  async alarm(): Promise<void> {
    this.#alarms.wentOff();
    const end = this.#endNow();
    if (end) return this.#clear(end);
    const hosted = await this.#open();
    if (!hosted) return;
    await postDue(hosted.sandbox);
    this.#plan();
  }

  #endNow(): WorldEnd | undefined {
    const settings = this.#storage.settings();
    const at = Date.now();
    const end = settings && endOf(settings, this.#idleAt(at), at);
    return end && { ...end, at };
  }

  #idleAt(now: number): number | null {
    return idleAt(this.env, (this.#awake?.activity ?? this.#storage.activity())?.lastUsedAt ?? now);
  }

  /** Deletes the data of a world that has come to its end. If it fails halfway, the platform repeats the alarm. */
  async #clear(end: WorldEnd): Promise<void> {
    const { REGISTRY } = this.env;
    await REGISTRY.get(REGISTRY.idFromName('registry') as never).ended(end.name, end.reason, end.at);
    await this.ctx.blockConcurrencyWhile(async () => {
      await this.end(end.reason === 'idle' ? 'nobody used it' : 'it expired');
      this.#storage.clear(end);
    });
  }

  #parts(): HostedParts {
    const activity = new Activity(this.#storage);
    const log = new WorldLog(this.ctx.storage, activity, () => this.#plan());
    return { env: this.env, storage: this.#storage, activity, log };
  }

  /** Sets the alarm to what is due next. */
  #plan(): void {
    const now = Date.now();
    const { sandbox, settings } = this.#awake ?? {};
    const callbackDelay = sandbox?.callbackDelay;
    const reasons = { callbackDelay, expiresAt: settings?.expiresAt ?? null, idleAt: this.#idleAt(now) };
    this.#alarms.plan(nextAlarm(now, reasons));
  }

  #open(): Promise<HostedWorld | undefined> {
    this.#hosted ??= this.ctx.blockConcurrencyWhile(async () => {
      const settings = this.#storage.settings();
      this.#awake = settings && (await HostedWorld.wake(settings, this.#parts()));
      return this.#awake;
    });
    return this.#hosted;
  }
}

function nameIn(request: Request): string {
  return new URL(request.url).pathname.split('/')[2] ?? '';
}
