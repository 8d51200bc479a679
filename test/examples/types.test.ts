import { expect, test } from 'vitest';
// #region types
import createClient from 'openapi-fetch';
import { createSandbox } from 'teebox';
import type { paths } from 'teebox/types';

const sandbox = await createSandbox();
const { username, password } = sandbox.channels[0]!;
const client = createClient<paths>({
  baseUrl: 'https://api.partner.example',
  headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
  fetch: sandbox.fetch, // not with MSW or a server
});

const { data, error } = await client.GET('/api/v4/teetimes/{facilityId}', {
  params: { path: { facilityId: 1001 }, query: { bookingDate: '11-06-2026', players: 2, holes: 18 } },
});
const times: string[] | undefined = data?.data.teeTimeV3.map(({ time }) => time);
// #endregion

test('the answer is the one of the sandbox', () => {
  expect(error).toBeUndefined();
  expect(times!.length).toBeGreaterThan(0);
  for (const time of times!) expect(time).toMatch(/^2026-06-11T\d\d:\d\d:00$/);
});
