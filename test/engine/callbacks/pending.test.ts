import { describe, expect, test } from 'vitest';
import { PendingCallbacks } from '../../../src/engine/callbacks/pending.js';
import type { Sandbox, SandboxOptions } from '../../../src/engine/library.js';
import { type Client, NOW, open } from '../../support/client.js';
import { search, searchQuery, type SearchWish } from '../../support/views.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

interface Post {
  readonly url: string;
  readonly id: string | null;
  readonly authorization: string | null;
  readonly body: string;
}

/** A process that may be killed: what it posted, and what another one knows of it. */
interface Process {
  readonly sandbox: Sandbox;
  readonly fairway: Client;
  readonly posts: Post[];
  /** The process of after a kill at this moment. */
  restart(options?: SandboxOptions & { readonly answers?: readonly number[] }): Promise<Process>;
}

/** @param answers The statuses of the receiver; the last one stays. Without any, nothing is posted. */
async function start({
  answers = [],
  ...options
}: SandboxOptions & { readonly answers?: readonly number[] } = {}): Promise<Process> {
  const kept = new PendingCallbacks(options.callbacks);
  const posts: Post[] = [];
  const { sandbox, fairway } = await open({
    changes: { append: (change) => kept.apply(JSON.parse(JSON.stringify(change))), kept: () => undefined },
    schedule: (work, delay) => {
      if (answers.length > 0 && delay < 5000) queueMicrotask(work);
      return () => {};
    },
    fetch: async (url, { headers, body }) => {
      const given = new Headers(headers);
      posts.push({
        url,
        id: given.get('teebox-callback'),
        authorization: given.get('authorization'),
        body: String(body),
      });
      return new Response(null, { status: answers[posts.length - 1] ?? answers.at(-1)! });
    },
    ...options,
  });
  const restart: Process['restart'] = (next = {}) => {
    const state = structuredClone(sandbox.snapshot());
    // What a log has after it was compacted, read again.
    const again = new PendingCallbacks();
    for (const change of kept.changes()) again.apply(JSON.parse(JSON.stringify(change)));
    return start({ ...options, callbacks: again.state, state, ...next });
  };
  return { sandbox, fairway, posts, restart };
}

const RETRIES = { dialect: { answers: { 'callback.retries': 2 } } } as const;
const TARGET = 'http://me:secret@127.0.0.1:9/results?ticket=7';

async function posted(wish: SearchWish, options: SandboxOptions = {}): Promise<Post[]> {
  const { sandbox, fairway, posts } = await start({ answers: [204], ...options });
  await search(fairway, searchQuery({ callbackUrl: TARGET, ...wish }));
  await sandbox.callbacks.settled();
  return posts;
}

describe('a process killed between the acknowledgement and the post', () => {
  const rows: readonly (readonly [what: string, wish: SearchWish, options: SandboxOptions])[] = [
    ['one facility and day', {}, {}],
    ['several, more than a record keeps', { facilityIds: [1001, 1002, 1003], to: 12 }, {}],
    ['a result that a scenario cuts off', {}, { scenarios: ['callback-malformed'] }],
    ['a result that a scenario makes late', {}, { scenarios: ['callback-late; delay=4000ms'] }],
    ['a result that a scenario repeats', {}, { scenarios: ['callback-duplicate'] }],
    ['a signed result', {}, { dialect: { answers: { 'callback.signature': 'hmac-sha256' } } }],
  ];
  test.each(rows)('posts the same after the restart: %s', async (_, wish, options) => {
    const want = await posted(wish, options);
    const killed = await start(options);
    expect((await search(killed.fairway, searchQuery({ callbackUrl: TARGET, ...wish }))).status).toBe(200);
    expect(killed.posts).toEqual([]);
    const { sandbox, posts } = await killed.restart({ answers: [204] });
    await sandbox.callbacks.settled();
    expect(posts).toEqual(want);
    expect(posts[0]).toMatchObject({
      url: 'http://127.0.0.1:9/results?ticket=7',
      id: 'callback-1',
      authorization: 'Basic bWU6c2VjcmV0',
    });
    expect(sandbox.callbacks.deliveries).toMatchObject([{ id: 'callback-1', requestId: 'req-1', state: 'delivered' }]);
  });

  test('goes on with the ids, and posts nothing twice', async () => {
    const first = await start({ answers: [204] });
    await search(first.fairway, searchQuery());
    await first.sandbox.callbacks.settled();
    const second = await first.restart({ answers: [] });
    await search(second.fairway, searchQuery());
    const third = await second.restart({ answers: [204] });
    await search(third.fairway, searchQuery());
    await third.sandbox.callbacks.settled();
    // Nothing was pending at the first restart, so the ids began anew.
    expect(third.posts.map(({ id }) => id).sort()).toEqual(['callback-1', 'callback-2']);
    const fourth = await third.restart();
    expect(fourth.sandbox.callbacks.deliveries).toEqual([]);
  });
});

