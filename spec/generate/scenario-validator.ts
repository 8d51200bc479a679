import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { header, rootFolder } from './folders.js';
import { inputModule } from './inputs.js';

/** The JSON schema of a scenario file. */
export function readSchema(): Record<string, unknown> {
  return JSON.parse(readFileSync(resolve(rootFolder, 'scenarios/scenario.schema.json'), 'utf8'));
}

/** The validator of scenario files, for the scenarios that users bring. */
export function scenarioValidatorFiles(): Record<string, string> {
  const schema = readSchema();
  return {
    'scenario-validator.js': inputModule(schema, { scenario: schema }),
    'scenario-validator.d.ts': `${header}import type { Scenario } from '../scenarios.js';
import type { InputValidator } from './input-validators.js';

/** A scenario file, by the schema of \`scenarios/\`. */
export const scenario: InputValidator<Scenario>;
`,
  };
}
