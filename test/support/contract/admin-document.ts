import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { builtFolder } from '../../../spec/generate/folders.js';
import type { Reply } from '../client.js';
import type { Json } from '../scenes.js';

/** The OpenAPI document of the admin API. */
export const document: Json = JSON.parse(readFileSync(resolve(builtFolder, 'admin-openapi.json'), 'utf8'));

/** An operation of it, where it stands. */
export interface AdminOperation {
  readonly id: string;
  readonly method: string;
  /** Below `__admin/`, with its parameters in braces. */
  readonly path: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example: unknown }[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(document, 'admin');
// A CommonJS module whose default export is, by the loader, the function or its module.
const addFormats = ((formats as { default?: unknown }).default ?? formats) as (to: Ajv2020) => void;
addFormats(ajv);

function follow(value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((at: Json, key: string) => at[key], document);
}

/** Every operation, in the order of the document. */
export const adminOperations: readonly AdminOperation[] = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  methods
    .filter((method) => item[method])
    .map((method) => {
      const { operationId: id, security = document.security, parameters = [], requestBody, responses } = item[method];
      return {
        id,
        method: method.toUpperCase(),
        path: path.replace('/__admin/', ''),
        security,
        parameters: [...(item.parameters ?? []), ...parameters].map(follow),
        requestBody: follow(requestBody),
        responses,
      };
    }),
);

export function operationNamed(id: string): AdminOperation {
  return adminOperations.find((operation) => operation.id === id)!;
}

/** What is wrong with an answer by the document, one sentence each. */
export function answerFaults({ id, responses }: AdminOperation, reply: Reply): string[] {
  const key = [String(reply.status), 'default'].find((one) => Object.hasOwn(responses, one));
  if (key === undefined) return [`${id} describes no ${reply.status}`];
  const { content } = follow(responses[key]);
  const type = reply.headers.get('content-type')?.split(';')[0] ?? 'none';
  if (key === 'default' && reply.status < 400 && reply.text === '') return [];
  if (content === undefined) return reply.text === '' && type === 'none' ? [] : [`${id} describes no body for ${key}`];
  if (!content?.[type]) return [`${id} describes no ${type} for ${key}`];
  return schemaFaults(content[type].schema, type.endsWith('json') ? reply.body : reply.text);
}

const problem = { $ref: '#/components/schemas/Problem' };

/**
 * What is wrong with an answer to any request below `__admin/`. Paths that are not there and methods that a path does
 * not take are described for all paths together.
 */
export function adminFaults(method: string, path: string, reply: Reply): string[] {
  const [plain = ''] = path.split('?');
  const there = adminOperations.filter((operation) => patternOf(operation.path).test(plain));
  const operation = there.find((one) => one.method === (method === 'HEAD' ? 'GET' : method));
  if (operation && method === 'HEAD') return [];
  if (operation) return answerFaults(operation, reply);
  const status = there.length > 0 ? 405 : 404;
  const faults = reply.status === status ? [] : [`${method} ${plain} is answered with ${reply.status}, not ${status}`];
  const allow = there.map((one) => one.method).join(', ');
  if (status === 405 && reply.headers.get('allow') !== allow) faults.push(`${plain} allows ${allow}`);
  return [...faults, ...schemaFaults(problem, reply.body)];
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}

/** Whether a JSON body is one that the document describes. */
export function takesBody({ requestBody }: AdminOperation, body: unknown): boolean {
  return schemaFaults(requestBody.content['application/json'].schema, body).length === 0;
}

const compiled = new Map<unknown, ValidateFunction>();

function schemaFaults(schema: Json, value: unknown): string[] {
  const validate =
    compiled.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"admin#/')));
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return validate.errors!.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
