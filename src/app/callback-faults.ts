import type { Effect } from '../generated/scenarios.js';

export type CallbackFault = Extract<Effect, { kind: 'callback' }>['fault'];

/** The body of a result as it is posted when a scenario strikes it. */
export function changedBody(body: string, fault: CallbackFault | undefined): string {
  if (fault === 'malformed') return body.slice(0, Math.ceil((body.length * 2) / 3));
  if (fault !== 'partial') return body;
  const result = JSON.parse(body) as { data: unknown };
  return Array.isArray(result.data) ? JSON.stringify({ ...result, data: result.data.slice(0, -1) }) : body;
}
