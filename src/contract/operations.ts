// Reads requests and answers by the contract alone: operation, parameters, body and envelope.
import { decoded, isObject, parsedJson } from '../common/index.js';
import {
  type BodyFields,
  bodyFields,
  type OperationId,
  operations,
  type OperationSpec,
  type ParameterSpec,
} from './generated/operations.js';

const byId = new Map<OperationId, OperationSpec>(operations.map((operation) => [operation.id, operation]));

export function operationOf(id: OperationId): OperationSpec {
  return byId.get(id)!;
}

/** The fields of a request body; a list has those of its items. */
export function fieldsOf(body: string): BodyFields {
  return (bodyFields as Readonly<Record<string, BodyFields>>)[body.replace(/List$/, '')]!;
}

/** The operation that a request asks for. */
export interface OperationMatch {
  readonly operation: OperationSpec & { readonly id: OperationId };
  /** The parameters of its path, decoded. */
  readonly inPath: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

interface Pattern {
  readonly operation: OperationMatch['operation'];
  readonly shape: RegExp;
}

const placeholder = /\{(\w+)\}/g;

/** Operations with the fewest parameters first, so that a literal segment is preferred to a parameter. */
function patternsOf(): readonly Pattern[] {
  return operations
    .map((operation) => ({
      operation,
      shape: new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(placeholder, '(?<$1>[^/]+)')}/?$`),
    }))
    .sort((a, b) => count(a) - count(b));
}

/** Made when a request is first looked up: the sandbox, which has its own router, starts without them. */
let patterns: readonly Pattern[] | undefined;

function count({ operation }: Pattern): number {
  return operation.path.match(placeholder)?.length ?? 0;
}

/** The operation of a method and a path below the base URL, with its query; undefined if the contract has none. */
export function matchOperation(method: string, path: string): OperationMatch | undefined {
  const { pathname, searchParams: query } = new URL(`http://request.invalid${path}`);
  for (const { operation, shape } of (patterns ??= patternsOf())) {
    const groups = operation.method === method ? shape.exec(pathname) : null;
    if (!groups) continue;
    const inPath = Object.entries(groups.groups ?? {}).map(([name, value]) => [name, decoded(value)] as const);
    return { operation, inPath: Object.fromEntries(inPath), query };
  }
  return undefined;
}

/** A parameter that a request lacks, or whose value does not fit. */
export interface InvalidParameter {
  readonly spec: ParameterSpec;
  /** Undefined where it is missing. */
  readonly value: string | undefined;
}

/** The parameters of an operation that are missing or do not fit. */
export function invalidParameters(
  { parameters }: OperationSpec,
  params: ReadonlyMap<string, string | number | boolean | undefined>,
): readonly InvalidParameter[] {
  return parameters.flatMap((spec): InvalidParameter[] => {
    const value = params.get(spec.name);
    if (value === undefined) return spec.required ? [{ spec, value }] : [];
    return fits(spec, String(value)) ? [] : [{ spec, value: String(value) }];
  });
}

const forms: Readonly<Record<ParameterSpec['kind'], RegExp>> = {
  integer: /^-?\d{1,15}$/,
  integers: /^\d{1,15}(,\d{1,15})*$/,
  boolean: /^(true|false)$/,
  date: /^\d\d-\d\d-\d{4}$/,
  'date-either': /^(\d\d-\d\d-\d{4}|\d{4}-\d\d-\d\d)$/,
  string: /\S/,
  url: /^https?:\/\/\S+$/,
  version: /^v\d+$/,
};

function fits({ kind, min, max, maxItems, values }: ParameterSpec, text: string): boolean {
  if (!forms[kind].test(text)) return false;
  if (values && !values.some((value) => String(value) === text)) return false;
  if (min !== undefined && Number(text) < min) return false;
  if (max !== undefined && Number(text) > max) return false;
  return maxItems === undefined || text.split(',').length <= maxItems;
}

/** What the text and the status of an answer say. */
export interface AnswerParts {
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  /** `data` of the envelope; undefined where there is none. */
  readonly data: unknown;
  /** Whether it reports success: a 2xx whose envelope does not say otherwise. */
  readonly ok: boolean;
}

export function readBody(status: number, text: string): AnswerParts {
  const json = parsedJson(text);
  const envelope = isObject(json) ? json : {};
  return { json, data: envelope['data'], ok: status >= 200 && status < 300 && envelope['success'] !== false };
}
