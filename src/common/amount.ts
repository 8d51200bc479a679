/** Decimals that an amount may have. Some currencies have three; what a binary fraction adds is further back. */
const DECIMALS = 6;

/** A sum or a product of amounts as it is written, such as 0.3 for 0.1 + 0.2. */
export function exactAmount(amount: number): number {
  return Number(amount.toFixed(DECIMALS));
}
