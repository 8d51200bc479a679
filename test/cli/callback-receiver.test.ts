import { expect, test } from 'vitest';
import { startReceiver } from '../../src/cli/callback-receiver.js';

test('a delivery that is too large is known, and its body is not kept', async () => {
  const { receiver, close } = await startReceiver({ port: 0, deploymentIsLocal: true, maxBody: 1000 });
  try {
    const { url, deliveries } = await receiver.address();
    const post = (body: string) => fetch(url, { method: 'POST', body }).catch(() => undefined);
    await post('x'.repeat(1000));
    await post('x'.repeat(1_000_000));
    const failure = 'its body is longer than 0.001 MiB (max-body)';
    expect(deliveries).toMatchObject([{ text: 'x'.repeat(1000) }, { text: '', failure }]);
    expect(deliveries[0]!.failure).toBeUndefined();
  } finally {
    close();
  }
});
