import { test } from 'teebox/vitest';
import { expect } from 'vitest';

// #region clock
test('an access token expires after an hour', async ({ sandbox }) => {
  const call = (path: string, init: RequestInit) => sandbox.fetch(`https://api.partner.example/api/${path}`, init);
  const refreshed = await call('v5/token/refreshToken', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: sandbox.channels[0]!.refreshToken }),
  });
  const { data } = (await refreshed.json()) as { data: { access_token: string; expires_in: number } };
  const headers = { authorization: `Bearer ${data.access_token}` };
  expect((await call('v4/bookings', { headers })).status).toBe(200);

  sandbox.clock.advance(data.expires_in * 1000);
  expect((await call('v4/bookings', { headers })).status).toBe(401);
});
// #endregion
