import type { SequentialModel } from './linear.js';
import type { BookStep, Channel, Way } from './steps.js';

/** How many slots a booking takes: as many as its players, or the whole tee time. `unknown` is not checked. */
export type Taking = 'players' | 'all' | 'unknown';

/** The players of a booking on a tee time of the walk. */
export interface Part {
  readonly spot: number;
  readonly players: number;
}

/** An operation on tee times, with its answer. A refusal is always possible: the service may be busy. */
export type SlotOp =
  | { readonly do: 'take'; readonly parts: readonly Part[]; readonly ok: boolean }
  | { readonly do: 'give'; readonly part: Part; readonly ok: boolean }
  /** A tee sheet shows so many free slots; it may follow a write a moment later. */
  | { readonly do: 'see'; readonly spot: number; readonly free: number };

/** The free slots of each tee time, and what they have been since the history began. */
export interface Slots {
  readonly free: readonly number[];
  readonly past: readonly (readonly number[])[];
}

export function slotsOf(free: readonly number[]): Slots {
  return { free, past: free.map((one) => [one]) };
}

function withFree({ free, past }: Slots, spot: number, now: number): Slots {
  const known = past[spot]!.includes(now);
  return {
    free: free.with(spot, now),
    past: known
      ? past
      : past.with(
          spot,
          [...past[spot]!, now].sort((a, b) => a - b),
        ),
  };
}

/** Whether tee times have the slots for all parts of a booking. */
export function hasRoom(free: readonly number[], parts: readonly Part[]): boolean {
  const wanted = new Map<number, number>();
  for (const { spot, players } of parts) wanted.set(spot, (wanted.get(spot) ?? 0) + players);
  return [...wanted].every(([spot, players]) => free[spot]! >= players);
}

/** The tee times of a walk as one object: a booking takes all its slots at one moment, or none. */
export function slotModel(taking: Taking): SequentialModel<Slots, SlotOp> {
  const isKnown = taking !== 'unknown';
  return {
    next(state, op) {
      if (op.do === 'see') return !isKnown || state.past[op.spot]!.includes(op.free) ? [state] : [];
      if (!op.ok) return [state];
      if (op.do === 'give') return [withFree(state, op.part.spot, state.free[op.part.spot]! + op.part.players)];
      if (isKnown && !hasRoom(state.free, op.parts)) return [];
      return [op.parts.reduce((now, part) => taken(now, part, taking), state)];
    },
    keyOf: ({ free, past }) => `${free.join()} ${past.map((one) => one.join()).join(';')}`,
  };
}

function taken(state: Slots, { spot, players }: Part, taking: Taking): Slots {
  return withFree(state, spot, taking === 'all' ? 0 : Math.max(0, state.free[spot]! - players));
}

/** A booking that the walk has made. */
export interface Made extends Part {
  /** The email address of its contact, which no other booking of the run has. */
  readonly key: string;
  readonly step: number;
  readonly item: number;
  readonly by: Way;
  readonly channel: Channel;
  /** The booking as it was sent. */
  readonly sent: Readonly<Record<string, unknown>>;
  bookingId: string | undefined;
  readonly group: number | undefined;
  isActive: boolean;
  /** How it was paid: by an operation that is paused, by another one, with its group. */
  readonly paid: Set<'paused' | 'single' | 'group'>;
}

/** The facts of a walk as accepted and refused steps left them. */
export class Model {
  readonly made: Made[] = [];
  /** Email addresses of bookings that were refused. */
  readonly refused = new Set<string>();

  /** @param free The free slots of each tee time. */
  constructor(
    public free: readonly number[],
    readonly taking: Taking,
  ) {}

  /** Takes the slots of a part; gives them back after a cancellation. */
  move({ spot, players }: Part, way: 'take' | 'give'): void {
    const now = this.free[spot]!;
    if (way === 'give') this.free = this.free.with(spot, now + players);
    else this.free = this.free.with(spot, this.taking === 'all' ? 0 : now - players);
  }

  /** The bookings of a step. */
  of(step: number): readonly Made[] {
    return this.made.filter((one) => one.step === step);
  }
}

/** The parts of a booking step that nothing is wrong with. */
export function partsOf({ items }: BookStep): readonly Part[] {
  return items.filter(({ wrong }) => !wrong);
}

/** The situation in which a booking is paid: what a deployment answers in it once, it must answer again. */
export function situationOf(made: readonly Made[], version: string, facilityId: number): string {
  const states = [...new Set(made.map(({ isActive }) => (isActive ? 'active' : 'canceled')))].sort();
  const paid = [...new Set(made.flatMap((one) => [...one.paid]))].sort();
  return ['pay', version, made[0]!.by, states.join('+'), paid.join('+') || 'unpaid', facilityId].join(' ');
}

/** What the deployment has answered where the API specification leaves the answer open. */
export class Habits {
  readonly #known = new Map<string, string>();

  get(question: string): string | undefined {
    return this.#known.get(question);
  }

  /** Learns the first answer. Returns the one that was given before, where this one contradicts it. */
  learn(question: string, answer: string): string | undefined {
    const before = this.#known.get(question);
    if (before === undefined) this.#known.set(question, answer);
    return before === answer ? undefined : before;
  }

  get all(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#known);
  }
}

/** The form of booking operation that a way of booking uses. */
export function formOf(way: Way): 'product' | 'bulk' | 'round' {
  return way === 'bulk' || way === 'round' ? way : 'product';
}
