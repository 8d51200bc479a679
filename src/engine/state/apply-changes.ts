import { fit, Change as validate } from '../../contract/index.js';
import { alternatives, checkNesting, ValidationError, validationError } from '../../common/index.js';
import type { Change } from './change.js';
import { parseDialectCard } from './dialect.js';
import { parseState } from './read-state.js';
import type { State } from './state.js';
import type { Amendment } from '../model/amend.js';
import type { BookingState } from '../model/booking.js';
import {
  type AmendedChange,
  type BookedChange,
  type CanceledChange,
  groupNumber,
  isGroup,
  type PaidChange,
  type StoreState,
} from '../store/store.js';
import type { ChaosState } from '../scenarios/chaos.js';
import type { PlanState } from '../scenarios/plans.js';
import type { ChaosChange, CountsChange, PlansChange, ScenariosState } from '../scenarios/scenarios.js';
import {
  type AccessState,
  mintToken,
  REMEMBERED,
  type TokensState,
  type ExpiredChange,
  type RefreshedChange,
  type RevokedChange,
} from '../store/tokens.js';

/**
 * The state after these changes. Both may come from a file: they are checked by their schemas, except the bookings of the
 * state, which `createSandbox` checks. The result shares bookings with both.
 *
 * @throws {ValidationError} for a value that is not a state, and naming the first change that does not fit.
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

  /** @throws {ValidationError} for a value that is not a state. */
  constructor(state: unknown) {
    this.#take(state);
  }

  /**
   * @param at The position of the change in the input, for messages.
   * @throws {ValidationError} for a change that does not fit; then the draft must not be used any more.
   */
  apply(change: unknown, at: string): void {
    try {
      this.#apply(fit(validate, change, { whole: `\`${at}\``, at }) as Change, at);
    } catch (error) {
      if (error instanceof ValidationError) error.input = 'state';
      throw error;
    }
  }

  get state(): State {
    const { bookings, tokens, amendments, scenarios } = this.#parts;
    const { requests, ...rest } = this.#state;
    const parts = { ...bookings.parts, tokens: tokens.state, amendments: [...amendments] };
    return {
      ...rest,
      store: { bookings: [...bookings.all], ...parts },
      scenarios: scenarios.state,
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

  #set(change: Extract<Change, { kind: 'clock' | 'dialect' | 'requests' | 'state' }>): void {
    switch (change.kind) {
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

/** The bookings of a state, to which changes are applied. */
class BookingsDraft {
  /** In order of their numbers. */
  readonly all: BookingState[];
  #sequence: number;
  #groups: number;
  readonly #bulks: Set<number>;

  constructor({ bookings, sequence, groups, bulks }: StoreState) {
    this.all = [...bookings];
    this.#sequence = sequence;
    this.#groups = groups;
    this.#bulks = new Set(bulks);
  }

  get parts(): Pick<StoreState, 'sequence' | 'groups' | 'bulks'> {
    return { sequence: this.#sequence, groups: this.#groups, bulks: [...this.#bulks] };
  }

  book({ bookings, bulk }: BookedChange, at: string): void {
    for (const [index, booking] of bookings.entries()) {
      const { sequence, groupId } = booking;
      if (sequence !== this.#sequence + 1) {
        throw validationError(`${at}.bookings[${index}].sequence`, `${this.#sequence + 1}, the next one`, sequence);
      }
      this.#sequence = sequence;
      this.all.push(booking);
      if (groupId === null) continue;
      if (!isGroup(groupId, this.#groups + 1)) {
        throw validationError(
          `${at}.bookings[${index}].groupId`,
          'null or the id of a group of the state or the next one',
          groupId,
        );
      }
      this.#groups = Math.max(this.#groups, groupNumber(groupId));
      if (bulk) this.#bulks.add(groupId);
    }
  }

  cancel({ sequence, canceledAt }: CanceledChange, at: string): void {
    const index = this.#indexOf(sequence, at);
    const booking = this.all[index]!;
    if (booking.status !== 'BOOKED')
      throw validationError(`${at}.sequence`, 'the number of a booking that is not cancelled', sequence);
    this.all[index] = { ...booking, status: 'CANCELED', canceledAt };
  }

  pay({ sequence, paymentConfirmedAt }: PaidChange, at: string): void {
    const index = this.#indexOf(sequence, at);
    const booking = this.all[index]!;
    if (booking.paymentConfirmedAt !== null)
      throw validationError(`${at}.sequence`, 'the number of a booking that is not paid', sequence);
    this.all[index] = { ...booking, paymentConfirmedAt };
  }

  /** Numbers ascend, so this is a binary search. */
  #indexOf(sequence: number, at: string): number {
    let low = 0;
    let high = this.all.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      // The bookings of the state are not checked yet.
      const found = (this.all[middle] as Partial<BookingState> | null)?.sequence ?? Infinity;
      if (found === sequence) return middle;
      if (found < sequence) low = middle + 1;
      else high = middle - 1;
    }
    throw validationError(`${at}.sequence`, 'the number of a booking of the state', sequence);
  }
}

/** Replaces the last changes by operators. */
function draftAmendments(all: Amendment[], { kept, amendments }: AmendedChange, at: string): void {
  if (kept > all.length)
    throw validationError(`${at}.kept`, `at most ${all.length}, the number of changes by operators`, kept);
  all.length = kept;
  for (const one of amendments) all.push(one);
}

/** The armed scenarios of a state, to which changes are applied. */
class ScenariosDraft {
  #armed: number;
  #drawn: number;
  readonly #plans: Map<string, PlanState>;
  #chaos: ChaosState | undefined;

  constructor({ armed, drawn, plans, chaos }: ScenariosState) {
    this.#armed = armed;
    this.#drawn = drawn;
    this.#plans = new Map(plans.map((plan) => [plan.id, plan]));
    this.#chaos = chaos;
  }

  get state(): ScenariosState {
    const chaos = this.#chaos ? { chaos: this.#chaos } : {};
    return { armed: this.#armed, drawn: this.#drawn, plans: [...this.#plans.values()], ...chaos };
  }

  arm({ armed, removed, added }: PlansChange, at: string): void {
    for (const [index, id] of removed.entries()) {
      if (!this.#plans.delete(id))
        throw validationError(`${at}.removed[${index}]`, 'the id of a plan of the state', id);
    }
    for (const [index, plan] of added.entries()) {
      if (this.#plans.has(plan.id))
        throw validationError(`${at}.added[${index}].id`, 'an id that no plan of the state has', plan.id);
      this.#plans.set(plan.id, plan);
    }
    this.#armed = armed;
  }

  mix({ chaos }: ChaosChange): void {
    this.#chaos = chaos ?? undefined;
  }

  count({ drawn, plans, chaos }: CountsChange, at: string): void {
    this.#drawn = drawn;
    for (const [index, { id, matched, struck }] of plans.entries()) {
      const plan = this.#plans.get(id);
      if (!plan) throw validationError(`${at}.plans[${index}].id`, 'the id of a plan of the state', id);
      this.#plans.set(id, { ...plan, matched, struck });
    }
    if (!chaos) return;
    if (!this.#chaos) throw validationError(`${at}.chaos`, 'absent, because the state has no chaos', chaos);
    this.#chaos = { ...this.#chaos, ...chaos };
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type DraftAccess = Mutable<AccessState>;

/** The tokens of a state, to which changes are applied. Of a list, the first entries may have been evicted. */
class TokensDraft {
  #issued: number;
  /** The valid refresh token of each channel. */
  readonly #current: Map<string, string | null>;
  readonly #refresh: TokensState['refreshTokens'][number][];
  readonly #access: Map<string, DraftAccess>;
  /** The access tokens of each channel that are not revoked. Evicted ones may be among them. */
  readonly #valid = new Map<string, DraftAccess[]>();
  readonly #revoked: Set<string>;
  #evicted = 0;

  constructor(
    { issued, families, refreshTokens, accessTokens, revoked }: TokensState,
    readonly seed: number,
  ) {
    this.#issued = issued;
    this.#current = new Map(families.map(({ channel, current }) => [channel, current]));
    this.#refresh = [...refreshTokens];
    this.#access = new Map();
    for (const one of accessTokens) this.#add({ ...one });
    this.#revoked = new Set(revoked);
  }

  get state(): TokensState {
    return {
      issued: this.#issued,
      families: [...this.#current].map(([channel, current]) => ({ channel, current })),
      refreshTokens: this.#refresh.slice(this.#evicted),
      accessTokens: [...this.#access.values()].map((one) => ({ ...one })),
      revoked: [...this.#revoked],
    };
  }

  refresh({ channel, issued, expiresAt, revokes }: RefreshedChange, at: string): void {
    this.#check(channel, at);
    const due = this.#issued + 2;
    if (issued !== due) throw validationError(`${at}.issued`, `${due}, because a refresh issues two tokens`, issued);
    this.#issued = issued;
    if (revokes) this.#revokeAccess(channel);
    const token = mintToken(this.seed, 'refresh', issued);
    this.#current.set(channel, token);
    this.#refresh.push({ token, channel });
    if (this.#refresh.length - this.#evicted > REMEMBERED) this.#evicted += 1;
    this.#add({ token: mintToken(this.seed, 'access', issued - 1), channel, expiresAt, revoked: false });
    if (this.#access.size > REMEMBERED) this.#access.delete(this.#access.keys().next().value!);
  }

  expire({ token, expiresAt }: ExpiredChange, at: string): void {
    const access = this.#access.get(token);
    // A message must not show a token.
    if (!access)
      throw new ValidationError(`\`${at}.token\` must be an access token of the state.`, ['an access token']);
    access.expiresAt = expiresAt;
  }

  revoke({ channel, password }: RevokedChange, at: string): void {
    this.#check(channel, at);
    this.#current.set(channel, null);
    this.#revokeAccess(channel);
    if (password) this.#revoked.add(channel);
  }

  #check(channel: string, at: string): void {
    const names = [...this.#current.keys()];
    if (!this.#current.has(channel)) throw validationError(`${at}.channel`, alternatives(names), channel, names);
  }

  #add(access: DraftAccess): void {
    this.#access.set(access.token, access);
    if (access.revoked) return;
    const valid = this.#valid.get(access.channel);
    if (valid) valid.push(access);
    else this.#valid.set(access.channel, [access]);
  }

  #revokeAccess(channel: string): void {
    for (const access of this.#valid.get(channel) ?? []) access.revoked = true;
    this.#valid.delete(channel);
  }
}
