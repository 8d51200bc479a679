import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { dueOf } from '../../src/contract/fit.js';
import type { InputSchema, InputValidator } from '../../src/contract/generated/built/input-validators.js';
import { type Contract, deref, placedOperations, type Schema } from './contract.js';
import { header, specFolder } from './folders.js';
import { moduleOf, standaloneAjv, shortened } from './standalone.js';

/** Modules of validators by what loads them: every sandbox, a saved state, or a call of the admin or operator API. */
const components = {
  'input-validators': ['PlanRequest', 'ChaosRequest', 'DialectCard', 'CardAnswers'],
  'admin-validators': ['ClockMove', 'Expectation', 'SheetChange'],
  'state-validators': ['State', 'BookingState'],
  'operator-validators': ['WorldRequest', 'WorldChange'],
} as const;

/** What validators do not need; what a field must be (`x-teebox-due`) and examples are for the messages. */
const annotations = /^(x-.*|\$defs|\$schema|description|title|format|default|deprecated)$/;

/** Validators of what users give to a sandbox, with the schema of each finding so that a message can quote it. */
export function inputValidatorFiles(admin: Contract): Record<string, string> {
  const queries = querySchemas(admin);
  const [inputs, own] = [components['input-validators'], components['admin-validators']];
  const state = components['state-validators'];
  const states = { ...schemasOf(state), Change: changeSchema(), StateFormat: stateFormat(admin) };
  return {
    'input-validators.js': inputModule(admin, schemasOf(inputs)),
    'input-validators.d.ts': `${header}${declarations}${declared(inputs)}`,
    'state-validators.js': inputModule(admin, states),
    'state-validators.d.ts': `${header}${importsOf('admin')}${declared(state)}${otherTypes}`,
    'admin-validators.js': inputModule(admin, { ...schemasOf(own), ...queries }) + integersOf(queries),
    'admin-validators.d.ts': adminTypes(own, queries),
  };
}

function schemasOf(names: readonly string[]): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));
}

/** Validators of what the operator of a hosted deployment sends. */
export function operatorValidatorFiles(operator: Contract): Record<string, string> {
  const queries = querySchemas(operator);
  const own = components['operator-validators'];
  return {
    'operator-validators.js': inputModule(operator, { ...schemasOf(own), ...queries }) + integersOf(queries),
    'operator-validators.d.ts': operatorTypes(own, queries),
  };
}

/** What a state of any version has, to be looked at first. */
function stateFormat({ components: { schemas } }: Contract): Schema {
  const { format, version } = schemas['State']!.properties!;
  return { type: 'object', required: ['format', 'version'], properties: { format: format!, version: version! } };
}

/** A change of a state that is read from a log. Its references are to components of the admin API. */
function changeSchema(): Schema {
  return parse(readFileSync(resolve(specFolder, 'change.yaml'), 'utf8')) as Schema;
}

const otherTypes = `export const StateFormat: InputValidator<Pick<Schemas['State'], 'format' | 'version'>>;
/** A change, by \`spec/change.yaml\`. */
export const Change: InputValidator<{ readonly kind: string }>;
`;

/** A validator that needs no module, for the files that the generators read. */
export function inputValidator<T>(document: object, schema: Schema): InputValidator<T> {
  const ajv = new Ajv2020({ allowUnionTypes: true, discriminator: true, messages: false, verbose: true });
  ajv.addVocabulary(['due']);
  return ajv.compile(whole(document, schema)) as InputValidator<T>;
}

/** A module of validators of these schemas; `document` is the document that their references are in. */
export function inputModule(document: object, schemas: Readonly<Record<string, Schema>>): string {
  const options = { allowUnionTypes: true, discriminator: true, messages: false, verbose: true, inlineRefs: false };
  const ajv = standaloneAjv(options);
  // No schema here forbids what others do not name, so none needs to know what others have looked at.
  ajv.opts.unevaluated = false;
  ajv.addVocabulary(['due']);
  const wholes = Object.entries(schemas).map(([name, schema]) => [name, whole(document, schema)] as const);
  for (const [name, schema] of withSharedParts(new Map(wholes))) ajv.addSchema({ $id: name, ...schema });
  const code = moduleOf(ajv, Object.fromEntries(Object.keys(schemas).map((name) => [name, name])));
  return shortened(withoutIdle(code));
}

