import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Headers by which proxies, tunnels, networks and load balancers say whose request they pass on. */
export const forwardingHeaders: readonly (readonly [name: string, value: string])[] = [
  ['x-forwarded-for', '203.0.113.7'],
  ['x-forwarded-for', '127.0.0.1, 203.0.113.7'],
  ['x-forwarded-host', 'public.example'],
  ['x-forwarded-proto', 'https'],
  ['x-forwarded-by', '203.0.113.1'],
  ['x-forwarded', 'for=203.0.113.7'],
  ['forwarded-for', '203.0.113.7'],
  ['forwarded', 'for=203.0.113.7'],
  ['via', '1.1 tunnel'],
  ['x-bluecoat-via', '8c5'],
  ['x-real-ip', '203.0.113.7'],
  ['x-client-ip', '203.0.113.7'],
  ['client-ip', '203.0.113.7:4711'],
  ['x-remote-addr', '203.0.113.7'],
  ['x-cluster-client-ip', '203.0.113.7'],
  ['proxy-client-ip', '203.0.113.7'],
  ['wl-proxy-client-ip', '203.0.113.7'],
  ['x-proxyuser-ip', '203.0.113.7'],
  ['x-coming-from', '203.0.113.7'],
  ['cf-connecting-ip', '203.0.113.7'],
  ['cf-connecting-ipv6', '2001:db8::7'],
  ['cf-ray', '8c5'],
  ['cf-visitor', '{"scheme":"https"}'],
  ['cdn-loop', 'cloudflare'],
  ['true-client-ip', '203.0.113.7'],
  ['akamai-origin-hop', '2'],
  ['fly-client-ip', '203.0.113.7'],
  ['fly-forwarded-port', '443'],
  ['fastly-client-ip', '203.0.113.7'],
  ['fastly-ssl', '1'],
  ['incap-client-ip', '203.0.113.7'],
  ['x-sucuri-clientip', '203.0.113.7'],
  ['cdn-src-ip', '203.0.113.7'],
  ['ali-cdn-real-ip', '203.0.113.7'],
  ['x-original-forwarded-for', '203.0.113.7'],
  ['x-original-host', 'public.example'],
  ['x-envoy-external-address', '203.0.113.7'],
  ['x-azure-clientip', '203.0.113.7'],
  ['x-azure-socketip', '203.0.113.7'],
  ['x-arr-log-id', '8c5'],
  ['x-amzn-trace-id', 'Root=1-67'],
  ['x-amz-cf-id', '8c5'],
  ['cloudfront-viewer-address', '203.0.113.7:4711'],
  ['cloudfront-forwarded-proto', 'https'],
  ['x-appengine-user-ip', '203.0.113.7'],
  ['x-vercel-forwarded-for', '203.0.113.7'],
  ['x-nf-client-connection-ip', '203.0.113.7'],
  ['do-connecting-ip', '203.0.113.7'],
  ['tailscale-user-login', 'somebody@example.com'],
  ['ngrok-trace-id', 'abc'],
];

/** A tunnel on loopback to a server: whoever comes through it has the `Host` of the server, and one header more. */
export async function startTunnel(target: string) {
  let added: Readonly<Record<string, string>> = {};
  const { hostname, port, host } = new URL(target);
  const server = createServer(({ method, url, headers }, response) => {
    const onward = send({ hostname, port, method: method!, path: url!, headers: { ...headers, ...added, host } });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Chooses the headers that are added to further requests. */
    add: (headers: Readonly<Record<string, string>>) => void (added = headers),
    close: () => server.close().closeAllConnections(),
  };
}
