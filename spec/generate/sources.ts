import { withCardAnswers } from './card-answers.js';
import { type Catalogue, loadCatalogue, operationNames, withScope } from './catalogue.js';
import { type Contract, loadContract } from './contract.js';
import { faultsOf } from './faults.js';
import { loadObligations, type Obligation, obligationFaults } from './obligations.js';

/** The sources of everything that is generated. */
export interface Sources {
  readonly contract: Contract;
  readonly admin: Contract;
  readonly operator: Contract;
  readonly catalogue: Catalogue;
  readonly obligations: readonly Obligation[];
}

/**
 * Reads the sources in `spec/`.
 *
 * @throws {Error} that lists the faults of the rules, questions and obligations.
 */
export async function loadSources(): Promise<Sources> {
  const contract = await loadContract();
  const admin = await loadContract('admin.yaml');
  const operator = await loadContract('operator.yaml');
  const loaded = loadCatalogue();
  const obligations = [...loadObligations().values()].flat();
  const faults = [...faultsOf(loaded, contract), ...obligationFaults(obligations, operationNames(contract))];
  if (faults.length > 0) {
    throw new Error(`Failed to generate from spec/:\n  - ${faults.join('\n  - ')}\nCorrect these files.`);
  }
  const catalogue = withScope(loaded, contract);
  return { contract, admin: withCardAnswers(admin, catalogue), operator, catalogue, obligations };
}
