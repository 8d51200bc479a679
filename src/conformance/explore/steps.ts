import type { Caller } from '../client/exchange.js';

/** The ways to book: by product (section "Create booking"), in bulk without products (v3), and one by one (v2). */
export type Way = 'single' | 'list' | 'details' | 'linked' | 'bulk' | 'round';
/** The one thing that is wrong with an item. */
export type Wrong = 'tee time' | 'product' | 'players' | 'contact' | 'email' | 'extra product';
export type Channel = Exclude<Caller, 'nobody'>;

/** A booking of a tee time, which is named by its place among those of the walk. */
export interface Item {
  readonly spot: number;
  readonly players: number;
  /** With all optional fields. */
  readonly full?: true;
  readonly wrong?: Wrong;
}

interface StepBase {
  /** Unique within its walk: later steps name an earlier one by it. */
  readonly id: number;
}

export interface BookStep extends StepBase {
  readonly do: 'book';
  readonly as: Channel;
  readonly by: Way;
  readonly items: readonly Item[];
}
export interface PayStep extends StepBase {
  readonly do: 'pay';
  /** The booking step, and the booking of it; without an item, its group is paid. */
  readonly of: number;
  readonly item?: number;
  readonly version: string;
  /** By the channel that has not made the booking. */
  readonly byOther?: true;
}
export interface CancelStep extends StepBase {
  readonly do: 'cancel';
  readonly of: number;
  readonly item: number;
  readonly byOther?: true;
}
export interface ListStep extends StepBase {
  readonly do: 'list';
  readonly as: Channel;
  readonly version: string;
}
export interface SheetStep extends StepBase {
  readonly do: 'sheet';
  readonly spot: number;
  readonly version: string;
  readonly players: number;
}
export interface PricesStep extends StepBase {
  readonly do: 'prices';
  readonly spot: number;
}
export interface SearchStep extends StepBase {
  readonly do: 'search';
  readonly spot: number;
}
export interface RefreshStep extends StepBase {
  readonly do: 'refresh';
  /** The token is sent a second time after it was spent. */
  readonly again?: true;
}
export interface WaitStep extends StepBase {
  readonly do: 'wait';
  readonly ms: number;
}
export type SingleStep =
  | BookStep
  | PayStep
  | CancelStep
  | ListStep
  | SheetStep
  | PricesStep
  | SearchStep
  | RefreshStep
  | WaitStep;
/** Steps that are sent at the same time. */
export interface TogetherStep extends StepBase {
  readonly do: 'together';
  readonly steps: readonly SingleStep[];
  /** Milliseconds by which the steps may be apart. */
  readonly jitter: number;
}
export type Step = SingleStep | TogetherStep;

/** A kind of tee time: its free slots, and the linked group that it is part of. */
export interface SpotKind {
  readonly free: number;
  readonly linked?: number;
}

/** A sequence of steps on tee times of some kinds. It is data: the same walk can be taken on other tee times. */
export interface Walk {
  /** The number of the form of this file. */
  readonly form: 1;
  readonly seed: number;
  readonly spots: readonly SpotKind[];
  readonly steps: readonly Step[];
}

const names = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The name of a tee time in a story. */
export function spotName(spot: number): string {
  return names[spot] ?? `T${spot}`;
}

/** The steps in the order in which they are sent. */
export function flat(steps: readonly Step[]): readonly SingleStep[] {
  return steps.flatMap((step) => (step.do === 'together' ? step.steps : [step]));
}

/** What kind of operation a step is, for the coverage of pairs. */
export function kindOf(step: SingleStep): string {
  if (step.do === 'book') return step.items.some(({ wrong }) => wrong) ? 'book wrongly' : `book ${step.by}`;
  if ((step.do === 'pay' || step.do === 'cancel') && step.byOther) return `${step.do} as another channel`;
  if (step.do === 'pay') return step.item === undefined ? 'pay group' : 'pay';
  return step.do;
}

/** A walk without the steps that name a booking step which it does not have. */
export function closed(walk: Walk): Walk {
  const booked = new Map(flat(walk.steps).flatMap((step) => (step.do === 'book' ? [[step.id, step] as const] : [])));
  const isWhole = (step: SingleStep): boolean => {
    if (step.do !== 'pay' && step.do !== 'cancel') return true;
    const made = booked.get(step.of);
    return made !== undefined && (step.item === undefined || step.item < made.items.length);
  };
  const steps = walk.steps.flatMap((step): Step[] => {
    if (step.do !== 'together') return isWhole(step) ? [step] : [];
    const left = step.steps.filter(isWhole);
    return left.length === 0 ? [] : [{ ...step, steps: left }];
  });
  return { ...walk, steps };
}
