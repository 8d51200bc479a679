import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { header } from './folders.js';

/** An AJV instance that can write its validators as code. */
export function standaloneAjv(options: Options): Ajv2020 {
  return new Ajv2020({ ...options, code: { source: true, esm: true, lines: true } });
}

/** The code of a module that exports each validator by its name. */
export function moduleOf(ajv: Ajv2020, exported: Record<string, string>): string {
  const code = standaloneCode(ajv, exported).replace('"use strict";', '');
  // A bundle for browsers has no `require`, but AJV writes one for lengths and formats (issue 2209 of AJV).
  const needed = /require\("?([^")]*)/.exec(code)?.[1];
  if (needed !== undefined) {
    throw new Error(
      `Failed to write standalone validators: a schema needs \`${needed}\` at run time. ` +
        'Use `pattern` instead of `minLength`, `maxLength`, `format` and `uniqueItems`.',
    );
  }
  return `${header}${code.trim()}\n`;
}

// A CommonJS module: whether its default export is the function or the module depends on the loader.
const standaloneCode = ((standalone as { default?: unknown }).default ?? standalone) as (
  ajv: Ajv2020,
  exported: Record<string, string>,
) => string;
