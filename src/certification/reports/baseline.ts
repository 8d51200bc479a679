import type { CertifiedObligation } from '../certification.js';
import type { KnownObligation } from '../known-obligations.js';

/** A baseline of the failures of a run. What is known keeps its issue and date. */
export function baselineOfClient(obligations: readonly CertifiedObligation[]): {
  readonly known: readonly KnownObligation[];
} {
  const failed = obligations.filter(({ verdict }) => verdict === 'fail');
  return { known: failed.flatMap(({ id, known = [{ id }] }) => known) };
}
