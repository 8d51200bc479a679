import { isLoopback } from '../callbacks/targets.js';

/** Headers that name the address of the caller. Development servers set some of them, with addresses of this machine. */
const ofAddress =
  /^(?:x-(?:original-)?forwarded-for|x-forwarded|forwarded-for|(?:[a-z\d]+-)*(?:client|connecting|real|remote|originating|user|proxyuser|cluster|source|src|viewer|external)-?(?:connection-)?(?:ip|ipv6|addr|address|clientip|socketip)|x-azure-(?:clientip|socketip)|x-coming-from|x-vercel-forwarded-for)$/;
/** Headers that name the host that the caller has asked. */
const ofHost = /^x-(?:forwarded|original)-(?:host|server)$/;
/** What a proxy adds beside. By itself it says nothing of the caller. */
const ofDetail = /^x-(?:forwarded|original)-(?:proto|protocol|port|scheme|ssl|prefix|path|uri|url)$/;
/** Headers that only proxies and tunnels on the way set. */
const ofTunnel =
  /^(?:forwarded|via|x-bluecoat-via|x-forwarded-.*|x-original-.*|cf-.*|cdn-loop|cloudfront-.*|akamai-.*|tailscale-.*|fly-.*|fastly-.*|ngrok-.*|x-ngrok-.*|x-amz-cf-.*|x-amzn-trace-id|x-appengine-.*|x-arr-.*|x-azure-.*|x-envoy-.*|x-vercel-.*|x-nf-.*)$/;

/** An address without its port and brackets. */
function isHere(address: string): boolean {
  const plain = address
    .trim()
    .replace(/^"|"$/g, '')
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+|localhost):\d+$/i, '$1')
    .replace(/^::ffff:/i, '');
  return plain === '::1' || isLoopback(plain);
}

/**
 * The header by which a proxy or a tunnel says that the caller is elsewhere; undefined if the caller itself is here. A
 * server on this machine sees only its own machine, whoever is behind a tunnel.
 */
export function forwardedBy(headers: Readonly<Record<string, unknown>>): string | undefined {
  let detail: string | undefined;
  let isNamed = false;
  for (const name of Object.keys(headers)) {
    const isAddress = ofAddress.test(name);
    if (isAddress || ofHost.test(name)) {
      const values = String(headers[name] ?? '').split(',');
      if (!values.every((value) => value.trim() === '' || isHere(value))) return name;
      isNamed = true;
    } else if (ofDetail.test(name)) detail ??= name;
    else if (ofTunnel.test(name)) return name;
  }
  return isNamed ? undefined : detail;
}
