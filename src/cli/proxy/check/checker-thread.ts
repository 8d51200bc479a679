import type { Worker } from 'node:worker_threads';
import type { ReportFormat } from '../../../conformance/index.js';
import { startThread } from '../../process/own-thread.js';
import type { PassedExchange, PassedMessage } from '../wire/passed.js';
import type { TrafficEvent } from './events.js';
import type { TrafficResult, TrafficFacts, TrafficCheckerOptions } from './traffic-checker.js';

export type ToThread =
  | { readonly type: 'exchanges'; readonly exchanges: readonly PassedExchange[]; readonly lost: number }
  | { readonly type: 'end'; readonly facts: TrafficFacts; readonly reports: readonly ReportFormat[] };

export type FromThread =
  | { readonly type: 'taken'; readonly count: number }
  | { readonly type: 'event'; readonly event: TrafficEvent }
  | { readonly type: 'ended'; readonly end: TrafficResult };

/** In the bundle, the thread is a file of its own next to the chunks; when run from source, that of `dist`. */
const file = import.meta.url.endsWith('.ts') ? '../../../../dist/proxy-checker.js' : '../proxy-checker.js';

/** Milliseconds in which exchanges are gathered before they go to the thread. */
const PACE = 50;
/** Exchanges that go to the thread at once. */
const MOST_AT_ONCE = 500;
/** Exchanges that wait to be recorded: more than pass by during one evaluation. */
const MOST_WAITING = 8000;

/** Checks traffic in a thread of its own, so that no request waits for it. */
export class CheckerThread {
  readonly #worker: Worker;
  readonly #ended: Promise<TrafficResult>;
  #gathered: PassedExchange[] = [];
  readonly #releases: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #unreachable = 0;
  #unanswered = 0;
  #lost = 0;

  /** @param most The most exchanges that wait to be recorded. */
  constructor(
    options: TrafficCheckerOptions,
    tell: (event: TrafficEvent) => void,
    readonly most = MOST_WAITING,
  ) {
    this.#worker = startThread(new URL(file, import.meta.url), 'dist/proxy-checker.cjs', { workerData: options });
    this.#ended = new Promise((resolve, reject) => {
      this.#worker.on('error', reject);
      this.#worker.on('message', (message: FromThread) => {
        if (message.type === 'event') tell(message.event);
        else if (message.type === 'ended') resolve(message.end);
        else for (const release of this.#releases.splice(0, message.count)) release();
      });
    });
    // The traffic keeps the process alive, not the thread.
    this.#worker.unref();
    // Whoever waits for the end gets the error.
    this.#ended.catch(() => {});
  }

  /** Resolves when the thread has ended; rejects if it fails. */
  get ended(): Promise<TrafficResult> {
    return this.#ended;
  }

  /** Takes an exchange that is over. */
  readonly take = (exchange: PassedExchange, release: () => void): void => {
    if (exchange.isUnreachable) this.#unreachable += 1;
    if (isUnanswered(exchange)) this.#unanswered += 1;
    if (this.#releases.length >= this.most) {
      this.#lost += 1;
      return release();
    }
    this.#gathered.push(exchange);
    this.#releases.push(release);
    if (this.#gathered.length >= MOST_AT_ONCE) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), PACE);
  };

  /** Evaluates the remaining exchanges, and ends the thread. */
  end(reports: readonly ReportFormat[]): Promise<TrafficResult> {
    this.#worker.ref();
    this.#send();
    const facts = { unreachable: this.#unreachable, unanswered: this.#unanswered, lost: this.#lost };
    this.#worker.postMessage({ type: 'end', facts, reports } satisfies ToThread, []);
    return this.#ended;
  }

  /** Ends the thread without a result. */
  stop(): void {
    void this.#worker.terminate();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#gathered.length === 0) return;
    const exchanges = this.#gathered;
    this.#gathered = [];
    const message: ToThread = { type: 'exchanges', exchanges, lost: this.#lost };
    this.#worker.postMessage(message, exchanges.flatMap(buffersOf));
  }
}

/** Milliseconds after which a client that leaves has given up. */
const PATIENCE = 1000;

/** Whether the target owes an answer: it was asked, and none came, or none whole. */
function isUnanswered({ answer, failure, injected, clientLeft, durationMs, delivery }: PassedExchange): boolean {
  if (delivery || injected?.wasSent === false) return false;
  if (clientLeft && durationMs < PATIENCE) return false;
  if (failure !== undefined || answer === undefined) return true;
  // What is injected may cut the answer short.
  return injected === undefined && !answer.isWhole;
}

/** The memory of bodies is handed over, not copied. */
function buffersOf({ request, answer, seen }: PassedExchange): ArrayBuffer[] {
  const messages: (PassedMessage | undefined)[] = [request, answer, seen];
  return messages.flatMap((message) => (message?.body ? [message.body.buffer as ArrayBuffer] : []));
}
