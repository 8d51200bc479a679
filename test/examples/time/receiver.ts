import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';

// #region receiver
/** Takes results that are signed with the password of the channel, and refuses all others. */
export function openReceiver(password: string, take: (result: unknown) => void): Server {
  return createServer(async (request, response) => {
    const body = await bodyOf(request);
    const wanted = `sha256=${createHmac('sha256', password).update(body).digest('hex')}`;
    const got = String(request.headers['x-signature']);
    const signed = got.length === wanted.length && timingSafeEqual(Buffer.from(got), Buffer.from(wanted));
    response.writeHead(signed ? 204 : 401).end();
    if (signed) take(JSON.parse(body.toString()));
  });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
// #endregion
