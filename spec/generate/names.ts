import { type Contract, placedOperations } from './contract.js';

/** What an operation id says: `v5.confirmPayment.post` is `confirmPayment` of v5. */
export function nameOf(id: string): { name: string; version: string } {
  const [first, second] = id.split('.') as [string, string | undefined];
  return second === undefined ? { name: first, version: '*' } : { name: second, version: first };
}

/** The versions of the paths, in the order of the contract. */
export function versionsOf(contract: Contract): string[] {
  const versions = placedOperations(contract).map(({ operation }) => nameOf(operation.operationId).version);
  return [...new Set(versions)].filter((version) => version !== '*');
}
