import type { CountsChange } from '../scenarios/scenarios.js';
import type { Change, ChangeSink } from './change.js';
import type { State } from './state.js';

type Counted = Omit<CountsChange, 'kind'>;

/** The state as far as the log reads it. */
interface Logged {
  readonly requests: number;
  readonly scenarios: { takeCounts(): Counted };
  export(): State;
}

/** Passes the changes of a sandbox to a sink. Counters, which change often, are passed before a response is made. */
export class ChangeLog {
  /** Undefined while a state is created or replaced as a whole. */
  #state: Logged | undefined;
  /** The counters as they were passed. */
  #counted: Counted = { drawn: 0, plans: [] };
  #requests = 0;
  /** Whether changes were passed for which the number of requests was not. */
  #isOpen = false;

  constructor(readonly sink: ChangeSink) {}

  /** Passes changes from now on. */
  begin(state: Logged): void {
    this.#state = state;
    this.#counted = state.scenarios.takeCounts();
    this.#requests = state.requests;
    this.#isOpen = false;
  }

  readonly append = (change: Change): void => {
    if (!this.#state) return;
    // The counters of other chaos begin with those that it has now.
    if (change.kind === 'chaos') this.#counted = { drawn: this.#counted.drawn, plans: [] };
    this.#isOpen = true;
    this.sink.append(change);
  };

  /** Replaces the state as a whole, which is one change. If that fails, nothing may have changed. */
  replace(state: Logged, work: () => void): void {
    this.#state = undefined;
    try {
      work();
      this.sink.append({ kind: 'state', state: state.export() });
    } finally {
      this.begin(state);
    }
  }

  /** Passes what the last requests counted; resolves when everything so far is kept. */
  settle(): Promise<void> | undefined {
    const { requests, scenarios } = this.#state!;
    this.#count(scenarios.takeCounts());
    if (this.#isOpen) this.sink.append({ kind: 'requests', requests });
    else if (requests !== this.#requests) this.sink.counted?.(requests);
    this.#isOpen = false;
    this.#requests = requests;
    const kept = this.sink.kept();
    // Whoever waits gets the failure; there may be nobody.
    kept?.catch(() => {});
    return kept;
  }

  #count(now: Counted): void {
    const before = this.#counted;
    this.#counted = now;
    const isSame =
      now.plans.length === 0 &&
      now.drawn === before.drawn &&
      (now.chaos?.seen ?? 0) === (before.chaos?.seen ?? 0) &&
      (now.chaos?.struck ?? 0) === (before.chaos?.struck ?? 0);
    if (!isSame) this.append({ kind: 'counts', ...now });
  }
}
