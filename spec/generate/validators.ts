import type { Ajv2020 } from 'ajv/dist/2020.js';
import { type Contract, deref, placedOperations, type Schema } from './contract.js';
import { header } from './folders.js';
import { prepare, type Preparation } from './schemas.js';
import { moduleOf, standaloneAjv, shortened } from './standalone.js';

const requestNames = [
  'RefreshRequest',
  'BookingRequestV5',
  'BookingRequestV5List',
  'BookingsWithPayment',
  'BookingRequestV3',
  'BookingRequestV3List',
  'BookingRequestV2',
];

const declarations = `/** One error of a validator. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
}

/** A predicate that keeps its errors as a property of itself. */
export interface Validator<T = unknown> {
  (data: unknown): data is T;
  errors?: readonly SchemaError[] | null;
}
`;

const optionalType = `/** The fields of each schema that a deployment may omit or send as null. */
export const optional: Readonly<Record<string, readonly string[]>>;
`;

/** The files of the validators: requests, and answers in their strict and their open form. */
export function validatorFiles(contract: Contract): Record<string, string> {
  const answers = answerSchemas(contract);
  return {
    'request-validators.js': requestModule(contract),
    'request-validators.d.ts': requestTypes(),
    'response-validators-strict.js': answerModule(contract, answers, { open: false }),
    'response-validators-strict.d.ts': answerTypes('as strict as the contract: unknown properties fail'),
    'response-validators-open.js': answerModule(contract, answers, { open: true }),
    'response-validators-open.d.ts': `${answerTypes('open to any deployment: unknown properties pass')}${optionalType}`,
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

export function makeAjv({ components: { schemas } }: Contract, how: Preparation): Ajv2020 {
  // The suite reports every error of an answer; everyone else needs only the first.
  const ajv = standaloneAjv({ allowUnionTypes: true, allErrors: how.open, inlineRefs: !how.open });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema({ $id: name, ...prepare(schema, how) });
  return ajv;
}

function requestModule(contract: Contract): string {
  const ajv = makeAjv(contract, { open: false });
  // No request schema forbids properties that others do not name. To collect the names, AJV would look at every branch
  // of an `anyOf`, and make an error for each that does not fit.
  ajv.opts.unevaluated = false;
  return shortened(moduleOf(ajv, Object.fromEntries(requestNames.map((name) => [name, name]))));
}

/** Operations with one answer share a validator: GET and POST of a payment, a list in each version. */
function answerModule(contract: Contract, answers: Map<string, Schema>, how: Preparation): string {
  const ajv = makeAjv(contract, how);
  // Nothing open forbids what others do not name.
  if (how.open) ajv.opts.unevaluated = false;
  const names = new Map<Schema, string>();
  for (const [id, schema] of answers) {
    if (names.has(schema)) continue;
    const name = id.replaceAll('.', '_');
    names.set(schema, name);
    ajv.addSchema({ $id: name, ...prepare(schema, how) });
  }
  const exported = Object.fromEntries([...names.values()].map((name) => [name, name]));
  const written = moduleOf(ajv, { ...exported, failure: 'Failure', searchResult: 'SearchResult' });
  const whole = shortened(withShortPaths(written));
  const code = how.open ? withMostErrors(whole) : whole;
  const rows = [...answers].map(([id, schema]) => `  '${id}': ${names.get(schema)!},\n`).join('');
  const optional = how.open ? `export const optional = ${JSON.stringify(optionalFields(contract))};\n` : '';
  return `${code}\nexport const responses = {\n${rows}};\n${optional}`;
}

/** Leaves of the path of a schema whether it leads into an alternative: nobody reads more. */
function withShortPaths(code: string): string {
  const short = (path: string): string => /anyOf|oneOf/.exec(path)?.[0] ?? '';
  return code.replace(/schemaPath:"(?:[^"\\]|\\.)*"/g, (path) => `schemaPath:"${short(path)}"`);
}

/** Errors after which the rest of a list is not looked at. */
const MOST_ERRORS = 10_000;

/** Ends the loop over a list after so many errors: all errors of a hostile answer would fill the memory. */
function withMostErrors(code: string): string {
  const loop = /for\(let (i\d+)=0; \1<(len\d+); \1\+\+\)\{/g;
  const written = code.replace(loop, `for(let $1=0; $1<$2 && errors<${MOST_ERRORS}; $1++){`);
  if (written === code)
    throw new Error('Failed to bound the errors of validators: AJV writes its loops in another way.');
  return written;
}

/** The fields of each schema that a deployment may omit or send as null. */
function optionalFields({ components: { schemas } }: Contract): Record<string, unknown> {
  const rows = Object.entries(schemas).map(([name, schema]) => [name, schema['x-teebox-optional']] as const);
  return Object.fromEntries(rows.filter(([, fields]) => fields !== undefined));
}

function requestTypes(): string {
  const lines = requestNames.map((name) => `export const ${name}: Validator<Schemas['${name}']>;\n`).join('');
  return `${header}import type { components } from '../types.js';

type Schemas = components['schemas'];

${declarations}
${lines}`;
}

function answerTypes(how: string): string {
  return `${header}import type { OperationId } from '../operations.js';
import type { Validator } from './request-validators.js';

/** The answer of each operation when it succeeds, ${how}. */
export const responses: Readonly<Record<OperationId, Validator>>;
/** The body of a refusal. */
export const failure: Validator;
/** The body that is posted to a callback address. */
export const searchResult: Validator;
`;
}
