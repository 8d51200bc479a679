import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy on loopback, and what it was asked for: `CONNECT host:port`, or a method and a whole URL. */
export interface LocalProxy {
  readonly url: string;
  readonly asked: readonly string[];
  /** The `Proxy-Authorization` of each request. */
  readonly logins: readonly (string | undefined)[];
  close(): Promise<void>;
}

/**
 * Starts a proxy that leads every host to one port of this machine.
 *
 * @param refusal The status of every answer; default: it lets everything through.
 */
export async function startProxy(port: number, refusal?: number): Promise<LocalProxy> {
  const asked: string[] = [];
  const logins: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const note = ({ method, url, headers }: IncomingMessage): void => {
    asked.push(`${method} ${url}`);
    logins.push(headers['proxy-authorization']);
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    note(request);
    if (refusal !== undefined) return void response.writeHead(refusal).end();
    const { pathname, search } = new URL(request.url!);
    const { method, headers } = request;
    const onward = send({ host: '127.0.0.1', port, path: pathname + search, method: method!, headers });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    note(request);
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const one of [socket, onward]) sockets.add(one.on('error', () => {}));
    socket.pipe(onward).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    logins,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
