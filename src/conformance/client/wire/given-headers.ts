import { basicHeader, type ChannelOptions } from '../credentials.js';

/** Headers that a run sends with every request, for a gateway in front of the deployment. */
export interface GivenHeaders {
  /** Headers by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** User name and password for a gateway that asks for Basic credentials of its own. */
  readonly gatewayBasic?: NonNullable<ChannelOptions['basic']>;
}

interface Channels {
  readonly bearerHeader: string;
  readonly first: ChannelOptions;
  readonly second?: ChannelOptions | undefined;
}

/** Headers that the run itself sets, or that describe the connection. */
const own = /^(host|connection|content-length|content-type|transfer-encoding|expect|upgrade|te|trailer)$/i;
const isAuthorization = (name: string): boolean => name.toLowerCase() === 'authorization';

/** Why headers cannot be sent beside the credentials of the channels; undefined if they can. */
export function headerFault(
  { headers = {}, gatewayBasic }: GivenHeaders,
  { bearerHeader, first, second }: Channels,
): string | undefined {
  const names = Object.keys(headers);
  const reserved = names.find((name) => own.test(name) || name.toLowerCase() === bearerHeader.toLowerCase());
  if (reserved !== undefined && !isAuthorization(reserved)) return `--header cannot set ${reserved}: the run sets it.`;
  const flags = [
    ...(gatewayBasic ? ['gateway-basic'] : []),
    ...(names.some(isAuthorization) ? ['--header Authorization'] : []),
  ];
  if (flags.length > 1) return `${flags.join(' and ')} both set the header Authorization. Use one of them.`;
  const [flag] = flags;
  if (flag === undefined) return undefined;
  if (isAuthorization(bearerHeader)) {
    return `${flag} needs the setting bearer-header: the header Authorization cannot carry the credentials of a gateway and the bearer token of the service.`;
  }
  if (first.basic || second?.basic) {
    return `${flag} cannot be combined with --basic or --second-basic: all of them use the header Authorization. Use a refresh token and the setting bearer-header.`;
  }
  return undefined;
}

/** The headers of every request, by name. */
export function allHeaders({ headers = {}, gatewayBasic }: GivenHeaders): Readonly<Record<string, string>> {
  return { ...headers, ...(gatewayBasic ? { authorization: basicHeader(gatewayBasic) } : {}) };
}
