/** An event as it came; a comment has neither name nor data. */
export interface ServerEvent {
  readonly event?: string;
  readonly id?: string;
  // Judged by the tests that read it.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly data?: any;
  readonly comment?: string;
}

/** Reads server-sent events one by one. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(response: Response) {
    this.#reader = response.body!.getReader();
  }

  /** The next event or comment; undefined at the end. */
  async next(): Promise<ServerEvent | undefined> {
    while (!this.#text.includes('\n\n')) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
    const end = this.#text.indexOf('\n\n');
    const block = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 2);
    return parse(block);
  }

  /** So many events, without comments. */
  async take(count: number): Promise<ServerEvent[]> {
    const events: ServerEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (!event) throw new Error(`The stream ended after ${events.length} events.`);
      if (event.comment === undefined) events.push(event);
    }
    return events;
  }

  /** Goes away. */
  close(): Promise<void> {
    return this.#reader.cancel();
  }
}

function parse(block: string): ServerEvent {
  if (block.startsWith(':')) return { comment: block.slice(1).trim() };
  const fields = block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  const { data, ...rest } = Object.fromEntries(fields) as Record<string, string>;
  return { ...rest, ...(data === undefined ? {} : { data: JSON.parse(data) }) };
}
