import { DAY_MS } from '../model/calendar.js';
import { fraction, hash32 } from '../model/hash.js';
import type { TeeTime } from '../model/tee-sheet.js';
import type { Course } from '../model/world.js';
import { fit, RivalsRequest } from '../../contract/index.js';
import { ValidationError, readSettings } from '../../common/index.js';
import { buyer, RIVALS } from './ledger.js';
import { requestOf } from './seed-bookings.js';
import type { adminComponents as components } from '../../contract/index.js';
import type { Store } from './store.js';

/** Competing buyers, the same for the same seed, clock and requests. */
export interface RivalsOptions {
  /** Bookings in an hour of the sandbox's clock. */
  readonly rate: number;
  /** Default: the seed of the sandbox. */
  readonly seed?: number;
}

/** Competing buyers as data, from which they can go on. */
export interface RivalsState {
  readonly options: RivalsOptions;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly booked: number;
  readonly attempts: number;
  /** The tee sheets that clients looked at, latest last. */
  readonly looked: readonly LookedAt[];
}

/** Who competes now, as a change of the state. */
export interface RivalsChange {
  readonly kind: 'rivals';
  readonly rivals: RivalsState | null;
}

/** A tee sheet that a client looked at. */
interface LookedAt {
  readonly courseId: number;
  /** Day number. */
  readonly day: number;
}

const HOUR_MS = 3_600_000;
/** The stream of the hash from which they draw. */
const STREAM = 0x21fa;
const MOST_ATTEMPTS = 10_000;
/** Maximum number of tee sheets from which they choose. */
const REMEMBERED = 20;
/** Days ahead on which they book where no client looks. */
const AHEAD = 14;

/**
 * Other buyers who book as the sandbox's clock goes on. They compete for the tee sheets that clients looked at last. They
 * book when somebody next asks, at the instants that were due, so that no timer is needed and nothing depends on one.
 */
export class Rivals {
  #options: Required<RivalsOptions> | null = null;
  #from = 0;
  #booked = 0;
  #attempts = 0;
  readonly #looked = new Map<string, LookedAt>();
  /** What was looked at last, and whether that is not reported yet. */
  #last = '';
  #isNew = false;
  /** Receives each change as data. What clients look at is read when it is needed. */
  report: ((change: RivalsChange) => void) | undefined;

  /** @throws {ValidationError} for an invalid option. */
  constructor(
    readonly store: Store,
    readonly now: () => number,
    readonly initial: RivalsOptions | string | undefined,
  ) {
    this.reset();
  }

  /** Goes back to those of the start. */
  reset(): void {
    const { initial } = this;
    try {
      this.start(typeof initial === 'string' ? readRivals(initial) : (initial ?? null));
    } catch (error) {
      if (error instanceof ValidationError) error.input = 'rivals';
      throw error;
    }
  }

