const SHORTEST = 16;
const LONGEST = 512;
const form = /^[\w.~+/-]+=*$/;

/** The form of an admin token, in words. */
export const ADMIN_TOKEN_DUE = `${SHORTEST} to ${LONGEST} letters, digits or any of - . _ ~ + /`;

/** Whether text is long enough for an admin token and valid in a header (RFC 6750, section 2.1). */
export function isAdminToken(text: string): boolean {
  return text.length >= SHORTEST && text.length <= LONGEST && form.test(text);
}
