import type { OperationId } from '../../../contract/index.js';
import type { Reply } from '../../client/exchange.js';
import type { OperationLatency } from '../../client/report-parts.js';

/**
 * How long the answers of each operation took, the slowest operation first.
 *
 * @param most Milliseconds; an operation is slow if 95 % of its answers do not come within that time.
 */
export function latencyOf(replies: readonly Reply[], most = Infinity): readonly OperationLatency[] {
  const times = new Map<OperationId, number[]>();
  for (const { operation, durationMs, probe } of replies) {
    if (!operation || probe) continue;
    times.set(operation, [...(times.get(operation) ?? []), durationMs]);
  }
  return [...times].map(([operation, all]) => measured(operation, all, most)).sort((a, b) => b.p95 - a.p95);
}

function measured(operation: OperationId, times: readonly number[], most: number): OperationLatency {
  const sorted = times.toSorted((a, b) => a - b);
  /** The least time within which that share of the answers came. */
  const within = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!;
  const p95 = within(0.95);
  const slow = p95 > most ? { isSlow: true as const } : {};
  return { operation, count: sorted.length, median: within(0.5), p95, max: sorted.at(-1)!, ...slow };
}
