import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callsOf } from '../../../../spec/generate/calls/calls.js';
import { loadContract } from '../../../../spec/generate/contract.js';
import { versionsOf } from '../../../../spec/generate/names.js';
import { responses } from '../../../../src/contract/generated/built/response-validators-strict.js';
import type { OperationId } from '../../../../src/contract/generated/operations.js';
import { everyOperation } from '../../../support/operations.js';
import { type Started, startCli } from '../../../support/network/process.js';

const page = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
const contract = await loadContract();
const calls = await callsOf(contract);
const run = promisify(execFile);

/** The command below the heading of a call. */
function commandOf(id: string): string {
  const { title } = calls.find((call) => call.id === id)!;
  const start = page.indexOf(`\n### ${title}\n`);
  return /```sh\n([^]*?)\n```/.exec(page.slice(start))![1]!;
}

let server: Started;
beforeAll(async () => {
  server = await startCli();
});
afterAll(() => server.stop());
beforeEach(() => fetch(`${server.ready.adminUrl}/reset`, { method: 'POST' }));

/** Runs a command of the page: the status and the body of its answer. */
async function shell(command: string): Promise<{ status: string; body: unknown }> {
  const here = command
    .replaceAll('http://127.0.0.1:4653', server.baseUrl)
    .replace('curl ', "curl -s -w '%{http_code}' ");
  const { stdout } = await run('sh', ['-c', here]);
  return { status: stdout.slice(-3), body: JSON.parse(stdout.slice(0, -3)) };
}

test('every operation has a command, and no two have one heading', () => {
  expect([...new Set(calls.map(({ operation }) => operation))].sort()).toEqual(
    everyOperation.map(({ id }) => id).sort(),
  );
  const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, title]) => title);
  expect(headings).toEqual(calls.map(({ title }) => title));
  expect(new Set(headings).size).toBe(headings.length);
});

describe('each command works in the initial state', () => {
  test.each(calls)('$title', async ({ id, operation, needs }) => {
    if (needs) expect(await shell(commandOf(needs))).toMatchObject({ status: '200' });
    const { status, body } = await shell(commandOf(id));
    expect(status).toBe('200');
    const validate = responses[operation as OperationId];
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  });
});

test.each(versionsOf(contract))('the tokens of %s are those of the command', async (version) => {
  const { status, body } = await shell(commandOf('refreshToken').replace('/v5/', `/${version}/`));
  expect([status, responses.refreshToken(body)]).toEqual(['200', true]);
});

test('the page tells which versions are not the newest; a paused one does not count', () => {
  const older = calls.filter(({ id }) => {
    const [, section] = page.split(`\n### ${calls.find((call) => call.id === id)!.title}\n`);
    return section!.split('\n### ')[0]!.includes('The newest version is');
  });
  const newest = new Map<string, string>();
  for (const { name, version, title } of calls)
    if (version > (newest.get(name) ?? '') && !title.includes('paused')) newest.set(name, version);
  expect(older.map(({ id }) => id)).toEqual(
    calls.filter(({ name, version }) => version < newest.get(name)!).map(({ id }) => id),
  );
});
