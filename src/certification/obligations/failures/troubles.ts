import { keepNewest } from '../bounded.js';
import { couldShow, isSearch } from '../bookings/offers.js';
import { type RequestedBooking, keyOf, requestedBookingsOf } from '../bookings/requested-bookings.js';
import type { Exhibit } from '../obligation.js';
import { endOf, identityOf, isCancellation, isSuccess, knewOf } from '../operations.js';
import type { ClientCall } from '../traffic.js';
import { type BookingInList, covers, createdIn, KnownIds, listedIn } from './booking-lists.js';
import { type CreationOutcome, outcomeOf } from './outcome.js';

/** A list of bookings that the client has read after a trouble. */
interface Look {
  readonly turn: number;
  readonly end: number;
  /** Whether it lists the requested booking, of which the client did not know. */
  readonly found: boolean;
  readonly seenIn: Exhibit;
}

/** A requested booking for which the client got no success. */
export interface Trouble {
  readonly key: string;
  readonly test: string | undefined;
  readonly outcome: CreationOutcome;
  readonly requested: RequestedBooking;
  readonly turn: number;
  readonly end: number;
  /** Whether the sandbox knows that it was booked, in this attempt or an earlier one without a look in between. */
  readonly committed: boolean;
  /** How often it was sent again before, without a look. */
  readonly repeats: number;
  readonly seenIn: Exhibit;
  /** The first look after it, and the first one that found the booking. */
  first?: Look;
  found?: Look;
}

/** A requested booking that was sent again after a trouble. */
export interface Repeat {
  readonly trouble: Trouble;
  readonly call: ClientCall;
  /** The list of bookings that the client has read in between. */
  readonly look: Look | undefined;
}

const MAX_TROUBLES = 1000;
/** After a pause of a minute, a booking of the same is a new decision. */
const PAUSE = 60_000;

/** Follows requested bookings that failed, the looks into the list of bookings after that, and the next attempt. */
export class Troubles {
  readonly #open = new Map<string, Trouble>();
  /** Those after which the client has not looked. */
  readonly #unseen = new Map<string, Trouble>();
  /** The newest by what a list shows of a booking. */
  readonly #byBooking = new Map<string, Trouble>();
  /** Those whose booking was found. */
  readonly #found = new Map<string, Trouble>();
  /** Of these, those after which a test has read tee times again. */
  readonly #kept = new Map<string, Trouble>();
  readonly #known = new KnownIds();

  constructor(
    readonly heard: {
      repeated?(repeat: Repeat): void;
      /** A new trouble. */
      troubled?(trouble: Trouble): void;
      /** The client has looked into the list of bookings after a trouble. */
      looked?(trouble: Trouble, look: Look): void;
      /** A test that found its booking and then read tee times again has sent the same again, perhaps on purpose. */
      madeAgain?(trouble: Trouble, call: ClientCall): void;
      /** A requested booking succeeded at last. */
      solved?(trouble: Trouble, call: ClientCall): void;
    },
  ) {}

  call(call: ClientCall): void {
    const listed = listedIn(call);
    if (listed) this.#look(call, listed);
    const cancels = isCancellation(call) && isSuccess(call);
    if (isSearch(call) || cancels) this.#settle();
    if (cancels) this.#kept.clear();
    this.#leave(call);
    this.#attempt(call);
  }

