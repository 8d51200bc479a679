import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { header } from './folders.js';

/** An AJV whose validators become code of their own. */
export function standaloneAjv(options: Options): Ajv2020 {
  return new Ajv2020({ ...options, code: { source: true, esm: true, lines: true } });
}

/** The code of validators, each exported by its name. */
export function moduleOf(ajv: Ajv2020, exported: Record<string, string>): string {
  const code = standaloneCode(ajv, exported).replace('"use strict";', '');
  // A bundle of modules for browsers has no require; AJV writes one for lengths and formats (its issue 2209).
  const needed = /require\("?([^")]*)/.exec(code)?.[1];
  if (needed !== undefined) {
    throw new Error(
      `Failed to write standalone validators: a schema needs \`${needed}\` at run time. ` +
        'Please use `pattern` in place of `minLength`, `maxLength`, `format` and `uniqueItems`.',
    );
  }
  return `${header}${code.trim()}\n`;
}

// Both are CommonJS modules whose default export is, by the loader, the function or its module.
const standaloneCode = ((standalone as { default?: unknown }).default ?? standalone) as (
  ajv: Ajv2020,
  exported: Record<string, string>,
) => string;
