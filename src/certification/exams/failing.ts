import type { ScenarioId } from '../../contract/index.js';
import type { PlanOptions, Sandbox } from '../../engine/index.js';

type Failing = (
  sandbox: Sandbox,
  scenario: ScenarioId | (string & {}),
  options?: Omit<PlanOptions, 'operation'>,
) => void;

/** Fails the first request of each of some operations; which one the client uses is not known. */
const failing =
  (...operations: readonly string[]): Failing =>
  ({ scenarios }, scenario, options) => {
    for (const operation of operations) scenarios.arm(scenario, { ...options, operation });
  };

export const failBookings = failing('createBooking', 'createBulkBooking');
export const failPayments = failing('confirmPayment', 'confirmBulkPayment');
