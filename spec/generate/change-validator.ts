import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import type { Contract, Schema } from './contract.js';
import { header, specFolder } from './folders.js';
import { inputModule } from './inputs.js';

/** The validator of changes of a state that are read from a log. */
export function changeValidatorFiles(admin: Contract): Record<string, string> {
  const schema = parse(readFileSync(resolve(specFolder, 'change.yaml'), 'utf8')) as Schema;
  return {
    'change-validator.js': inputModule(admin, { Change: schema }),
    'change-validator.d.ts': `${header}import type { InputValidator } from './input-validators.js';

/** A change, by \`spec/change.yaml\`. */
export const Change: InputValidator<{ readonly kind: string }>;
`,
  };
}
