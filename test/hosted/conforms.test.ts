/** @module-tag always */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../src/conformance/index.js';
import { runCli } from '../support/network/process.js';
import { Workerd } from './support/workerd.js';
import { makeWorld } from './support/world.js';

let workerd: Workerd;
const folder = mkdtempSync(join(tmpdir(), 'teebox-conforms-'));
beforeAll(async () => {
  workerd = await Workerd.start({ TEEBOX_ALLOW_CALLBACK: '127.0.0.1' }, 'local');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await workerd?.close();
});

/** Rules that need what this run does not have, and why. */
const unjudged: Readonly<Record<string, string>> = {
  'payments.canceled': 'the service does not cancel',
  'tokens.expiry': 'tokens last longer than the run',
  'callback.timeout': 'the run is not told how long to wait',
  'bookings.time-borders': 'depends on the time of day',
  'limits.body-size': 'workerd may disconnect before its answer to a large body is read',
};

test('the held suite finds a world conformant, with all permissions', async () => {
  const { baseUrl } = await makeWorld(workerd, { name: 'checked' });
  const file = join(folder, 'report.json');
  const scope = ['check', baseUrl, '--forget-tokens', '--allow', 'all', '--report', `json=${file}`];
  const first = ['--basic', 'fairway:not-a-secret-fairway', '--refresh-token', '7eeb0ef5-0000-4000-8000-000000000001'];
  const second = [
    '--second-basic',
    'links:not-a-secret-links',
    '--second-refresh-token',
    '7eeb0ef5-0000-4000-8000-000000000002',
  ];
  const { code, stdout, stderr } = await runCli([...scope, ...first, ...second]);
  expect({ code, end: (stdout + stderr).slice(-2000) }).toMatchObject({
    code: 0,
    end: expect.stringContaining('conformant'),
  });
  const { rules } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const judged = rules.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed');
  expect(rules.filter((rule) => !judged.includes(rule) && !(rule.id in unjudged))).toEqual([]);
  expect(judged.length).toBeGreaterThan(rules.length / 2);
});
