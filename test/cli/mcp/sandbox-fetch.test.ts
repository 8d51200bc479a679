import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createAdmin } from '../../../src/bindings/admin-client/library.js';
import { sandboxFetch } from '../../../src/cli/mcp/sandbox-fetch.js';

test('an answer without an end is left, and the call says why', async () => {
  const block = Buffer.alloc(1_048_576, ' ');
  let isLeft = false;
  const server = createServer((_, response) => {
    const pour = (): void => {
      while (!response.destroyed && response.write(block));
    };
    response.on('close', () => (isLeft = true)).on('drain', pour);
    pour();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const admin = createAdmin(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { fetch: sandboxFetch });
  await expect(admin.channels()).rejects.toThrow(/broke off: it is longer than 16 MiB\. Check the base URL\./);
  await expect.poll(() => isLeft).toBe(true);
});
