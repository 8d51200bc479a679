import { operations, type OperationSpec } from '../generated/operations.js';

/** Since when old versions count as deprecated, where a dialect says so: the first day of 2025. */
const SINCE = '@1735689600';

/** The newest version of each operation. */
const newest = new Map<string, string>();
for (const { name, version } of operations) {
  if (version > (newest.get(name) ?? '')) newest.set(name, version);
}

/**
 * The header that announces an operation with a successor as deprecated (RFC 9745), for dialects that do so:
 * the section "Versioning" leaves it open (question `versions.deprecation`).
 */
export function deprecationHeader({ name, version }: OperationSpec): string | undefined {
  return version < (newest.get(name) ?? '') ? SINCE : undefined;
}
