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

/** An error in the code that AJV writes, and the lines that add one to a list. */
const own =
  /\{instancePath(?::(.+?))?,(?:schemaPath:("(?:[^"\\]|\\.)*"),)?keyword:("\w+"),params:(\{.*\}),(?:message:(.+)|parentSchema:(.+),data(?::(\w+))?)\}(\]?;)$/gm;
const adding =
  /const (err\d+) = (.+);\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}/g;

/** Parameters for `$dynamicRef` and for keywords with code, which our schemas do not use. */
const taken = /, parentData, parentDataProperty, rootData=data, dynamicAnchors=\{\}/g;
const passed = /,parentData:\w+,parentDataProperty:(?:"(?:[^"\\]|\\.)*"|\w+),rootData,dynamicAnchors/g;

const helpers = `
const words = {
  required: ({ missingProperty }) => "must have required property '" + missingProperty + "'",
  type: ({ type }) => 'must be ' + type,
};
function failed(instancePath, schemaPath, keyword, params, message = words[keyword](params)) {
  return { instancePath, schemaPath, keyword, params, message };
}
function found(instancePath, keyword, params, parentSchema, data) {
  return { instancePath, keyword, params, parentSchema, data };
}
function added(errors, error) {
  if (errors === null) return [error];
  errors.push(error);
  return errors;
}
`;

/**
 * Shortens what AJV writes: it spells out each error, and what references to other documents need, which is a third of the
 * code.
 */
export function shortened(code: string): string {
  const errors = code.replaceAll(own, (_, ...parts: (string | undefined)[]) => {
    const [path = 'instancePath', schemaPath, keyword, params, message, parent, data = 'data', end] = parts;
    const isPlain = keyword === '"required"' || message === `"must be ${/^\{type: "(\w+)"\}$/.exec(params!)?.[1]}"`;
    const made = message
      ? `failed(${path},${schemaPath},${keyword},${params}${isPlain ? '' : `,${message}`})`
      : `found(${path},${keyword},${params},${parent},${data})`;
    return `${made}${end}`;
  });
  const lists = errors.replaceAll(adding, 'vErrors = added(vErrors, $2);');
  const short = withNamedSchemas(lists.replaceAll(taken, '').replaceAll(passed, ''));
  const left = /\b(?:rootData|dynamicAnchors|parentData)\b|\bvErrors\.push\(/.exec(short);
  if (left) throw new Error(`Failed to shorten validators: AJV writes \`${left[0]}\` in another way.`);
  return `${short}${helpers}`;
}

/** Gives a name to each part of a schema that several errors quote. */
function withNamedSchemas(code: string): string {
  const quoted = /(?<=found\(.*,)schema\d+(?:\.\w+|\[\d+\])+(?=,\w+\))/g;
  const parts: readonly string[] = code.match(quoted) ?? [];
  const names = new Map(
    parts.filter((one, at) => parts.indexOf(one) < at).map((one) => [one, `part${parts.indexOf(one)}`]),
  );
  const rows = [...names].map(([part, name]) => `const ${name} = ${part};\n`);
  return `${code.replaceAll(quoted, (part) => names.get(part) ?? part)}\n${rows.join('')}`;
}

// A CommonJS module: whether its default export is the function or the module depends on the loader.
const standaloneCode = ((standalone as { default?: unknown }).default ?? standalone) as (
  ajv: Ajv2020,
  exported: Record<string, string>,
) => string;
