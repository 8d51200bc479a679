import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import { appliesTo } from '../../../src/engine/scenarios/spec.js';
import { adminOf } from '../../support/admin.js';
import { type Client, open, type Reply } from '../../support/client.js';
import { bodyOf, everyOperation, pathOf } from '../../support/operations.js';
import { postPatiently } from '../../support/scenarios/patience.js';
import { bookingFor, findTeeTime, type TeeTime } from '../../support/scenes.js';

const ids = scenarios.map(({ id }) => id as string);
/** Printable, and without what would end a comment or a header. */
const junk = fc.stringMatching(/^[ -"$-~]{0,12}$/);
const id = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...ids) }, junk, fc.constantFrom('SLOW', '__proto__', '*'));
const delay = fc.constantFrom(
  '0ms',
  '5ms',
  '5',
  '600s',
  '600001ms',
  '-1',
  'uniform(1ms,9ms)',
  'uniform(9ms,1ms)',
  'lognormal(5ms,1)',
);
const option = fc.oneof(
  fc.constantFrom('phase=before-commit', 'phase=after-commit', 'phase=later', 'phase'),
  fc.constantFrom('item=1', 'item=2', 'item=0', 'item=1001', 'item=one', 'item=', 'item=1=1'),
  delay.map((text) => `delay=${text}`),
  junk,
);
const single = fc
  .tuple(id, fc.array(option, { maxLength: 3 }), fc.constantFrom(';', '; ', ' ; '))
  .map(([name, options, between]) => [name, ...options].join(between));
/** One scenario, or several with a comma between them. */
const written = fc.oneof(
  { weight: 3, arbitrary: single },
  fc
    .tuple(fc.array(single, { minLength: 2, maxLength: 4 }), fc.constantFrom(',', ', '))
    .map(([all, by]) => all.join(by)),
);

/** Nothing is waited for, and every post is taken. */
function openQuick() {
  return open({
    fetch: async () => new Response(null, { status: 204 }),
    schedule: (work) => {
      queueMicrotask(work);
      return () => {};
    },
  });
}

/**
 * Open in every sandbox of these tests. It is looked up in another one, because what is armed for everything would
 * strike the search too.
 */
let teeTime: TeeTime;
beforeAll(async () => {
  teeTime = await findTeeTime((await openQuick()).fairway);
});

type Outcome = Reply | 'cut' | 'broken';

function isProblem(outcome: Reply): boolean {
  return outcome.headers.get('content-type') === 'application/problem+json';
}

/** Which scenarios an outcome says have struck, in the order of the journal. */
function told(outcome: Reply): string[] {
  const parts = outcome.headers.get('teebox-scenario')?.split(', ') ?? [];
  return parts.filter((one) => !one.includes('struck=no')).map((one) => one.slice(0, one.indexOf(';')));
}

/** What was asked for has struck, or a problem says what would have fitted. */
function expectStruckOrRefused({ sandbox }: Client, outcome: Outcome, text: string): void {
  const entry = sandbox.journal.entries.at(-1)!;
  if (typeof outcome !== 'string' && isProblem(outcome)) {
    expect([outcome.status, outcome.body.status], text).toEqual([400, 400]);
    expect(outcome.body.detail, text).toMatch(/\w/);
    expect(outcome.body.fits.length, text).toBeGreaterThan(0);
    expect(entry.scenario, text).not.toMatchObject({ struck: true });
    return;
  }
  expect(entry.scenario, text).toMatchObject({ struck: true });
  expect(ids, text).toContain(entry.scenario!.id);
  if (typeof outcome === 'string') return;
  const { id: first, also = [] } = entry.scenario!;
  expect(told(outcome).sort(), text).toEqual([first, ...also].sort());
  if (outcome.status >= 500) expect(['server-error', 'maintenance'], text).toContain(first);
}

const runs = { numRuns: 250, seed: 20260601 };

describe('whatever is asked for strikes, or is refused with what would fit', () => {
  /** Sends bookings of one tee time to sandboxes of their own, one after the other. */
  async function forAll(send: (client: Client, teeTime: TeeTime, text: string) => Promise<Outcome>): Promise<void> {
    await fc.assert(
      fc.asyncProperty(written, async (text) => {
        const { fairway } = await openQuick();
        const outcome = await send(fairway, teeTime, text);
        expectStruckOrRefused(fairway, outcome, text);
      }),
      runs,
    );
  }

  test('in the header of a booking', () =>
    forAll((client, teeTime, text) =>
      postPatiently(client, '/api/v5/bookings', bookingFor(teeTime), { 'teebox-scenario': text }),
    ));

  test('in the comments of a booking', () =>
    forAll((client, teeTime, text) =>
      postPatiently(client, '/api/v5/bookings', bookingFor(teeTime, { comments: `Please. #teebox ${text}` })),
    ));

  const comments = ['#teebox', '#teebox ', '#teebox: booking-failed', '#teebox,booking-failed', '#TEEBOX\nslow'];
  test.each(comments)('a comment %j asks for nothing that there is', async (text) => {
    const { fairway } = await openQuick();
    const body = bookingFor(teeTime, { comments: text });
    const reply = await fairway.post('/api/v5/bookings', body);
    expect(isProblem(reply)).toBe(true);
    expectStruckOrRefused(fairway, reply, text);
  });

  test.each(['teebox slow', '#teeboxes slow', '#teebox-fan', 'a tee box'])('a comment %j is one', async (text) => {
    const { fairway } = await openQuick();
    const body = bookingFor(teeTime, { comments: text });
    const reply = await fairway.post('/api/v5/bookings', body);
    expect([reply.status, told(reply)]).toEqual([200, []]);
  });

  test('in the comments of one of two', () =>
    forAll((client, teeTime, text) => {
      const list = [bookingFor(teeTime), bookingFor(teeTime, { comments: `#Teebox ${text}` })];
      return postPatiently(client, '/api/v5/bookings', list);
    }));
});

