import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SHORTEST = 16;
const LONGEST = 512;
const BYTES = 24;
const form = /^[\w.~+/-]+=*$/;
const bearer = /^bearer +(\S+) *$/i;

/** The form of an admin token, in words. */
export const ADMIN_TOKEN_DUE = `${SHORTEST} to ${LONGEST} letters, digits or any of - . _ ~ + /`;

/** Whether text is long enough for an admin token and valid in a header (RFC 6750, section 2.1). */
export function isAdminToken(text: string): boolean {
  return text.length >= SHORTEST && text.length <= LONGEST && form.test(text);
}

/** Makes a random admin token. */
export function makeAdminToken(): string {
  return randomBytes(BYTES).toString('hex');
}

/** Returns a check, in constant time, of whether an `Authorization` header carries the token. */
export function adminTokenCheck(token: string): (authorization: string | null) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const due = digest(token);
  return (authorization) => {
    const [, given] = bearer.exec(authorization ?? '') ?? [];
    return given !== undefined && timingSafeEqual(digest(given), due);
  };
}
