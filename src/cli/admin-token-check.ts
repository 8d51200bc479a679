import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 24;
const bearer = /^bearer +(\S+) *$/i;

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
