const secretName = /(?:token|password|secret|api_?key)$/i;
const userInfo = /\/\/[^/?#\s"]+@/g;
const secretValue = /((?:token|password|secret|api_?key)=)[^&#\s"]*/gi;
const MASK = '***';

/** Text without secrets: the credentials of addresses in it and the values of their tokens. */
export function maskText(text: string): string {
  return text.replace(secretValue, `$1${MASK}`).replace(userInfo, `//${MASK}@`);
}

/**
 * An address without secrets, also where one of its parameters is an address itself. The query is read, not
 * matched: an encoded `&` ends a value within an address that is a parameter, and belongs to it elsewhere.
 */
export function maskAddress(address: string, nested = false): string {
  const at = address.indexOf('?');
  const place = (at < 0 ? address : address.slice(0, at)).replace(userInfo, `//${MASK}@`);
  if (at < 0) return place;
  const pairs = address
    .slice(at + 1)
    .split('&')
    .map((pair) => maskPair(pair, nested));
  return `${place}?${pairs.join('&')}`;
}

function maskPair(pair: string, nested: boolean): string {
  const at = pair.indexOf('=');
  if (at < 0) return pair;
  const name = pair.slice(0, at);
  if (secretName.test(decode(name))) return `${name}=${MASK}`;
  if (nested) return pair;
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
