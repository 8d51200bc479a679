import type { BookingState } from '../model/booking.js';
import type { State } from '../state/state.js';
import type { Capsule, CapsuleStep } from './capsule.js';

/** What a slice asks of the sandbox in which a capsule was played. */
interface SlicedSandbox {
  snapshot(): State;
  restore(state: State): Promise<void>;
  capsule(): Promise<Capsule>;
}

type PlayWhole<S> = (capsule: Capsule) => Promise<{ readonly same: boolean; readonly sandbox: S }>;

/**
 * A capsule from a request on, with as much of the state before it as its steps need: those bookings that they name
 * or whose day they name, those of their facilities or channels, or all. It plays with the same responses as the whole. Without such a slice it is the whole.
 */
export async function sliceCapsule<S extends SlicedSandbox>(
  capsule: Capsule,
  from: string,
  play: PlayWhole<S>,
): Promise<Capsule> {
  const start = startOf(capsule.steps, from);
  if (start <= 0) return capsule;
  const { sandbox } = await play({ ...capsule, steps: capsule.steps.slice(0, start) });
  const { state: _state, ...rest } = capsule;
  const steps = capsule.steps.slice(start);
  const before = sandbox.snapshot();
  for (const isNeeded of needsOf(steps)) {
    const bookings = before.store.bookings.filter(isNeeded);
    await sandbox.restore({ ...before, store: { ...before.store, bookings } });
    const { state } = await sandbox.capsule();
    const slice: Capsule = { ...rest, ...(state && { state }), steps };
    if (await isSame(slice, play)) return slice;
  }
  return capsule;
}

/** A state may not be one without some of its bookings. */
function isSame<S>(slice: Capsule, play: PlayWhole<S>): Promise<boolean> {
  return play(slice).then(
    ({ same }) => same,
    () => false,
  );
}

/** The step with which a request arrives, or an earlier one at which no request is under way. */
function startOf(steps: readonly CapsuleStep[], from: string): number {
  let start = steps.findIndex((step) => step.kind === 'request' && step.id === from);
  const later = (at: number) => new Set(steps.slice(at).flatMap((step) => (step.kind === 'resume' ? [step.of] : [])));
  for (; start > 0; start -= 1) {
    const goesOn = later(start);
    const isOpen = (step: CapsuleStep) =>
      step.kind === 'request' && (goesOn.has(step.id) || step.response === undefined);
    if (!steps.slice(0, start).some(isOpen)) break;
  }
  return start;
}

/** Which bookings to try with, the fewest first. */
function needsOf(steps: readonly CapsuleStep[]): readonly ((booking: BookingState) => boolean)[] {
  const sent = JSON.stringify(steps.map((step) => (step.kind === 'request' ? { ...step, response: null } : step)));
  const numbers = new Set(sent.match(/\d+/g));
  const isNamed = ({ bookingId, code }: BookingState) => sent.includes(bookingId) || sent.includes(code);
  const isOfFacility = (booking: BookingState) => isNamed(booking) || numbers.has(String(booking.facilityId));
  const isOfDay = (booking: BookingState) => {
    const date = booking.time.slice(0, 10);
    const others = [date, date.split('-').toReversed().join('-')];
    return isOfFacility(booking) && (isNamed(booking) || others.some((one) => sent.includes(one)));
  };
  const isOfChannel = (booking: BookingState) => isOfFacility(booking) || sent.includes(booking.channel);
  return [isOfDay, isOfFacility, isOfChannel, () => true];
}