/** Characters of a schema that gets code of its own if it stands in several places. */
const LONG = 150;

/** Schemas whose long common parts are schemas of their own: AJV would write the code of a part once for each place. */
function withSharedParts(schemas: ReadonlyMap<string, Schema>): ReadonlyMap<string, Schema> {
  const places = new Map<string, string[]>();
  const note = (schema: Schema, name: string): Schema => {
    const text = JSON.stringify(schema);
    if (schema.type === 'object' && text.length > LONG) places.set(text, [...(places.get(text) ?? []), name]);
    return mapped(schema, (part) => note(part, ''));
  };
  for (const [name, schema] of schemas) note(schema, name);
  const shared = [...places].filter(([, names]) => names.length > 1);
  const names = new Map(shared.map(([text, own], index) => [text, own.find(Boolean) ?? `part${index}`]));
  const share = (schema: Schema): Schema =>
    mapped(schema, (part) => {
      const name = names.get(JSON.stringify(part));
      if (name === undefined) return share(part);
      return { type: 'object', due: dueOf(part as InputSchema), $ref: name };
    });
  const parts = shared.map(([text]) => [names.get(text)!, JSON.parse(text) as Schema] as const);
  return new Map([...schemas, ...parts].map(([name, schema]) => [name, share(schema)]));
}

/** A schema with other parts, except alternatives: a message quotes those as they are. */
function mapped(schema: Schema, change: (part: Schema) => Schema): Schema {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const isSchema = typeof value === 'object' && !Array.isArray(value);
    if (keyword === 'properties') {
      const properties = Object.entries(value as Record<string, Schema>);
      return [keyword, Object.fromEntries(properties.map(([name, part]) => [name, change(part)]))];
    }
    if (keyword === 'oneOf') return [keyword, (value as Schema[]).map((one) => mapped(one, change))];
    const isNested = isSchema && (keyword === 'items' || keyword === 'additionalProperties');
    return [keyword, isNested ? change(value as Schema) : value];
  });
  return Object.fromEntries(entries) as Schema;
}

/** Leaves out what no message quotes of a finding: a fifth of the code, which pages download. */
function withoutIdle(code: string): string {
  return code
    .replace(/schemaPath:"(?:[^"\\]|\\.)*",/g, '')
    .replace(/,schema:(?:schema\d+(?:\.\w+|\[[^\]]+\])*|"(?:[^"\\]|\\.)*"|[^,"]*),parentSchema:/g, ',parentSchema:');
}

/** A schema without references, so that a finding has all of it at hand. */
function whole(document: object, schema: Schema): Schema {
  const { $ref: _, ...beside } = schema;
  if (schema['x-teebox-apart']) {
    const due = deref(document, schema)['x-teebox-due'];
    return { type: 'object', ...(due === undefined ? {} : { due }) };
  }
  const { allOf, unevaluatedProperties, ...own } = { ...deref(document, schema), ...beside } as Schema & {
    allOf?: Schema[];
  };
  const parts = (allOf ?? []).map((part) => whole(document, part));
  const entries = Object.entries(own).flatMap(([keyword, value]) => {
    if (keyword === 'x-teebox-due') return [['due', value]];
    if (keyword === 'x-teebox-discriminator') return Object.entries(discriminatedBy(String(value)));
    return annotations.test(keyword) ? [] : [[keyword, wholeValue(document, keyword, value)]];
  });
  const merged = parts.reduce<Schema>(
    (sum, part) => ({
      ...sum,
      ...part,
      required: [...(sum.required ?? []), ...(part.required ?? [])],
      properties: { ...sum.properties, ...part.properties },
    }),
    {},
  );
  const closed = unevaluatedProperties === false ? { additionalProperties: false } : {};
  return { ...merged, ...Object.fromEntries(entries), ...closed };
}

