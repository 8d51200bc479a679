import { catalogueFile } from './catalogue.js';
import { configValidatorFiles } from './config-validator.js';
import { adminOpenapiFile, documentText, fixturesFile, openapiFile } from './embedded.js';
import { inputValidatorFiles } from './inputs.js';
import { obligationsFile } from './obligations.js';
import { scenarioValidatorFiles } from './scenario-validator.js';
import type { Sources } from './sources.js';
import { validatorFiles } from './validators.js';

/** The files of `src/generated/built`, by name: validators and embedded data, which are made and not committed. */
export function builtFiles({ contract, admin, catalogue, obligations }: Sources): Record<string, string> {
  return {
    ...validatorFiles(contract),
    ...inputValidatorFiles(admin),
    ...scenarioValidatorFiles(),
    ...configValidatorFiles(),
    'openapi.ts': openapiFile(contract),
    'openapi.json': documentText(contract),
    'admin-openapi.ts': adminOpenapiFile(admin),
    'admin-openapi.json': documentText(admin),
    'catalogue.ts': catalogueFile(catalogue),
    'obligations.ts': obligationsFile(obligations),
    'fixtures.ts': fixturesFile(),
  };
}
