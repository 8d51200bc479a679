import { expect, test } from 'vitest';
import { adminOf } from '../../support/admin.js';
import { open } from '../../support/client.js';

test.each(['application/x-www-form-urlencoded', 'text/plain', ''])(
  'a body of JSON sent as %j is read',
  async (type) => {
    const { sandbox } = await open();
    const headers = { 'content-type': type };
    const { status, body } = await adminOf(sandbox)('POST', 'clock', { set: '2026-06-02T08:00:00Z' }, headers);
    expect([status, body.now]).toEqual([200, '2026-06-02T08:00:00.000Z']);
  },
);
