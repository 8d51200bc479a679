import { resolve } from 'node:path';
import { bundle, createConfig } from '@redocly/openapi-core';
import { specFolder } from './folders.js';

/** A JSON Schema of the contract, or one made from it. */
export interface Schema {
  [keyword: string]: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: Schema;
  'x-rule': string;
  'x-teebox-kind'?: string;
  'x-teebox-max-items'?: number;
}

interface Content {
  content?: { 'application/json': { schema: Schema; examples?: Record<string, { value: unknown }> } };
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  'x-rule': string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
  callbacks?: Record<string, Record<string, Record<string, Operation>>>;
}

/** The contract in one piece; components are referenced as `#/components/...`. */
export interface Contract {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Content>;
    examples: Record<string, { value: unknown }>;
  };
}

/** An operation with its method and path: `GET /api/v3/countries`. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Joins the files of `spec/` into one document: the service, the admin API, or the operator API. */
export async function loadContract(file = 'openapi.yaml'): Promise<Contract> {
  const config = await createConfig({ extends: ['minimal'] });
  const { bundle: joined, problems } = await bundle({ ref: resolve(specFolder, file), config });
  if (problems.length > 0) {
    // A file that is not YAML is one mistake, although every reference to it fails.
    const list = problems.map(
      ({ message, location }) =>
        /^(?:Failed to parse|Can't resolve \$ref): (.+)/.exec(message)?.[1] ??
        `${message} (${location[0]?.pointer ?? ''})`,
    );
    throw new Error(`Failed to bundle spec/${file}: ${[...new Set(list)].join('; ')}. Correct these files.`);
  }
  return withOwnAnswers(joined.parsed as Contract);
}

/**
 * The same document with each answer of success in its operation: generators such as swagger-typescript-api do not read the
 * body of one that is a reference.
 */
function withOwnAnswers(contract: Contract): Contract {
  for (const { operation } of placedOperations(contract))
    for (const status of Object.keys(operation.responses).filter((one) => one.startsWith('2')))
      operation.responses[status] = deref(contract, operation.responses[status]!);
  const { responses } = contract.components;
  const text = JSON.stringify(contract);
  for (const name of Object.keys(responses))
    if (!text.includes(`"#/components/responses/${name}"`)) delete responses[name];
  return contract;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of the service in the order of the API specification; callbacks are left out. */
export function placedOperations({ paths }: Contract): Placed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ method, path, operation: item[method]! })),
  );
}

/** The target of a `$ref`, or the value itself. */
export function deref<T extends object>(contract: object, value: T): T {
  const pointer = (value as { $ref?: unknown }).$ref;
  if (typeof pointer !== 'string') return value;
  const target = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], contract);
  if (target === undefined)
    throw new Error(`Failed to follow \`${pointer}\`: the contract does not have this component.`);
  return deref(contract, target as T);
}
