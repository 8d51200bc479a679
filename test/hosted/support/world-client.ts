import type { Sandbox } from '../../../src/engine/library.js';
import { Client, readReply, type Reply } from '../../support/client.js';

/** Calls the service of a hosted world as one of its channels. */
export class WorldClient extends Client {
  constructor(
    readonly baseUrl: string,
    channels: Sandbox['channels'],
    channel = 'fairway',
  ) {
    super({ channels } as Sandbox, channel);
  }

  override async deliver(request: Request): Promise<Reply> {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = await request.text();
    return readReply(
      await fetch(`${this.baseUrl}${pathname}${search}`, { method, headers, ...(body === '' ? {} : { body }) }),
    );
  }
}
