import { decoded } from '../../../common/index.js';
import { type OperationId, operations, type OperationSpec } from '../../../contract/index.js';

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
const patterns: readonly Pattern[] = operations
  .map((operation) => ({
    operation,
    shape: new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(placeholder, '(?<$1>[^/]+)')}/?$`),
  }))
  .sort((a, b) => count(a) - count(b));

function count({ operation }: Pattern): number {
  return operation.path.match(placeholder)?.length ?? 0;
}

/** The operation of a method and a path below the base URL, with its query; undefined if the contract has none. */
export function matchOperation(method: string, path: string): OperationMatch | undefined {
  const { pathname, searchParams: query } = new URL(`http://request.invalid${path}`);
  for (const { operation, shape } of patterns) {
    const groups = operation.method === method ? shape.exec(pathname) : null;
    if (!groups) continue;
    const inPath = Object.entries(groups.groups ?? {}).map(([name, value]) => [name, decoded(value)] as const);
    return { operation, inPath: Object.fromEntries(inPath), query };
  }
  return undefined;
}
