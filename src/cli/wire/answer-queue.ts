import type { Socket } from 'node:net';

/** Bytes whose copy takes less time than a second buffer of a write. */
const FEW = 4096;

/** Milliseconds after which answers wait no longer for those of other requests. */
const PATIENCE = 1;

/** An answer that waits to be written. A class, so that all share one hidden class. */
export class WaitingAnswer {
  constructor(
    private readonly socket: Socket,
    private readonly head: string,
    private readonly body: string | Uint8Array,
    private readonly length: number,
    private readonly written: (error?: Error | null) => void,
  ) {}

  write(): void {
    const { socket, head, body, length, written } = this;
    if (typeof body === 'string') socket.write(head + body, length === body.length ? 'latin1' : 'utf8', written);
    else if (length <= FEW) socket.write(head + latin1(body), 'latin1', written);
    else {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body, written);
      socket.uncork();
    }
  }
}

let queue: WaitingAnswer[] = [];
let isFirst = true;
let since = 0;

/**
 * Writes the first answer of a turn of the event loop at once, and all others of that turn together at its end. A write
 * wakes a client that has nothing to do, which takes the system as long as a small answer takes us; of several writes
 * one after the other, only the first does. A client that sends one request at a time waits for nothing.
 *
 * @param now Epoch milliseconds.
 */
export function writeSoon(answer: WaitingAnswer, now: number): void {
  if (isFirst) {
    isFirst = false;
    since = now;
    setImmediate(endTurn);
    return answer.write();
  }
  queue.push(answer);
  if (now - since > PATIENCE) {
    since = now;
    writeQueued();
  }
}

/** Writes what waits. To be called before a connection is ended or written to in another way: it may have an answer to come. */
export function writeQueued(): void {
  const all = queue;
  queue = [];
  for (const one of all) one.write();
}

function endTurn(): void {
  isFirst = true;
  if (queue.length > 0) writeQueued();
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
