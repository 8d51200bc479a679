import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogueFile, loadCatalogue, operationNames, questionsFile, ruleBasisFile } from './catalogue.js';
import { loadContract } from './contract.js';
import { adminOpenapiFile, fixturesFile, openapiFile, typesFile } from './embedded.js';
import { faultsOf } from './faults.js';
import { outputFolder } from './folders.js';
import { operationsFile } from './operations.js';
import { loadScenarios, scenariosFile, scenarioValidatorFiles } from './scenarios.js';
import { validatorFiles } from './validators.js';

/**
 * Every file of `src/generated` by name, made from the contract, the catalogue and the fixtures.
 *
 * @throws {Error} listing what does not fit together.
 */
export async function generateFiles(): Promise<Record<string, string>> {
  const contract = await loadContract();
  const admin = await loadContract('admin.yaml');
  const catalogue = loadCatalogue();
  const faults = faultsOf(catalogue, contract);
  if (faults.length > 0) {
    throw new Error(`Failed to generate from spec/:\n  - ${faults.join('\n  - ')}\nPlease mend the files named.`);
  }
  return {
    'types.ts': await typesFile(contract),
    'operations.ts': operationsFile(contract),
    ...validatorFiles(contract),
    'openapi.ts': openapiFile(contract),
    'admin-openapi.ts': adminOpenapiFile(admin),
    'admin-types.ts': await typesFile(admin),
    'catalogue.ts': catalogueFile(catalogue),
    'rule-basis.ts': ruleBasisFile(catalogue),
    'questions.ts': questionsFile(catalogue),
    'fixtures.ts': fixturesFile(),
    ...scenarioValidatorFiles(),
    'scenarios.ts': scenariosFile(loadScenarios(catalogue, [...operationNames(contract)])),
  };
}

/** Names of the files in `src/generated` that differ from what would be written, are absent, or have no source. */
export function staleFiles(files: Readonly<Record<string, string>>): string[] {
  const changed = Object.keys(files).filter((name) => {
    const file = resolve(outputFolder, name);
    return !existsSync(file) || readFileSync(file, 'utf8') !== files[name];
  });
  return [...changed, ...leftOver(files)];
}

/** Writes what changed and removes what is no longer generated. */
export function writeFiles(files: Readonly<Record<string, string>>): string[] {
  mkdirSync(outputFolder, { recursive: true });
  const stale = staleFiles(files);
  for (const name of leftOver(files)) rmSync(resolve(outputFolder, name));
  for (const name of stale) if (name in files) writeFileSync(resolve(outputFolder, name), files[name]!);
  return stale;
}

function leftOver(files: Readonly<Record<string, string>>): string[] {
  return existsSync(outputFolder) ? readdirSync(outputFolder).filter((name) => !(name in files)) : [];
}