describe('a process killed between two attempts', () => {
  test('keeps the attempts, the body and the schedule of the clock', async () => {
    const killed = await start({ ...RETRIES, answers: [500] });
    await search(killed.fairway, searchQuery());
    await expect.poll(() => killed.posts.length).toBe(1);
    await expect.poll(() => killed.sandbox.callbacks.deliveries[0]!.attempts.length).toBe(1);
    // What is free has changed, and the result has not.
    const path = '/api/v5/bookings';
    expect((await killed.fairway.post(path, bookingFor(await findTeeTime(killed.fairway)))).status).toBe(200);
    const { sandbox, posts } = await killed.restart({ answers: [503, 204] });
    expect(sandbox.callbacks.deliveries[0]).toMatchObject({
      state: 'pending',
      attempts: [{ at: '2026-06-01T08:00:00.000Z', status: 500 }],
    });
    await sandbox.fetch('http://sandbox.test/__admin/clock', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"advance":"PT3S"}',
    });
    expect(posts.map(({ body }) => body)).toEqual([killed.posts[0]!.body, killed.posts[0]!.body]);
    expect(sandbox.callbacks.deliveries[0]).toMatchObject({
      state: 'delivered',
      attempts: [
        { at: '2026-06-01T08:00:00.000Z', status: 500 },
        { at: '2026-06-01T08:00:01.000Z', status: 503 },
        { at: '2026-06-01T08:00:03.000Z', status: 204 },
      ],
    });
  });

  test('has the retries that are left', async () => {
    const killed = await start({ ...RETRIES, answers: [500] });
    await search(killed.fairway, searchQuery());
    await expect.poll(() => killed.sandbox.callbacks.deliveries[0]!.attempts.length).toBe(1);
    const { sandbox, posts } = await killed.restart({ answers: [500], clock: () => Date.parse(NOW) + 60_000 });
    sandbox.clock.set('2026-06-02T08:00:00Z');
    await sandbox.callbacks.settled();
    expect(posts).toHaveLength(2);
    expect(sandbox.callbacks.deliveries[0]!.state).toBe('failed');
  });
});

describe('nothing is pending', () => {
  const rows: readonly (readonly [what: string, options: SandboxOptions, act: (process: Process) => unknown])[] = [
    ['after a delivery', {}, ({ sandbox }) => sandbox.callbacks.settled()],
    [
      'after the last failure',
      { fetch: () => Promise.reject(new Error('down')) },
      ({ sandbox }) => sandbox.callbacks.settled(),
    ],
    ['when a scenario withholds it', { scenarios: ['callback-never'] }, () => {}],
    ['after a reset', { schedule: () => () => {} }, ({ sandbox }) => sandbox.reset()],
    ['after a restore', { schedule: () => () => {} }, ({ sandbox }) => sandbox.restore(sandbox.snapshot())],
  ];
  test.each(rows)('%s', async (_, options, act) => {
    const process = await start({ answers: [204], ...options });
    await search(process.fairway, searchQuery());
    await act(process);
    const { sandbox } = await process.restart();
    expect(sandbox.callbacks.deliveries).toEqual([]);
  });
});

test('the inbox of the sandbox itself needs no server', async () => {
  const caller = {
    isLocal: false,
    ownOrigin: ({ origin }: URL) => (origin === 'http://sandbox.test' ? 'http://127.0.0.1:4653' : undefined),
    whyNot: () => 'not here',
    stream: () => new ReadableStream(),
  };
  const killed = await start();
  const { username, password } = killed.sandbox.channels[0]!;
  const query = new URLSearchParams(searchQuery({ callbackUrl: 'http://sandbox.test/__admin/inbox/mine?status=202' }));
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const request = new Request(`http://sandbox.test/api/v5/teetimes?${query}`, { headers });
  expect((await killed.sandbox.handle(request, { caller })).status).toBe(200);
  const { sandbox, posts } = await killed.restart({ answers: [204] });
  await sandbox.callbacks.settled();
  expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 202 }] }]);
  const inbox = await (await sandbox.fetch('http://sandbox.test/__admin/inbox/mine')).json();
  expect(inbox).toMatchObject({ count: 1, messages: [{ headers: { 'teebox-callback': 'callback-1' } }] });
  expect(posts).toEqual([]);
});

test('a host that is no longer allowed gets nothing, and the delivery says why', async () => {
  const killed = await start({ allowCallback: ['partner.example'] });
  await search(killed.fairway, searchQuery({ callbackUrl: 'https://partner.example/results' }));
  const { sandbox, posts } = await killed.restart({ answers: [204], allowCallback: [] });
  await sandbox.callbacks.settled();
  expect(posts).toEqual([]);
  expect(sandbox.callbacks.deliveries).toMatchObject([
    {
      state: 'failed',
      attempts: [{ status: null, error: expect.stringContaining('`--allow-callback partner.example`') }],
    },
  ]);
});

describe('callbacks that do not fit are refused', () => {
  const one = {
    id: 'callback-1',
    requestId: 'req-1',
    channel: 'fairway',
    target: { url: 'http://127.0.0.1:9/', shown: 'http://127.0.0.1:9/', headers: {} },
    query: { facilityIds: [1001], fromDate: 20_000, toDate: 20_000, players: 1, holes: 18 },
    size: 100_000,
    attempts: [],
    due: 0,
  };
  const rows: readonly (readonly [value: unknown, message: string])[] = [
    [[], '`issued` must be a whole number; got nothing.'],
    [{ issued: 1 }, '`pending` must be a list; got nothing.'],
    [{ issued: 1, pending: [{ ...one, id: '7' }] }, '`callbacks[0].pending.id` must be an id such as callback-7'],
    [{ issued: 1, pending: [{ ...one, query: {} }] }, '`callbacks[0].pending.query.facilityIds` must be a list'],
    [
      { issued: 1, pending: [one, { ...one, target: { ...one.target, url: 'ftp://a.example' } }] },
      '`callbacks[1].pending.target.url` must be an http or https address',
    ],
  ];
  test.each(rows)('%j', async (value, message) => {
    const refused = open({ callbacks: value as never });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toMatchObject({ input: 'callbacks' });
  });
});
