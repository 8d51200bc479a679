import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { header, rootFolder } from './folders.js';
import { inputModule } from './inputs.js';

/** The validator of files of targets, by the schema that editors use. */
export function configValidatorFiles(): Record<string, string> {
  const schema = JSON.parse(readFileSync(resolve(rootFolder, 'spec/check.schema.json'), 'utf8'));
  return {
    'config-validator.js': inputModule(schema, { config: schema }),
    'config-validator.d.ts': `${header}import type { InputValidator } from './input-validators.js';

/** A value of a setting. */
export type Setting = string | number | boolean | readonly string[];

/** Settings of a target. */
export interface Settings {
  readonly severity?: Readonly<Record<string, { readonly severity: string; readonly reason: string }>>;
  readonly [name: string]: Setting | Settings['severity'];
}

/** A configuration file, by \`spec/check.schema.json\`. */
export interface CheckConfig {
  readonly defaults?: Settings;
  readonly serve?: Settings;
  readonly proxy?: Settings;
  readonly certify?: Settings;
  readonly targets?: Readonly<Record<string, Settings>>;
}

export const config: InputValidator<CheckConfig>;
`,
  };
}
