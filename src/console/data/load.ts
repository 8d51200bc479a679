import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type AdminCommand, perform, reasonOf } from './api.js';
import { liveState } from './live.js';

/** Data of the admin API: absent until it has arrived. The last data stays while it is loaded again. */
export interface Loaded<Result> {
  readonly data?: Result;
  readonly error?: string;
}

export interface Loader<Result> {
  readonly state: ReadonlySignal<Loaded<Result>>;
  /** Loads again. Of several loads at a time, the last one counts. */
  reload(): Promise<void>;
}

/** Loads something, now and again. */
export function createLoader<Result>(load: () => Promise<Result>): Loader<Result> {
  const state = signal<Loaded<Result>>({});
  let latest = 0;
  const reload = async (): Promise<void> => {
    const mine = ++latest;
    try {
      const data = await load();
      if (mine === latest) state.value = { data };
    } catch (error) {
      const { data } = state.value;
      const stale = data === undefined ? {} : { data };
      if (mine === latest) state.value = { ...stale, error: reasonOf(error) };
    }
  };
  return { state, reload };
}

/** Loads something for a component, and anew when the inputs differ. */
export function useLoad<Result>(
  load: () => Promise<Result>,
  inputs: readonly unknown[],
): Loaded<Result> & Pick<Loader<Result>, 'reload'> {
  const loader = useMemo(() => createLoader(load), inputs as unknown[]);
  useEffect(() => void loader.reload(), [loader]);
  // What failed while the server was gone is there again with it.
  const isBack = liveState.value === 'live' && loader.state.value.error !== undefined;
  useEffect(() => void (isBack && loader.reload()), [liveState.value]);
  return { ...loader.state.value, reload: loader.reload };
}

/** Loads a call for a component, and anew when the call differs. */
export function useCall<Result>(command: AdminCommand<Result>) {
  return useLoad(() => perform(command), [JSON.stringify(command)]);
}

/** Loads a call like `useCall`. While another one is on its way, the data of the one before stays. */
export function useKept<Result>(command: AdminCommand<Result>) {
  const loaded = useCall(command);
  const kept = useRef<Result | undefined>(undefined);
  if (loaded.data !== undefined) kept.current = loaded.data;
  const waiting = loaded.data === undefined && loaded.error === undefined;
  return { ...loaded, data: waiting ? kept.current : loaded.data, waiting };
}

/** Does something at once and at intervals, while the component is there and the page is visible. */
export function usePolling(work: () => unknown, milliseconds: number, inputs: readonly unknown[]): void {
  useEffect(() => {
    const turn = () => document.visibilityState === 'visible' && void work();
    const timer = setInterval(turn, milliseconds);
    document.addEventListener('visibilitychange', turn);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', turn);
    };
  }, inputs as unknown[]);
}
