import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../../src/engine/library.js';
import { type Client, open } from '../../../support/client.js';
import {
  accessTokenOf,
  bearer,
  initialTokenOf,
  knock,
  refreshWith,
  UNKNOWN_TOKEN,
} from '../../../support/credentials.js';
import { rule } from '../../../support/rule.js';

type TokenSet = { readonly access_token: string; readonly refresh_token: string; readonly expires_in: number };

const refresh = async (client: Client, token: string): Promise<TokenSet> =>
  (await refreshWith(client, token)).body.data;
const isGood = async (client: Client, { access_token: token }: TokenSet): Promise<boolean> =>
  (await knock(client, bearer(token))).status === 200;

describe('expires_in', () => {
  for (const seconds of [1, 90, 3600, 86_400]) {
    rule(['tokens.expires-in', 'tokens.expiry'], `${seconds} s: good until then, refused from then on`, async () => {
      const { sandbox, fairway } = await open({ expiresIn: seconds });
      const tokens = await refresh(fairway, initialTokenOf(fairway));
      expect(tokens.expires_in).toBe(seconds);
      sandbox.clock.advance(seconds * 1000 - 1);
      expect(await isGood(fairway, tokens)).toBe(true);
      sandbox.clock.advance(1);
      expect(await isGood(fairway, tokens)).toBe(false);
    });
  }

  rule('tokens.expires-in', 'the life of a token is not prolonged by its use', async () => {
    const { sandbox, fairway } = await open({ expiresIn: 60 });
    const tokens = await refresh(fairway, initialTokenOf(fairway));
    for (let second = 0; second < 59; second += 20) {
      expect(await isGood(fairway, tokens)).toBe(true);
      sandbox.clock.advance(20_000);
    }
    expect(await isGood(fairway, tokens)).toBe(false);
  });

  for (const expiresIn of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`${expiresIn} is no life time`, async () => {
      await expect(createSandbox({ expiresIn })).rejects.toThrow(
        '`expiresIn` must be a whole number of seconds, at least 1.',
      );
    });
  }
});

describe('the lifetime by default', () => {
  rule('tokens.short-lived', 'is an hour, counted in seconds by the clock of the sandbox', async () => {
    const { sandbox, fairway } = await open();
    let latest = initialTokenOf(fairway);
    for (let round = 0; round < 3; round += 1) {
      const tokens = await refresh(fairway, latest);
      latest = tokens.refresh_token;
      expect(tokens.expires_in).toBe(3600);
      sandbox.clock.advance((tokens.expires_in - 1) * 1000);
      expect(await isGood(fairway, tokens), 'a second before its end').toBe(true);
      sandbox.clock.advance(2000);
      expect(await isGood(fairway, tokens), 'a second after its end').toBe(false);
    }
  });
});

describe('a refresh that is refused', () => {
  for (const answers of [{}, { 'token.old-access': 'revoked' }, { 'token.reuse': 'family-revoked' }] as const) {
    rule('tokens.refresh.refused', `costs no token: ${JSON.stringify(answers)}`, async () => {
      const { fairway, links } = await open({ dialect: { answers } });
      const mine = await refresh(fairway, initialTokenOf(fairway));
      const theirs = await refresh(links, initialTokenOf(links));
      for (const madeUp of [UNKNOWN_TOKEN, 'let me in', `${mine.refresh_token}0`, mine.access_token]) {
        for (const version of ['v1', 'v5']) {
          expect(await refreshWith(fairway, madeUp, version), madeUp).toMatchObject({ status: 401 });
        }
      }
      expect([await isGood(fairway, mine), await isGood(links, theirs)]).toEqual([true, true]);
      expect(await refreshWith(fairway, mine.refresh_token)).toMatchObject({ status: 200 });
      expect(await refreshWith(links, theirs.refresh_token)).toMatchObject({ status: 200 });
    });
  }
});

describe('after a refresh', () => {
  rule('tokens.old-access', 'the old access token stays good until its own end', async () => {
    const { sandbox, fairway } = await open();
    const first = await refresh(fairway, initialTokenOf(fairway));
    sandbox.clock.advance(1_800_000);
    const second = await refresh(fairway, first.refresh_token);
    expect([await isGood(fairway, first), await isGood(fairway, second)]).toEqual([true, true]);
    sandbox.clock.advance(1_800_000);
    expect([await isGood(fairway, first), await isGood(fairway, second)]).toEqual([false, true]);
  });

  rule('tokens.old-access', 'a dialect may revoke it, for that channel alone', async () => {
    const { fairway, links } = await open({ dialect: { answers: { 'token.old-access': 'revoked' } } });
    const other = await refresh(links, initialTokenOf(links));
    const first = await refresh(fairway, initialTokenOf(fairway));
    const second = await refresh(fairway, first.refresh_token);
    expect([await isGood(fairway, first), await isGood(fairway, second), await isGood(links, other)]).toEqual([
      false,
      true,
      true,
    ]);
    expect((await knock(fairway, bearer(first.access_token))).body.message).toContain('revoked');
  });

  rule('tokens.reuse', 'a second use costs nothing but its refusal', async () => {
    const { fairway } = await open();
    const token = initialTokenOf(fairway);
    const first = await refresh(fairway, token);
    expect(await refreshWith(fairway, token)).toMatchObject({ status: 401, rule: 'tokens.single-use' });
    expect(await isGood(fairway, first)).toBe(true);
    expect(await refreshWith(fairway, first.refresh_token)).toMatchObject({ status: 200 });
  });

  rule('tokens.reuse', 'a dialect may revoke the whole line, for that channel alone', async () => {
    const { fairway, links } = await open({ dialect: { answers: { 'token.reuse': 'family-revoked' } } });
    const other = await refresh(links, initialTokenOf(links));
    const first = await refresh(fairway, initialTokenOf(fairway));
    const second = await refresh(fairway, first.refresh_token);
    expect(await refreshWith(fairway, first.refresh_token)).toMatchObject({ status: 401 });
    expect([await isGood(fairway, first), await isGood(fairway, second), await isGood(links, other)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await refreshWith(fairway, second.refresh_token)).toMatchObject({ status: 401, rule: 'tokens.single-use' });
    expect(await refreshWith(links, other.refresh_token)).toMatchObject({ status: 200 });
  });
});

describe('tokens of a sandbox', () => {
  test('are the same for the same seed and calls, and others for another seed', async () => {
    const walk = async (seed: number): Promise<string> => {
      const { fairway } = await open({ seed });
      const first = await refresh(fairway, initialTokenOf(fairway));
      return JSON.stringify([first, await refresh(fairway, first.refresh_token)]);
    };
    const [once, twice, other] = [await walk(1), await walk(1), await walk(2)];
    expect(twice).toBe(once);
    expect(other).not.toBe(once);
  });

  test('are those of the start again after a reset', async () => {
    const { sandbox, fairway } = await open();
    const token = await accessTokenOf(fairway);
    await sandbox.reset();
    expect(await knock(fairway, bearer(token))).toMatchObject({ status: 401 });
    expect(await refreshWith(fairway, initialTokenOf(fairway))).toMatchObject({ status: 200 });
  });

  test('are no tokens of another sandbox', async () => {
    const [here, there] = [await open(), await open({ seed: 2 })];
    const token = await accessTokenOf(here.fairway);
    expect(await knock(there.fairway, bearer(token))).toMatchObject({ status: 401 });
  });
});
