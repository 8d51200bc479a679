import type { ScenarioId } from '../../contract/index.js';
import type { PlanOptions, Sandbox } from '../../engine/index.js';

/** The operations that create bookings. */
const BOOKING = ['createBooking', 'createBulkBooking'];
const PAYMENT = ['confirmPayment', 'confirmBulkPayment'];

type ExamStrike = Omit<PlanOptions, 'operation'>;

/** Strikes the first request of each operation that creates bookings; which one the client uses is not known. */
export function strikeBookings(sandbox: Sandbox, scenario: ScenarioId, options: ExamStrike = {}): void {
  for (const operation of BOOKING) sandbox.scenarios.arm(scenario, { ...options, operation });
}

/** Strikes the first confirmation of a payment. */
export function strikePayments(sandbox: Sandbox, scenario: ScenarioId, options: ExamStrike = {}): void {
  for (const operation of PAYMENT) sandbox.scenarios.arm(scenario, { ...options, operation });
}
