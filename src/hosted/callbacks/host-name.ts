import { ValidationError } from '../../common/index.js';

const FIRST_FREE_PORT = 1024;
const LONGEST = 260;

/**
 * A host as it is verified: a name or an IP address in the spelling of URLs. Without a port, it is for those of http and
 * https.
 *
 * @throws {ValidationError} for anything else.
 */
export function readHost(value: unknown): string {
  const text = typeof value === 'string' && value.length <= LONGEST ? value.trim() : '';
  const url = `https://${text}/`;
  const isHost = /^(\[[\da-f:.]+\]|[^\s/?#@:[\]\\]+)(:\d{1,5})?$/i.test(text) && URL.canParse(url);
  const { hostname, port } = isHost ? new URL(url) : { hostname: '', port: '' };
  const isFit = isHost && (port === '' || Number(port) >= FIRST_FREE_PORT);
  if (isFit) return plain(hostname) + (port === '' ? '' : `:${port}`);
  throw new ValidationError(
    '`host` must be a host name or a public IP address, without a scheme or a path. Leave the port out for 80 and 443; ' +
      `any other must be from ${FIRST_FREE_PORT} to 65535.`,
    ['partner.example', 'partner.example:8443'],
  );
}

/** The host under which an address must be verified; undefined for a port that callbacks may not reach. */
export function hostOf({ protocol, hostname, port }: URL): string | undefined {
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  if (number === 80 || number === 443) return plain(hostname);
  return number >= FIRST_FREE_PORT ? `${plain(hostname)}:${number}` : undefined;
}

function plain(hostname: string): string {
  return hostname.replace(/\.$/, '');
}
