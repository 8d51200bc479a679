/** The SHA-256 of a token in hex. */
export async function hashOf(token: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether two hashes are the same, in a time that does not depend on where they differ. */
export function sameHash(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

/** A new token of a world. */
export function newToken(): string {
  return `tbw_${lettersOf(40)}`;
}

/** A name that nobody can guess: 100 bits. */
export function newName(): string {
  return lettersOf(20);
}

/** Letters without those that are easily confused; each one has 5 bits. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

function lettersOf(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join('');
}
