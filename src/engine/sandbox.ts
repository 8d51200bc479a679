import { watchedClock } from './model/clock.js';
import type { World } from './model/world.js';
import { fetchBy, type Handle } from './fetch.js';
import { resumeCallbacks } from './engine.js';
import { operations, ruleBasis } from '../contract/index.js';
import { counted } from '../common/index.js';
import { shownJournal } from './record/inspector.js';
import type { Sandbox, SandboxOptions } from './options.js';
import type { Position } from './position.js';
import { Runtime } from './runtime.js';
import type { DialectCard } from './state/dialect.js';
import { createNotice } from './state/notice.js';
import { SandboxState } from './state/sandbox-state.js';
import type { Ledger } from './store/ledger.js';

/** A sandbox among the worlds of a server. */
export interface WorldSandbox extends Omit<Sandbox, 'db'> {
  readonly world: WorldSide;
}

/** What a server knows of a world, and does to it. */
interface WorldSide {
  /** What queries are about: the catalogue without the changes by operators, and the bookings. */
  readonly rows: { readonly catalogue: World; readonly ledger: () => Ledger };
  /** Whether somebody follows its journal or waits for a request. */
  readonly isFollowed: boolean;
  /** The number of bookings that clients have made. */
  readonly bookings: number;
  /** Whether a request is being answered. */
  readonly isBusy: boolean;
  /** Bytes that it holds, estimated from above. */
  readonly bytes: number;
  /** Those of them that `dropCaches` and `dropBodies` give back. */
  readonly droppableBytes: number;
  /** Milliseconds of real time after which a pending callback needs it; undefined if none does. */
  readonly callbackDelay: number | undefined;
  /** Resolves when no attempt to post a callback is under way. */
  callbacksPosted(): Promise<void>;
  /** Drops every cache; nothing but time is lost. */
  dropCaches(): void;
  /** Drops the bodies in the journal. */
  dropBodies(): void;
  /** Drops what is pending, and tells the reason to whoever follows or waits. */
  end(reason: string): void;
}

/** Creates a sandbox at its position among the worlds of a server; see `worlds.ts`. */
export async function createSandboxAt(position: Position, options: SandboxOptions): Promise<WorldSandbox> {
  const notice = createNotice(options.onChange);
  const state = await SandboxState.create(options, notice.tell, {
    world: position.catalogue,
    changes: options.changes,
    resumed: position.resumed,
  });
  const keeping = options.changes || options.callbacks ? await import('./callbacks/records.js') : undefined;
  const runtime = new Runtime(options, state, notice, position, keeping);
  notice.begin();
  const { store, clock, dialect, scenarios } = state;
  if (options.callbacks !== undefined) resumeCallbacks(runtime.engine, keeping!, options.callbacks);
  const handle: Handle = (request, hints = {}) => runtime.answer(request, hints);
  return {
    fetch: fetchBy(handle),
    handle,
    channels: store.world.channels,
    credentials: () => store.tokens.credentials(),
    // A caller that moves this clock gets no list of what fell due; due callbacks are posted all the same.
    clock: watchedClock(clock, () => {
      runtime.agenda.catchUp();
      state.rivals.catchUp(clock.now());
    }),
    scenarios,
    journal: shownJournal(runtime.inspector),
    get dialect() {
      return dialect.card;
    },
    summary: summarize(store.world, dialect.card),
    callbacks: {
      get deliveries() {
        return runtime.callbacks.deliveries;
      },
      settled: () => runtime.callbacks.settled(),
    },
    reset: () => runtime.reset(),
    snapshot: () => state.export(),
    restore: (value) => runtime.restore(value),
    capsule: () => runtime.capsule(),
    world: worldSideOf(runtime),
  };
}

function worldSideOf(runtime: Runtime): WorldSide {
  const { journal } = runtime;
  const { store } = runtime.state;
  return {
    rows: { catalogue: store.base, ledger: () => store.ledger },
    get isFollowed() {
      const { streams, waiters } = journal.places;
      return streams + waiters > 0;
    },
    get bookings() {
      return store.booked;
    },
    get isBusy() {
      return runtime.answering > 0;
    },
    get bytes() {
      return runtime.bytes.all;
    },
    get droppableBytes() {
      return runtime.bytes.droppable;
    },
    get callbackDelay() {
      return runtime.keeping?.delayOf(runtime.callbacks);
    },
    callbacksPosted: () => runtime.agenda.idle(),
    dropCaches: () => runtime.dropCaches(),
    dropBodies: () => {
      journal.dropBodies();
      runtime.recorder.forget();
    },
    end: (reason) => runtime.end(reason),
  };
}

function summarize(world: World, { name, answers = {} }: DialectCard): string {
  const given = Object.keys(answers).length;
  const card = given === 0 ? 'default dialect' : `dialect ${name ?? 'card'} with ${counted(given, 'answer')}`;
  const rules = Object.keys(ruleBasis).length;
  const facilities = counted(world.size, 'facility', 'facilities');
  const countries = counted(world.countries().length, 'country', 'countries');
  return `${facilities} in ${countries}, ${operations.length} operations, ${rules} rules, ${card}`;
}
