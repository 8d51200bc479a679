import { type Contract, deref, type Parameter, placedOperations, type Placed, type Schema } from './contract.js';
import { header, literal, quote } from './folders.js';
import { nameOf, versionsOf } from './names.js';

const declarations = `/** A version of the service, or \`*\` for an operation that has it as a parameter. */
export type Version = VERSIONS;

/** A parameter as a request sends it. */
export interface ParameterSpec {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly kind: 'integer' | 'boolean' | 'date' | 'date-either' | 'integers' | 'string' | 'url' | 'version';
  readonly min?: number;
  readonly max?: number;
  /** The most items of a list. */
  readonly maxItems?: number;
  /** The only values it may have. */
  readonly values?: readonly (string | number)[];
  readonly rule: RuleId;
}

/** An operation of the contract. */
export interface OperationSpec {
  readonly id: string;
  /** Its name without version and method, which versions share. */
  readonly name: string;
  readonly version: Version;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** The rule that describes its answer. */
  readonly rule: RuleId;
  /** Whether it needs credentials. */
  readonly auth: boolean;
  readonly parameters: readonly ParameterSpec[];
  /** Names of the request schemas it takes, any one of them. */
  readonly bodies?: readonly string[];
}

/** A field of a request body: \`every\` is required where the dialect takes the API specification at its word. */
export interface BodyField {
  readonly rule: RuleId;
  readonly required: 'always' | 'every' | 'no';
}

/** Fields by name. */
export type BodyFields = Readonly<Record<string, BodyField>>;
`;

/** `operations.ts`: the table from which routes are mounted and requests are checked. */
export function operationsFile(contract: Contract): string {
  const rows = placedOperations(contract).map((placed) => operationRow(contract, placed));
  const items = rows.map((row) => `  ${literal(row, '  ')},\n`).join('');
  const fields = bodyFields(
    contract,
    rows.flatMap(({ bodies }) => bodies ?? []),
  );
  const versions = ['*', ...versionsOf(contract)].map((version) => quote(version)).join(' | ');
  return `${header}import type { RuleId } from './rule-basis.js';

${declarations.replace('VERSIONS', versions)}
/** Every operation of every version, in the order of the contract. */
export const operations = [
${items}] as const satisfies readonly OperationSpec[];

export type OperationId = (typeof operations)[number]['id'];
export type OperationName = (typeof operations)[number]['name'];

/** The fields of each request body; a list has those of its items. */
export const bodyFields = ${literal(fields)} as const satisfies Readonly<Record<string, BodyFields>>;
`;
}

/** What a report asks of an operation, apart from the rest, which is as large as a page of the console. */
export function operationNamesFile(contract: Contract): string {
  const rows = placedOperations(contract).map(({ operation: { operationId: id } }) => ({ id, ...nameOf(id) }));
  const items = rows.map(({ id, name, version }) => `  ${literal({ id, name, version }, '  ')},\n`).join('');
  return `${header}
/** The names of every operation of every version, in the order of the contract. */
export const operationNames = [
${items}] as const;
`;
}

function operationRow(contract: Contract, { method, path, operation }: Placed) {
  const { operationId: id, parameters = [], requestBody, security } = operation;
  const { name, version } = nameOf(id);
  return {
    id,
    name,
    version,
    method: method.toUpperCase(),
    path,
    rule: operation['x-rule'],
    auth: security?.length !== 0,
    parameters: parameters.map((parameter) => parameterRow(contract, deref(contract, parameter))),
    bodies: requestBody && schemaNames(requestBody.content!['application/json'].schema),
  };
}

function schemaNames(schema: Schema): string[] {
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].flatMap((one) => schemaNames(one as Schema));
  return [(schema['$ref'] as string).split('/').at(-1)!];
}

function parameterRow(contract: Contract, parameter: Parameter) {
  const schema = deref(contract, parameter.schema);
  const values = schema['enum'] as (string | number)[] | undefined;
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required ?? false,
    kind: kindOf(parameter, schema),
    min: schema['minimum'] as number | undefined,
    max: schema['maximum'] as number | undefined,
    maxItems: parameter['x-teebox-max-items'],
    values,
    rule: parameter['x-rule'],
  };
}

function kindOf(parameter: Parameter, schema: Schema): string {
  if (parameter['x-teebox-kind']) return parameter['x-teebox-kind'];
  if (schema['format'] === 'uri') return 'url';
  return schema.type as string;
}

/** Rule and requirement of each field of the request objects, also of those inside lists. */
function bodyFields(contract: Contract, names: readonly string[]): Record<string, Record<string, unknown>> {
  const fields: Record<string, Record<string, unknown>> = {};
  for (const name of new Set(names)) {
    const { schemas } = contract.components;
    const item = schemas[name]!['items'] as Schema | undefined;
    const objectName = item ? schemaNames(item)[0]! : name;
    fields[objectName] ??= fieldRows(schemas[objectName]!);
  }
  return fields;
}

function fieldRows(schema: Schema): Record<string, unknown> {
  const always = schema.required ?? [];
  const every = (schema['x-teebox-required-every'] as string[] | undefined) ?? [];
  return Object.fromEntries(
    Object.entries(schema.properties!).map(([name, property]) => {
      const required = every.includes(name) ? 'every' : always.includes(name) ? 'always' : 'no';
      return [name, { rule: property['x-rule'], required }];
    }),
  );
}
