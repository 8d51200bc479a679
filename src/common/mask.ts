/** What is written instead of a secret. */
export const MASK = '***';

/** Credentials in an address: `//user:password@`. */
const userInfo = /\/\/[^/?#\s"]+@/g;
const secretParameter = 'token|password|passwd|pwd|secret|key|sig|signature|auth|credentials?';
const secretValue = new RegExp(`((?:${secretParameter})=)[^&#\\s"]*`, 'gi');
const secretName = new RegExp(`(?:${secretParameter})$`, 'i');
/** Members of JSON, also of JSON within a string of JSON. */
const secretMember = /((?:token|password|secret|api_?key)\\*"\s*:\s*\\*")[^"\\]*/gi;
const secretHeader = /(?:authorization|cookie2?|signature|credentials?|token|password|secret|api[-_]?key)$/i;
const scheme = /^(basic|bearer|digest) /i;

/** Masks the credentials of addresses in a text. */
export function maskUserInfo(text: string): string {
  return text.replace(userInfo, `//${MASK}@`);
}

/** Masks the values of parameters and of members of JSON that are named like a secret. */
export function maskNamed(text: string): string {
  return text.replace(secretValue, `$1${MASK}`).replace(secretMember, `$1${MASK}`);
}

/** Whether a parameter of a query is named like a secret. */
export function isSecretParameter(name: string): boolean {
  return secretName.test(name);
}

/** Whether a header is a challenge: it names schemes too, but holds no credentials. */
export function isChallenge(name: string): boolean {
  return /-authenticate$/i.test(name);
}

/** The masked value of a header that holds credentials, with their scheme; undefined for any other header. */
export function maskCredentials(name: string, value: string): string | undefined {
  const kept = isChallenge(name) ? undefined : scheme.exec(value)?.[1];
  if (kept !== undefined) return `${kept} ${MASK}`;
  return secretHeader.test(name) ? MASK : undefined;
}
