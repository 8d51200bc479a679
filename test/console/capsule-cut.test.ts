import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/engine/library.js';
import { playCapsule } from '../../src/engine/play.js';
import { type CapsuleFile, cutCapsule, endOf } from '../../src/console/pages/requests/replay/capsule-cut.js';

const NOW = '2030-06-01T08:00:00Z';

/** The body of one request arrives late, while another is answered. */
async function recorded(): Promise<CapsuleFile> {
  const sandbox: Sandbox = await createSandbox({ now: NOW });
  const { username, password } = sandbox.channels[0]!;
  const authorization = `Basic ${btoa(`${username}:${password}`)}`;
  const ask = (path = 'v3/countries', init: RequestInit = {}) =>
    sandbox.fetch(`http://teebox.test/api/${path}`, { headers: { authorization }, ...init });
  await ask();
  let body!: ReadableStreamDefaultController<Uint8Array>;
  const late = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
  const headers = { authorization, 'content-type': 'application/json' };
  const slow = ask('v5/bookings', { method: 'POST', body: late, duplex: 'half', headers } as RequestInit);
  await ask();
  body.enqueue(new TextEncoder().encode('{}'));
  body.close();
  await slow;
  sandbox.clock.advance(3_600_000);
  await ask();
  return (await sandbox.capsule()) as unknown as CapsuleFile;
}

const capsule = await recorded();

test('each beginning of a capsule plays with the same responses', async () => {
  expect(capsule.steps.some(({ kind }) => kind === 'resume')).toBe(true);
  for (let end = 0; end <= capsule.steps.length; end += 1) {
    const cut = cutCapsule(capsule, end);
    expect(cut.steps).toHaveLength(end);
    expect([end, (await playCapsule(cut)).differences]).toEqual([end, []]);
  }
});

test.each([
  [['req-1'], 'req-1'],
  [['req-1', 'req-3'], 'req-3'],
  [['req-4'], 'req-4'],
  [['req-99'], undefined],
])('%j are over with %s', (ids, last) => {
  const end = endOf(capsule, new Set(ids));
  expect(end === 0 ? undefined : capsule.steps[end - 1]).toEqual(last && expect.objectContaining({ id: last }));
});

test('a request that goes on later is over with the step at which it does', () => {
  expect(capsule.steps[endOf(capsule, new Set(['req-2'])) - 1]).toMatchObject({ kind: 'resume', of: 'req-2' });
});
