import { afterEach, beforeEach, expect, test } from 'vitest';
// #region hooks
import { createSandbox, type Sandbox } from 'teebox';
import { openShop, type Shop } from './shop.js';

let sandbox: Sandbox;
let shop: Shop;

beforeEach(async () => {
  sandbox = await createSandbox();
  shop = openShop('https://api.partner.example', sandbox.channels[0]!, sandbox.fetch);
});
afterEach(() => sandbox.reset());

test('a tee time without free slots is not sold again', async () => {
  const [teeTime] = await shop.teeTimes('11-06-2026');
  for (let left = teeTime!.products[0]!.available; left >= 2; left -= 2) await shop.book(teeTime!);
  await expect(shop.book(teeTime!)).rejects.toThrow('400');
});
// #endregion
