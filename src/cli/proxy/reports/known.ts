import { type KnownObligation, readKnownObligations } from '../../../certification/index.js';
import { isObject, type KnownFinding, readKnown } from '../../../conformance/index.js';
import { obligations } from '../../../contract/index.js';

/** The known findings of both sides. */
export interface KnownOfBoth {
  readonly rules: readonly KnownFinding[];
  readonly obligations: readonly KnownObligation[];
}

const ids = new Set<unknown>(obligations.map(({ id }) => id));

/**
 * Reads a baseline whose entries are rules, as for `check`, or obligations, as for `certify`.
 *
 * @throws {Error} that names the first invalid entry.
 */
export function readKnownOfBoth(value: unknown): KnownOfBoth {
  const known = isObject(value) ? value['known'] : undefined;
  if (!Array.isArray(known)) return { rules: readKnown(value), obligations: [] };
  const isObligation = (entry: unknown): boolean => isObject(entry) && ids.has(entry['id']);
  return {
    rules: readKnown({ known: known.filter((entry) => !isObligation(entry)) }),
    obligations: readKnownObligations({ known: known.filter(isObligation) }),
  };
}
