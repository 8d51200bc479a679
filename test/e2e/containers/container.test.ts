import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { toolAt } from '../docs/collections/tools.js';
import { problemsOfDay } from '../docs/quick-starts/the-day.js';
import { recipeIn } from '../docs/testcontainers/recipes.js';
import { Podman } from './podman.js';

const PORT = '48653';
const BASE = `http://127.0.0.1:${PORT}`;
const TOKEN = 'a-token-of-the-test';
const authorization = `Basic ${btoa('fairway:not-a-secret-fairway')}`;

const podman = new Podman();
beforeAll(() => podman.build('teebox'));
afterAll(() => podman.close());

/** As compose.yaml and the manifest for Kubernetes run it. The limits of this machine may be lower than podman's. */
async function start(name: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const closed = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--network', 'host'];
  const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000'];
  const settings = { TEEBOX_PORT: PORT, TEEBOX_STATE: '/state/world.json', TEEBOX_ADMIN_TOKEN: TOKEN, ...more };
  const env = Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  await podman.call(
    'run',
    '--detach',
    '--name',
    name,
    ...closed,
    ...limits,
    ...env,
    '--volume',
    'state:/state',
    'teebox',
  );
  while (
    !(await fetch(`${BASE}/__admin/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    expect(await podman.call('inspect', name, '--format', '{{.State.Status}}')).toBe('running');
    await sleep(100);
  }
}

async function stop(name: string): Promise<string> {
  await podman.call('stop', '--time', '30', name);
  return podman.call('inspect', name, '--format', '{{.State.ExitCode}}');
}

async function book(): Promise<string> {
  const response = await fetch(`${BASE}/api/v5/bookings`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      facilityId: 1001,
      course: 'Duinbaan',
      teetime: '2030-06-11 07:40:00',
      teeId: 302614705,
      holes: 18,
      productId: 100111,
      players: 1,
      contactFirstName: 'Ada',
      contactLastName: 'Lovelace',
      contactPhone: '+31 20 555 0100',
      contactEmail: 'ada@partner.example',
    }),
  });
  expect(response.status).toBe(200);
  return (await response.json()).data.bookingId;
}

async function booked(): Promise<string[]> {
  const response = await fetch(`${BASE}/api/v4/bookings?fromDate=11-06-2030`, { headers: { authorization } });
  return (await response.json()).data.map(({ bookingId }: { bookingId: string }) => bookingId);
}

test('the image says what it is, is not root, and has a health check', async () => {
  const [image] = JSON.parse(await podman.call('inspect', '--type', 'image', 'teebox'));
  const { Labels: labels, User: user, Entrypoint: entry, Cmd: command } = image.Config;
  expect(labels).toMatchObject({
    'org.opencontainers.image.title': 'Teebox',
    'org.opencontainers.image.licenses': 'MIT',
  });
  expect({ user, entry, command }).toEqual({
    user: '1000:1000',
    entry: ['node', '/teebox/dist/cli.js'],
    command: ['serve'],
  });
  expect(image.Healthcheck.Test.slice(0, 3)).toEqual(['CMD', 'node', '-e']);
});

test('it runs in a read-only file system, and its state survives SIGTERM and SIGKILL', async () => {
  await start('first');
  const one = await book();
  // Podman gives it three seconds, which the start of Node can take on a busy machine.
  await vi.waitFor(() => podman.call('healthcheck', 'run', 'first'), { timeout: 60_000 });
  expect(await podman.call('exec', 'first', 'id', '-u')).toBe('1000');
  await expect(podman.call('exec', 'first', 'touch', '/teebox/file')).rejects.toThrow('Read-only file system');
  expect((await fetch(`${BASE}/__admin/clock`)).status).toBe(401);
  expect((await fetch(`${BASE}/__admin/clock`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  // 137 would be the exit code of a process that podman had to kill.
  expect(await stop('first')).toBe('0');

  await start('second');
  expect(await booked()).toContain(one);
  await podman.call('kill', 'second');
  await start('third');
  expect(await booked()).toContain(one);
  expect(await stop('third')).toBe('0');
});

test('a quick start runs against it, started as its page says', async () => {
  const page = readFileSync(new URL('../../../docs/quick-starts/index.md', import.meta.url), 'utf8');
  expect(page).toContain('--network host --env TEEBOX_HOST=127.0.0.1 ');
  await start('bound', { TEEBOX_HOST: '127.0.0.1', TEEBOX_ADMIN_TOKEN: '' });
  const folder = mkdtempSync(join(tmpdir(), 'teebox-container-'));
  const env = { ...process.env, TEEBOX_BASE_URL: BASE, TEEBOX_TOKEN_FILE: join(folder, 'token') };
  const { stdout } = await promisify(execFile)('python3', ['test/examples/quick-starts/partner.py'], { env });
  expect(problemsOfDay(stdout)).toEqual([]);
  expect(await stop('bound')).toBe('0');
});

test('the recipe of Testcontainers for Node starts it', async () => {
  const recipe = recipeIn('ts');
  const [, image, token] = /GenericContainer\('(.*)'\)[^]*TEEBOX_ADMIN_TOKEN: '(.*)'/.exec(recipe)!;
  await podman.call('tag', 'teebox', image!);
  const node = toolAt('wrangler', 'node', 'node@24');
  const file = join(process.env['TEEBOX_TOOLS']!, 'testcontainers', `recipe-${process.pid}.mts`);
  onTestFinished(() => rmSync(file));
  writeFileSync(
    file,
    `${recipe}
const headers = { authorization: 'Bearer ${token}' };
console.log((await fetch(baseUrl + '/__admin/clock', { headers })).status);
await teebox.stop();`,
  );
  // Testcontainers would fetch a second image, which removes the containers of tests that were killed.
  const env = { ...process.env, DOCKER_HOST: await podman.serve(), TESTCONTAINERS_RYUK_DISABLED: 'true' };
  const { stdout } = await promisify(execFile)(node, [file], { env });
  expect(stdout).toBe('200\n');
  expect(await podman.call('ps', '--all', '--quiet', '--filter', 'label=org.testcontainers')).toBe('');
});
