import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { ToolError } from './tool.js';

/** Addresses of networks that the machine of a person reaches, and the person who gave the agent its task may not. */
const closed: Readonly<Record<string, string>> = {
  private: 'a private network',
  uniqueLocal: 'a private network',
  carrierGradeNat: 'a private network',
  linkLocal: 'the link-local network, where clouds keep the credentials of a machine',
  unspecified: 'no host',
  broadcast: 'no host',
  multicast: 'no host',
};

/** Where an address leads that no agent may choose; undefined if it may. IPv4 in IPv6 is read as IPv4. */
export function closedRangeOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  return closed[ipaddr.process(address).range()];
}

/**
 * Refuses an address that an agent has chosen, and that leads into a network of the person's machine. Text of a
 * deployment or a page may have put it there.
 *
 * @throws {ToolError} for such an address, and for a name that leads to one.
 */
export async function refuseClosedNetworks(baseUrl: string): Promise<void> {
  const { hostname } = new URL(baseUrl);
  const plain = hostname.replace(/^\[|\]$/g, '');
  const found = ipaddr.isValid(plain) ? [plain] : await addressesOf(plain);
  const where = found.map(closedRangeOf).find((one) => one !== undefined);
  if (where === undefined) return;
  throw new ToolError(
    `${hostname} leads to ${where}, which an agent may not choose. If a person wants it checked, they name it: as ` +
      'TEEBOX_BASE_URL in the environment of this server, or as a target in teebox.config.yaml.',
  );
}

/** An unknown name leads nowhere, and the check says so. */
async function addressesOf(name: string): Promise<readonly string[]> {
  const all = await lookup(name, { all: true }).catch(() => []);
  return all.map(({ address }) => address);
}
