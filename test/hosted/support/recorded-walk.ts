import fc from 'fast-check';
import { Client, open, type Reply } from '../../support/client.js';
import { doers } from '../../support/model-based/deeds.js';
import { Model } from '../../support/model-based/model.js';
import { steps } from '../../support/model-based/steps.js';
import type { Sent } from '../../support/msw/play.js';
import { bookedIds } from '../../support/ways-to-book.js';

/** A client that writes down what it sends. */
class WalkingClient extends Client {
  constructor(
    client: Client,
    readonly sent: Sent[],
  ) {
    super(client.sandbox, client.channel);
  }

  override async deliver(request: Request): Promise<Reply> {
    const { method, url, headers } = request.clone();
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: await request.clone().text() };
    const path = url.slice(url.indexOf('/', url.indexOf('://') + 3));
    this.sent.push({ method, path, headers: Object.fromEntries(headers), ...body });
    return super.deliver(request);
  }
}

/** The requests of a random walk of three channels and an operator who moves the clock, as a sandbox was asked. */
export async function recordedWalk(count: number, seed: number): Promise<readonly Sent[]> {
  const model = new Model();
  const twins = await open();
  await model.learn([twins.fairway, twins.links, twins.caddie]);
  const [all] = fc.sample(steps(count), { seed, numRuns: 1 });
  const { sandbox, fairway, links, caddie } = await open({ fetch: async () => new Response() });
  const sent: Sent[] = [];
  const over = (client: Client): WalkingClient => new WalkingClient(client, sent);
  const clients = { fairway: over(fairway), links: over(links), caddie: over(caddie) };
  for (const step of all!) {
    const client = clients[step.channel];
    if (step.does === 'wait') {
      await client.post('/__admin/clock', { advance: `PT${1 + (step.a % 120)}M` });
      continue;
    }
    const deed = await doers[step.does](client, step, model);
    if (!deed?.wanted || deed.reply.status !== 200) continue;
    const ids = bookedIds(deed.reply);
    const groupId = deed.reply.body.data.groupId ?? deed.reply.body.data.bulkBookingId ?? null;
    deed.wanted.forEach((one, index) => {
      model.record({ ...one, bookingId: ids[index]!, groupId, channel: client.channel });
    });
  }
  await sandbox.reset();
  return sent;
}
