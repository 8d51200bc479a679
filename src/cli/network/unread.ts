// Clients that ask for large answers and do not read them would otherwise fill the memory of the server.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const MIB = 1_048_576;
/** Bytes of answers that may wait for their clients. */
const MOST = 96 * MIB;
/** Bytes of one that count as much. */
const LARGE = MIB;
/** Milliseconds for which a sum holds, as there may be thousands of connections. */
const FRESH = 20;
/** Milliseconds without progress after which a connection with a large answer is closed, if others need its memory. */
const PATIENCE = 10_000;

/** What the clients of a server have not read yet. */
export class UnreadAnswers {
  readonly #sockets = new Set<Socket>();
  readonly #slow = new WeakSet<Socket>();
  #countedAt = -FRESH;
  #isFull = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Whether they fill the memory for them. */
  get isFull(): boolean {
    const now = performance.now();
    if (now - this.#countedAt < FRESH) return this.#isFull;
    let sum = 0;
    for (const socket of this.#sockets) sum += socket.writableLength;
    this.#isFull = sum > MOST;
    this.#countedAt = now;
    if (this.#isFull) this.#hurry();
    return this.#isFull;
  }

  #hurry(): void {
    for (const socket of this.#sockets) {
      if (socket.writableLength < LARGE || this.#slow.has(socket)) continue;
      this.#slow.add(socket);
      socket.setTimeout(PATIENCE, () => socket.destroy());
    }
  }
}
