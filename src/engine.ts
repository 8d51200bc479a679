import type { AdminHost } from './admin/index.js';
import { Callbacks, type DueCallback } from './callbacks/callbacks.js';
import type { CallbackTraffic } from './callbacks/traffic.js';
import type { Agenda } from './domain/agenda.js';
import { misfit } from './input/misfit.js';
import type { SandboxOptions } from './options.js';
import type { SandboxState } from './state/sandbox-state.js';

const DEFAULT_EXPIRES_IN = 3600;

interface EngineHost {
  readonly options: SandboxOptions;
  readonly state: SandboxState;
  readonly position: { readonly prefix?: string };
}

/** What routes use; the answers follow the dialect in force. */
export function createEngine(
  { options, state, position }: EngineHost,
  agenda: Agenda<DueCallback>,
  traffic: CallbackTraffic,
): AdminHost['engine'] {
  const { store, dialect, clock, rivals } = state;
  const { now } = clock;
  const callbacks = new Callbacks({
    get answers() {
      return dialect.answers;
    },
    allowed: hostsOf(options),
    prefix: position.prefix ?? '',
    version: options.version ?? '0.0.0',
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    schedule: options.schedule ?? later,
    agenda,
    traffic,
    streams: options.fetch === undefined,
    tried: options.onCallback ?? (() => {}),
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
