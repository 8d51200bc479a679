import { basicCredentials } from '../domain/basic-credentials.js';
import { maskAddress } from '../journal/mask.js';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host name is loopback. */
export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

/** Whether text is an absolute http or https URL. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * Why a callback address is not allowed, or null if it is. Loopback is always allowed. Other hosts need permission, so
 * that nobody can use the sandbox to send requests to foreign networks.
 */
export function whyRefused(url: string, allowed: readonly string[] | 'any'): string | null {
  const { host, hostname } = new URL(url);
  if (allowed === 'any' || isLoopback(hostname)) return null;
  if (allowed.some((name) => name.toLowerCase() === hostname || name.toLowerCase() === host)) return null;
  return (
    `\`callbackUrl\` names the host \`${hostname}\`, which this sandbox may not reach. ` +
    `Start it with \`--allow-callback ${hostname}\`, or use an address on this machine`
  );
}

/** Where a result is posted. */
export interface CallbackTarget {
  /** The address without credentials, which `fetch` would refuse. */
  readonly url: string;
  /** The address without secrets. */
  readonly shown: string;
  /** The Basic credentials of the address; absent if it has none. */
  readonly authorization?: string;
}

/** The parts of a callback address; a user name and a password in it are Basic credentials (RFC 3986, 3.2.1). */
export function targetOf(address: string): CallbackTarget {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url: address, shown: maskAddress(address) };
  url.password = '';
  url.username = '***';
  const shown = maskAddress(url.href);
  url.username = '';
  const authorization = basicCredentials({ username: decoded(username), password: decoded(password) });
  return { url: url.href, shown, authorization };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
