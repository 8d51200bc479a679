import type { Agenda, Work } from '../model/agenda.js';
import type { Schedule } from '../model/clock.js';
import type { Answers } from '../../contract/index.js';
import type { ResultQuery } from '../api/routes/result-query.js';
import type { CallbackDelivery } from './callback-delivery.js';
import type { ResultBody } from './result-body.js';
import type { CallbackTarget, TargetRules } from './targets.js';
import type { CallbackTraffic } from './traffic.js';

/** What callbacks need of the sandbox around them. */
export interface CallbackHost extends TargetRules {
  readonly answers: Answers;
  readonly version: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Runs `work` after `delay` milliseconds; the returned function cancels it. */
  readonly schedule: Schedule;
  /** What waits for the sandbox's clock. */
  readonly agenda: Agenda<DueCallback>;
  /** The callbacks of all worlds. */
  readonly traffic: CallbackTraffic;
  /** Whether `fetch` can send a body while it is made. */
  readonly streams: boolean;
  /** Called after each attempt, and for a delivery that is withheld. */
  readonly tried: (delivery: CallbackDelivery) => void;
  /** Called when an attempt of a delivery is planned, and without a moment when it is over. */
  readonly changed: ((delivery: CallbackDelivery, job: CallbackJob, next: DueMoment | undefined) => void) | undefined;
}

/** What a delivery needs beside what is shown of it. */
export interface CallbackJob {
  readonly target: CallbackTarget;
  readonly query: ResultQuery;
  readonly result: ResultBody;
}

/** When an attempt is due. */
export type DueMoment = Pick<Work, 'due' | 'within'>;

/** An attempt that waits for the sandbox's clock. */
export interface DueCallback extends Work {
  readonly delivery: CallbackDelivery;
  /** Whether an attempt was made before. */
  readonly retried: boolean;
}
