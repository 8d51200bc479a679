import { type OperationId, type OperationName, operations, isAmong } from '../../../contract/index.js';
import { type VersionOf, versions as allVersions, versionsOf } from '../operations.js';
import { Inconclusive } from '../outcome.js';
import type { RequestCall } from '../request.js';

/** What a deployment is said to have. */
export interface ScopeOptions {
  /** Versions, such as `v4`; default: all. */
  readonly versions?: readonly string[];
  /** Whether an operation is there, by its id and its name; default: all are. */
  readonly isServed?: (id: string, name: string) => boolean;
  /** Facilities to look at where no operation lists them. */
  readonly facilities?: readonly number[];
}

/** The operations that a run may use, since the deployment is said to have them. */
export class Scope {
  readonly #versions: readonly string[];

  constructor(readonly options: ScopeOptions = {}) {
    this.#versions = options.versions ?? allVersions;
  }

  /** Facilities that were named. */
  get facilities(): readonly number[] {
    return this.options.facilities ?? [];
  }

  hasVersion(version: string): boolean {
    return this.#versions.includes(version);
  }

  /** Whether the deployment has an operation. */
  has(id: OperationId | string): boolean {
    const operation = operations.find((one) => one.id === id);
    if (!operation) return true;
    const { isServed = () => true } = this.options;
    const { name, version } = operation;
    return (version === '*' || this.hasVersion(version)) && isServed(id, name);
  }

  /** The versions that have an operation, newest first. */
  versionsOf<N extends OperationName>(name: N): readonly VersionOf<N>[] {
    const served = versionsOf(name).filter((version) => this.has(`${version}.${name}`));
    return served.toReversed();
  }

  /** Whether some operation is there, by names and versions; `*` stands for any. */
  hasAny(names: readonly string[], versions: readonly string[]): boolean {
    const named = operations.filter((one) => isAmong(one, { operations: names, versions }));
    return named.length === 0 || named.some(({ id }) => this.has(id));
  }

  /** @throws {Inconclusive} `out-of-scope` for a request to an operation that the deployment is said not to have. */
  guard(call: RequestCall, path: string): void {
    const id = 'operation' in call ? call.operation : operationAt(path);
    const version = /^\/*api\/(v\d+)\//i.exec(path)?.[1]?.toLowerCase();
    const isOutside = version !== undefined && isKnown(version) && !this.hasVersion(version);
    if (!isOutside && (id === undefined || this.has(id))) return;
    const what = id === undefined || id === 'refreshToken' ? path.split('?')[0]! : id;
    throw new Inconclusive('out-of-scope', `${what}, which is outside the settings versions and operations`);
  }
}

function isKnown(version: string): boolean {
  return allVersions.some((one) => one === version);
}

/** The operation whose path a request has, whatever its method. */
function operationAt(path: string): OperationId | undefined {
  const bare = path.split('?')[0]!.replace(/\/+$/, '');
  return operations.find(({ path: shape }) => new RegExp(`^${shape.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare))?.id;
}
