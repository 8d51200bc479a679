import { connect, type Socket } from 'node:net';

/** How many connections a load keeps open; each has one request under way. */
const CONNECTIONS = 32;
const READ_BUFFER = 65_536;
/** Milliseconds after which an idle connection is opened anew. */
const IDLE_FOR = 2000;
const endOfHead = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** What is asked: the bytes of one request, prepared. */
export type NextRequest = () => Buffer;

/** The bytes of a request as a keep-alive client sends them. */
export function requestBytes(
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Buffer {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const fields = Object.entries({ Host: '127.0.0.1', ...headers, ...length });
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`);
}

/** A round under way. */
interface Round {
  readonly next: NextRequest;
  unsent: number;
  unanswered: number;
  readonly done: () => void;
  readonly failed: (error: Error) => void;
}

/** Answers are counted by their length and looked at no further than their status: the load shares the machine. */
class Connection {
  readonly #socket: Socket;
  #round: Round | undefined;
  #head: Buffer | undefined;
  #missing = 0;
  /** The end of what has come of a body in chunks. */
  #chunks: Buffer | undefined;
  #closed: Error | undefined;

  constructor(port: number) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BUFFER),
        callback: (size, buffer) => {
          this.#receive((buffer as Buffer).subarray(0, size));
          return true;
        },
      },
    });
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(new Error('The server under load closed a connection.')));
  }

  start(round: Round): void {
    this.#round = round;
    if (this.#closed) round.failed(this.#closed);
    else this.#send(round);
  }

  close(): void {
    this.#round = undefined;
    this.#socket.destroy();
  }

  #end(error: Error): void {
    this.#closed ??= error;
    this.#round?.failed(error);
  }

  #send(round: Round): void {
    if (round.unsent === 0) return;
    round.unsent -= 1;
    this.#socket.write(round.next());
  }

  #receive(bytes: Buffer): void {
    if (this.#chunks) {
      this.#chunks = Buffer.concat([this.#chunks, bytes]).subarray(-lastChunk.length);
      this.#missing = this.#chunks.equals(lastChunk) ? 0 : 1;
    } else if (this.#missing > 0) {
      this.#missing -= bytes.length;
    } else {
      const text = this.#head ? Buffer.concat([this.#head, bytes]) : bytes;
      const end = text.indexOf(endOfHead);
      if (end < 0) {
        this.#head = Buffer.from(text);
        return;
      }
      this.#head = undefined;
      this.#missing = this.#lengthIn(text, end) - (text.length - end - endOfHead.length);
      if (this.#chunks) this.#missing = text.subarray(-lastChunk.length).equals(lastChunk) ? 0 : 1;
    }
    if (this.#missing <= 0) this.#answered();
  }

  #lengthIn(text: Buffer, end: number): number {
    const head = text.toString('latin1', 0, end);
    const length = /\ncontent-length: *(\d+)/i.exec(head);
    if (head.startsWith('HTTP/1.1 200')) {
      if (length) return Number(length[1]);
      if (/\ntransfer-encoding: *chunked/i.test(head)) {
        this.#chunks = Buffer.from(text.subarray(-lastChunk.length));
        return 0;
      }
    }
    const answer = text.toString('utf8', 0, Math.min(text.length, 600));
    this.#round?.failed(new Error(`A request under load was not answered with 200 and a length:\n${answer}`));
    return 0;
  }

  #answered(): void {
    const round = this.#round;
    this.#missing = 0;
    this.#chunks = undefined;
    if (!round) return;
    round.unanswered -= 1;
    if (round.unanswered === 0) round.done();
    else this.#send(round);
  }
}

/** Keep-alive connections to one server. */
export class Load {
  readonly #port: number;
  #connections: readonly Connection[] = [];
  #usedAt = 0;

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  /**
   * Sends so many requests and gives back the seconds until the last answer.
   *
   * @throws {Error} when an answer is not 200 or the server goes away.
   */
  async run(next: NextRequest, requests: number): Promise<number> {
    this.#connect();
    const start = performance.now();
    await new Promise<void>((done, failed) => {
      const round = { next, unsent: requests, unanswered: requests, done, failed };
      for (const connection of this.#connections) connection.start(round);
    });
    this.#usedAt = performance.now();
    return (this.#usedAt - start) / 1000;
  }

  /** Servers close connections that were idle for some seconds, as while others have their turn. */
  #connect(): void {
    if (this.#connections.length > 0 && performance.now() - this.#usedAt < IDLE_FOR) return;
    this.close();
    this.#connections = Array.from({ length: CONNECTIONS }, () => new Connection(this.#port));
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}
