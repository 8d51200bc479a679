import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyOperation } from '../../../support/operations.js';
import { type Started, startCli } from '../../../support/network/process.js';
import { toolAt } from './tools.js';

const folder = new URL('../../../../docs/collections/postman/', import.meta.url);
const read = (file: string | URL): any => JSON.parse(readFileSync(file, 'utf8'));
const file = new URL('teebox.postman_collection.json', folder).pathname;
const work = mkdtempSync(join(tmpdir(), 'teebox-postman-'));

interface Item {
  readonly name: string;
  readonly item?: Item[];
  readonly request: {
    method: string;
    url: { raw: string };
    header: { key: string; value: string; disabled?: boolean }[];
  };
  readonly event: { listen: string; script: { exec: string[] } }[];
}

const requestsIn = (items: readonly Item[]): Item[] =>
  items.flatMap((one) => (one.item ? requestsIn(one.item) : [one]));
const folderNamed = (name: string): Item => read(file).item.find((one: Item) => one.name === name);

describe('the file', () => {
  test('fits the schema of Postman', () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(
      read(new URL('collection.schema.json', import.meta.url)),
    );
    validate(read(file));
    expect(validate.errors).toBeNull();
  });

  test('has every operation', () => {
    const { item: versions } = folderNamed('By version');
    const got = requestsIn(versions!).map(({ request }) => {
      const path = request.url.raw.replace('{{baseUrl}}', '').replace(/\?.*/, '');
      return `${request.method} ${path.replaceAll(/\{\{\w+\}\}/g, '{}')}`;
    });
    const wanted = everyOperation.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect([...new Set(got)].sort()).toEqual([...new Set(wanted)].sort());
  });

  test('each request has tests and the header for scenarios, which only the failures send', () => {
    const all = requestsIn(read(file).item);
    const failures = new Set(requestsIn(folderNamed('Failures on demand').item!).map(({ name }) => name));
    for (const { name, request, event } of all) {
      expect(event.some(({ listen, script }) => listen === 'test' && script.exec.join().includes('status is'))).toBe(
        true,
      );
      const header = request.header.find(({ key }) => key === 'Teebox-Scenario');
      expect([name, header?.disabled ?? false]).toEqual([name, !failures.has(name)]);
    }
  });

  test('the environment of a deployment has no secrets', () => {
    const { values } = read(new URL('deployment.postman_environment.json', folder));
    const tokens = values.filter(({ key }: { key: string }) => /token$/i.test(key));
    expect(tokens.map(({ value, type }: any) => [value, type])).toEqual([
      ['', 'secret'],
      ['', 'secret'],
    ]);
  });
});

describe('newman', () => {
  let server: Started;
  const environment = join(work, 'environment.json');
  beforeAll(async () => {
    server = await startCli();
    const local = readFileSync(new URL('local-sandbox.postman_environment.json', folder), 'utf8');
    writeFileSync(environment, local.replaceAll('http://127.0.0.1:4653', server.baseUrl));
  });
  afterAll(() => server.stop());

  interface Ran {
    readonly requests: number;
    readonly failed: readonly string[];
    readonly tokens: number;
  }

  /** Runs a collection, keeps the environment, and tells which tests failed and how often a token was traded. */
  async function run(collection: string, ...options: string[]): Promise<Ran> {
    const report = join(work, 'report.json');
    const words = ['run', collection, '-e', environment, '--export-environment', environment];
    const reporter = ['-r', 'json', '--reporter-json-export', report, ...options];
    await new Promise((resolve) => {
      execFile(toolAt('newman', 'newman', 'newman@6.2.2'), [...words, ...reporter], resolve);
    });
    const { executions, failures } = read(report).run;
    const journal = (await (await fetch(`${server.ready.adminUrl}/requests?limit=1000`)).json()) as any;
    return {
      requests: new Set(executions.map(({ item }: any) => item.id)).size,
      failed: failures.map(
        ({ source, error }: any) => `${source?.name}: ${error.test ?? error.message}: ${error.message}`,
      ),
      tokens: journal.requests.filter(({ operation }: any) => operation === 'refreshToken').length,
    };
  }

  /** Changes a variable of the kept environment. */
  function change(values: Readonly<Record<string, string>>): void {
    const kept = read(environment);
    for (const one of kept.values) if (one.key in values) one.value = values[one.key];
    writeFileSync(environment, JSON.stringify(kept));
  }
  const kept = (name: string): string => read(environment).values.find(({ key }: any) => key === name).value;

  const all = requestsIn(read(file).item).length;

  test('every request passes, and again with the refresh token that was kept', { timeout: 600_000 }, async () => {
    const initial = kept('refreshToken');
    expect(await run(file)).toMatchObject({ requests: all, failed: [] });
    expect(kept('refreshToken')).not.toBe(initial);
    change({ accessToken: '', initialRefreshToken: '' });
    expect(await run(file)).toMatchObject({ requests: all, failed: [] });
    change({ initialRefreshToken: initial });
  });

  test('an access token is used until it expires', async () => {
    const { tokens } = await run(file, '--folder', 'v1');
    expect((await run(file, '--folder', 'v1')).tokens).toBe(tokens);
    change({ accessTokenExpires: String(Date.now() + 10_000) });
    expect((await run(file, '--folder', 'v1')).tokens).toBe(tokens + 1);
  });

  test('the initial token serves again after a reset', async () => {
    await fetch(`${server.ready.adminUrl}/reset`, { method: 'POST' });
    change({ accessToken: '' });
    expect(await run(file, '--folder', 'v2')).toMatchObject({ failed: [], tokens: 2 });
  });

  test('a request whose scenario header is switched on fails and says why', async () => {
    const struck = read(file);
    const [day] = struck.item as Item[];
    const book = day!.item!.find(({ name }) => name === '6 Book')!;
    book.request.header.find(({ key }) => key === 'Teebox-Scenario')!.disabled = false;
    const copy = join(work, 'struck.json');
    writeFileSync(copy, JSON.stringify(struck));
    const { failed } = await run(copy, '--folder', day!.name);
    expect(failed.filter((line) => line.startsWith('6 Book'))).toEqual([
      '6 Book: status is 200: expected 400 to equal 200',
      expect.stringMatching(/^6 Book: success is true: Payment \(PI\) has failed\..*: expected false to equal true$/),
    ]);
  });

  test('the environment of a deployment needs an origin and a token, and no inbox', async () => {
    await fetch(`${server.ready.adminUrl}/reset`, { method: 'POST' });
    const deployment = read(new URL('deployment.postman_environment.json', folder));
    writeFileSync(environment, JSON.stringify(deployment));
    change({ baseUrl: server.baseUrl, refreshToken: server.ready.channels[0]!['refreshToken']! });
    expect(await run(file, '--folder', "A partner's day")).toMatchObject({ failed: [] });
    expect(await (await fetch(`${server.ready.adminUrl}/callbacks`)).json()).toMatchObject({ callbacks: [] });
  });
});
