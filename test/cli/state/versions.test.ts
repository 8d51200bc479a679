import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, startCli } from '../../support/network/process.js';
import { ask, folders, readState } from '../../support/network/state-server.js';

const newFolder = folders();

/** Two bookings and a move of the clock, kept by Teebox 0.1.0 until it was killed. It stays readable. */
const kept = fileURLToPath(new URL('kept/version-1.state', import.meta.url));

test('the file of an older Teebox is read, with the changes behind its state', async () => {
  const file = join(newFolder(), 'state.json');
  copyFileSync(kept, file);
  const server = await startCli(['--state', file, '--log-level', 'silent']);
  const { data } = await ask(server, '/api/v4/bookings');
  expect(data).toEqual(
    expect.arrayContaining(
      ['TBX-1001-6490176-0H9QPY', 'TBX-1001-6490177-0HV6BT'].map((bookingId) =>
        expect.objectContaining({ bookingId, status: 'BOOKED' }),
      ),
    ),
  );
  expect(await ask(server, '/__admin/clock')).toEqual({ now: '2026-06-01T10:00:00.000Z', mode: 'standing' });
  await server.stop();
  expect(readState(file).version).toBe(1);
});

test('the file of a newer Teebox is refused in words, and left as it is', async () => {
  const file = join(newFolder(), 'state.json');
  const text = readFileSync(kept, 'utf8').replace('"version":1', '"version":2,"teeSheets":[]');
  writeFileSync(file, text);
  const { code, stderr } = await runCli(['serve', '--port', '0', '--state', file]);
  expect(code).toBe(2);
  expect(stderr).toBe(
    `teebox: Failed to load state ${file}: The state has version 2, from a newer Teebox; this one reads 1. ` +
      'Use that Teebox, or begin with another file.\n',
  );
  expect(readFileSync(file, 'utf8')).toBe(text);
});
