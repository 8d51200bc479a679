import { refusalTable } from '../../src/engine/api/refusals.js';
import { faultsOf } from '../../src/engine/state/own-scenarios.js';
import { operationNames } from './catalogue.js';
import { loadScenarios } from './scenarios.js';
import type { Sources } from './sources.js';

/**
 * Checks the names in the scenarios against the engine, which imports what is derived: so it runs after that is written.
 *
 * @throws {Error} for a scenario that names a rule, an operation or a refusal that does not exist.
 */
export function checkScenarioNames({ contract, catalogue }: Sources): void {
  const rules = catalogue.rules.map(({ id }) => id);
  const known = { operations: [...operationNames(contract)], rules, codes: Object.keys(refusalTable) };
  for (const scenario of loadScenarios()) {
    const faults = faultsOf(scenario, known);
    if (faults.length > 0) throw new Error(`Failed to load scenarios/${scenario.id}.yaml: ${faults.join('; ')}.`);
  }
}
