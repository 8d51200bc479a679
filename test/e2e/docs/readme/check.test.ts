import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli, startCli } from '../../../support/network/process.js';

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');

test('the check that the README shows finds the sandbox conformant', async () => {
  const [, url, basic] = /npx --no-install teebox check (\S+) --basic (\S+)/.exec(readme)!;
  const server = await startCli();
  const { code, stdout } = await runCli([
    'check',
    url!.replace('http://127.0.0.1:4653', server.baseUrl),
    '--basic',
    basic!,
  ]);
  await server.stop();
  expect([code, stdout.trim().split('\n').at(-1)]).toEqual([
    0,
    expect.stringMatching(/^conformant: No rule is broken; /),
  ]);
});
