import * as z from 'zod';
import {
  isAmong,
  operationOf,
  operations,
  type OperationSpec,
  type Question,
  questions,
  type Rule,
  rules,
} from '../../../contract/index.js';
import { counted, defined } from '../../../common/index.js';
import { packageFile } from '../../package-files.js';
import type { ToolContext } from '../tool-context.js';
import { cutsInWords, excerptOf, partAt } from '../excerpt.js';
import { itemFrom, operationId, pointer } from '../inputs.js';
import { defineTool, lines, readsSandbox, type ToolAnswer, ToolError } from '../tool.js';
import { obligationsOf } from './obligations.js';

/** Longer patterns help nobody: descriptions and examples say the same. */
const LONGEST_PATTERN = 24;

type Json = Readonly<Record<string, any>>;

/** A parameter or a field of a request, in short. */
interface FieldView {
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
interface BodyForm {
  readonly schema: string;
  readonly form: string;
  readonly fields: readonly FieldView[];
}

/** An operation as the OpenAPI document describes it. */
interface OperationView {
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
  return (parsed ??= packageFile('dist/openapi.json').then((text) => JSON.parse(text.toString()) as Json));
}

/** Describes an operation. */
async function operationView({ path, method }: OperationSpec): Promise<OperationView> {
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
  const field = fieldOf(document, name, one['schema'], required);
  return { ...field, in: place, description, ...defined({ example, rule: one['x-rule'] as string | undefined }) };
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
  const { description, 'x-rule': rule } = whole as { description?: string; 'x-rule'?: string };
  return { name, required, type: typeInWords(document, whole), ...defined({ description, rule }) };
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

const parts = ['overview', 'request_schema', 'request_examples', 'response_schema'] as const;
const EXAMPLE_ROOM = 1500;

/** The rules that hold for an operation; `*` means every operation. */
export function rulesOf(operation: OperationSpec): { readonly own: readonly Rule[]; readonly general: number } {
  const all = rules.filter((rule) => isAmong(operation, rule));
  const own = all.filter((rule) => !rule.operations.includes('*'));
  return { own, general: all.length - own.length };
}

export const describeOperation = (context: ToolContext) =>
  defineTool({
    name: 'describe_operation',
    title: 'Describe an operation',
    description:
      'What an operation of the API takes and returns: path, parameters, body fields, example, its rules, the open ' +
      'questions it touches with the answers in force, and the scenarios that can apply to it. Use it before you write ' +
      'or change client code for an operation. Without `operation` it lists all operations.',
    input: {
      operation: operationId.optional().describe('Id with the version, such as v5.createBooking.'),
      part: z.enum(parts).default('overview').describe('The overview, a full JSON schema, or all examples of a body.'),
      at: pointer.describe('JSON pointer into that part, such as /properties/data.'),
      from: itemFrom,
    },
    hints: readsSandbox,
    run: async ({ operation, part, at, from }) => {
      if (operation === undefined) return allOperations();
      const spec = operationOf(operation);
      if (part === 'overview') return overview(context, spec);
      return partOf(spec, part, at, from);
    },
  });

function allOperations(): ToolAnswer {
  const list = operations.map(({ id, method, path, auth }) => ({ id, method, path, auth }));
  return {
    text: lines(
      `${counted(list.length, 'operation')}:`,
      list.map(({ id, method, path }) => `${id}: ${method} ${path}`),
    ),
    data: { operations: list },
  };
}

async function partOf(
  spec: OperationSpec,
  part: Exclude<(typeof parts)[number], 'overview'>,
  at = '',
  from = 0,
): Promise<ToolAnswer> {
  const { requestSchema, requestExamples, responseSchema } = await operationView(spec);
  if (part !== 'response_schema' && requestSchema === undefined) {
    throw new ToolError(`${spec.id} takes no body. Its parameters are in the overview.`);
  }
  const whole = {
    request_schema: requestSchema,
    request_examples: requestExamples,
    response_schema: responseSchema,
  }[part];
  const { value, cuts } = excerptOf(partAt(whole, at), { at, from });
  const more = cutsInWords(cuts, 'describe_operation', { operation: spec.id, part });
  return { text: lines(JSON.stringify(value), more), data: { operation: spec.id, part, at, value, cuts } };
}

interface AnsweredQuestion {
  readonly id: string;
  readonly question: string;
  readonly answer: unknown;
}

async function overview(context: ToolContext, spec: OperationSpec): Promise<ToolAnswer> {
  const view = await operationView(spec);
  const { own, general } = rulesOf(spec);
  const open = await questionsOf(context, spec, own);
  const scenarios = context.scenarios.filter(({ appliesTo }) => appliesTo.includes(spec.id)).map(({ id }) => id);
  const owed = obligationsOf(spec.name).map(({ id, statement }) => ({ id, statement }));
  const response = excerptOf(view.responseExample, { room: EXAMPLE_ROOM });
  const [example] = Object.values(view.requestExamples);
  const text = lines(
    `${spec.id}: ${spec.method} ${spec.path}`,
    `${view.summary}. ${view.description}`,
    spec.auth ? undefined : 'It needs no credentials.',
    view.parameters.length > 0 && ['Parameters:', ...view.parameters.map(fieldLine)],
    view.bodies.flatMap(({ schema, form, fields }) => [`Body ${schema}: ${form}`, ...fields.map(fieldLine)]),
    example !== undefined && `Example of a body: ${JSON.stringify(example)}`,
    `Example of a response${response.cuts.length > 0 ? ' (shortened)' : ''}: ${JSON.stringify(response.value)}`,
    open.length > 0 && ['The API specification leaves open:', ...open.map(questionLine)],
    owed.length > 0 && ['What a client owes here:', ...owed.map(({ id, statement }) => `  ${id}: ${statement}`)],
    `Scenarios that can apply to it: ${scenarios.join(', ') || 'none'}.`,
    `${counted(own.length, 'rule')} of its own and ${general} of every operation: find_rules(operation="${spec.id}").`,
  );
  const { id, method, path, auth } = spec;
  const { summary, description, parameters, bodies } = view;
  const facts = { id, method, path, auth, summary, description, parameters, bodies };
  const rulesOfIts = own.map((rule) => rule.id);
  const examples = { requestExample: example, responseExample: response.value };
  return { text, data: { ...facts, ...examples, questions: open, obligations: owed, scenarios, rules: rulesOfIts } };
}

async function questionsOf(
  { logins }: ToolContext,
  { version }: OperationSpec,
  own: readonly Rule[],
): Promise<AnsweredQuestion[]> {
  const asked = new Set(own.map(({ question }) => question));
  const inForce = new Map((await logins.questions()).map(({ id, answer }) => [id, answer]));
  return questions
    .filter(({ id }) => asked.has(id))
    .map(({ id, question, versions }) => ({ id, question, answer: answerIn(inForce.get(id), versions, version) }));
}

/** The answer of the version that is called, where versions can differ. */
function answerIn(answer: unknown, versions: Question['versions'], version: string): unknown {
  return versions?.includes(version) ? Object(answer)[version] : answer;
}

function fieldLine({ name, in: place, required, type, description, example }: FieldView): string {
  const where = place === undefined ? '' : ` in ${place}`;
  const sample = example === undefined ? '' : ` Example: ${String(example)}`;
  return `  ${name}${where} (${required ? 'required' : 'optional'}): ${type}.${description ? ` ${description}` : ''}${sample}`;
}

function questionLine({ id, question, answer }: AnsweredQuestion): string {
  const now = answer === undefined ? 'no switch' : `now ${JSON.stringify(answer)}`;
  return `  ${id}: ${question} (${now})`;
}
