import type { Reply } from '../client/exchange.js';
import { type Call, explained, type SequentialModel } from './linear.js';
import { type Made, partsOf, type SlotOp, slotModel, slotsOf } from './model.js';
import {
  type BookStep,
  type CancelStep,
  type PayStep,
  type SheetStep,
  type SingleStep,
  type TogetherStep,
  spotName,
} from './steps.js';
import { refreshed } from './tokens.js';
import type { Booked, Outcome, Walker } from './walker.js';

/** What came of a step that was sent together with others. */
type Done =
  | { readonly step: BookStep; readonly booked: Booked }
  | { readonly step: PayStep; readonly made: readonly Made[]; readonly reply: Reply }
  | { readonly step: CancelStep; readonly made: Made; readonly reply: Reply }
  | { readonly step: SheetStep; readonly free: number }
  | { readonly step: SingleStep; readonly outcome: Outcome };

interface Timed {
  readonly done: Done;
  readonly start: number;
  readonly end: number;
}

/** Sends steps at the same time. Their answers must have an order that explains them. */
export async function together(walker: Walker, { id, steps, jitter }: TogetherStep): Promise<readonly Outcome[]> {
  const chance = walker.chanceOf(id);
  const { host } = walker.ground.run;
  let events = 0;
  const copies = walker.ground.can.reuses ? steps.filter((step) => step.do === 'refresh').length : 1;
  const isFirstRefresh = (at: number): boolean => steps.findIndex((step) => step.do === 'refresh') === at;
  const delays = steps.map(() => (jitter > 0 ? chance.below(jitter + 1) : 0));
  const yields = steps.map(() => chance.below(4));
  const sent = steps.map(async (step, at): Promise<Timed> => {
    for (let turn = 0; turn < yields[at]!; turn += 1) await Promise.resolve();
    if (delays[at]! > 0) await host.sleep(delays[at]!);
    const start = (events += 1);
    const isCopy = step.do === 'refresh' && !isFirstRefresh(at);
    const done: Done = isCopy ? { step, outcome: 'skipped' } : await fire(walker, step, copies);
    return { done, start, end: (events += 1) };
  });
  const all = await Promise.allSettled(sent);
  const failed = all.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  const timed = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expectSlots(walker, timed);
  expectPayments(walker, timed);
  for (const { done } of timed) await apply(walker, done);
  return timed.map(({ done }) => outcomeOf(done));
}

async function fire(walker: Walker, step: SingleStep, copies: number): Promise<Done> {
  const skipped = { step, outcome: 'skipped' } as const;
  switch (step.do) {
    case 'book':
      return walker.canBook(step) ? { step, booked: await walker.sendBooking(step) } : skipped;
    case 'pay': {
      if (step.byOther) return skipped;
      const made = walker.payable(step);
      return made.length === 0 ? skipped : { step, made, reply: await walker.sendPayment(step, made) };
    }
    case 'cancel': {
      if (step.byOther) return skipped;
      const made = walker.cancelable(step);
      return made ? { step, made, reply: await walker.sendCancellation(made) } : skipped;
    }
    case 'sheet': {
      if (!walker.ground.can.sheets.includes(step.version)) return skipped;
      const [shown] = await walker.readings.sheet(step.version, 'first', 1, step.spot);
      return shown ? { step, free: shown.free } : skipped;
    }
    case 'list':
      if (!walker.ground.can.lists.includes(step.version) || !walker.ground.can.channels.includes(step.as))
        return skipped;
      await walker.readings.list(step.version, step.as);
      return { step, outcome: 'read' };
    case 'refresh':
      return { step, outcome: (await refreshed(walker, copies)).some(({ ok }) => ok) ? 'accepted' : 'skipped' };
    default:
      return skipped;
  }
}

function outcomeOf(done: Done): Outcome {
  if ('outcome' in done) return done.outcome;
  if ('free' in done) return 'read';
  return ('booked' in done ? done.booked.reply : done.reply).ok ? 'accepted' : 'refused';
}

/* The slots */

function slotOpsOf({ done, start, end }: Timed): readonly Call<SlotOp>[] {
  if ('booked' in done) {
    return [{ op: { do: 'take', parts: partsOf(done.step), ok: done.booked.reply.ok }, start, end }];
  }
  if ('free' in done) return [{ op: { do: 'see', spot: done.step.spot, free: done.free }, start, end }];
  const isFreed = 'made' in done && done.step.do === 'cancel' && done.reply.ok;
  if (!isFreed) return [];
  const { made } = done as { readonly made: Made };
  return made.isActive ? [{ op: { do: 'give', part: made, ok: true }, start, end }] : [];
}

