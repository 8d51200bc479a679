/** What an operation id says: `v5.confirmPayment.post` is `confirmPayment` of v5. */
export function nameOf(id: string): { name: string; version: string } {
  const [first, second] = id.split('.') as [string, string | undefined];
  return second === undefined ? { name: first, version: '*' } : { name: second, version: first };
}
