/** @module-tag always */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startCli } from '../../support/network/process.js';
import { installPackage, type Project } from './project.js';

let project: Project;
beforeAll(async () => {
  project = await installPackage('esbuild', 'msw', 'openapi-fetch', 'typescript', 'vitest', '@types/node');
});
afterAll(() => project?.remove());

/** Every entry, used with the types that it brings. */
const everything = `
import { createSandbox, type Sandbox } from 'teebox';
import { type Admin, createAdmin } from 'teebox/admin';
import { playCapsule } from 'teebox/capsules';
import { createHandlers } from 'teebox/msw';
import { check, type Report, registerRules, webHost } from 'teebox/conformance';
import { serve } from 'teebox/server';
import type { paths } from 'teebox/types';
import { test } from 'teebox/vitest';
import { setupServer } from 'msw/node';
import createClient from 'openapi-fetch';

export async function run(): Promise<number> {
  const sandbox: Sandbox = await createSandbox({ now: '2026-06-01T08:00:00Z' });
  const server = setupServer(...createHandlers(sandbox, { baseUrl: 'https://api.partner.example' }));
  server.listen();
  const client = createClient<paths>({ baseUrl: 'https://api.partner.example' });
  const { data } = await client.GET('/api/v3/countries', {
    params: { query: {} },
    headers: { authorization: 'Basic ' + btoa('fairway:not-a-secret-fairway') },
  });
  server.close();
  const running = await serve(sandbox, { port: 0 });
  await running.close();
  const bookings: readonly { readonly status: string }[] = sandbox.db.bookings.findMany((q) => q.where({ status: 'BOOKED' }));
  const { same }: { readonly same: boolean } = await playCapsule(await sandbox.capsule());
  return data!.data.length + bookings.length + (same ? 0 : 1);
}
const options = {
  baseUrl: 'https://api.partner.example',
  first: { basic: { username: 'fairway', password: 'not-a-secret-fairway' } },
  host: webHost({ now: Date.now, random: Math.random }),
};
export const operated = async (admin: Admin = createAdmin('http://127.0.0.1:4653')): Promise<string> =>
  (await admin.arm('slow', { times: 2 })).id + (await admin.clock.get()).now;
export const judged = (): Promise<Report> => check(options);
registerRules(test, options);
test('has a sandbox', ({ sandbox }) => { sandbox.channels[0]!.refreshToken.toUpperCase(); });
`;

const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: false };

function compiler(moduleResolution: string, module: string): string {
  const lib = ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable', 'ESNext.Disposable'];
  const options = { ...strict, target: 'ES2022', lib, types: ['node'], module, moduleResolution, noEmit: true };
  return JSON.stringify({ compilerOptions: options, files: ['all.ts'] });
}

describe('its types', () => {
  const resolutions = [
    ['bundler', 'preserve'],
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
  ] as const;
  test.each(resolutions)('hold in strict TypeScript with moduleResolution %s', async (resolution, module) => {
    project.write({ 'all.ts': everything, 'tsconfig.json': compiler(resolution, module) });
    expect(await project.run('tsc', '-p', '.')).toEqual({ code: 0, output: '' });
  });

  test('refuse what they do not allow', async () => {
    const wrong = everything.replace('baseUrl: ', 'basUrl: ');
    project.write({ 'all.ts': wrong, 'tsconfig.json': compiler('bundler', 'preserve') });
    expect((await project.run('tsc', '-p', '.')).output).toContain("'basUrl' does not exist in type 'HandlersOptions'");
  });
});

describe('at run time', () => {
  test("a partner's test of Vitest", async () => {
    project.write({
      'partner.test.ts': `
import { setupServer } from 'msw/node';
import { createHandlers } from 'teebox/msw';
import { test } from 'teebox/vitest';
import { expect } from 'vitest';
test('countries', async ({ sandbox }) => {
  const server = setupServer(...createHandlers(sandbox, { baseUrl: 'https://api.partner.example' }));
  server.listen();
  const headers = { authorization: 'Basic ' + btoa('fairway:not-a-secret-fairway') };
  const answer = await fetch('https://api.partner.example/api/v3/countries', { headers });
  expect((await answer.json()).data.length).toBeGreaterThan(10);
  server.close();
});`,
    });
    const { code, output } = await project.run('vitest', 'run', 'partner.test.ts');
    expect(output).toMatch(/1 passed/);
    expect(code).toBe(0);
  });

  test('the command, and the entries of Node', async () => {
    expect((await project.run('teebox', '--version')).output).toMatch(/^\d+\.\d+\.\d+\n$/);
    const script = `
import { createSandbox } from 'teebox';
import { serve } from 'teebox/server';
import openapi from 'teebox/openapi.json' with { type: 'json' };
const server = await serve(await createSandbox(), { port: 0 });
console.log((await fetch(server.url + '/__admin/health')).status, openapi.openapi);
await server.close();`;
    project.write({ 'run.mjs': script });
    expect((await project.run('node', '--no-warnings', 'run.mjs')).output).toMatch(/^200 3\.\d\.\d\n$/);
  });

  test('importing it brings neither msw nor vitest', async () => {
    project.write({ 'lean.mjs': "import 'teebox'; import 'teebox/server'; console.log('ready');" });
    await project.run(
      'node',
      '-e',
      "for (const name of ['msw', 'vitest']) fs.renameSync('node_modules/' + name, name)",
    );
    const { output } = await project.run('node', 'lean.mjs');
    await project.run(
      'node',
      '-e',
      "for (const name of ['msw', 'vitest']) fs.renameSync(name, 'node_modules/' + name)",
    );
    expect(output).toBe('ready\n');
  });
});

