import type { ClientCall, ClientDelivery } from '../obligations/traffic.js';

/** Hears the traffic of a client, in the order in which answers leave. */
export interface TrafficSink {
  call(call: ClientCall): void;
  delivery(delivery: ClientDelivery): void;
}

/** What changes the traffic of a sandbox beside its scenarios. What is recorded is what the client gets. */
export interface Disguise {
  /** The text of an answer as the client gets it. */
  answer?(text: string, operation: string | undefined): string;
  /** The text of a search result as the client gets it. */
  result?(text: string): string;
}
