import { computed, effect, signal } from '@preact/signals';
import { call, perform, performed } from './api.js';
import { sandboxClock } from './clock.js';
import { followJournal } from './journal.js';
import { liveState } from './live.js';
import { createLoader } from './load.js';
import { hasFailed } from './request-log.js';
import { route } from './route.js';

/** Something of the world that a person should know on any page. */
export interface Note {
  readonly text: string;
  /** What the text says, for those who see no place and no colour. */
  readonly about: string;
  readonly tone?: 'info' | 'warn';
}

export const plans = createLoader(() => perform(call('GET', 'plans')));
export const chaos = createLoader(() => perform(call('GET', 'chaos')));
const callbacks = createLoader(() => perform(call('GET', 'callbacks')));
/** Requests that failed since the page Requests was open. */
const refusals = signal(0);

const pending = computed(() => callbacks.state.value.data?.callbacks.filter(({ state }) => state === 'pending').length);

/** The notes on the entries of the navigation, by page. An entry without anything to tell has none. */
export const board = computed<Readonly<Record<string, readonly Note[]>>>(() => {
  const armed = plans.state.value.data?.plans.filter(({ state }) => state === 'armed').length;
  return {
    scenarios: [
      ...(chaos.state.value.data?.chaos ? [{ text: 'chaos', about: 'is on', tone: 'warn' } as const] : []),
      ...counted(armed, 'armed plan'),
    ],
    requests: counted(refusals.value, 'refusal', 'since you looked'),
    callbacks: counted(pending.value, 'pending callback'),
    clock: sandboxClock.value?.mode === 'standing' ? [{ text: 'frozen', about: '', tone: 'info' }] : [],
  };
});

/** Whether the page Requests is open. */
function isLooking(): boolean {
  return route.value.page === 'requests';
}

function counted(count = 0, name: string, more = ''): readonly Note[] {
  return count === 0 ? [] : [{ text: String(count), about: `${name}${count === 1 ? '' : 's'} ${more}`.trim() }];
}

const TOGETHER_MS = 400;
const READ_MS = 20_000;
const PENDING_MS = 5000;
let timer: ReturnType<typeof setTimeout> | undefined;

function read(): void {
  for (const one of [plans, chaos]) void one.reload();
}

/** Reads what may have changed, soon. */
function readSoon(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    read();
  }, TOGETHER_MS);
}

/** Keeps the notes true: by the journal, by what operators do, and by looking, since a running clock ends plans too. */
export function startBoard(): void {
  const readAll = () => {
    void callbacks.reload();
    readSoon();
  };
  followJournal({
    entry: (entry) => {
      if (entry.state === 'open') return;
      if (hasFailed(entry) && !isLooking()) refusals.value += 1;
      if (entry.operation?.endsWith('searchTeeTimes')) void callbacks.reload();
      readSoon();
    },
    stale: (why) => {
      if (why === 'reset') refusals.value = 0;
      readAll();
    },
    clock: readAll,
    changed: (what) => {
      if (what === 'requests') refusals.value = 0;
      readAll();
    },
  });
  effect(() => void (isLooking() && (refusals.value = 0)));
  effect(() => void (performed.value >= 0 && readAll()));
  const isSeen = () => document.visibilityState === 'visible' && liveState.value !== 'lost';
  setInterval(() => isSeen() && read(), READ_MS);
  setInterval(() => isSeen() && pending.value && void callbacks.reload(), PENDING_MS);
}
