import { anyGlob } from '../../../common/index.js';
import { Transport } from '../../client/transport.js';
import { allHeaders, headerFault } from '../../client/wire/given-headers.js';
import { Scope } from '../../client/wire/scope.js';
import type { TransportOptions } from '../../client/wire/transport-options.js';
import {
  type CheckOptions,
  type RunOptions,
  MAX_BODY,
  MAX_BOOKINGS,
  MAX_ERRORS,
  MAX_EVIDENCE,
  MAX_EVIDENCE_THOROUGH,
  SETTLE,
} from '../check-options.js';

/** Milliseconds that a response may take by default. */
export const PATIENCE = 10_000;

/** What a run makes of failing reads and of pauses that the deployment asks for, and how much of a body it records. */
export type Patience = Pick<TransportOptions, 'rereads' | 'restsUntil' | 'mostBody'>;

/**
 * The way to the deployment that the options of a run describe.
 *
 * @throws {TypeError} if headers cannot be sent beside the credentials.
 */
export function openTransport(
  options: RunOptions,
  { runId, onExchange, ...patience }: Pick<TransportOptions, 'runId' | 'onExchange' | keyof Patience>,
): Transport {
  const { host, first, second, rehearse } = options;
  const bearerHeader = bearerHeaderOf(options);
  const fault = headerFault(options, { bearerHeader, first, second });
  if (fault !== undefined) throw new TypeError(fault);
  return new Transport({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    first,
    ...(second ? { second } : {}),
    allow: new Set(options.allow ?? []),
    maxBookings: options.maxBookings ?? MAX_BOOKINGS,
    settle: options.settle ?? SETTLE,
    ...(options.maxRequests ? { maxRequests: options.maxRequests } : {}),
    timeout: options.timeout ?? PATIENCE,
    maxBody: options.maxBody ?? MAX_BODY,
    maxEvidence: options.maxEvidence ?? (options.depth === 'thorough' ? MAX_EVIDENCE_THOROUGH : MAX_EVIDENCE),
    deadline: options.deadline ?? 0,
    maxErrors: options.maxErrors ?? MAX_ERRORS,
    rps: options.rps ?? 0,
    bearerHeader,
    headers: allHeaders(options),
    userAgent: options.userAgent ?? 'teebox',
    ...(options.showPersonalData ? { showPersonalData: true } : {}),
    scope: scopeOf(options),
    runId,
    host,
    onExchange,
    ...patience,
    ...(rehearse ? { rehearse } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

/** The operations that the deployment is said to have. */
function scopeOf({ versions, operations, facilities }: CheckOptions): Scope {
  const isNamed = operations && anyGlob(operations);
  return new Scope({
    ...(versions ? { versions } : {}),
    ...(isNamed ? { isServed: (id, name) => isNamed(id) || isNamed(name) } : {}),
    ...(facilities ? { facilities } : {}),
  });
}

/** The header of the bearer token. */
export function bearerHeaderOf({ bearerHeader, card }: Pick<CheckOptions, 'bearerHeader' | 'card'>): string {
  return bearerHeader ?? card?.['auth.bearer-header'] ?? 'Authorization';
}
