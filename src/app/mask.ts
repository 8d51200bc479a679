const secretName = /(?:token|password|secret|api_?key)$/i;
const userInfo = /\/\/[^/?#\s"]+@/g;
const secretValue = /((?:token|password|secret|api_?key)=)[^&#\s"]*/gi;
const secretMember = /((?:token|password|secret|api_?key)\\*"\s*:\s*\\*")[^"\\]*/gi;
/** What every token of a sandbox begins with; see `store/tokens.ts`. */
const ownToken = /7eeb0(?:acc|ef5)[0-9a-f-]*/gi;
const secretHeader = /(?:authorization|cookie2?|signature|credentials?|token|password|secret|api[-_]?key)$/i;
const scheme = /^(basic|bearer|digest) /i;
const MASK = '***';
/** Levels of JSON that are shown: thousands can be read, but to write them would overflow the stack. */
const SHOWN_LEVELS = 64;

/** Text without secrets: credentials and tokens of addresses in it, secret members of JSON, the sandbox's own tokens. */
export function maskText(text: string): string {
  return text
    .replace(secretValue, `$1${MASK}`)
    .replace(secretMember, `$1${MASK}`)
    .replace(ownToken, MASK)
    .replace(userInfo, `//${MASK}@`);
}

/** The value of a header without secrets; of credentials the scheme stays. */
export function maskHeader(name: string, value: string, bearerHeader = 'authorization'): string {
  // A challenge names schemes too, and holds no credentials.
  const [, kept] = (!/-authenticate$/i.test(name) && scheme.exec(value)) || [];
  const secret = secretHeader.test(name) || name.toLowerCase() === bearerHeader.toLowerCase();
  if (secret || kept !== undefined) return kept === undefined ? MASK : `${kept} ${MASK}`;
  return maskText(value);
}

/**
 * JSON without secrets: the values of members whose names tell of one, and whatever `text` masks in the others.
 * Deeper levels than are shown are cut off.
 */
export function maskJson(value: unknown, text: (text: string) => string = maskText, levels = SHOWN_LEVELS): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '...';
  if (Array.isArray(value)) return value.map((item) => maskJson(item, text, levels - 1));
  const members = Object.entries(value).map(([name, item]): [string, unknown] => [
    maskText(name),
    secretName.test(name) ? MASK : maskJson(item, text, levels - 1),
  ]);
  return Object.fromEntries(members);
}

/**
 * An address without secrets, also where one of its parameters is an address itself. The query is read, not
 * matched: an encoded `&` ends a value within an address that is a parameter, and belongs to it elsewhere.
 */
export function maskAddress(address: string, nested = false): string {
  const at = address.indexOf('?');
  const place = (at < 0 ? address : address.slice(0, at)).replace(ownToken, MASK).replace(userInfo, `//${MASK}@`);
  if (at < 0) return place;
  const pairs = address
    .slice(at + 1)
    .split('&')
    .map((pair) => maskPair(pair, nested));
  return `${place}?${pairs.join('&')}`;
}

function maskPair(pair: string, nested: boolean): string {
  const at = pair.indexOf('=');
  if (at < 0) return pair.replace(ownToken, MASK);
  const name = pair.slice(0, at).replace(ownToken, MASK);
  if (secretName.test(decode(name))) return `${name}=${MASK}`;
  if (nested) return `${name}=${pair.slice(at + 1).replace(ownToken, MASK)}`;
  const value = decode(pair.slice(at + 1));
  const masked = maskAddress(value, true);
  return masked === value ? pair : `${name}=${encodeURIComponent(masked)}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
