import { closeSync, openSync, writeSync } from 'node:fs';
import type { Exchange } from '../../../conformance/client/exchange.js';
import { harEntry } from '../../../conformance/reporters/formats/har-log.js';
import { visibleJson } from '../../../evidence/visible.js';
import { version } from '../../version.js';

const END = '\n]}}\n';

/** An HTTP Archive that grows with the traffic. The file is complete after each write, so that nothing is lost. */
export class HarFile {
  readonly #file: number;
  /** Where the end begins. */
  #at: number;
  #hasEntries = false;

  constructor(path: string, baseUrl: string) {
    this.#file = openSync(path, 'w');
    const log = visibleJson({ version: '1.2', creator: { name: 'teebox', version }, _baseUrl: baseUrl });
    const start = `{"log":${log.slice(0, -1)},"entries":[`;
    writeSync(this.#file, start + END, 0);
    this.#at = Buffer.byteLength(start);
  }

  /** Adds exchanges, masked, at the end. */
  add(exchanges: readonly Exchange[]): void {
    if (exchanges.length === 0) return;
    const entries = exchanges.map((exchange) => visibleJson(harEntry(exchange)));
    const text = `${this.#hasEntries ? ',' : ''}\n${entries.join(',\n')}`;
    this.#hasEntries = true;
    writeSync(this.#file, text + END, this.#at);
    this.#at += Buffer.byteLength(text);
  }

  close(): void {
    closeSync(this.#file);
  }
}
