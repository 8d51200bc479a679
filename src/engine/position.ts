import type { AdminPlace } from './admin/route.js';
import type { CallbackPolicy } from './callbacks/policy.js';
import type { CallbackTraffic } from './callbacks/traffic.js';
import type { State } from './state/state.js';
import type { World } from './model/world.js';
import type { RequestRecording } from './record/recording.js';

/** How a sandbox is reached among the worlds of a server. */
export interface Position extends AdminPlace {
  /** The prefix of every path. */
  readonly prefix?: string;
  /** The callbacks of all worlds. */
  readonly traffic?: CallbackTraffic;
  /** Decides where callbacks may go, in place of `allowCallback`. */
  readonly callbacks?: CallbackPolicy;
  /** The catalogue of all worlds of the server: facilities are derived one time. */
  readonly catalogue?: World;
  /** Puts another recording around that of the sandbox. */
  readonly recordingBy?: (recorder: RequestRecording, now: () => number) => RequestRecording;
  /** Whether it answers for worlds that do not exist, and must not change. */
  readonly forStrangers?: boolean;
  /**
   * The state in which it goes on. Unlike with the option `state`, the other options are its baseline and override
   * nothing.
   */
  readonly resumed?: State;
}
