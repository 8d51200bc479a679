import { expect, test } from 'vitest';
import { closedRangeOf, refuseClosedNetworks } from '../../../src/cli/mcp/reach.js';

test.each([
  ['http://169.254.169.254', /link-local/],
  ['http://10.1.2.3:8080', /a private network/],
  ['http://192.168.0.1/api', /a private network/],
  ['http://172.16.5.5', /a private network/],
  ['http://100.64.0.1', /a private network/],
  ['http://[fe80::1]', /link-local/],
  ['http://[fd00::1]', /a private network/],
  ['http://[::ffff:169.254.169.254]', /link-local/],
  ['http://0xa9fea9fe', /link-local/],
  ['http://0.0.0.0:4653', /no host/],
])('an agent may not choose %s', async (url, why) => {
  await expect(refuseClosedNetworks(url)).rejects.toThrow(why);
});

test.each(['http://127.0.0.1:4653', 'http://localhost:4653', 'http://203.0.114.7', 'http://unknown.invalid'])(
  'an agent may choose %s',
  async (url) => {
    await expect(refuseClosedNetworks(url)).resolves.toBeUndefined();
  },
);

test('a name is no address', () => {
  expect(closedRangeOf('staging.example')).toBeUndefined();
});
