import { Inbox } from '../../../src/conformance/receiver.js';
import { NOW } from '../../support/client.js';
import { patience } from '../deployment.js';
import type { Mutant } from './mutant.js';

/** What makes the deliveries of a mutant other ones: the sandbox posts to an inbox behind what alters them. */
export function deliveredOtherwise(alter: (json: unknown) => unknown): Pick<Mutant, 'settings' | 'options'> {
  const inbox = new Inbox('http://inbox.test', { now: () => Date.parse(NOW), sleep: patience });
  const settings: Mutant['settings'] = {
    fetch: async (url, { method = 'GET', headers, body }) => {
      const text = JSON.stringify(alter(JSON.parse(String(body))));
      return new Response(null, { status: inbox.accept(url, { method, headers: new Headers(headers), text }) });
    },
  };
  return { settings, options: { receiver: inbox } };
}