describe('the pipeline', () => {
  const read = (path: string): string => readFileSync(join(project.folder, path), 'utf8');
  const github = async (url: string): Promise<string[]> => {
    await project.run('teebox', 'init', 'github', '--url', url);
    const { steps } = parse(read('.github/workflows/teebox.yml')).jobs.conformance;
    return steps.flatMap(({ run }: { run?: string }) => run ?? []);
  };
  const gitlab = async (url: string): Promise<string[]> => {
    await project.run('teebox', 'init', 'gitlab', '--url', url);
    return parse(read(parse(read('.gitlab-ci.yml')).include)).conformance.script;
  };

  test.each([
    ['that `teebox init github` writes', github],
    ['that `teebox init gitlab` writes', gitlab],
  ])('%s compares with the last report that passed, and draws the badge', async (_, pipeline) => {
    const server = await startCli();
    const steps = await pipeline(server.baseUrl);
    expect(steps.shift()).toBe('npm ci');
    const job = async (...variables: string[]) => {
      let outcome = { code: 0, output: '' };
      for (const step of steps) {
        const env = ['TEEBOX_BASIC=fairway:not-a-secret-fairway', 'GITHUB_STEP_SUMMARY=summary.md', ...variables];
        if (outcome.code === 0) outcome = await project.execute('/usr/bin/env', ...env, 'bash', '-ec', step);
      }
      return outcome;
    };
    try {
      rmSync(join(project.folder, 'last.json'), { force: true });
      expect(await job('TEEBOX_ALLOW=tokens')).toEqual({ code: 0, output: '' });
      expect(read('conformance.svg')).toMatch(/^<svg/);
      expect(await job('TEEBOX_ALLOW=tokens')).toMatchObject({ code: 0 });
      const passed = read('last.json');
      expect(await job()).toMatchObject({ code: 1, output: expect.stringMatching(/^regression: 0 new .* no longer/m) });
      expect(read('last.json')).toBe(passed);
      rmSync(join(project.folder, 'last.json'));
      expect(await job('TEEBOX_BASIC=fairway:wrong')).toMatchObject({ code: 3 });
      expect(existsSync(join(project.folder, 'last.json'))).toBe(false);
    } finally {
      await server.stop();
    }
  });
});

describe('a capsule', () => {
  test('plays as a test that `teebox replay` has written', async () => {
    const program = `
      import { writeFileSync } from 'node:fs';
      import { createSandbox } from 'teebox';
      const sandbox = await createSandbox();
      const { username, password } = sandbox.channels[0];
      const authorization = 'Basic ' + btoa(username + ':' + password);
      await sandbox.fetch('http://sandbox.test/api/v4/bookings', { headers: { authorization } });
      writeFileSync('failure.json', JSON.stringify(await sandbox.capsule()));`;
    project.write({ 'record.js': program });
    expect(await project.run('node', 'record.js')).toMatchObject({ code: 0 });
    expect(await project.run('teebox', 'replay', 'failure.json')).toMatchObject({ code: 0 });
    expect(await project.run('teebox', 'replay', 'failure.json', '--to-test', 'vitest')).toMatchObject({ code: 0 });
    const { code, output } = await project.run('vitest', 'run', 'failure.test.ts');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/1 passed/) });
  });
});

describe('a bundler for browsers', () => {
  const bundle = (entry: string) => {
    project.write({ 'page.js': `import * as all from '${entry}'; console.log(all);` });
    return project.run(
      'esbuild',
      'page.js',
      '--bundle',
      '--format=esm',
      '--platform=browser',
      '--outdir=out',
      '--splitting',
    );
  };

  test.each(['teebox', 'teebox/admin', 'teebox/capsules', 'teebox/msw', 'teebox/conformance', 'teebox/certify'])(
    'takes %s',
    async (entry) => {
      expect(await bundle(entry)).toMatchObject({ code: 0 });
    },
  );

  test.each(['teebox/server', 'teebox/chunks', 'teebox/dist/cli.js'])('refuses %s', async (entry) => {
    const { code, output } = await bundle(entry);
    expect(code).toBe(1);
    expect(output).toContain(`Could not resolve "${entry}"`);
  });
});