/** The bookings and cancellations have an order in which each tee time has the slots. */
function expectSlots(walker: Walker, timed: readonly Timed[]): void {
  const { model, ground } = walker;
  const isKept = ground.habits.get('refused group') === 'earlier stay';
  // Two cancellations of one booking give its slots back once.
  const given = new Set<Made>();
  const calls = timed.flatMap(slotOpsOf).filter(({ op }) => {
    if (op.do !== 'give') return true;
    const made = op.part as Made;
    return !given.has(made) && given.add(made);
  });
  const relevant = isKept ? calls.filter(({ op }) => op.do !== 'see') : calls;
  const ends = explained(relevant, slotsOf(model.free), slotModel(model.taking));
  if (ends === undefined || ends.length > 0) return;
  const withoutReads = relevant.filter(({ op }) => op.do !== 'see');
  const isOversold = explained(withoutReads, slotsOf(model.free), slotModel(model.taking))?.length === 0;
  const last = timed.findLast(({ done }) => ('booked' in done ? done.booked.reply.ok : 'free' in done && !isOversold));
  const id = last && 'booked' in last.done ? last.done.booked.reply.id : undefined;
  if (!isOversold) {
    const message = 'A tee sheet shows free slots that no order of the bookings at that moment leaves.';
    return walker.contradict({ fact: 'slots', message, expected: model.free, actual: seenIn(relevant) });
  }
  const wanted = takenBy(withoutReads, model.free);
  const message = `Bookings that were sent at once take ${wanted.taken} slots of tee time ${spotName(wanted.spot)}, which has ${wanted.free}.`;
  walker.contradict({ fact: 'oversold', message, expected: wanted.free, actual: wanted.taken, shownBy: id });
}

function seenIn(calls: readonly Call<SlotOp>[]): readonly number[] {
  return calls.flatMap(({ op }) => (op.do === 'see' ? [op.free] : []));
}

function takenBy(
  calls: readonly Call<SlotOp>[],
  free: readonly number[],
): { spot: number; taken: number; free: number } {
  const taken = free.map(() => 0);
  for (const { op } of calls) {
    if (op.do === 'take' && op.ok) for (const { spot, players } of op.parts) taken[spot] = taken[spot]! + players;
  }
  const spot = Math.max(
    0,
    taken.findIndex((players, at) => players > free[at]!),
  );
  return { spot, taken: taken[spot]!, free: free[spot]! };
}

/* Payments and cancellations of one booking */

interface PayState {
  readonly isActive: boolean;
  readonly paid: readonly string[];
}
interface PayOp {
  readonly done: Extract<Done, { readonly reply: Reply }>;
}

/** What was answered in each situation before must explain the answers in some order. A refusal is always possible. */
function payModel(walker: Walker): SequentialModel<PayState, PayOp> {
  return {
    next(state, { done }) {
      if (!done.reply.ok) return [state];
      if (done.step.do === 'cancel') {
        const { made } = done as Extract<Done, { readonly made: Made }>;
        const { facilityId } = walker.spots[made.spot]!.sheet;
        const now = state.isActive ? 'active' : 'cancelled';
        const situation = ['cancel', made.by, now, [...state.paid].sort().join('+'), facilityId].join(' ');
        return walker.ground.habits.get(situation) === 'refused' ? [] : [{ ...state, isActive: false }];
      }
      const [made] = done.made as readonly Made[];
      const step = done.step as PayStep;
      const probe: Made = { ...made!, isActive: state.isActive, paid: new Set(state.paid) as Made['paid'] };
      if (walker.ground.habits.get(walker.situation(step, [probe])) === 'refused') return [];
      walker.paid(step, [probe]);
      return [{ ...state, paid: [...probe.paid].sort() }];
    },
    keyOf: ({ isActive, paid }) => `${isActive} ${paid.join()}`,
  };
}

function expectPayments(walker: Walker, timed: readonly Timed[]): void {
  const of = new Map<Made, Call<PayOp>[]>();
  for (const { done, start, end } of timed) {
    if (!('reply' in done)) continue;
    if (done.step.do === 'pay' && done.step.item === undefined) continue;
    const made = (done.step.do === 'pay' ? (done.made as readonly Made[])[0]! : done.made) as Made;
    of.set(made, [...(of.get(made) ?? []), { op: { done }, start, end }]);
  }
  for (const [made, calls] of of) {
    const initial: PayState = { isActive: made.isActive, paid: [...made.paid].sort() };
    if (explained(calls, initial, payModel(walker))?.length !== 0) continue;
    const isCancel = calls.some(({ op }) => op.done.step.do === 'cancel');
    const { reply } = calls.at(-1)!.op.done;
    const what = isCancel ? 'Payments and cancellations' : 'Payments';
    const message = `${what} of one booking that were sent at once are accepted, which no order of them explains.`;
    walker.contradict({ fact: isCancel ? 'cancellation' : 'payment', message }, reply);
  }
}

/* What the model makes of them */

async function apply(walker: Walker, done: Done): Promise<void> {
  if ('booked' in done) {
    if (!done.booked.reply.ok) return walker.refuse(done.step, done.booked);
    walker.accept(done.step, done.booked);
  } else if ('reply' in done && done.reply.ok) {
    if (done.step.do === 'cancel') walker.canceled(done.made as Made);
    else walker.paid(done.step as PayStep, done.made as readonly Made[]);
  }
}
