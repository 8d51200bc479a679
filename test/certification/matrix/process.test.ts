import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCli } from '../../support/network/process.js';

const client = fileURLToPath(new URL('../clients/process.ts', import.meta.url));

test('over sockets, with a receiver of its own, the correct client is ready in a process', async () => {
  const exams = ['happy-day', 'booking-answer-lost', 'callback-repeated'].flatMap((id) => ['--exams', id]);
  const command = [process.execPath, '--import', 'tsx', client];
  const { code, stdout, stderr } = await runCli(['certify', ...exams, '--', ...command]);
  expect(stderr.match(/^ok /gm)).toHaveLength(3);
  expect(stdout).toMatch(/^ready: /m);
  expect(code).toBe(0);
});
