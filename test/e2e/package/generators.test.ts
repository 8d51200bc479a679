import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Started, startCli } from '../../support/network/process.js';
import { installPackage, type Project } from './project.js';

let project: Project;
let sandbox: Started;
beforeAll(async () => {
  sandbox = await startCli();
  project = await installPackage(
    'openapi-typescript',
    'openapi-fetch',
    'orval',
    'swagger-typescript-api',
    '@hey-api/openapi-ts',
    '@apidevtools/swagger-cli',
    'esbuild',
    'typescript',
    '@types/node',
  );
}, 600_000);
afterAll(async () => {
  await sandbox?.stop();
  project?.remove();
});

/** The documents, by the flag that prints each. */
const documents = { service: [], admin: ['--admin'], operator: ['--operator'] } as const;

/** Writes the clients of a document, by every generator, into a folder. */
async function generate(name: keyof typeof documents): Promise<void> {
  const { code, output } = await project.run('teebox', 'spec', ...documents[name]);
  expect(code).toBe(0);
  const config = {
    client: { input: 'api.json', output: { target: 'orval.ts', client: 'fetch', baseUrl: sandbox.baseUrl } },
  };
  project.write({ [`${name}/api.json`]: output, [`${name}/orval.config.json`]: JSON.stringify(config) });
  const input = `${name}/api.json`;
  const runs = [
    ['swagger-cli', 'validate', input],
    ['openapi-typescript', input, '-o', `${name}/paths.ts`],
    ['orval', '--config', `${name}/orval.config.json`],
    ['swagger-typescript-api', 'generate', '-p', input, '-o', name, '-n', 'swagger.ts'],
    // Without the dot, it takes the path for the name of a project.
    ['openapi-ts', '-i', `./${input}`, '-o', `${name}/hey`, '-c', '@hey-api/client-fetch'],
  ];
  for (const [program = '', ...args] of runs)
    expect({ program, ...(await project.run(program, ...args)) }).toMatchObject({ program, code: 0 });
}

/** A program that calls the sandbox by the clients of a document, and prints a line for each. */
const programs = {
  service: `
import createClient from 'openapi-fetch';
import type { paths } from './service/paths';
import { v3ListCountries } from './service/orval';
import { Api } from './service/swagger';
import { v3ListCountries as byHey } from './service/hey/sdk.gen';
import { client as shared } from './service/hey/client.gen';
const baseUrl = process.env['BASE_URL']!;
const headers = { authorization: 'Basic ' + btoa('fairway:not-a-secret-fairway') };
const typed = await createClient<paths>({ baseUrl, headers }).GET('/api/v3/countries', { params: { query: {} } });
console.log(typed.data?.data.includes('Spain'));
const orval = await v3ListCountries({}, { headers });
console.log(orval.status === 200 && orval.data.data.includes('Spain'));
const swagger = await new Api({ baseUrl }).api.v3ListCountries({}, { headers });
console.log(swagger.data.data.includes('Spain'));
shared.setConfig({ baseUrl });
const hey = await byHey({ headers });
console.log(hey.data?.data.includes('Spain'));
`,
  admin: `
import createClient from 'openapi-fetch';
import type { paths } from './admin/paths';
import { getHealth, postToInbox } from './admin/orval';
import { Api } from './admin/swagger';
import { getHealth as byHey } from './admin/hey/sdk.gen';
import { client as shared } from './admin/hey/client.gen';
const baseUrl = process.env['BASE_URL']!;
const typed = await createClient<paths>({ baseUrl }).GET('/__admin/health');
console.log(typed.data !== undefined);
console.log((await getHealth()).status === 200 && typeof postToInbox === 'function');
console.log((await new Api({ baseUrl }).admin.getHealth()).ok);
shared.setConfig({ baseUrl });
console.log((await byHey()).data !== undefined);
`,
  // The operator API is that of a hosted deployment, which test/hosted starts.
  operator: `
import type { paths } from './operator/paths';
import * as orval from './operator/orval';
import { Api } from './operator/swagger';
import * as hey from './operator/hey/sdk.gen';
const path: keyof paths = '/worlds';
console.log([path === '/worlds', orval.listWorlds, new Api(), hey.listWorlds].every(Boolean));
`,
};

test.each([
  ['service', 4],
  ['admin', 4],
  ['operator', 1],
] as const)(
  'clients that generators write of the %s document compile and get answers',
  async (name, answers) => {
    await generate(name);
    const lib = ['ES2023', 'DOM', 'DOM.Iterable'];
    const compilerOptions = { strict: true, skipLibCheck: true, noEmit: true, target: 'ES2022', lib, types: ['node'] };
    project.write({
      [`${name}.ts`]: programs[name],
      [`tsconfig.${name}.json`]: JSON.stringify({
        compilerOptions: { ...compilerOptions, module: 'preserve', moduleResolution: 'bundler' },
        files: [`${name}.ts`],
      }),
    });
    expect(await project.run('tsc', '-p', `tsconfig.${name}.json`)).toEqual({ code: 0, output: '' });
    const bundled = [`${name}.ts`, '--bundle', '--format=esm', '--platform=node', `--outfile=${name}.mjs`];
    expect(await project.run('esbuild', ...bundled, '--log-level=warning')).toEqual({ code: 0, output: '' });
    const { output } = await project.execute(
      '/usr/bin/env',
      `BASE_URL=${sandbox.baseUrl}`,
      process.execPath,
      `${name}.mjs`,
    );
    expect(output).toBe('true\n'.repeat(answers));
  },
  300_000,
);
