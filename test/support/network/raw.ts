import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to the server at an address. */
export function connectTo(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl);
  // A server that has answered may reset what is still being sent.
  return connect(Number(port), hostname.replace(/^\[|\]$/g, '')).on('error', () => {});
}

/** Sends bytes as they are and reads until the server closes. */
export async function raw(baseUrl: string, bytes: string): Promise<string> {
  const socket = connectTo(baseUrl);
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

/** Sends bytes as they are and reads one answer with a length: for requests that never end. */
export async function rawAnswer(baseUrl: string, bytes: string): Promise<string> {
  const socket = connectTo(baseUrl);
  let text = '';
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk;
      const [, length, body] = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n(.*)/ims.exec(text) ?? [];
      if (Buffer.byteLength(body ?? '') === Number(length)) resolve();
    });
  });
  socket.write(bytes);
  await Promise.race([answered, once(socket, 'close')]);
  socket.destroy();
  return text;
}

/** The status and the JSON body of an answer with a length. */
export function parseAnswer(text: string): { status: number; body: unknown } {
  return { status: Number(text.slice(9, 12)), body: JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) };
}
