import ipaddr from 'ipaddr.js';

const words: Readonly<Record<string, string>> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  linkLocal: 'a link-local address',
  carrierGradeNat: 'an address of a carrier',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  unspecified: 'no address of a host',
  ipv4Mapped: 'an address that represents another one',
  rfc6145: 'an address that represents another one',
  rfc6052: 'an address that represents another one',
  '6to4': 'an address that represents another one',
  teredo: 'an address that represents another one',
};

/** What an IP address is, if it is not a public one; null if it is. */
export function whyNotPublic(address: string): string | null {
  if (!ipaddr.isValid(address)) return 'no IP address';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  // Of IPv6, only 2000::/3 is given out to hosts.
  const isGlobal = parsed.kind() === 'ipv4' || (parsed.toByteArray()[0]! & 0xe0) === 0x20;
  return range === 'unicast' && isGlobal ? null : (words[range] ?? 'a reserved address');
}

/** The IP address that a host name of a URL is; undefined for a name. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : undefined;
}
