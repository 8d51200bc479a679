/** What a world waits for, in epoch milliseconds; null or undefined: nothing. */
export interface AlarmReasons {
  /** Milliseconds until a callback is due. */
  readonly callbackDelay: number | undefined;
  readonly expiresAt: number | null;
  /** When the world is deleted because nobody used it. */
  readonly idleAt: number | null;
}

/** Storage with an alarm, as the platform has it. */
interface AlarmStorage {
  setAlarm(at: number): Promise<void>;
}

/** What a world does about callbacks that are due. */
interface PostingWorld {
  readonly callbackDelay: number | undefined;
  callbacksPosted(): Promise<void>;
}

/** Milliseconds by which an alarm is later than the timer of an awake object, which it only backs up. */
const BACK_UP = 1000;
/** Callbacks that are due so soon are waited for. */
const SOON = 250;
/** The platform ends an alarm after 15 minutes. */
const MOST_TURNS = 1000;

/** When a world must be woken; null: never. */
export function nextAlarm(now: number, { callbackDelay, expiresAt, idleAt }: AlarmReasons): number | null {
  const times = [expiresAt, idleAt, callbackDelay === undefined ? null : now + callbackDelay + BACK_UP];
  const earliest = Math.min(...times.map((time) => time ?? Infinity));
  return Number.isFinite(earliest) ? Math.max(now, Math.ceil(earliest)) : null;
}

/**
 * The alarm of an object. It is one for everything that the world waits for. An alarm that rings before anything is due
 * does no harm, so it is set again only to ring earlier: a write for each change would be a waste.
 */
export class Alarms {
  #at = Infinity;

  constructor(readonly storage: AlarmStorage) {}

  /** Makes sure that the alarm rings at an instant or earlier. What is written with it is kept together with it. */
  plan(at: number | null): void {
    if (at === null || at >= this.#at) return;
    this.#at = at;
    void this.storage.setAlarm(at);
  }

  /** The alarm went off: none is set. */
  wentOff(): void {
    this.#at = Infinity;
  }
}

/** Waits until callbacks that are due are posted: the platform may end an object that waits for nothing. */
export async function postDue(world: PostingWorld): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    await world.callbacksPosted();
    const { callbackDelay = Infinity } = world;
    if (callbackDelay > SOON) return;
    await new Promise((resolve) => void setTimeout(resolve, callbackDelay + 1));
  }
}
