import { isLoopback } from '../../engine/index.js';

/** A proxy, and the environment variable that names it. */
export interface Proxy {
  readonly url: URL;
  readonly variable: string;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy that the environment names for a URL; undefined if there is none. Loopback never has one. */
export function proxyFor(target: string, env: Environment): Proxy | undefined {
  const { protocol, hostname, port } = new URL(target);
  if (isLoopback(hostname) || isExcepted(hostname, port || defaultPort(protocol), env)) return undefined;
  const names = protocol === 'https:' ? ['https_proxy', 'all_proxy'] : ['http_proxy', 'all_proxy'];
  for (const name of names.flatMap((one) => [one, one.toUpperCase()])) {
    const text = env[name]?.trim();
    if (!text) continue;
    const address = text.includes('://') ? text : `http://${text}`;
    if (URL.canParse(address) && /^https?:/.test(address)) return { url: new URL(address), variable: name };
    throw new ProxyError(`The environment variable ${name} must be the http or https URL of a proxy.`);
  }
  return undefined;
}

/** A request that did not get past the proxy. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/** The error for a proxy that does not connect to the deployment. */
export function noWayThrough({ url, variable }: Proxy, why: string): ProxyError {
  return new ProxyError(
    `the proxy ${url.host} ${why}; it is set by ${variable}, and NO_PROXY excepts the hosts that need none`,
  );
}

/** The user name and password in the URL of a proxy, as a header. */
export function proxyHeaders({ url: { username, password } }: Proxy): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}

/** Whether `NO_PROXY` lists a host: `example.com` includes its subdomains, `*` includes every host. */
function isExcepted(hostname: string, port: string, env: Environment): boolean {
  const list = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = '', only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase())!;
    if (entry === '*') return true;
    if (name === '' || (only !== undefined && only !== port)) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}