  /** Takes a list of bookings. A trouble that was looked after before matters again only when its booking is found. */
  #look(call: ClientCall, listed: readonly BookingInList[]): void {
    const found = new Set(listed.flatMap((one) => this.#foundBy(one) ?? []));
    for (const trouble of new Set([...this.#unseen.values(), ...found])) {
      const { key, requested } = trouble;
      if (!knewOf(call, trouble) || !covers(call, requested)) continue;
      const look: Look = { turn: call.turn, end: endOf(call), found: found.has(trouble), seenIn: { id: call.id } };
      trouble.first ??= look;
      if (look.found) {
        trouble.found ??= look;
        keepNewest(this.#found, key, trouble, MAX_TROUBLES);
      }
      this.#unseen.delete(key);
      this.heard.looked?.(trouble, look);
    }
    this.#known.add(listed.map(({ bookingId }) => bookingId));
  }

  /** The trouble whose requested booking is this one of a list, of which the client did not know. */
  #foundBy(one: BookingInList): Trouble | undefined {
    if (!one.isActive || this.#known.has(one.bookingId)) return undefined;
    const trouble = this.#byBooking.get(bookingKey(one));
    return trouble && this.#open.get(trouble.key) === trouble ? trouble : undefined;
  }

  /** A client that has found its booking, and cancels it or reads tee times again, begins something new. */
  #settle(): void {
    for (const [key, trouble] of this.#found) {
      if (this.#open.get(key) !== trouble) continue;
      this.#drop(key);
      if (trouble.test !== undefined) keepNewest(this.#kept, key, trouble, MAX_TROUBLES);
    }
    this.#found.clear();
  }

  /** Without names of tests, a client that reads the tee time again may be another test with a booking of its own. */
  #leave(call: ClientCall): void {
    for (const [key, { test, requested }] of this.#open) {
      if (test === undefined && couldShow(call, requested)) this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#open.delete(key);
    this.#unseen.delete(key);
  }

  /** Takes each booking of a request once; the first repeat counts for the request. Only the same request repeats it. */
  #attempt(call: ClientCall): void {
    const request = identityOf(call);
    const bookings = new Map(
      requestedBookingsOf(call).flatMap((requested) => {
        const key = keyOf(requested);
        return key === undefined ? [] : [[`${request}\n${key}`, requested] as const];
      }),
    );
    const outcome = outcomeOf(call);
    let told = false;
    for (const [key, requested] of bookings) {
      const kept = this.#kept.get(key);
      if (kept && knewOf(call, kept.found!) && call.at - kept.end <= PAUSE) this.heard.madeAgain?.(kept, call);
      const repeat = this.#repeatOf(key, call);
      if (repeat && !told) this.heard.repeated?.(repeat);
      told ||= repeat !== undefined;
      if (outcome) this.#trouble(key, requested, call, outcome, repeat);
      else if (isSuccess(call) && repeat) {
        this.#drop(key);
        this.heard.solved?.(repeat.trouble, call);
      }
    }
    this.#known.add(createdIn(call).bookingIds);
  }

  #repeatOf(key: string, call: ClientCall): Repeat | undefined {
    const trouble = this.#open.get(key);
    if (!trouble || !knewOf(call, trouble)) return undefined;
    if (call.at - trouble.end > PAUSE) {
      this.#drop(key);
      return undefined;
    }
    const look = [trouble.found, trouble.first].find((one) => one && knewOf(call, one));
    return { trouble, call, look };
  }

  #trouble(
    key: string,
    requested: RequestedBooking,
    call: ClientCall,
    outcome: CreationOutcome,
    repeat: Repeat | undefined,
  ): void {
    const { turn, id, struck, test } = call;
    const before = repeat && !repeat.look ? repeat.trouble : undefined;
    const trouble: Trouble = {
      key,
      test,
      outcome,
      requested,
      turn,
      end: endOf(call),
      committed: struck?.committed === true || before?.committed === true,
      repeats: before ? before.repeats + 1 : 0,
      seenIn: { id },
    };
    for (const map of [this.#open, this.#unseen]) keepNewest(map, key, trouble, MAX_TROUBLES);
    keepNewest(this.#byBooking, bookingKey(requested), trouble, MAX_TROUBLES);
    this.heard.troubled?.(trouble);
  }
}

function bookingKey({ teeId, players, email }: Pick<BookingInList, 'teeId' | 'players' | 'email'>): string {
  return [teeId, players, email].join('\n');
}
