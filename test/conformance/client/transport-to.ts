import type { Exchange } from '../../../src/conformance/client/exchange.js';
import { Scope } from '../../../src/conformance/client/wire/scope.js';
import { Transport } from '../../../src/conformance/client/transport.js';
import type { Host, Permission } from '../../../src/conformance/client/types.js';

const BASE = 'http://deployment.test';

/** A deployment that lists no bookings: nothing is read before the first one. */
export const unlisted = { scope: new Scope({ isServed: (_, name) => name !== 'listBookings' }) };

export const ok = () => Response.json({ success: true, data: null });

/** A transport whose requests are answered in this process, and what it did. */
export function transportTo(
  answer: (request: Request) => Response | Promise<Response>,
  changes: object = {},
  schedule: Host['schedule'] = () => () => {},
) {
  const sent: Request[] = [];
  const exchanges: Exchange[] = [];
  const waits: number[] = [];
  let now = 0;
  const transport = new Transport({
    baseUrl: BASE,
    first: { basic: { username: 'ann', password: 'a-password' } },
    allow: new Set<Permission>(),
    maxBookings: 3,
    timeout: 1000,
    maxBody: 1000,
    deadline: 0,
    maxErrors: 2,
    rps: 0,
    bearerHeader: 'Authorization',
    headers: {},
    userAgent: 'teebox',
    runId: 'run',
    host: {
      fetch: (request: Request) => (sent.push(request), answer(request)),
      now: () => now,
      sleep: async (milliseconds: number) => void ((now += milliseconds), waits.push(milliseconds)),
      schedule,
      random: () => 0,
    },
    onExchange: (exchange: Exchange) => exchanges.push(exchange),
    ...changes,
  });
  return { transport, sent, exchanges, waits };
}