/** Alternatives that differ in one property, so that a finding is of the one that is meant. */
function discriminatedBy(propertyName: string): Schema {
  return { type: 'object', required: [propertyName], discriminator: { propertyName } };
}

function wholeValue(document: object, keyword: string, value: unknown): unknown {
  if (keyword === 'properties') {
    const properties = Object.entries(value as Record<string, Schema>);
    return Object.fromEntries(properties.map(([name, property]) => [name, whole(document, property)]));
  }
  if (keyword === 'oneOf') return (value as Schema[]).map((one) => whole(document, one));
  const nested = keyword === 'items' || (keyword === 'additionalProperties' && typeof value === 'object');
  return nested ? whole(document, value as Schema) : value;
}

/** The query of each operation as an object, `listBookingsQuery`; operations with the same one share the first. */
function querySchemas(admin: Contract): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  for (const { operation } of placedOperations(admin)) {
    const parameters = (operation.parameters ?? []).map((one) => deref(admin, one)).filter((one) => one.in === 'query');
    if (parameters.length === 0) continue;
    const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, deref(admin, schema!)]));
    const schema = { type: 'object', additionalProperties: false, properties };
    const twin = Object.values(found).some((one) => JSON.stringify(one) === JSON.stringify(schema));
    if (!twin) found[`${operation.operationId}Query`] = schema;
  }
  return found;
}

/** Which parameters are numbers: in a query all are text. */
function integersOf(queries: Readonly<Record<string, Schema>>): string {
  const rows = Object.entries(queries).map(([query, { properties }]) => {
    const names = Object.keys(properties!).filter((name) => properties![name]!.type === 'integer');
    return `${query}.integers = ${JSON.stringify(names)};\n`;
  });
  return rows.join('');
}

const importsOf = (document: 'admin' | 'operator') => `import type { components } from '../${document}-types.js';
import type { InputValidator } from './input-validators.js';

type Schemas = components['schemas'];

`;

const declarations = `import type { components } from '../admin-types.js';

type Schemas = components['schemas'];

/** A schema, as far as messages quote it. */
export interface InputSchema {
  /** What a value must be, where its keywords do not say it well. */
  readonly due?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly InputSchema[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, InputSchema>>;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** What does not fit: where, by which keyword of which schema, and what was there. */
export interface Finding {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema: InputSchema;
  readonly data?: unknown;
}

/** A predicate that keeps its findings on itself; the last one is of the outermost schema. */
export interface InputValidator<T = unknown> {
  (data: unknown): data is T;
  errors?: readonly Finding[] | null;
}
`;

function declared(names: readonly string[]): string {
  return names.map((name) => `export const ${name}: InputValidator<Schemas['${name}']>;\n`).join('');
}

function declaredQueries(queries: Readonly<Record<string, Schema>>): string {
  const rows = Object.keys(queries).map(
    (query) => `export const ${query}: QueryValidator<Query<'${query.replace(/Query$/, '')}'>>;\n`,
  );
  return rows.join('');
}

function operatorTypes(names: readonly string[], queries: Readonly<Record<string, Schema>>): string {
  return `${header}import type { operations } from '../operator-types.js';
import type { QueryValidator } from './admin-validators.js';
${importsOf('operator')}type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

${declared(names)}${declaredQueries(queries)}`;
}

function adminTypes(names: readonly string[], queries: Readonly<Record<string, Schema>>): string {
  return `${header}import type { operations } from '../admin-types.js';
${importsOf('admin')}type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** A validator of a query, of which some parameters are whole numbers. */
export interface QueryValidator<T> extends InputValidator<T> {
  readonly integers: readonly string[];
}

${declared(names)}${declaredQueries(queries)}`;
}
