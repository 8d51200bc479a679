import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createSandbox } from 'teebox';
import { expect, test } from 'vitest';
import { openReceiver } from './receiver.js';
import { openShop } from '../shop.js';

test.each<[signature: 'hmac-sha256' | 'none', taken: number, state: string]>([
  ['hmac-sha256', 1, 'delivered'],
  ['none', 0, 'failed'],
])('a result with the signature %s', async (signature, taken, state) => {
  const sandbox = await createSandbox({ dialect: { answers: { 'callback.signature': signature } } });
  const [channel] = sandbox.channels;
  const results: unknown[] = [];
  const receiver = openReceiver(channel!.password, (result) => results.push(result)).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const shop = openShop('https://api.partner.example', channel!, sandbox.fetch);
  await shop.search('11-06-2026', `http://127.0.0.1:${port}/results`);
  await sandbox.callbacks.settled();
  receiver.close();
  expect([results.length, sandbox.callbacks.deliveries[0]!.state]).toEqual([taken, state]);
});