  /**
   * Lets them book from now on, or ends that with null. What they have booked stays.
   *
   * @throws {ValidationError} for an invalid option.
   */
  start(options: RivalsOptions | null): void {
    const read = options && fit(RivalsRequest, options, { whole: 'Rivals' });
    this.#options = read && { rate: read.rate, seed: read.seed ?? this.store.world.seed };
    this.#from = this.now();
    this.#booked = 0;
    this.#attempts = 0;
    this.#looked.clear();
    this.#last = '';
    this.report?.(this.#change());
  }

  get view(): components['schemas']['RivalsShown']['rivals'] {
    if (!this.#options) return null;
    const state = this.#attempts < MOST_ATTEMPTS ? 'booking' : 'done';
    const since = new Date(this.#from).toISOString();
    return { ...this.#options, since, booked: this.#booked, attempts: this.#attempts, state };
  }

  export(): RivalsState | undefined {
    if (!this.#options) return undefined;
    const looked = [...this.#looked.values()];
    return { options: this.#options, from: this.#from, booked: this.#booked, attempts: this.#attempts, looked };
  }

  import(state: RivalsState | undefined): void {
    this.start(state?.options ?? null);
    if (!state) return;
    this.#from = state.from;
    this.#booked = state.booked;
    this.#attempts = state.attempts;
    for (const one of state.looked) this.#remember(one);
  }

  /** Notes that a client looks at tee sheets. */
  look(courses: readonly Course[], day: number): void {
    if (!this.#options || courses.length === 0) return;
    // Whoever looks again changes nothing.
    const last = `${day} ${courses.map(({ id }) => id).join()}`;
    if (last === this.#last) return;
    this.#last = last;
    this.#isNew = true;
    for (const { id } of courses) this.#remember({ courseId: id, day });
  }

  /** What clients have looked at since it was reported, if anything. */
  takeLooked(): RivalsChange | undefined {
    return this.#isNew ? this.#change() : undefined;
  }

  #change(): RivalsChange {
    this.#isNew = false;
    return { kind: 'rivals', rivals: this.export() ?? null };
  }

  #remember(looked: LookedAt): void {
    const key = `${looked.courseId} ${looked.day}`;
    this.#looked.delete(key);
    this.#looked.set(key, looked);
    if (this.#looked.size > REMEMBERED) this.#looked.delete(this.#looked.keys().next().value!);
  }

  /** Books all that they would have booked by an instant. */
  catchUp(until: number): void {
    const options = this.#options;
    if (!options) return;
    const before = this.#attempts;
    while (this.#attempts < MOST_ATTEMPTS) {
      const due = this.#due(options);
      if (due > until) break;
      this.#attempt(options.seed, this.#attempts++, due);
    }
    if (this.#attempts !== before) this.report?.(this.#change());
  }

  /** When the next attempt is due: once in each part of the hour, at a moment that is drawn. */
  #due({ rate, seed }: Required<RivalsOptions>): number {
    const turn = this.#attempts;
    return Math.ceil(this.#from + ((turn + fraction(hash32(seed, STREAM, turn, 0))) * HOUR_MS) / rate);
  }

  #attempt(seed: number, turn: number, at: number): void {
    const draw = (part: number, below: number) => Math.floor(fraction(hash32(seed, STREAM, turn, part)) * below);
    const { store } = this;
    const target = this.#target(draw, at);
    const { timeZone, scenario } = store.world.facility(target.course.facilityId)!;
    if (scenario !== undefined) return;
    const isOpen = (teeTime: TeeTime) =>
      store.free(teeTime) > 0 && store.instant(timeZone, target.day, teeTime.minute) > at;
    const open = store.sheet(target.course, target.day).teeTimes.filter(isOpen);
    const teeTime = open[draw(5, open.length)];
    if (!teeTime) return;
    const { facilityId } = target.course;
    const players = 1 + draw(6, store.free(teeTime));
    const product = teeTime.products[0]!;
    const request = requestOf({ ...buyer, facilityId, players }, target.course, teeTime, product.mid);
    const terms = { channel: RIVALS, groupId: null, paymentIntent: null, now: at };
    this.#booked += 1;
    store.book([{ request, teeTime, product }], terms);
  }

  /** One of the tee sheets that clients look at; any in the days ahead where there is none. */
  #target(draw: (part: number, below: number) => number, at: number): { course: Course; day: number } {
    const { world } = this.store;
    const looked = [...this.#looked.values()][draw(1, this.#looked.size)];
    const course = looked && world.course(looked.courseId);
    if (course) return { course, day: looked.day };
    const { courses } = world.at(draw(2, world.size))!;
    return { course: courses[draw(3, courses.length)]!, day: Math.floor(at / DAY_MS) + 1 + draw(4, AHEAD) };
  }
}

/**
 * Reads `rate=30; seed=7`.
 *
 * @throws {ValidationError} with what is wrong and what would fit.
 */
function readRivals(text: string): RivalsOptions {
  return fit(RivalsRequest, readSettings(text, ['rate', 'seed']), { whole: 'Rivals' });
}
