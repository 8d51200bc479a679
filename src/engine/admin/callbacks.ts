import type { CallbackDelivery } from '../callbacks/delivery.js';
import { Problem, shown } from './problem.js';
import type { AdminCall, AdminHost, AdminRoute } from './route.js';

/** The results posted to callers, with every attempt. */
export const callbackRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: 'callbacks',
    answer: ({ host }) => {
      const { deliveries } = host.engine.callbacks;
      return { count: deliveries.length, callbacks: deliveries.map(summaryOf) };
    },
  },
  { method: 'GET', path: 'callbacks/:id', answer: ({ host, path }) => find(host, path['id']!) },
  { method: 'POST', path: 'callbacks/:id/redeliver', answer: redeliver },
];

/** A body can have millions of characters, so the list shows only its length. */
function summaryOf(delivery: CallbackDelivery): unknown {
  const { body, ...rest } = delivery;
  return { ...rest, bodyLength: body === null ? null : body.length };
}

function find({ engine }: AdminHost, id: string): CallbackDelivery {
  const delivery = engine.callbacks.deliveries.find((one) => one.id === id);
  if (delivery) return delivery;
  throw new Problem(404, `There is no callback ${shown(id)}. GET callbacks lists those that are remembered.`);
}

/** Responds after the receiver has responded or timed out. */
async function redeliver({ host, path }: AdminCall): Promise<unknown> {
  const { callbacks, store } = host.engine;
  const delivery = find(host, path['id']!);
  if (delivery.state === 'pending') {
    throw new Problem(
      409,
      `${shown(delivery.id)} is still on its way; it can be posted again once it has arrived or failed.`,
    );
  }
  await callbacks.redeliver(
    delivery,
    store.world.channels.find(({ name }) => name === delivery.channel)!,
  );
  return summaryOf(delivery);
}
