import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GivenAnswers } from '../../../../src/contract/generated/questions.js';
import { type Finished, runCli, startCli } from '../../../support/network/process.js';

let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'round-trip-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A server with a dialect, judged with all permissions; its card and report are written to files of that name. */
async function checkServer(name: string, dialect: string, ...args: string[]): Promise<Finished> {
  const server = await startCli(['--dialect', dialect]);
  try {
    const [first, second] = server.ready.channels;
    const env = { TEEBOX_BASIC: `${first!['username']}:${first!['password']}` };
    const channels = ['--token-file', at(`${name}-tokens.json`), '--refresh-token', first!['refreshToken']!];
    channels.push('--second-basic', `${second!['username']}:${second!['password']}`);
    const files = ['--dialect-out', at(`${name}.json`), '--report', `json=${at(`${name}-report.json`)}`];
    return await runCli(['check', server.baseUrl, '--allow', 'all', ...channels, ...files, ...args], env);
  } finally {
    await server.stop();
  }
}

const read = async (name: string) => JSON.parse(await readFile(at(`${name}.json`), 'utf8'));

/** Answers that differ from the defaults, and that all can be told from outside. */
const planted: GivenAnswers = {
  'error.body': 'errors',
  'error.validation': 422,
  'auth.failure': 403,
  'facility.unknown': 400,
  'facility.unconnected': 'refused',
  'success.create-status': 201,
  'success.accepted-status': 202,
  'prices.default-limit': 5,
  'search.date-format': 'yyyy-mm-dd',
  'booking.id-form': 'short',
  'booking-list.order': 'created',
  'auth.schemes': { v2: 'basic' },
  'payment.method': { v4: 'get', v5: 'post' },
  'callback.retries': 1,
  'callback.signature': 'hmac-sha256',
};

/** Without the answer that a run finds at some times of the day only: the second run may be too late for it. */
const untimed = (answers: GivenAnswers): object => ({ ...answers, 'time.borders': undefined });

test('over a socket: the card of a deployment makes a sandbox of which the card is the same', async () => {
  await writeFile(at('planted.json'), JSON.stringify({ answers: planted }));
  const first = await checkServer('first', at('planted.json'));
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const card = await read('first');
  expect(card.answers).toMatchObject(planted);
  const second = await checkServer('second', at('first.json'), '--dialect', at('first.json'));
  expect(second).toMatchObject({ code: 0, stderr: '' });
  const again = await read('second');
  expect(untimed(again.answers)).toEqual(untimed(card.answers));
  const { counts, rules } = await read('second-report');
  expect(rules.filter(({ verdict }: { verdict: string }) => ['fail', 'warn', 'error'].includes(verdict))).toEqual([]);
  expect(counts).toMatchObject({ fail: 0, warn: 0, error: 0 });
});
