import {
  bodyValidators,
  invalidParameters,
  type OperationId,
  operationOf,
  type OperationSpec,
  type RuleId,
} from '../../contract/index.js';
import { effectOf } from './permission.js';
import type { Caller, Reply } from './exchange.js';

/** The value of a parameter; undefined leaves it out. */
export type Param = string | number | boolean | undefined;

/** What calls of both kinds have. */
interface CallBase {
  /** Whose credentials it carries; default `first`. */
  readonly as?: Caller;
  /** Pins the scheme of the credentials; default: one that the version takes. */
  readonly scheme?: 'basic' | 'bearer';
  /** Sent beside or, by name, in place of those of the suite. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Set where the API specification leaves open whether a deployment accepts a request like this. */
  readonly refusable?: true;
  /** The rule that this request breaks on purpose; without it every request must keep to the contract. */
  readonly breaking?: RuleId;
}

/** A request of an operation of the contract; `params` are those of path and query by name. */
export interface OperationCall extends CallBase {
  readonly operation: OperationId;
  readonly params?: Readonly<Record<string, Param>>;
}

/** A request that is in no contract: another path, another method. It breaks a rule by nature. */
export interface RawCall extends CallBase {
  readonly method: string;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly breaking: RuleId;
}

export type RequestCall = OperationCall | RawCall;

/** What two calls share that ask for the same, whichever rule sends them. */
export function keyOf(
  call: Pick<OperationCall, 'operation' | 'params' | 'as' | 'scheme' | 'headers'> | Omit<RawCall, 'breaking'>,
): string {
  const params = 'operation' in call ? Object.entries(call.params ?? {}) : [];
  const named = params.filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  const what = 'operation' in call ? call.operation : `${call.method} ${call.path}`;
  return JSON.stringify([what, named, call.as ?? 'first', call.scheme, call.headers]);
}

/** Whether an operation only reads, which a payment or a search by GET does not. */
export function onlyReads(operation: OperationId): boolean {
  const { method, path } = operationOf(operation);
  return effectOf(method, path) === 'read';
}

/** A call as it will be sent, before credentials. */
export interface PreparedCall {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  /** How it breaks the contract, one sentence each. */
  readonly faults: readonly string[];
}

/** Method, path and body of a call, and how it breaks the contract. */
export function prepare(call: RequestCall): PreparedCall {
  const body = call.body === undefined || typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
  if (!('operation' in call)) return { method: call.method, path: call.path, body, faults: [] };
  const operation = operationOf(call.operation);
  const params = Object.entries(call.params ?? {}).filter(([, value]) => value !== undefined);
  const inPath = new Set(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name));
  const query = new URLSearchParams();
  for (const [name, value] of params) if (!inPath.has(name)) query.set(name, String(value));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(call.params?.[name] ?? '')),
  );
  const faults = [...parameterFaults(operation, new Map(params)), ...bodyFaults(operation, call.body)];
  return { method: operation.method, path: query.size > 0 ? `${path}?${query}` : path, body, faults };
}

function parameterFaults(operation: OperationSpec, params: ReadonlyMap<string, Param>): string[] {
  const faults = invalidParameters(operation, params).map(({ spec: { name, kind }, value }) =>
    value === undefined ? `\`${name}\` is missing` : `\`${name}\` is no ${kind} that fits: ${value}`,
  );
  const known = new Set(operation.parameters.map(({ name }) => name));
  for (const name of params.keys()) if (!known.has(name)) faults.push(`\`${name}\` is no parameter`);
  return faults;
}

function bodyFaults({ bodies: names }: OperationSpec, body: unknown): string[] {
  if (!names) return body === undefined ? [] : ['it has a body and may not'];
  if (body === undefined) return ['its body is missing'];
  if (names.some((name) => bodyValidators[name]!(body))) return [];
  const [error] = bodyValidators[names[0]!]!.errors ?? [];
  return [`its body is none of ${names.join(', ')}: ${error?.instancePath ?? ''} ${error?.message ?? ''}`];
}

type Omitting<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A probe: the rule that it breaks is the one that sends it. */
export type Probe = Omitting<OperationCall, 'breaking'> | Omitting<RawCall, 'breaking'>;

/** Sends a probe in the name of a rule. */
export type SendProbe = (probe: Probe) => Promise<Reply>;
