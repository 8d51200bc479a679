import { describe, expect, test } from 'vitest';
import { adminOf } from '../../support/admin.js';
import { open } from '../../support/client.js';
import { initialTokenOf, refreshWith } from '../../support/credentials.js';

const shown = async (admin: ReturnType<typeof adminOf>, name = 'fairway') =>
  (await admin('GET', 'channels')).body.channels.find((one: { name: string }) => one.name === name);

describe('the channels and what works for them', () => {
  test('at the start: the initial refresh tokens', async () => {
    const { sandbox } = await open();
    const { status, body } = await adminOf(sandbox)('GET', 'channels');
    const channels = sandbox.channels.map(({ name, username, password, refreshToken }) => ({
      name,
      username,
      password,
      refreshToken,
      revoked: false,
    }));
    expect({ status, body }).toEqual({ status: 200, body: { count: 3, channels } });
    expect(sandbox.credentials()).toEqual(channels);
  });

  test('after refreshes: the newest token, with which a client that lost it goes on', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    await refreshWith(fairway, initialTokenOf(fairway));
    expect((await refreshWith(fairway, initialTokenOf(fairway))).status).toBe(401);
    for (const _ of [1, 2, 3]) {
      const { refreshToken } = await shown(admin);
      const { status, body } = await refreshWith(fairway, refreshToken);
      expect(status).toBe(200);
      expect((await shown(admin)).refreshToken).toBe(body.data.refresh_token);
    }
    expect(await shown(admin, 'links')).toMatchObject({ refreshToken: sandbox.channels[1]!.refreshToken });
  });

  test('after the credentials were revoked: none', async () => {
    const { sandbox, fairway } = await open();
    await fairway.get('/api/v3/countries', { headers: { 'teebox-scenario': 'credentials-revoked' } });
    expect(await shown(adminOf(sandbox))).toMatchObject({ refreshToken: null, revoked: true });
    await sandbox.reset();
    expect(await shown(adminOf(sandbox))).toMatchObject({ refreshToken: initialTokenOf(fairway), revoked: false });
  });

  test('of another site nobody sees them', async () => {
    const { sandbox } = await open();
    const { status, text } = await adminOf(sandbox)('GET', 'channels', undefined, {
      origin: 'http://elsewhere.example',
    });
    expect(status).toBe(403);
    expect(text).not.toContain('not-a-secret');
  });
});
