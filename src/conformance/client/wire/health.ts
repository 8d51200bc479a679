import { NotAllowed } from '../outcome.js';
import type { RequestCall } from '../request.js';
import type { FaultKind, Health, OperationHealth } from '../types.js';

/** Statuses of a service that is not there for a moment, or of the gateway in front of it. */
const unavailable: readonly number[] = [502, 503, 504];

/** Faults in a row after which the deployment counts as down; a timeout, which costs more time, counts as three. */
const MOST_IN_A_ROW = 15;
const TIMEOUT_WEIGHT = 3;
/** So many of them must be requests that the contract allows: some services hang up on others. Also the least of a silent operation. */
const LEAST_PLAIN = 3;

/** What requests are counted by. */
export const nameOf = (call: RequestCall): string => ('operation' in call ? call.operation : 'others');

type Faults = Partial<Record<FaultKind, number>>;

export function faultOf(status: number): FaultKind | undefined {
  return unavailable.includes(status) ? 'unavailable' : undefined;
}

/** Counts the faults of a deployment: requests that it did not answer, whatever the rules make of that. */
export class HealthMonitor {
  readonly #operations = new Map<string, { requests: number; faults: Faults }>();
  #inRow = 0;
  #plainInRow = 0;
  readonly #inRowOf = new Set<string>();
  #isDown = false;
  /** When the latest fault was seen. */
  #faultAt = -Infinity;

  /** @param limit The share of requests that may fail, in percent. */
  constructor(readonly limit: number) {}

  /**
   * Counts a request, and its fault if it has one.
   *
   * @param at When its answer came, in epoch milliseconds: one that was there before a fault says nothing about what is after it.
   */
  note(call: RequestCall, fault: FaultKind | undefined, at: number): void {
    // The rule sends bodies that are too large on purpose.
    if (call.breaking === 'limits.body-size') return;
    if (fault) this.#faultAt = at;
    if (fault || at >= this.#faultAt) this.#noteRow(call, fault);
    // A deployment may hang up on a request that breaks the contract.
    if (call.breaking !== undefined) return;
    const name = nameOf(call);
    const counted = this.#operations.get(name) ?? { requests: 0, faults: {} };
    this.#operations.set(name, counted);
    counted.requests += 1;
    if (fault) counted.faults[fault] = (counted.faults[fault] ?? 0) + 1;
  }

  /** Counts a request that was refused for its pace to the last attempt: nothing could be checked by it. */
  noteLimited(call: RequestCall): void {
    const counted = this.#operations.get(nameOf(call));
    if (call.breaking !== undefined || !counted) return;
    counted.faults.limited = (counted.faults.limited ?? 0) + 1;
  }

  #noteRow(call: RequestCall, fault: FaultKind | undefined): void {
    if (!fault) {
      [this.#inRow, this.#plainInRow] = [0, 0];
      this.#inRowOf.clear();
    }
    if (!fault || this.#isDown) return;
    this.#inRow += fault === 'timeout' ? TIMEOUT_WEIGHT : 1;
    if (call.breaking === undefined) this.#plainInRow += 1;
    this.#inRowOf.add(nameOf(call));
    // One operation may be away while all others are there.
    const isOne = this.#inRowOf.size === 1 && fault === 'unavailable';
    if (this.#inRow >= MOST_IN_A_ROW && this.#plainInRow >= LEAST_PLAIN && !isOne) this.#isDown = true;
  }

  /** @throws {NotAllowed} when the deployment is down: more requests would only cost time. */
  readonly ready = (): void => {
    if (this.#isDown) {
      throw new NotAllowed('unhealthy', 'a deployment that answers: it did not answer several requests in a row');
    }
  };

  /**
   * What was counted.
   *
   * @param broken Operations that findings name. Those that never answer, although others do, are findings of their own
   * and say nothing about the health of the deployment.
   */
  health(broken: ReadonlySet<string> = new Set()): Health {
    const operations = [...this.#operations]
      .map(([operation, { requests, faults }]): OperationHealth => ({
        operation,
        requests,
        failed: sum(faults),
        faults,
      }))
      .sort((a, b) => b.failed - a.failed);
    const absent = absentAmong(operations, broken);
    const counted = operations.filter(({ operation }) => !absent.has(operation));
    const requests = counted.reduce((all, one) => all + one.requests, 0);
    const failed = counted.reduce((all, one) => all + one.failed, 0);
    const percent = requests === 0 ? 0 : Math.round((failed / requests) * 1000) / 10;
    // One fault is an accident, however few requests there are.
    const isOver = failed > (this.limit === 0 ? 0 : 1) && (failed / requests) * 100 > this.limit;
    const isDown = this.#isDown;
    return { healthy: !isDown && !isOver, isDown, requests, failed, percent, limit: this.limit, operations };
  }
}

/** An operation has one name, whatever its method. */
const baseOf = (operation: string): string => operation.replace(/\.post$/, '');

/** The operations that never answer, if most others do and a finding names them. */
function absentAmong(operations: readonly OperationHealth[], broken: ReadonlySet<string>): ReadonlySet<string> {
  const silent = operations.filter(({ requests, faults }) => faults.unavailable === requests);
  const absent = silent.filter(({ operation }) => {
    const own = silent.filter((one) => baseOf(one.operation) === baseOf(operation));
    const requests = own.reduce((all, one) => all + one.requests, 0);
    return requests >= LEAST_PLAIN && own.some((one) => broken.has(one.operation));
  });
  return new Set(absent.length < operations.length / 2 ? absent.map(({ operation }) => operation) : []);
}

function sum(faults: Faults): number {
  return Object.values(faults).reduce((all, one) => all + one, 0);
}
