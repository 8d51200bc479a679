import type { ClientCall, ClientDelivery } from './obligations/traffic.js';

/** Hears the traffic of a client, in the order in which answers leave. */
export interface TrafficSink {
  call(call: ClientCall): void;
  delivery(delivery: ClientDelivery): void;
}

/** An answer on its way to the client. */
export interface AnswerOnItsWay {
  readonly operation: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What changes the traffic of a sandbox beside its scenarios. What is recorded is what the client sends and gets. */
export interface Disguise {
  /** The body of a request as the sandbox gets it. */
  request?(text: string): string;
  /** An answer as the client gets it. One that arrives in pieces stays as it is. */
  answer?(answer: AnswerOnItsWay): AnswerOnItsWay;
  /** The text of a search result as the client gets it. */
  result?(text: string): string;
}
