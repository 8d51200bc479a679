import { literalOf, whyNotPublic } from './addresses.js';
import { boundedText } from './bounded-text.js';

/** Sends a request to the network. */
export type Outbound = (url: string, init: RequestInit) => Promise<Response>;

const TIMEOUT = 5000;
const MOST = 65_536;
/** The numbers of the records with addresses (RFC 1035, RFC 3596). */
const types = { A: 1, AAAA: 28 } as const;

interface DnsAnswer {
  readonly Status?: number;
  readonly Answer?: readonly { readonly type?: number; readonly data?: string }[];
}

/**
 * Makes sure that a host has public addresses only. It asks a resolver by DNS over HTTPS, in the JSON format of the large
 * public resolvers, because the platform does not tell to which address it connects.
 *
 * @throws {Error} with the reason: it does not resolve, or to an address that callbacks must not reach.
 */
export async function assertPublic(hostname: string, resolver: string, send: Outbound): Promise<void> {
  const literal = literalOf(hostname);
  const addresses = literal === undefined ? await resolve(hostname, resolver, send) : [literal];
  if (addresses.length === 0) throw new Error(`${hostname} does not resolve to an address`);
  for (const address of addresses) {
    const why = whyNotPublic(address);
    if (why === null) continue;
    const found = literal === undefined ? `${hostname} resolves to ${address}, which` : address;
    throw new Error(`${found} is ${why}; callbacks go to public addresses only`);
  }
}

async function resolve(name: string, resolver: string, send: Outbound): Promise<string[]> {
  const lists = await Promise.all(Object.entries(types).map((type) => ask(name, type, resolver, send)));
  return lists.flat();
}

async function ask(
  name: string,
  [type, number]: readonly [string, number],
  resolver: string,
  send: Outbound,
): Promise<string[]> {
  const url = new URL(resolver);
  url.searchParams.set('name', name);
  url.searchParams.set('type', type);
  const answer = await read(url.href, send).catch((error: Error) => {
    throw new Error(`${name} cannot be resolved: ${error.message}`);
  });
  const { Status: status, Answer: records = [] } = answer;
  // 3: there is no such name (RFC 1035, 4.1.1).
  if (status === 3) return [];
  if (status !== 0) throw new Error(`${name} cannot be resolved: the resolver has the status ${status}`);
  return records.filter((record) => record.type === number).map(({ data }) => String(data));
}

async function read(url: string, send: Outbound): Promise<DnsAnswer> {
  const headers = { accept: 'application/dns-json' };
  const response = await send(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
  const text = await boundedText(response, MOST);
  if (response.status !== 200) throw new Error(`the resolver answers ${response.status}`);
  return JSON.parse(text) as DnsAnswer;
}
