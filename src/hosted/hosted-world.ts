import { defined } from '../common/index.js';
import {
  answersOf,
  CallbackTraffic,
  createSandboxAt,
  lacksToken,
  refuseAdmin,
  refuseCallback,
  type State,
  type TrafficLimits,
  type WorldSandbox,
} from '../engine/index.js';
import { getPath } from 'hono/utils/url';
import type { Activity } from './activity.js';
import { callerOf } from './callbacks/caller.js';
import { HostedCallbacks } from './callbacks/hosted-callbacks.js';
import type { Env } from './env.js';
import { countIn, LARGEST_MESSAGE } from './isolate-memory.js';
import { limitResponse } from './operator/limit-response.js';
import { type LimitRefusal, WorldMeter } from './operator/meter.js';
import { hashOf, sameHash } from './operator/secrets.js';
import type { WorldSettings } from './operator/settings.js';
import type { WorldLog } from './world-log.js';
import type { WorldStorage } from './world-storage.js';

declare const TEEBOX_VERSION: string;

const MILLION = 1_000_000;

/** The callbacks of a world. It has 128 MB in its object, and the platform sends six requests of an object at a time. */
const ofHostedWorld: TrafficLimits = {
  waiting: 500,
  waitingSize: 500 * MILLION,
  posts: 4,
  postedSize: 16 * MILLION,
  keptSize: 4 * MILLION,
};

/**
 * A lost connection. The platform sends no reset and closes no connection by order, but it closes that of a response
 * whose body breaks, and has then sent nothing of it.
 */
function lostConnection(): Response {
  return new Response(
    new ReadableStream({ start: (controller) => controller.error(new Error('A scenario cut the connection.')) }),
  );
}

const tokenFrom = 'It is the token of this world, which the operator got when making it.';
const bearer = /^bearer +(\S+) *$/i;

/** What a world in memory has of its object. */
export interface HostedParts {
  readonly env: Env;
  readonly storage: WorldStorage;
  readonly log: WorldLog;
  readonly activity: Activity;
}

/** A sandbox, and what is between it and the internet. */
export class HostedWorld {
  readonly #count: () => void;

  private constructor(
    /** The settings in force. */
    public settings: WorldSettings,
    readonly sandbox: WorldSandbox,
    readonly callbacks: HostedCallbacks,
    readonly activity: Activity,
    readonly log: WorldLog,
    readonly meter: WorldMeter,
  ) {
    this.#count = countIn(sandbox);
  }

  /**
   * @param resumed The state in which it goes on; its baseline is that of the settings.
   * @throws {ValidationError} for settings that do not fit.
   */
  static async make(
    settings: WorldSettings,
    { env, storage, log, activity }: HostedParts,
    resumed?: State,
  ): Promise<HostedWorld> {
    const { name, seed, facilities, world, now, dialect } = settings;
    let hosted: HostedWorld | undefined;
    const meter = new WorldMeter(settings.limits, activity.counts());
    activity.counts = () => meter.counts;
    const callbacks = new HostedCallbacks({
      name,
      env,
      store: storage,
      secret: () => (hosted?.settings ?? settings).tokenHash,
      take: (at) => meter.takeCallback(at),
      send: (url, init) => fetch(url, init),
      now: () => Date.now(),
    });
    const sandbox = await createSandboxAt(
      {
        prefix: `/w/${name}`,
        callbacks,
        traffic: new CallbackTraffic(ofHostedWorld, ofHostedWorld),
        largestMessage: LARGEST_MESSAGE,
        ...(resumed ? { resumed } : {}),
      },
      {
        clock: () => Date.now(),
        ...defined({ seed, facilities, world, now, dialect }),
        fetch: callbacks.post,
        changes: log,
        ...(resumed ? { callbacks: log.pending.state } : {}),
        version: TEEBOX_VERSION,
      },
    );
    return (hosted = new HostedWorld(settings, sandbox, callbacks, activity, log, meter));
  }

  /** Makes the sandbox as it was when the object left the memory. */
  static async wake(settings: WorldSettings, parts: HostedParts): Promise<HostedWorld> {
    const { activity, log, storage } = parts;
    const noted = storage.activity();
    if (noted) activity.resume(noted);
    const state = log.read();
    const requests = Math.max(state?.requests ?? 0, activity.requests);
    const hosted = await HostedWorld.make(settings, parts, state && { ...state, requests });
    hosted.begin();
    return hosted;
  }

  /** Keeps the state from now on. */
  begin(): void {
    this.activity.bookings = () => this.sandbox.bookings;
    this.log.begin(() => this.sandbox.snapshot());
  }

  async answer(request: Request): Promise<Response> {
    const limited = this.#limit(request, Date.now());
    if (limited) return limited;
    const access = { off: false, local: false, hasToken: await this.#check(request), tokenFrom };
    const start = Date.now();
    this.activity.touch(start);
    const callback = request.headers.get('teebox-callback') ?? undefined;
    const refused = refuseCallback(request, { 'teebox-callback': callback }) ?? refuseAdmin(request, access);
    if (refused) return refused;
    const response = await this.sandbox.handle(request, {
      caller: callerOf(request),
      isStranger: lacksToken(request, access),
      elapsed: () => Date.now() - start,
    });
    this.#count();
    return response.type === 'error' ? lostConnection() : response;
  }

  /** Applies other settings. */
  adjust(settings: WorldSettings): void {
    this.settings = settings;
    this.meter.limits = settings.limits;
  }

  #limit(request: Request, now: number): Response | undefined {
    // Decoded as the router does it, so that no spelling passes a limit.
    const path = getPath(request).replace(/^\/w\/[^/]+/, '');
    const length = request.headers.get('content-length');
    const refusal = this.meter.refuses({
      method: request.method,
      path,
      now,
      length: length === null ? undefined : Number(length),
      bookings: () => this.sandbox.bookings,
      storageBytes: () => this.log.storage.sql.databaseSize,
    });
    return refusal && limitResponse(refusal, request, path, answersOf(this.sandbox.dialect));
  }

  /** Counts a call of the operator API with a token that may be a guess; the refusal if there are too many. */
  countGuess(now: number): LimitRefusal | undefined {
    const nothing = (): number => 0;
    const refusal = this.meter.refuses({
      method: 'GET',
      path: '/hosts',
      now,
      length: 0,
      bookings: nothing,
      storageBytes: nothing,
    });
    this.#count();
    return refusal;
  }

  /** Ends the world, and tells whoever follows it. */
  end(reason: string): void {
    this.activity.stop();
    this.sandbox.dropMessages();
    this.sandbox.dropBodies();
    this.#count();
    this.sandbox.end(`The world \`${this.settings.name}\` has ended: ${reason}.`);
  }

  async #check(request: Request): Promise<() => boolean> {
    const [, given] = bearer.exec(request.headers.get('authorization') ?? '') ?? [];
    const fits = given !== undefined && sameHash(await hashOf(given), this.settings.tokenHash);
    return () => fits;
  }
}
