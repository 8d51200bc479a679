import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { type Contract, deref, placedOperations, type Schema } from './contract.js';
import { header } from './folders.js';
import { prepare, type Preparation } from './schemas.js';

const requestNames = [
  'RefreshRequest',
  'BookingRequestV5',
  'BookingRequestV5List',
  'BookingsWithPayment',
  'BookingRequestV3',
  'BookingRequestV3List',
  'BookingRequestV2',
];

const declarations = `/** One finding of a validator. */
export interface ValidationError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
}

/** A predicate that leaves what it found on itself. */
export interface Validator<T = unknown> {
  (data: unknown): data is T;
  errors?: readonly ValidationError[] | null;
}
`;

/** The files of the validators: requests, and answers in their strict and their open form. */
export function validatorFiles(contract: Contract): Record<string, string> {
  const answers = answerSchemas(contract);
  return {
    'request-validators.js': requestModule(contract),
    'request-validators.d.ts': requestTypes(),
    'response-validators-strict.js': answerModule(contract, answers, { open: false }),
    'response-validators-strict.d.ts': answerTypes('as tight as the contract: no property that it does not name'),
    'response-validators-open.js': answerModule(contract, answers, { open: true }),
    'response-validators-open.d.ts': answerTypes('wide enough for any deployment: unknown properties pass'),
  };
}

/** The schema of the answer that each operation gives when it succeeds. */
function answerSchemas(contract: Contract): Map<string, Schema> {
  return new Map(
    placedOperations(contract).map(({ operation: { operationId, responses } }) => [
      operationId,
      deref(contract, responses['200']!).content!['application/json'].schema,
    ]),
  );
}

function makeAjv({ components: { schemas } }: Contract, how: Preparation): Ajv2020 {
  const ajv = new Ajv2020({ allowUnionTypes: true, code: { source: true, esm: true, lines: true } });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema({ $id: name, ...prepare(schema, how) });
  return ajv;
}

function requestModule(contract: Contract): string {
  const ajv = makeAjv(contract, { open: false });
  return moduleOf(ajv, Object.fromEntries(requestNames.map((name) => [name, name])));
}

/** Operations with one answer share a validator: GET and POST of a payment, a list in each version. */
function answerModule(contract: Contract, answers: Map<string, Schema>, how: Preparation): string {
  const ajv = makeAjv(contract, how);
  const names = new Map<Schema, string>();
  for (const [id, schema] of answers) {
    if (names.has(schema)) continue;
    const name = id.replaceAll('.', '_');
    names.set(schema, name);
    ajv.addSchema({ $id: name, ...prepare(schema, how) });
  }
  const exported = Object.fromEntries([...names.values()].map((name) => [name, name]));
  const code = moduleOf(ajv, { ...exported, failure: 'Failure', searchResult: 'SearchResult' });
  const rows = [...answers].map(([id, schema]) => `  '${id}': ${names.get(schema)!},\n`).join('');
  return `${code}\nexport const responses = {\n${rows}};\n`;
}

function moduleOf(ajv: Ajv2020, exported: Record<string, string>): string {
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

function requestTypes(): string {
  const lines = requestNames.map((name) => `export const ${name}: Validator<Schemas['${name}']>;\n`).join('');
  return `${header}import type { components } from './types.js';

type Schemas = components['schemas'];

${declarations}
${lines}`;
}

function answerTypes(what: string): string {
  return `${header}import type { OperationId } from './operations.js';
import type { Validator } from './request-validators.js';

/** The answer of each operation when it succeeds, ${what}. */
export const responses: Readonly<Record<OperationId, Validator>>;
/** The body of a refusal. */
export const failure: Validator;
/** What is posted to a callback address. */
export const searchResult: Validator;
`;
}
