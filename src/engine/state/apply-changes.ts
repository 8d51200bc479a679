import { fit, Change as validate } from '../../contract/index.js';
import { checkNesting, Misfit } from '../../common/index.js';
import { BookingsDraft, draftAmendments } from './apply-bookings.js';
import { ScenariosDraft } from './apply-scenarios.js';
import { TokensDraft } from './apply-tokens.js';
import type { Change } from './change.js';
import { parseDialectCard } from './dialect.js';
import { parseState } from './read-state.js';
import type { State } from './state.js';

/**
 * The state after these changes. Both may come from a file: they are checked by their schemas, except the bookings of the
 * state, which `createSandbox` checks. The result shares bookings with both.
 *
 * @throws {Misfit} for a value that is not a state, and naming the first change that does not fit.
 */
export function applyChanges(state: unknown, changes: Iterable<unknown>): State {
  const draft = new StateDraft(state);
  let index = 0;
  for (const change of changes) draft.apply(change, `changes[${index++}]`);
  return draft.state;
}

/** The parts of a state that changes are applied to. */
interface DraftParts {
  readonly bookings: BookingsDraft;
  readonly tokens: TokensDraft;
  readonly amendments: State['store']['amendments'][number][];
  readonly scenarios: ScenariosDraft;
}

/** A state to which changes are applied one by one. Each takes a time that does not depend on the size of the state. */
export class StateDraft {
  #state!: Omit<State, 'store' | 'scenarios'>;
  #parts!: DraftParts;

  /** @throws {Misfit} for a value that is not a state. */
  constructor(state: unknown) {
    this.#take(state);
  }

  /**
   * @param at The position of the change in the input, for messages.
   * @throws {Misfit} for a change that does not fit; then the draft must not be used any more.
   */
  apply(change: unknown, at: string): void {
    try {
      this.#apply(fit(validate, change, { whole: `\`${at}\``, at }) as Change, at);
    } catch (error) {
      if (error instanceof Misfit) error.input = 'state';
      throw error;
    }
  }

  get state(): State {
    const { bookings, tokens, amendments, scenarios } = this.#parts;
    const { rivals, requests, ...rest } = this.#state;
    const parts = { ...bookings.parts, tokens: tokens.state, amendments: [...amendments] };
    return {
      ...rest,
      store: { bookings: [...bookings.all], ...parts },
      scenarios: scenarios.state,
      ...(rivals ? { rivals } : {}),
      requests,
    };
  }

  #take(value: unknown): void {
    const { store, scenarios, ...rest } = parseState(value);
    this.#state = rest;
    this.#parts = {
      bookings: new BookingsDraft(store),
      tokens: new TokensDraft(store.tokens, rest.seed),
      amendments: [...store.amendments],
      scenarios: new ScenariosDraft(scenarios),
    };
  }

  #apply(change: Change, at: string): void {
    const { bookings, tokens, amendments, scenarios } = this.#parts;
    switch (change.kind) {
      case 'booked':
        return bookings.book(change, at);
      case 'canceled':
        return bookings.cancel(change, at);
      case 'paid':
        return bookings.pay(change, at);
      case 'refreshed':
        return tokens.refresh(change, at);
      case 'expired':
        return tokens.expire(change, at);
      case 'revoked':
        return tokens.revoke(change, at);
      case 'amended':
        return draftAmendments(amendments, change, at);
      case 'plans':
        checkNesting(change, `\`${at}\``);
        return scenarios.arm(change, at);
      case 'chaos':
        return scenarios.mix(change);
      case 'counts':
        return scenarios.count(change, at);
      case 'callback':
        return;
      default:
        return this.#set(change);
    }
  }

  #set(change: Extract<Change, { kind: 'rivals' | 'clock' | 'dialect' | 'requests' | 'state' }>): void {
    const { rivals: _, ...others } = this.#state;
    switch (change.kind) {
      case 'rivals':
        this.#state = change.rivals ? { ...others, rivals: change.rivals } : others;
        return;
      case 'clock':
        this.#state = { ...this.#state, clock: change.clock };
        return;
      case 'dialect':
        this.#state = { ...this.#state, dialect: parseDialectCard(change.dialect) };
        return;
      case 'requests':
        this.#state = { ...this.#state, requests: change.requests };
        return;
      case 'state':
        this.#take(change.state);
    }
  }
}
