import { closeSync, openSync, writeSync } from 'node:fs';
import { type Exchange, harEntry } from '../../../conformance/index.js';
import { visibleJson } from '../../../common/index.js';
import { version } from '../../version.js';

/** Exchanges that are written at once. */
const MOST_AT_ONCE = 50;

/** An HTTP Archive that grows with the traffic. The file is complete after each write, so that nothing is lost. */
export class HarFile {
  readonly #file: number;
  /** Where the end begins. */
  #at: number;
  #hasEntries = false;
  /** What the recording lacks, in words. */
  #comment: string | undefined;
  #waiting: Exchange[] = [];

  constructor(path: string, baseUrl: string) {
    this.#file = openSync(path, 'w');
    const log = visibleJson({ version: '1.2', creator: { name: 'teebox', version }, _baseUrl: baseUrl });
    const start = `{"log":${log.slice(0, -1)},"entries":[`;
    writeSync(this.#file, start + this.#end, 0);
    this.#at = Buffer.byteLength(start);
  }

  /** Adds a masked exchange; {@link write} writes it. */
  add(exchange: Exchange): void {
    this.#waiting.push(exchange);
    if (this.#waiting.length >= MOST_AT_ONCE) this.write();
  }

  /** Writes the exchanges at the end, and what the recording lacks. */
  write(comment = this.#comment): void {
    const isNew = comment !== this.#comment;
    this.#comment = comment;
    if (this.#waiting.length > 0) this.#append();
    else if (isNew) writeSync(this.#file, this.#end, this.#at);
  }

  close(): void {
    closeSync(this.#file);
  }

  get #end(): string {
    return `\n]${this.#comment === undefined ? '' : `,"comment":${visibleJson(this.#comment)}`}}}\n`;
  }

  #append(): void {
    const entries = this.#waiting.map((exchange) => visibleJson(harEntry(exchange)));
    this.#waiting = [];
    const text = `${this.#hasEntries ? ',' : ''}\n${entries.join(',\n')}`;
    this.#hasEntries = true;
    writeSync(this.#file, text + this.#end, this.#at);
    this.#at += Buffer.byteLength(text);
  }
}
