import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AgentSession, startAgent } from '../../support/network/mcp.js';

/** A client that sends its refresh token in a URL as well, and talks to stdout and stderr. */
const tests = `
  const { TEEBOX_BASE_URL: base, TEEBOX_USERNAME: user, TEEBOX_PASSWORD: word, TEEBOX_REFRESH_TOKEN: token } = process.env;
  console.log('this must not reach the protocol');
  const headers = { authorization: 'Basic ' + btoa(user + ':' + word) };
  await fetch(base + '/api/v3/countries', { headers });
  await fetch(base + '/api/v3/countries?refresh_token=' + token, { headers });
`;
const script = ['--input-type=module', '-e', tests];

let agent: AgentSession;
beforeAll(async () => {
  agent = await startAgent(['--now', '2030-06-01T08:00:00Z', '--seed', '7', '--', process.execPath, ...script]);
});
afterAll(() => agent.close());

test(
  'certify runs the tests of the client in an exam, and tells what the client broke',
  { tags: ['always'] },
  async () => {
    const { data, text, failed } = await agent.call('certify', { exams: ['happy-day'], jobs: 2 });
    expect({ failed, text }).toEqual({
      failed: false,
      text: expect.stringContaining('certify-1 (certificate): not-ready.'),
    });
    expect(data).toMatchObject({ report: 'certify-1', verdict: 'not-ready', exitCode: 1, counts: { fail: 1 } });
    const [broken, ...rest] = data.findings;
    expect(broken).toMatchObject({ id: 'requests.no-secret-in-url', verdict: 'fail', exams: ['happy-day'] });
    expect(rest.map(({ verdict }: { verdict: string }) => verdict)).toContain('not-seen');
  },
);

test('read_report shows a broken obligation with the request that broke it, without the secret', async () => {
  const finding = 'requests.no-secret-in-url';
  const { data, text } = await agent.call('read_report', { report: 'certify-1', finding });
  expect(data.finding).toMatchObject({ id: finding, verdict: 'fail', message: expect.any(String) });
  expect(data.exchanges[0]).toMatchObject({ operation: 'v3.listCountries', exam: 'happy-day', status: 200 });
  expect(text).not.toMatch(/7eeb[\da-f]{4}-/);
  expect(text.length).toBeLessThan(7000);
});

test('each exam has its own sandbox: nothing is in the one of the agent', async () => {
  const { data } = await agent.call('sandbox_status');
  expect(data).toMatchObject({ requests: 0, command: [process.execPath, ...script] });
});

test.for([
  [{ exams: ['happy'] }, '--exams must be the id of an exam'],
  [{ jobs: 65 }, 'jobs'],
  [{ only: ['tokens.news'] }, '--only must be an id of an obligation'],
] as const)('certify %j is an error that says what would fit', async ([input, message]) => {
  const { text, failed } = await agent.call('certify', input);
  expect({ text, failed }).toEqual({ text: expect.stringContaining(message), failed: true });
});

test('a command that cannot be started, and none at all, are errors as well', async () => {
  const other = await startAgent(['--', '/no/such/command']);
  expect(await other.call('certify', { exams: ['happy-day'] })).toMatchObject({
    failed: true,
    text: expect.stringContaining('Failed to run /no/such/command: the command, or the interpreter'),
  });
  await other.close();
  const none = await startAgent();
  expect((await none.call('certify')).text).toContain('`teebox mcp -- npm test`');
  await none.close();
});

test('a session that ends takes its command along', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'teebox-mcp-')), 'pid');
  const hang = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000);`;
  const hanging = await startAgent(['--', process.execPath, '-e', hang]);
  const begun = await hanging.call('certify', { exams: ['happy-day'], wait_seconds: 0 });
  expect(begun.data).toMatchObject({ report: 'certify-1', state: 'running' });
  const pid = async () => Number(await readFile(file, 'utf8').catch(() => '0'));
  await expect.poll(pid).toBeGreaterThan(0);
  const child = await pid();
  expect(isRunning(child)).toBe(true);
  await hanging.close();
  await expect.poll(() => isRunning(child)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
