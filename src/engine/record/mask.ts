import { decoded, isSecretParameter, MASK, maskCredentials, maskNamed, maskUserInfo } from '../../common/index.js';

const secretName = /(?:token|password|secret|api_?key)$/i;
/** The prefix of every token of a sandbox; see `store/tokens.ts`. */
const ownToken = /7eeb0(?:acc|ef5)[0-9a-f-]*/gi;
/** Maximum levels of JSON to show. Thousands can be parsed, but writing them would overflow the stack. */
const SHOWN_LEVELS = 64;
/** Maximum levels of URLs in the parameters of a URL. */
const NESTED_URLS = 3;

/** Masks the secrets in a text: credentials and tokens in URLs, secret members of JSON, tokens of the sandbox. */
export function maskText(text: string): string {
  return maskUserInfo(maskNamed(text).replace(ownToken, MASK));
}

/** Masks the value of a header; the scheme of credentials is kept. */
export function maskHeader(name: string, value: string, bearerHeader = 'authorization'): string {
  const masked = maskCredentials(name, value);
  if (masked !== undefined) return masked;
  if (name.toLowerCase() === bearerHeader.toLowerCase()) return MASK;
  return maskText(value);
}

/**
 * Masks JSON: the values of members with secret names, and whatever `text` masks in the others. Levels beyond the
 * maximum are cut off.
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
 * Masks a URL, also if one of its parameters is a URL. The query is parsed rather than matched, because an encoded `&`
 * ends a value only inside a nested URL.
 */
export function maskAddress(address: string, levels = NESTED_URLS): string {
  const at = address.indexOf('?');
  const base = maskText(at < 0 ? address : address.slice(0, at));
  if (at < 0) return base;
  const pairs = address
    .slice(at + 1)
    .split('&')
    .map((pair) => maskPair(pair, levels));
  return `${base}?${pairs.join('&')}`;
}

function maskPair(pair: string, levels: number): string {
  const at = pair.indexOf('=');
  if (at < 0) return maskText(pair);
  const name = pair.slice(0, at).replace(ownToken, MASK);
  if (isSecretParameter(decoded(name))) return `${name}=${MASK}`;
  if (levels === 0) return `${name}=${maskText(pair.slice(at + 1))}`;
  const value = decoded(pair.slice(at + 1));
  const masked = maskAddress(withoutUserInfo(value), levels - 1);
  return masked === value ? pair : `${name}=${encodeURIComponent(masked)}`;
}

/** Parsed rather than matched: `http:/user:password@host` and `http:\\user:password@host` are addresses as well. */
function withoutUserInfo(text: string): string {
  if (!text.includes('@') || !URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  url.password = '';
  url.username = MASK;
  return url.href;
}
