import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { faultsOf } from '../blocks/compiler.js';
import { recipeIn } from './recipes.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'teebox-recipes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const dockerfile = readFileSync(new URL('../../../../Dockerfile', import.meta.url), 'utf8');
const [, port] = /^EXPOSE (\d+)$/m.exec(dockerfile)!;
const [, health] = /TEEBOX_PORT\}\/(\S+?)`/.exec(dockerfile)!;

test.each(['java', 'csharp', 'python', 'go', 'ts'])(
  'the recipe in %s starts the image, and waits for its health',
  (language) => {
    const page = readFileSync(new URL('../../../../docs/containers.md', import.meta.url), 'utf8');
    const [, image] = /^docker run .* (\S+)$/m.exec(page)!;
    const recipe = recipeIn(language);
    for (const part of [image!, port!, health!, 'TEEBOX_ADMIN_TOKEN'])
      expect(recipe).toMatch(new RegExp(`\\b${part}\\b`));
  },
);

test.each([
  ['java', 'Sandbox.java', 'javac', '-XDshould-stop.ifNoError=PARSE'],
  ['csharp', 'Sandbox.cs', 'mcs', '--parse'],
  ['python', 'sandbox.py', 'python3', '-m', 'py_compile'],
  ['go', 'sandbox.go', 'gofmt', '-l'],
] as const)('the recipe in %s parses', async (language, name, parser, ...flags) => {
  const parse = async (code: string): Promise<string> => {
    writeFileSync(join(folder, name), code);
    return (await run(parser, [...flags, name], { cwd: folder })).stdout;
  };
  expect(await parse(recipeIn(language))).toBe('');
  const cut = recipeIn(language).replace(/.*\n$/, '');
  await expect(parse(cut)).rejects.toThrow(name);
});

test('the recipe for Node has the types of the library', () => {
  const tools = join(process.env['TEEBOX_TOOLS'] ?? 'TEEBOX_TOOLS', 'testcontainers');
  expect(faultsOf(new Map([['sandbox.mts', recipeIn('ts')]]), tools)).toEqual([]);
  const wrong = recipeIn('ts').replace('withExposedPorts(4653)', 'withExposedPorts([4653])');
  expect(faultsOf(new Map([['sandbox.mts', wrong]]), tools).join()).toContain('not assignable');
});