test('in the header of any operation it never leads to a 5xx that was not asked for, nor to a silent success', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...everyOperation), written, async (operation, text) => {
      const { fairway } = await openQuick();
      const headers = { 'teebox-scenario': text };
      const init = { ...bodyOf(operation), headers };
      const outcome = await fairway.send(operation.method, pathOf(operation), init).catch(() => 'broken' as const);
      const cut = outcome === 'broken' || outcome.status === 0;
      if (cut) {
        expect(fairway.sandbox.journal.entries[0]!.scenario, text).toMatchObject({ struck: true });
        return;
      }
      if (outcome.status >= 400 && outcome.status < 500 && !isProblem(outcome)) return;
      expectStruckOrRefused(fairway, outcome, text);
    }),
    runs,
  );
});

describe('a plan is armed and strikes what it can, or is refused and nothing is armed', () => {
  const options = fc.record(
    {
      phase: fc.constantFrom('before-commit', 'after-commit', 'later', 7),
      item: fc.constantFrom(1, 2, 0, 'one', null),
      delay: fc.constantFrom(0, 5, -1, '5', { uniform: [1, 2] }, { uniform: [2, 1] }, { lognormal: { median: 5 } }),
      operation: fc.constantFrom('createBooking', 'v5.createBooking', 'listBookings', 'nothing', ''),
      channel: fc.constantFrom('fairway', 'links', 7),
      facilityId: fc.constantFrom(1001, 1002, '1001', 0),
      match: fc.constantFrom({ players: 1 }, { players: 2 }, {}, [], 'players'),
      times: fc.constantFrom(1, 2, 'always', 0, '1'),
      after: fc.constantFrom(0, 1, -1),
      steps: fc.constantFrom(['fail'], ['ok', 'fail'], [], ['maybe'], 'fail'),
      probability: fc.constantFrom(0, 1, 2, '1'),
      ttl: fc.constantFrom(60, 0, -1, 'PT1M'),
      stray: fc.constant(1),
    },
    { requiredKeys: [] },
  );
  const rare = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, options);

  /** Books once; what the plans say must be what happened. */
  async function expectHonest(client: Client, scenario: string, text: string): Promise<void> {
    const [before] = client.sandbox.scenarios.plans;
    const outcome = await postPatiently(client, '/api/v5/bookings', bookingFor(teeTime));
    const [after] = client.sandbox.scenarios.plans;
    const entry = client.sandbox.journal.entries[0]!;
    const struck = after!.struck - before!.struck;
    expect(entry.scenario, text).toEqual(
      struck === 0 ? undefined : expect.objectContaining({ id: scenario, struck: true }),
    );
    if (struck === 1) return expectStruckOrRefused(client, outcome, text);
    expect(outcome, text).toMatchObject({ status: 200, body: { success: true } });
    const can =
      appliesTo(
        scenarios.find((one) => one.id === scenario)!,
        'createBooking',
      ) && scenario !== 'token-expired';
    const free = Object.keys(before!).every((name) => PLAIN.includes(name));
    if (free && before!.state === 'armed') expect([can, text]).toEqual([false, text]);
  }

  const PLAIN = ['id', 'scenario', 'matched', 'struck', 'state', 'near', 'phase', 'delay', 'times'];

  test('over HTTP and by the library alike', async () => {
    await fc.assert(
      fc.asyncProperty(id, rare, async (scenario, given) => {
        const text = JSON.stringify({ scenario, ...given });
        const { fairway, sandbox } = await openQuick();
        const reply = await adminOf(sandbox)('POST', 'plans', { scenario, ...given });
        const other = (await openQuick()).sandbox.scenarios;
        const arm = () => other.arm(scenario, given as never);
        if (reply.status === 200) {
          expect(arm(), text).toEqual(sandbox.scenarios.plans[0]);
          return expectHonest(fairway, scenario, text);
        }
        expect(reply.status, text).toBe(400);
        expect(reply.headers.get('content-type')).toBe('application/problem+json');
        expect(reply.body.fits.length, text).toBeGreaterThan(0);
        for (const one of reply.body.fits) expect(reply.body.detail, text).toContain(one);
        expect(sandbox.scenarios.plans).toEqual([]);
        expect(arm, text).toThrow(expect.objectContaining({ name: 'ValidationError' }));
      }),
      runs,
    );
  });
});
