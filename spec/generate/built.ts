import { catalogueFile } from './catalogue.js';
import { configValidatorFiles } from './config-validator.js';
import { answerSchemasFile, documentText, fixturesFile } from './embedded.js';
import { inputValidatorFiles, operatorValidatorFiles } from './inputs.js';
import { obligationsFile } from './obligations.js';
import { scenarioValidatorFiles } from './scenario-validator.js';
import type { Sources } from './sources.js';
import { validatorFiles } from './validators.js';
import { worldValidatorFiles } from './world-validator.js';

/** The files of `src/contract/generated/built`, by name: validators and embedded data, which few people read. */
export function builtFiles({ contract, admin, operator, catalogue, obligations }: Sources): Record<string, string> {
  return {
    ...validatorFiles(contract),
    ...inputValidatorFiles(admin),
    ...operatorValidatorFiles(operator),
    ...scenarioValidatorFiles(),
    ...configValidatorFiles(),
    ...worldValidatorFiles(),
    'answer-schemas.ts': answerSchemasFile(contract),
    'openapi.json': documentText(contract),
    'admin-openapi.json': documentText(admin),
    'operator-openapi.json': documentText(operator),
    'catalogue.ts': catalogueFile(catalogue),
    'obligations.ts': obligationsFile(obligations),
    'fixtures.ts': fixturesFile(),
  };
}
