import { loadOpenapi, type OperationSpec } from '../../contract/index.js';

/** Longer patterns help nobody: descriptions and examples say the same. */
const LONGEST_PATTERN = 24;

type Json = Readonly<Record<string, any>>;

/** A parameter or a field of a request, in short. */
export interface FieldView {
  readonly name: string;
  /** Where a parameter is; absent for a field of a body. */
  readonly in?: string;
  readonly required: boolean;
  readonly type: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly rule?: string;
}

/** A body that an operation takes. */
export interface BodyForm {
  readonly schema: string;
  readonly form: string;
  readonly fields: readonly FieldView[];
}

/** An operation as the OpenAPI document describes it. */
export interface OperationView {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly FieldView[];
  readonly bodies: readonly BodyForm[];
  readonly requestExamples: Json;
  readonly responseExample: unknown;
  readonly requestSchema: unknown;
  readonly responseSchema: unknown;
}

let parsed: Promise<Json> | undefined;

/** The OpenAPI document of the service. It is large, and parsed when a tool first needs it. */
function contract(): Promise<Json> {
  return (parsed ??= loadOpenapi().then((text) => JSON.parse(text) as Json));
}

/** Describes an operation. */
export async function operationView({ path, method }: OperationSpec): Promise<OperationView> {
  const document = await contract();
  const operation: Json = document['paths'][path][method.toLowerCase()];
  const follow = (value: Json): Json => followed(document, value);
  const content = operation['requestBody']?.['content']['application/json'] as Json | undefined;
  const schema = content?.['schema'] as Json | undefined;
  const forms: readonly Json[] = schema === undefined ? [] : (schema['anyOf'] ?? [schema]);
  const answer: Json = follow(operation['responses']['200'])['content']['application/json'];
  const [example] = Object.values<Json>(answer['examples'] ?? {});
  return {
    summary: operation['summary'],
    description: operation['description'],
    parameters: ((operation['parameters'] ?? []) as Json[]).map(follow).map((one) => parameterOf(document, one)),
    bodies: forms.map((form) => bodyOf(document, form)),
    requestExamples: Object.fromEntries(
      Object.entries<Json>(content?.['examples'] ?? {}).map(([name, one]) => [name, follow(one)['value']]),
    ),
    responseExample: example && follow(example)['value'],
    requestSchema: schema && resolved(document, schema),
    responseSchema: resolved(document, answer['schema']),
  };
}

function followed(document: Json, value: Json): Json {
  const name = value['$ref'] as string | undefined;
  if (name === undefined) return value;
  const { $ref: _, ...beside } = value;
  const target = name
    .split('/')
    .slice(1)
    .reduce<Json>((part, step) => part[step], document);
  return { ...followed(document, target), ...beside };
}

/** A schema with its references replaced by what they name. The contract has no schema that contains itself. */
function resolved(document: Json, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(document, one));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(followed(document, value as Json));
  return Object.fromEntries(members.map(([name, one]) => [name, resolved(document, one)]));
}

function parameterOf(document: Json, one: Json): FieldView {
  const { name, in: place, required = false, description, example } = one;
  return {
    ...fieldOf(document, name, one['schema'], required),
    in: place,
    description,
    ...(example === undefined ? {} : { example }),
    ...(one['x-rule'] === undefined ? {} : { rule: one['x-rule'] }),
  };
}

function bodyOf(document: Json, form: Json): BodyForm {
  const schema = nameOf(form);
  const { type, description, items, required = [], properties = {} } = followed(document, form);
  // The object itself is another form of the same operation.
  if (type === 'array') return { schema, form: `a list of ${nameOf(items)}`, fields: [] };
  const fields = Object.entries<Json>(properties);
  return {
    schema,
    form: `an object.${description ? ` ${description}` : ''}`,
    fields: fields.map(([name, one]) => fieldOf(document, name, one, (required as string[]).includes(name))),
  };
}

function nameOf(reference: Json): string {
  return String(reference['$ref'] ?? 'objects')
    .split('/')
    .at(-1)!;
}

function fieldOf(document: Json, name: string, schema: Json, required: boolean): FieldView {
  const whole = followed(document, schema);
  return {
    name,
    required,
    type: typeInWords(document, whole),
    ...(whole['description'] === undefined ? {} : { description: whole['description'] }),
    ...(whole['x-rule'] === undefined ? {} : { rule: whole['x-rule'] }),
  };
}

function typeInWords(document: Json, schema: Json): string {
  const { type, enum: values, minimum, maximum, pattern, items } = schema;
  const forms = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined;
  if (forms) return forms.map((one) => typeInWords(document, followed(document, one))).join(' or ');
  if (values) return `one of ${values.join(', ')}`;
  if (items) return `list of ${items['$ref'] ? nameOf(items) : typeInWords(document, items)}`;
  const range =
    minimum === undefined && maximum === undefined ? '' : ` from ${minimum ?? '...'} to ${maximum ?? '...'}`;
  const form =
    pattern === undefined || pattern.length < 4 || pattern.length > LONGEST_PATTERN ? '' : ` like /${pattern}/`;
  return `${[type].flat().join(' or ') || 'any'}${range}${form}`;
}
