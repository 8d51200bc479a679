import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PendingCallbacks } from '../../../src/engine/callbacks/pending.js';
import { createSandbox, type Sandbox } from '../../../src/engine/library.js';
import { readLog } from '../../../src/cli/state/read-log.js';
import { StateLog, type StateSync } from '../../../src/cli/state/state-log.js';
import { open } from '../../support/client.js';
import { folders, until } from '../../support/network/state-server.js';
import { bookingFor, dayIn, teeTimesOf } from '../../support/scenes.js';

const newFolder = folders();

/** A sandbox whose changes are replaced with a snapshot as soon as they are larger than that. */
async function keeping(sync: StateSync) {
  const path = join(newFolder(), 'state.json');
  const told: string[] = [];
  const tell = (line: string) => void told.push(line);
  const callbacks = new PendingCallbacks();
  const lock = { check: () => {} };
  const log = new StateLog({ path, lock, sync, tell, callbacks, file: undefined, hasFile: false, leastChanges: 1 });
  const { sandbox, fairway } = await open({ changes: log });
  log.follow(sandbox.snapshot, false);
  return { path, told, log, sandbox, fairway };
}

test.each(['interval', 'always'] as const)(
  'by %s: snapshots replace changes while bookings go on, and none is lost or there twice',
  async (sync) => {
    const { path, told, log, sandbox, fairway } = await keeping(sync);
    let first: number | undefined;
    const read = () => readLog(readFileSync(path));
    for (let days = 11; days < 14; days += 1) {
      const free = await teeTimesOf(fairway, { days });
      for (let at = 0; at + 4 <= free.length; at += 4) {
        // A group and single ones at once, so that some come while another is written.
        const bodies = [free.slice(at, at + 2).map((one) => bookingFor(one)), bookingFor(free[at + 2]!)];
        const replies = await Promise.all(bodies.map((body) => fairway.post('/api/v5/bookings', body)));
        expect(replies.map(({ status }) => status)).toEqual([200, 200]);
        const { snapshot, state } = read();
        first ??= snapshot!;
        expect(state.store).toEqual(sandbox.snapshot().store);
        // A snapshot is written between requests.
        await new Promise((resolve) => void setImmediate(resolve));
      }
    }
    await until(() => read().snapshot! > first!);
    expect(read().state.store).toEqual(sandbox.snapshot().store);
    await sandbox.reset();
    await fairway.get(`/api/v4/bookings?fromDate=${dayIn(1).query}&toDate=${dayIn(2).query}`);
    expect(read().state).toMatchObject({ store: sandbox.snapshot().store });
    await log.close();
    const { crc32, ...plainState } = JSON.parse(readFileSync(path, 'utf8'));
    expect(crc32).toMatch(/^[\da-f]{8}$/);
    expect(plainState).toEqual(plain(sandbox));
    expect(told).toEqual([]);
  },
);

const plain = (sandbox: Sandbox): unknown => JSON.parse(JSON.stringify(sandbox.snapshot()));

test('a state that was kept is the one that a sandbox starts with', async () => {
  const { path, log, sandbox, fairway } = await keeping('interval');
  const [teeTime] = await teeTimesOf(fairway);
  await fairway.post('/api/v5/bookings', bookingFor(teeTime!));
  const again = await createSandbox({ state: readLog(readFileSync(path)).state });
  expect(again.snapshot()).toEqual(sandbox.snapshot());
  await log.close();
});
