import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SHORTEST = 16;
const LONGEST = 512;
const BYTES = 24;
const form = /^[\w.~+/-]+=*$/;
const bearer = /^bearer +(\S+) *$/i;

/** What an admin token must be. */
export const ADMIN_TOKEN_DUE = `${SHORTEST} to ${LONGEST} letters, digits or any of - . _ ~ + /`;

/** Whether text can be an admin token: long enough not to be guessed, and fit for a header (RFC 6750, section 2.1). */
export function isAdminToken(text: string): boolean {
  return text.length >= SHORTEST && text.length <= LONGEST && form.test(text);
}

/** A token that nobody can guess. */
export function makeAdminToken(): string {
  return randomBytes(BYTES).toString('hex');
}

/** Tells whether an `Authorization` header carries the token, in a time that says nothing about how much of it fits. */
export function adminTokenCheck(token: string): (authorization: string | null) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const due = digest(token);
  return (authorization) => {
    const [, given] = bearer.exec(authorization ?? '') ?? [];
    return given !== undefined && timingSafeEqual(digest(given), due);
  };
}
