import type { Schedule } from '../model/clock.js';
import type { Channel } from '../model/world.js';
import type { Journal } from '../record/journal.js';
import type { JournalEntry } from '../record/journal-entry.js';
import type { RequestRecording } from '../record/recording.js';
import type { Engine } from './routes/call.js';
import type { Caches } from '../store/bounded-cache.js';
import type { Scenarios } from '../scenarios/scenarios.js';
import type { HostHints } from './host-hints.js';
import type { Authenticate, HeaderReader } from './authenticate.js';

/** Reads the path of a request as routes have it. */
export type ReadPath = (request: Request) => string;

/** What serves the requests of one sandbox: its state and the reading of requests in the current dialect. */
export interface Pipeline {
  readonly engine: Engine;
  readonly authenticate: Authenticate;
  readonly limitRate: ((channel: Channel, now: number) => void) | undefined;
  /** Omits every header that the service itself would not send. */
  readonly pure: boolean;
  readonly journal: Journal;
  /** Missing in the world of strangers. */
  readonly recording: RequestRecording | undefined;
  readonly onExchange: ((entry: JournalEntry) => void) | undefined;
  readonly scenarios: Scenarios;
  /** The prefix of every path, in a world other than the main one. */
  readonly prefix: string | undefined;
  /** Reads the access token of a request. */
  readonly tokenOf: (header: HeaderReader) => string | undefined;
  /** Answers a request of the admin API. */
  readonly admin: (request: Request, hints: HostHints, readPath: ReadPath) => Promise<Response>;
  nextRequestId(): string;
  readonly schedule: Schedule;
  /** Whether a request with valid credentials needs another world. */
  readonly forStrangers: boolean;
  /** Resolves when all changes so far are kept; undefined if nobody keeps them. */
  readonly keep: (() => Promise<void> | undefined) | undefined;
  /** The caches of routes and parameters. */
  readonly caches: Caches;
}
