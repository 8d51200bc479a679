import type { EventSourceMessage } from 'eventsource-parser/stream';
import { useEffect } from 'preact/hooks';
import { type AdminCommand, type AdminType, openAdmin } from './api.js';
import { followEvents } from './event-stream.js';
import { liveState } from './live.js';
import { useCall } from './load.js';
import { worldEnd } from './world-end.js';

/** Follows the journal of the sandbox, for a page that shows what happens. */
export interface LiveListener {
  /** A request arrived, was answered or was cut off. */
  readonly entry?: (entry: AdminType<'RequestSummary'>) => void;
  /** Events were missed, or the journal began anew: what is shown must be loaded again. */
  readonly stale?: (why: 'missed' | 'reset') => void;
  /** The clock was moved, frozen or resumed. */
  readonly clock?: (clock: AdminType<'Clock'>) => void;
  /** An operator changed something else, such as `plans`; undefined for what may have changed while no events came. */
  readonly changed?: (what?: string) => void;
  /** The events have begun to come, for the first time or again. */
  readonly opened?: () => void;
}

const listeners = new Set<LiveListener>();
/** How long a page that nobody sees goes on listening. */
const HIDDEN_MS = 60_000;
let stop: (() => void) | undefined;
let hidden: ReturnType<typeof setTimeout> | undefined;

/** Follows the journal. All listeners share one stream. The returned function removes the listener. */
export function followJournal(listener: LiveListener): () => void {
  listeners.add(listener);
  start();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && liveState.value !== 'ended') end('off');
  };
}

function start(): void {
  if (stop || worldEnd.value !== undefined || document.visibilityState !== 'visible') return;
  liveState.value = 'connecting';
  let current = true;
  const unfollow = followEvents((headers, aborted) => openAdmin('events', headers, aborted), {
    opened: ({ again, resumed }) => {
      liveState.value = 'live';
      for (const listener of listeners) listener.opened?.();
      if (again && !resumed) tellStale('missed');
      // What operators changed is not told again.
      else if (again) for (const { changed } of listeners) changed?.();
    },
    lost: () => current && (liveState.value = 'lost'),
    event: take,
  });
  stop = () => {
    current = false;
    unfollow();
  };
}

function end(state: 'off' | 'ended'): void {
  stop?.();
  stop = undefined;
  liveState.value = state;
}

function take({ event: name, data }: EventSourceMessage): void {
  if (name === 'end') {
    worldEnd.value = (JSON.parse(data) as { reason: string }).reason;
    end('ended');
  } else if (name === 'clock') {
    for (const { clock } of listeners) clock?.(JSON.parse(data) as AdminType<'Clock'>);
  } else if (name === 'changed') {
    for (const { changed } of listeners) changed?.((JSON.parse(data) as { what: string }).what);
  } else if (name === 'reset' || name === 'dropped') tellStale(name === 'reset' ? 'reset' : 'missed');
  else for (const { entry } of listeners) entry?.(JSON.parse(data) as AdminType<'RequestSummary'>);
}

function tellStale(why: 'missed' | 'reset'): void {
  for (const { stale } of listeners) stale?.(why);
}

const TOGETHER_MS = 150;
const READ_MS = 20_000;

/**
 * Calls `reload` soon after a request or an operator changed something or the clock moved, and now and then: a running
 * clock changes it too. With `reads`, requests that only read count too.
 */
export function useReload(
  reload: () => unknown,
  inputs: readonly unknown[],
  { reads = false }: { readonly reads?: boolean } = {},
): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void reload();
      }, TOGETHER_MS);
    };
    const unfollow = followJournal({
      entry: ({ state, method }) => state !== 'open' && (reads || method !== 'GET') && soon(),
      stale: soon,
      changed: soon,
      clock: soon,
    });
    const turn = setInterval(() => document.visibilityState === 'visible' && void reload(), READ_MS);
    return () => {
      unfollow();
      clearTimeout(timer);
      clearInterval(turn);
    };
  }, inputs as unknown[]);
}

/** Loads a call for a component, and again whenever what it tells may have changed. */
export function useLive<Result>(command: AdminCommand<Result>) {
  const loaded = useCall(command);
  useReload(loaded.reload, [loaded.reload]);
  return loaded;
}

/** A page in the background ends its stream after a while, and loads what it missed when it is seen again. */
document.addEventListener('visibilitychange', () => {
  clearTimeout(hidden);
  if (document.visibilityState === 'hidden') {
    hidden = setTimeout(() => stop && end('off'), HIDDEN_MS);
  } else if (listeners.size > 0 && !stop) {
    start();
    tellStale('missed');
  }
});
