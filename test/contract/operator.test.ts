import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { builtFolder, specFolder } from '../../spec/generate/folders.js';
import { runCli } from '../support/network/process.js';

test('the document of the operator API passes the recommended lint', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: resolve(specFolder, 'operator.yaml'), config });
  expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual([]);
});

test('it is what the command prints', async () => {
  const { code, stdout } = await runCli(['spec', '--operator']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: readFileSync(resolve(builtFolder, 'operator-openapi.json'), 'utf8'),
  });
});

test('the command prints one document at a time', async () => {
  const { code, stderr } = await runCli(['spec', '--operator', '--admin']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('one document at a time') });
});
