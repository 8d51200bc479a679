import type { AdminHost } from './admin/route.js';
import type { DueCallback } from './callbacks/callback-host.js';
import { Callbacks } from './callbacks/callbacks.js';
import type { CallbackTraffic } from './callbacks/traffic.js';
import type { Agenda } from './model/agenda.js';
import { fetchBy } from './fetch.js';
import type { HostHints } from './api/host-hints.js';
import type * as Keeping from './callbacks/records.js';
import { misfit } from '../common/index.js';
import type { SandboxOptions } from './options.js';
import type { Position } from './position.js';
import { resultOf } from './api/routes/search-result.js';
import type { SandboxState } from './state/sandbox-state.js';
import { searchResultWriter } from './api/versions/v5.js';

const DEFAULT_EXPIRES_IN = 3600;

interface EngineHost {
  readonly options: SandboxOptions;
  readonly state: SandboxState;
  readonly position: Pick<Position, 'prefix' | 'callbacks'>;
  /** Loaded only where pending callbacks are kept, because pages never do that. */
  readonly keeping: typeof Keeping | undefined;
  answer(request: Request, hints: HostHints): Response | Promise<Response>;
}

/** What routes use; the answers follow the dialect in force. */
export function createEngine(
  host: EngineHost,
  agenda: Agenda<DueCallback>,
  traffic: CallbackTraffic,
): AdminHost['engine'] {
  const { options, state, position, keeping } = host;
  const send = options.fetch ?? ((url, init) => fetch(url, init));
  const { prefix = '', callbacks: policy } = position;
  const { store, dialect, clock, rivals } = state;
  const { now } = clock;
  const callbacks = new Callbacks({
    get answers() {
      return dialect.answers;
    },
    allowed: hostsOf(options),
    whyNot: policy && ((url) => policy.whyNot(url)),
    prefix,
    version: options.version ?? '0.0.0',
    fetch: keeping
      ? keeping.homeward(
          send,
          fetchBy((request) => host.answer(request, {})),
        )
      : send,
    schedule: options.schedule ?? later,
    agenda,
    traffic,
    streams: options.fetch === undefined || policy !== undefined,
    tried: options.onCallback ?? (() => {}),
    changed: keeping && ((...change) => state.log?.append(keeping.changeOf(...change))),
  });
  return {
    store,
    get answers() {
      return dialect.answers;
    },
    expiresIn: lifetimeOf(options),
    callbacks,
    rivals,
    now,
  };
}

/**
 * Goes on with the callbacks of an earlier process.
 *
 * @throws {Misfit} if they do not fit.
 */
export function resumeCallbacks(engine: AdminHost['engine'], { resume }: typeof Keeping, pending: unknown): void {
  resume(engine.callbacks, pending, engine.store.world.channels, ({ channel, query }) =>
    resultOf(engine, searchResultWriter, channel, query),
  );
}

/** Runs work after milliseconds in real time; the returned function cancels it. */
export function later(work: () => void, delay: number): () => void {
  const timer = setTimeout(work, delay);
  return () => clearTimeout(timer);
}

/** @throws {Misfit} for what would fail at the first search. */
function hostsOf({ allowCallback = [] }: SandboxOptions): readonly string[] | 'any' {
  const hosts: unknown = allowCallback;
  if (hosts === 'any' || (Array.isArray(hosts) && hosts.every((host) => typeof host === 'string')))
    return allowCallback;
  throw misfit('allowCallback', 'a list of hosts, such as ["partner.example"], or "any"', hosts);
}

function lifetimeOf({ expiresIn = DEFAULT_EXPIRES_IN }: SandboxOptions): number {
  if (Number.isSafeInteger(expiresIn) && expiresIn >= 1) return expiresIn;
  throw new RangeError('`expiresIn` must be a whole number of seconds, at least 1.');
}
