import type { AdminType } from '../../../data/api.js';
import { type CapsuleFile, type CapsuleStep, cutCapsule } from './capsule-cut.js';
import { loadPlayer, type Played } from './load-player.js';

export type Differences = Played['differences'];
type Booking = AdminType<'Booking'>;
export type Sheets = AdminType<'TeeSheets'>;

/** The day of a facility before and after a step. */
export interface SheetPair {
  readonly before: Sheets;
  readonly after: Sheets;
  /** The tee times that the request asked for. */
  readonly teeIds: readonly number[];
}

/** Sandboxes that are kept: the one before the step that is shown, the one after it, and some that were shown last. */
const MOST_KEPT = 6;

/** Plays a capsule in this page, up to any of its steps. */
export class CapsulePlayer {
  readonly #played = new Map<number, Promise<Played>>();

  constructor(readonly capsule: CapsuleFile) {}

  /** The whole of it, compared with what was recorded. */
  whole(): Promise<Played> {
    return this.#upTo(this.capsule.steps.length);
  }

  /** The sheets that a step is about; undefined if it is about none. Steps are counted from 1. */
  async sheets(number: number): Promise<SheetPair | undefined> {
    const [before, after] = await Promise.all([this.#upTo(number - 1), this.#upTo(number)]);
    const step = this.capsule.steps[number - 1]!;
    const day = (await changedDay(before, after)) ?? dayOf(step);
    if (!day) return undefined;
    const path = `tee-sheets/${day.facilityId}?date=${day.date}`;
    const [one, other] = await Promise.all([read<Sheets>(before, path), read<Sheets>(after, path)]);
    return one && other && { before: one, after: other, teeIds: teeIdsIn(jsonOf(step)) };
  }

  #upTo(end: number): Promise<Played> {
    const found = this.#played.get(end) ?? play(cutCapsule(this.capsule, end));
    // The last one that was asked for is the last one to go.
    this.#played.delete(end);
    this.#played.set(end, found);
    const [oldest] = this.#played.keys();
    if (this.#played.size > MOST_KEPT) this.#played.delete(oldest!);
    return found;
  }
}

async function play(capsule: CapsuleFile): Promise<Played> {
  return (await loadPlayer()).playCapsule(capsule);
}

async function read<Body>({ sandbox }: Played, path: string): Promise<Body | undefined> {
  const response = await sandbox.handle(new Request(`http://sandbox.test/__admin/${path}`));
  return response.ok ? ((await response.json()) as Body) : undefined;
}

interface Day {
  readonly facilityId: number;
  readonly date: string;
}

/** The day of the first booking that a step made, paid or cancelled. */
async function changedDay(before: Played, after: Played): Promise<Day | undefined> {
  const path = 'bookings?order=newest&limit=1000';
  const [one, other] = await Promise.all(
    [before, after].map((played) => read<{ readonly bookings: readonly Booking[] }>(played, path)),
  );
  const known = new Set(one?.bookings.map((booking) => JSON.stringify(booking)));
  const changed = other?.bookings.find((booking) => !known.has(JSON.stringify(booking)));
  return changed && { facilityId: changed.facilityId, date: changed.time.slice(0, 10) };
}

function jsonOf(step: CapsuleStep): unknown {
  return step.kind === 'request' ? step.json : step.kind === 'admin' ? step.body : undefined;
}

/** The day that a request names: in its body, or in its path and query. */
function dayOf(step: CapsuleStep): Day | undefined {
  const address = step.kind === 'request' ? new URL(step.url!) : new URL(`/${step.path ?? ''}`, 'http://sandbox.test');
  const text = `${JSON.stringify(jsonOf(step) ?? {})} ${address.search}`;
  const id = /"facilityId":"?(\d+)/.exec(text)?.[1] ?? /\/(?:teetimes|tee-sheets)\/(\d+)/.exec(address.pathname)?.[1];
  const [, year, month, day] = /(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  const [, early, middle, late] = /(\d\d)-(\d\d)-(\d{4})/.exec(text) ?? [];
  const date = year ? `${year}-${month}-${day}` : late && `${late}-${middle}-${early}`;
  return id && date ? { facilityId: Number(id), date } : undefined;
}

function teeIdsIn(body: unknown): readonly number[] {
  return [...(JSON.stringify(body) ?? '').matchAll(/"teeId":"?(\d+)/g)].map(([, id]) => Number(id));
}
