import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { serve } from '../../src/cli/server.js';
import { Client, type Reply, readReply, ORIGIN } from '../support/client.js';
import { sampled } from '../support/sampled.js';
import { openAtOnce } from '../support/views.js';
import { Model } from '../support/model-based/model.js';
import { type Step, steps } from '../support/model-based/steps.js';
import { openWalk } from '../support/model-based/open-walk.js';
import { type Clients, walk } from '../support/model-based/walk.js';

const SEED = 20260601;

/** The same calls over a socket. */
class SocketClient extends Client {
  constructor(
    client: Client,
    readonly base: string,
  ) {
    super(client.sandbox, client.channel);
  }

  override async deliver(request: Request): Promise<Reply> {
    const body = request.body === null ? {} : { body: await request.text() };
    return readReply(
      await fetch(request.url.replace(ORIGIN, this.base), {
        method: request.method,
        headers: request.headers,
        ...body,
      }),
    );
  }
}

/** What an untouched twin shows; it is the same before each walk. */
const learned = new Model();

beforeAll(async () => {
  const twins = await openAtOnce();
  await learned.learn([twins.fairway, twins.links, twins.caddie]);
});

async function walked(all: readonly Step[], atOnce: number): Promise<{ said: string[]; model: Model }> {
  const model = learned.untouched();
  const { fairway, links, caddie } = await openWalk();
  return { said: await walk({ fairway, links, caddie }, all, model, atOnce), model };
}

/** The seed and what failed; the steps themselves would fill screens. */
async function tell({ failed, seed, counterexamplePath, errorInstance }: fc.RunDetails<[Step[]]>): Promise<void> {
  if (failed)
    throw new Error(`The walk with seed ${seed}, path ${counterexamplePath}, failed.`, { cause: errorInstance });
}

const digest = (said: readonly string[]) => createHash('sha256').update(said.join('\n')).digest('hex');

describe('a random walk of three channels at once', () => {
  sampled('every answer is right, and the same seed says the same', [1, 10], async (numRuns) => {
    const kinds = new Set<string>();
    let bookings = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(steps(600), async (all) => {
        const { said, model } = await walked(all, 3);
        expect(digest((await walked(all, 3)).said)).toBe(digest(said));
        bookings += model.made.length;
        refused += said.filter((line) => /^v\d\.create\w+ 400/.test(line)).length;
        for (const line of said) kinds.add(line.slice(0, line.indexOf(' ')));
      }),
      { seed: SEED, numRuns, endOnFailure: true, asyncReporter: tell },
    );
    // A walk that met nothing proves nothing.
    expect(kinds.size).toBeGreaterThan(35);
    expect(bookings / numRuns).toBeGreaterThan(30);
    expect(refused / numRuns).toBeGreaterThan(30);
  });

  sampled('over a socket the same is said', [100, 300], async (count) => {
    const [all] = fc.sample(steps(count), { seed: SEED, numRuns: 1 });
    const inProcess = await walked(all!, 1);
    const { sandbox, fairway, links, caddie } = await openWalk();
    const server = await serve(sandbox, { port: 0 });
    try {
      const over = (client: Client) => new SocketClient(client, server.url);
      const clients: Clients = { fairway: over(fairway), links: over(links), caddie: over(caddie) };
      expect(await walk(clients, all!, learned.untouched(), 1)).toEqual(inProcess.said);
    } finally {
      await server.close();
    }
  });
});
