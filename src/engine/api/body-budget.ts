const MIB = 1_048_576;

/** Bytes up to which a body always finds room among larger ones. */
export const SMALL_BODY = 65_536;
/** The share of the budget that larger bodies may fill. */
const LARGE_SHARE = 3 / 4;

/** Bytes of request bodies that are being read. All sandboxes of a process share one budget. */
class BodyBudget {
  #inFlight = 0;

  /** The largest message to an inbox fits. */
  most = 96 * MIB;

  /** Whether there is room for more bytes of a body of this size; they are counted then. */
  take(bytes: number, size: number): boolean {
    const most = size > SMALL_BODY ? this.most * LARGE_SHARE : this.most;
    if (this.#inFlight + bytes > most) return false;
    this.#inFlight += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#inFlight -= bytes;
  }
}

export const bodyBudget = new BodyBudget();
