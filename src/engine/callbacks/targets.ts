/** Where callbacks may go: the address of a request is checked here before its search is accepted. */
import { decoded, maskAddress } from '../../common/index.js';
import { invalid, Refusal } from '../model/refusal.js';
import { basicCredentials } from '../model/world.js';
import type { CallbackReach } from '../api/routes/call.js';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host name is loopback. */
export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

/** Whether text is an absolute http or https URL. */
function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** What a sandbox allows. */
export interface TargetRules {
  /** Hosts that callbacks may reach, with or without a port. */
  readonly allowed: readonly string[] | 'any';
  /** The prefix of every path of the sandbox. */
  readonly prefix: string;
  /** Why callbacks may not reach an address outside of the sandbox, or null. It decides instead of `allowed`. */
  readonly whyNot: ((url: URL) => string | null) | undefined;
}

/** @throws {Refusal} for what is no web address, or is not allowed. */
export function refuseTarget(address: string, reach: CallbackReach, rules: TargetRules): void {
  const rule = 'search.query.callbackUrl';
  if (!isWebAddress(address)) {
    const got = URL.canParse(address) ? targetOf(address, reach).shown : maskAddress(address);
    throw invalid(rule, 'callbackUrl', 'must be an absolute http or https address', got);
  }
  if (/[{}]|%7b/i.test(new URL(address).hostname)) {
    throw invalid(rule, 'callbackUrl', 'must name a host, and has a placeholder that nothing has replaced', address);
  }
  const refused = whyRefused(address, reach, rules);
  if (refused) throw new Refusal('callback-target', rule, { words: `${refused}.` });
}

/**
 * Why a callback address is not allowed, or null if it is. Other hosts need permission, so that nobody can use the
 * sandbox to send requests to foreign networks. The same is true of this machine for callers elsewhere. Of the sandbox
 * itself, only the inbox takes callbacks: everybody may search, but not everybody may use the admin API. Nor may
 * everybody log in to other services of this machine in the name of the sandbox.
 */
export function whyRefused(address: string, { caller, ...reach }: CallbackReach, rules: TargetRules): string | null {
  const url = new URL(address);
  const { host, hostname, pathname, username, password } = url;
  const inbox = `${rules.prefix}/__admin/inbox/`;
  if (caller?.ownOrigin(url) !== undefined) {
    if (pathname.startsWith(inbox) && /^[\w.-]+$/.test(pathname.slice(inbox.length))) return null;
    return caller.whyNot(url, inbox);
  }
  const { allowed } = rules;
  if (rules.whyNot) return rules.whyNot(url);
  if (reach.anyCallbackTarget || allowed === 'any' || allowed.some((name) => isHost(url, name))) return null;
  if (!isLoopback(hostname)) {
    return (
      `\`callbackUrl\` names the host \`${hostname}\`, which this sandbox may not reach. ` +
      `Start it with \`--allow-callback ${hostname}\`, or use an address on this machine`
    );
  }
  if (!caller) return null;
  if (!caller.isLocal) return caller.whyNot(url, inbox);
  if (username === '' && password === '') return null;
  return (
    '`callbackUrl` contains credentials, which this sandbox sends to no other service. ' +
    `Start the sandbox with \`--allow-callback ${host}\`, or remove them`
  );
}

/** Whether a URL has this host, and this port if there is one. */
export function isHost({ protocol, hostname, port }: URL, name: string): boolean {
  const [, host = '', wanted] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(name) ?? [];
  if (!URL.canParse(`http://${host}`) || dotless(new URL(`http://${host}`).hostname) !== dotless(hostname))
    return false;
  return wanted === undefined || wanted === (port || (protocol === 'https:' ? '443' : '80'));
}

function dotless(hostname: string): string {
  return hostname.replace(/\.$/, '');
}

/** Where a result is posted. */
export interface CallbackTarget {
  /** The address without credentials, which `fetch` would refuse. */
  readonly url: string;
  /** The address without secrets. */
  readonly shown: string;
  /** Those that belong to the address: its Basic credentials, and what names the sandbox. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its path, if it leads to the sandbox itself. */
  readonly own?: string;
}

/**
 * The parts of a callback address. A user name and a password in it are Basic credentials (RFC 3986, 3.2.1). The
 * sandbox itself is reached without the network between: the name that its caller uses may mean nothing here.
 */
export function targetOf(
  address: string,
  { caller, anyCallbackTarget }: CallbackReach,
  names: Readonly<Record<string, string>> = {},
): CallbackTarget {
  const url = new URL(address);
  const { username, password } = url;
  const origin = caller?.ownOrigin(url);
  const given = username !== '' || password !== '';
  const authorization = basicCredentials({ username: decoded(username), password: decoded(password) });
  url.password = '';
  url.username = given ? '***' : '';
  const shown = maskAddress(given ? url.href : address);
  url.username = '';
  const plain = given ? url.href : address;
  const own = url.pathname + url.search;
  return {
    url: origin === undefined ? plain : origin + own,
    ...(origin === undefined ? {} : { own }),
    shown,
    // A page that receives its own callbacks would need permission for more headers.
    headers: { ...(given ? { authorization } : {}), ...(anyCallbackTarget ? {} : names) },
  };
}

/** Who may receive callbacks, where the host of a sandbox decides it instead of `--allow-callback`. */
export interface CallbackPolicy {
  /** Why callbacks may not reach an address outside of the sandbox, as a sentence without its period; null if they may. */
  whyNot(url: URL): string | null;
}
