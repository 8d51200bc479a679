import { questionsFile, ruleBasisFile } from './catalogue.js';
import { failureFaults, failuresFile, loadFailures } from './failures.js';
import { obligationBasisFile } from './obligations.js';
import { operationNamesFile, operationsFile } from './operations.js';
import { loadScenarios, scenariosFile } from './scenarios.js';
import type { Sources } from './sources.js';
import { typesFile } from './types.js';
import { worldFile } from './world-validator.js';

/** The files of `src/contract/generated` itself, by name: types and small tables, which people read. */
export async function typedFiles({
  contract,
  admin,
  operator,
  catalogue,
  obligations,
}: Sources): Promise<Record<string, string>> {
  const failures = loadFailures();
  const scenarios = loadScenarios();
  const faults = failureFaults(failures, scenarios, catalogue, obligations);
  if (faults.length > 0) throw new Error(`Failed to generate:\n  - ${faults.join('\n  - ')}`);
  return {
    'types.ts': await typesFile(contract),
    'admin-types.ts': await typesFile(admin),
    'operator-types.ts': await typesFile(operator),
    'operations.ts': operationsFile(contract),
    'operation-names.ts': operationNamesFile(contract),
    'failures.ts': failuresFile(failures),
    'rule-basis.ts': ruleBasisFile(catalogue),
    'obligations.ts': obligationBasisFile(obligations),
    'questions.ts': questionsFile(catalogue),
    'scenarios.ts': scenariosFile(scenarios),
    'world-file.ts': worldFile(),
  };
}
