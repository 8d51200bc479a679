import { expect, test } from 'vitest';
import { memoryJournal } from '../../../src/conformance/client/credentials.js';
import { check } from '../../../src/conformance/run/check.js';
import { type Permission, permissions } from '../../../src/conformance/client/types.js';
import { deploy, resultOf } from '../deployment.js';
import { dialectOf } from '../full-run.js';

const reuses = ['tokens.single-use', 'tokens.old-refresh-invalid', 'tokens.reuse'] as const;

/** A run that may use up tokens, against a deployment that revokes all tokens of a channel after a reuse. */
async function runWith({ allow, kept }: { readonly allow: readonly Permission[]; readonly kept: boolean }) {
  const spent: string[] = [];
  const { sandbox, options } = await deploy(
    dialectOf({ 'token.reuse': 'family-revoked' }),
    async (request, through) => {
      // Bodies without a token are probes.
      const sent = /"refresh_token":"(.+?)"/.exec(await request.clone().text())?.[1];
      if (request.url.endsWith('/refreshToken') && sent !== undefined) spent.push(sent);
      return through(request);
    },
  );
  const refreshToken = sandbox.channels[0]!.refreshToken!;
  const journal = memoryJournal(refreshToken);
  const { second: _, ...alone } = options;
  const first = kept ? { journal } : { refreshToken };
  const report = await check({ ...alone, first, allow, only: ['tokens.*', 'countries.list', 'bookings.create'] });
  const refresh = async (token: string): Promise<boolean> => {
    const body = JSON.stringify({ refresh_token: token });
    const headers = { 'content-type': 'application/json' };
    const url = 'http://deployment.test/api/v5/token/refreshToken';
    return (await sandbox.fetch(new Request(url, { method: 'POST', headers, body }))).ok;
  };
  return { report, spent, journal, refresh };
}

test('a kept token is not reused without permission: the channel can still log in', async () => {
  const { report, spent, journal, refresh } = await runWith({ allow: permissions, kept: true });
  for (const id of reuses) {
    const missing = 'permission to reuse a refresh token, which may lock the channel out (--allow lockout)';
    expect(resultOf(report, id)).toMatchObject({ verdict: 'not-run', reason: 'not-allowed', missing });
  }
  expect(resultOf(report, 'tokens.rotation').verdict).toBe('pass');
  expect(spent.length).toBe(new Set(spent).size);
  const { refreshToken, pending } = await journal.read();
  expect(pending).toBeUndefined();
  expect(await refresh(refreshToken!)).toBe(true);
});

test('with permission it is, after everything else', async () => {
  const { report, spent } = await runWith({ allow: [...permissions, 'lockout'], kept: true });
  expect(resultOf(report, 'tokens.reuse').answers).toEqual({ 'token.reuse': 'family-revoked' });
  expect(
    report.rules
      .slice(-3)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...reuses].sort());
  expect(spent.length).toBeGreaterThan(new Set(spent).size);
  expect(resultOf(report, 'bookings.create').verdict).toBe('pass');
});

test('a token that nobody keeps may be lost', async () => {
  const { report } = await runWith({ allow: permissions, kept: false });
  expect(resultOf(report, 'tokens.single-use').verdict).toBe('pass');
});
