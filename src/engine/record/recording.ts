import type { OpenEntry } from './journal-entry.js';

/** A response as the service made it, before the network could break it. */
export interface MadeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** One request of a recording. */
export interface Recorded {
  readonly entry: OpenEntry;
  /** The address that the caller used, where the host takes a part of it away. */
  readonly address: string | undefined;
  /** Whether callbacks may go anywhere. */
  readonly reachesAll: boolean;
  /** The body as it came; undefined if it was not read, or not to its end. */
  text: string | undefined;
  /** Undefined as long as there is none, and if the connection was lost before. */
  made: MadeResponse | undefined;
}

/** Notes what decides the responses of a sandbox, in order. Another implementation plays it again. */
export interface RequestRecording {
  arrive(entry: OpenEntry, address: string | undefined, reachesAll: boolean): Recorded;
  /** A request goes on after it has waited; if it has to wait again, for a promise. */
  resume(recorded: Recorded, now: number): Promise<void> | undefined;
  /** Nothing that is done for a request after this changes the state. */
  over(recorded: Recorded, made: MadeResponse | undefined): void;
}
