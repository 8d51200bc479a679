import { expect, test } from 'vitest';
import { followEvents } from '../../src/console/data/event-stream.js';
import { createSandbox } from '../../src/engine/library.js';

test('a lost stream goes on after the last event, and ends when it is stopped', async () => {
  const sandbox = await createSandbox();
  const ask = () => sandbox.fetch('http://sandbox.test/api/v3/countries');
  const sent: Record<string, string>[] = [];
  const seen: string[] = [];
  const lives: boolean[] = [];
  let lose = (): void => {};
  let wake = (): void => {};
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise<void>((resolve) => (wake = resolve));
  };
  const open = async (headers: Record<string, string>, signal: AbortSignal) => {
    sent.push(headers);
    const lost = new AbortController();
    lose = () => lost.abort();
    signal.addEventListener('abort', lose);
    const response = await sandbox.fetch('http://sandbox.test/__admin/events', { headers });
    const end = new TransformStream<Uint8Array, Uint8Array>();
    void response.body!.pipeTo(end.writable, { signal: lost.signal }).catch(() => {});
    return new Response(end.readable, response);
  };
  const stop = followEvents(open, {
    event: ({ event: name, id = '' }) => (name === 'answered' && seen.push(id), wake()),
    opened: ({ again, resumed }) => (lives.push(again && resumed), wake()),
    lost: () => wake(),
  });
  await until(() => lives.length === 1);
  await ask();
  await until(() => seen.length === 1);
  lose();
  await ask();
  await until(() => seen.length === 2);
  expect([sent, seen, lives]).toEqual([
    [{}, { 'last-event-id': 'req-1' }],
    ['req-1', 'req-2'],
    [false, true],
  ]);
  stop();
  await ask();
  expect(seen).toHaveLength(2);
});
