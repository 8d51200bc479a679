import type { ScenarioId } from '../../contract/index.js';
import type { PlanOptions, Sandbox } from '../../engine/index.js';

/** The operations that create bookings. */
const BOOKING = ['createBooking', 'createBulkBooking'];
const PAYMENT = ['confirmPayment', 'confirmBulkPayment'];

type ExamScenario = Omit<PlanOptions, 'operation'>;

/** Fails the first request of each operation that creates bookings; which one the client uses is not known. */
export function failBookings(sandbox: Sandbox, scenario: ScenarioId, options: ExamScenario = {}): void {
  for (const operation of BOOKING) sandbox.scenarios.arm(scenario, { ...options, operation });
}

/** Fails the first confirmation of a payment. */
export function failPayments(sandbox: Sandbox, scenario: ScenarioId, options: ExamScenario = {}): void {
  for (const operation of PAYMENT) sandbox.scenarios.arm(scenario, { ...options, operation });
}
