import type { PassedExchange } from '../../../src/cli/proxy/wire/passed.js';
import { NOW } from '../../support/client.js';

const authorization = `Basic ${btoa('fairway:not-a-secret-fairway')}`;
const countries = JSON.stringify({ success: true, data: ['Portugal', 'Spain'] });

/** What may differ from a right request for the countries. */
interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** Exchanges that have passed by, all alike. */
export function exchanges(count: number, { method = 'GET', path, headers = [], body = '' }: Sent = {}) {
  return Array.from({ length: count }, (_, turn): PassedExchange => {
    const [sent, answered] = [bytesOf(body), bytesOf(countries)];
    return {
      id: `x${turn + 1}`,
      turn,
      at: Date.parse(NOW) + turn,
      durationMs: 1,
      method,
      path: path ?? '/api/v3/countries',
      request: { headers: ['authorization', authorization, ...headers], body: sent, size: sent.length },
      answer: {
        status: 200,
        headers: ['content-type', 'application/json'],
        body: answered,
        size: answered.length,
        isWhole: true,
      },
      failure: undefined,
      isUnreachable: false,
      injected: undefined,
      seen: undefined,
      clientLeft: false,
      delivery: undefined,
    };
  });
}

/** In memory of its own, which can be handed over. */
const bytesOf = (text: string): Uint8Array => new Uint8Array(new TextEncoder().encode(text));
