import { operationNames, questionsFile, ruleBasisFile } from './catalogue.js';
import { obligationBasisFile } from './obligations.js';
import { operationsFile } from './operations.js';
import { loadScenarios, scenariosFile } from './scenarios.js';
import type { Sources } from './sources.js';
import { typesFile } from './types.js';

/** The files of `src/contract/generated` itself, by name: types and small tables, which people read. */
export async function typedFiles({
  contract,
  admin,
  operator,
  catalogue,
  obligations,
}: Sources): Promise<Record<string, string>> {
  return {
    'types.ts': await typesFile(contract),
    'admin-types.ts': await typesFile(admin),
    'operator-types.ts': await typesFile(operator),
    'operations.ts': operationsFile(contract),
    'rule-basis.ts': ruleBasisFile(catalogue),
    'obligations.ts': obligationBasisFile(obligations),
    'questions.ts': questionsFile(catalogue),
    'scenarios.ts': scenariosFile(loadScenarios(catalogue, [...operationNames(contract)])),
  };
}
