import { describe, expect, test } from 'vitest';
import type { CertifyEvent } from '../../src/certification/library.js';
import { certifyReport } from '../../src/certification/report.js';
import { certifySuite, type SuiteOptions } from './clients/suites/certify-suite.js';
import { ofProgram } from './clients/suites/queue-defects.js';
import { queueTests } from './clients/suites/queue-suite.js';
import type { GolfClient, Reply } from './clients/suites/golf-client.js';
import { shopTests } from './clients/suites/shop-suite.js';

const withoutReuse = shopTests.filter(({ name }) => !/one time/.test(name));

/** Sends a booking again, without a look at the list, if no response came or its text matches. */
const resending =
  (again: RegExp) =>
  (client: GolfClient): void => {
    const raw = client.raw.bind(client);
    client.raw = async (method, path, ...rest) => {
      const send = (): Promise<Reply> => raw(method, path, ...rest);
      if (method !== 'POST' || !path.endsWith('/bookings')) return send();
      const reply = await send().catch(() => undefined);
      return reply === undefined || again.test(JSON.stringify(reply.body)) ? send() : reply;
    };
  };

const resendsBookings = resending(/transfer of funds/);
const retriesAsAsked = resending(/try again|could not be processed|unresponsive|failed/);

/** The same suite over clients with one defect each, in the exams that show it. */
const defects: readonly [defect: string, how: SuiteOptions, wanted: readonly string[]][] = [
  [
    'sends a booking again when its answer is lost',
    { order: 4, exams: ['booking-answer-lost'], plant: resendsBookings },
    ['bookings.looks-before-retry', 'bookings.one-for-one-wish'],
  ],
  [
    'sends a booking again after a failed transfer',
    { exams: ['transfer-failed'], plant: resendsBookings },
    ['failures.transfer'],
  ],
  [
    'searches, books, and sends the booking again when its answer is lost, in its only test,',
    {
      exams: ['booking-answer-lost'],
      plant: retriesAsAsked,
      tests: shopTests.filter(({ name }) => name === 'books one'),
    },
    ['bookings.looks-before-retry', 'bookings.one-for-one-wish'],
  ],
  [
    'refreshes with the first refresh token each time',
    { exams: ['token-expired'], plant: keepsFirstToken, tests: withoutReuse },
    ['tokens.newest', 'tokens.no-reuse'],
  ],
  [
    'sends a booking again when its answer is lost, with a world for each test,',
    { order: 4, exams: ['booking-answer-lost'], plant: resendsBookings, hasWorlds: true },
    ['bookings.looks-before-retry', 'bookings.one-for-one-wish'],
  ],
  [
    'refreshes with the first refresh token each time, with a world for each test,',
    { exams: ['token-expired'], plant: keepsFirstToken, tests: withoutReuse, hasWorlds: true },
    ['tokens.newest', 'tokens.no-reuse'],
  ],
  ['takes only 200 for a success', { exams: ['other-success'], plant: takesOnly200 }, ['robust.lawful-forms']],
];

function keepsFirstToken(client: GolfClient): void {
  const renew = client.renew.bind(client);
  client.renew = async () => {
    await renew();
    client.tokens.refresh = client.settings.refreshToken;
  };
}

function takesOnly200(client: GolfClient): void {
  const call = client.call.bind(client);
  client.call = async (...request) => {
    const reply = await call(...request);
    if (reply.status > 200 && reply.status < 300) throw new Error(`unexpected ${reply.status}`);
    return reply;
  };
}

function takesKnownFields(client: GolfClient): void {
  const call = client.call.bind(client);
  client.call = async (...request) => {
    const reply = await call(...request);
    if (Object.keys(reply.body).some((name) => !/^(success|data|message)$/.test(name)))
      throw new Error('unknown field');
    return reply;
  };
}

describe('in tests that share everything, a client that', { timeout: 60_000 }, () => {
  const isNamed = async (how: SuiteOptions, wanted: readonly string[]): Promise<void> => {
    const { obligations, exitCode } = await certifySuite({ order: 17, ...how });
    const failed = obligations.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id }) => id).sort()).toEqual(wanted);
    expect(exitCode).toBe(1);
  };

  const [first, ...others] = defects;
  test.each([first!])('%s is named', (_, how, wanted) => isNamed(how, wanted));
  test.each(others)('%s is named', { tags: ['slow'] }, (_, how, wanted) => isNamed(how, wanted));
});

describe(
  'a client that takes only 200 for a success is shown the booking after which it did not go on',
  { timeout: 60_000 },
  () => {
    const name = (test: string) => ({ 'teebox-test': test });
    const isShown = async (how: SuiteOptions): Promise<void> => {
      const tests = shopTests.filter(({ name }) => name !== 'searches');
      const given = { exams: ['other-success'], plant: takesOnly200, tests };
      const { obligations, exchanges } = await certifySuite({ ...given, ...how });
      const { message, evidence } = obligations.find(({ verdict }) => verdict === 'fail')!;
      const shown = exchanges.filter(({ id }) => evidence.includes(id));
      expect(shown).toMatchObject([{ method: 'POST', path: '/api/v5/bookings', status: 201 }]);
      expect(message).toContain(`After ${shown[0]!.id}, it did not go on as on the happy path. It said: `);
    };

    test('without names', () => isShown({ order: 17 }));
    test.each<[how: string, options: SuiteOptions]>([
      ['with a name for each of four tests at a time', { order: 3, workers: 4, headersOf: name }],
      ['with a world for each test', { order: 4, hasWorlds: true }],
    ])('%s', { tags: ['slow'] }, (_, how) => isShown(how));
  },
);

test(
  'a runner that repeats a test of single use in another world repeats its mistake',
  { timeout: 60_000, tags: ['slow'] },
  async () => {
    const { obligations } = await certifySuite({ exams: ['strict-tokens'], hasWorlds: true, retries: 2 });
    expect(obligations.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  },
);

describe('a request that comes again at once, with no name of a test,', { timeout: 60_000 }, () => {
  const repeatsAtOnce = (client: GolfClient): void => {
    const raw = client.raw.bind(client);
    client.raw = async (...request) => {
      const reply = await raw(...request);
      return reply.status === 429 ? raw(...request) : reply;
    };
  };
  const isJudged = async (how: SuiteOptions, wanted: readonly string[], inDoubt: readonly string[]): Promise<void> => {
    const { obligations, message } = await certifySuite({
      order: 5,
      exams: ['rate-limited', 'rate-limited-at-booking'],
      ...how,
    });
    const idsOf = (isWanted: (one: (typeof obligations)[number]) => boolean) =>
      obligations.filter(isWanted).map(({ id }) => id);
    expect(idsOf(({ verdict }) => verdict === 'fail')).toEqual(wanted);
    expect(idsOf(({ doubtful }) => doubtful !== undefined)).toEqual(inDoubt);
    expect(message.includes('Violations of 1 obligation are in doubt.')).toBe(inDoubt.length > 0);
  };

  test('from a client is named', () => isJudged({ plant: repeatsAtOnce }, ['limits.retry-after'], []));
  test('from a runner that repeats failed tests is in doubt', () =>
    isJudged({ retries: 2 }, [], ['limits.retry-after']));
  test('from both is in doubt', { tags: ['slow'] }, () =>
    isJudged({ plant: repeatsAtOnce, retries: 2 }, [], ['limits.retry-after']),
  );
});

describe('a client that repeats whatever fails, bookings too,', { timeout: 60_000 }, () => {
  const repeatsAll = (client: GolfClient): void => {
    const raw = client.raw.bind(client);
    client.raw = async (...request) => {
      const reply = await raw(...request).catch(() => undefined);
      return reply && reply.status < 400 ? reply : raw(...request);
    };
  };
  test.each<[how: string, options: SuiteOptions, verdict: string, exitCode: number]>([
    ['is undecided, since a runner may do so', {}, 'undecided', 4],
    [
      'is not ready, where its requests name their test',
      { headersOf: (name) => ({ 'teebox-test': name }) },
      'not-ready',
      1,
    ],
  ])('%s', async (_, how, verdict, exitCode) => {
    const tests = shopTests.filter(({ name }) => name === 'books one');
    const found = await certifySuite({ exams: ['booking-answer-lost'], tests, plant: repeatsAll, ...how });
    expect(found).toMatchObject({ verdict, exitCode });
    const { next = [] } = certifyReport(found);
    expect(JSON.stringify(next)).toMatch(/--exams booking-answer-lost --only bookings\./);
  });
});

/** The same for a program that works off a queue of search results, and reads answers with a strict decoder. */
describe('in tests of a program with a queue, one that', { timeout: 60_000 }, () => {
  test.each(ofProgram)('$does is named', async ({ does, wanted, exam = 'happy-day' }) => {
    const { obligations } = await certifySuite({ tests: queueTests(does), exams: ['happy-day', exam], order: 3 });
    const failed = obligations.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toContain(wanted[0]);
    expect(wanted).toEqual(expect.arrayContaining(failed));
  });
});

describe('mistakes on purpose', { timeout: 60_000 }, () => {
  const exams = ['happy-day', 'token-expired'];
  const listed = async (how: SuiteOptions) => {
    const { obligations } = await certifySuite({ exams, ...how });
    return obligations.filter(({ deliberate }) => deliberate).map(({ id }) => id);
  };
  const marked = (name: string) => ({
    'teebox-test': /refused|one time|one reference/.test(name) ? `${name}; deliberate` : name,
  });

  test('are listed once, and not if they are marked', async () => {
    expect(await listed({})).toEqual(
      expect.arrayContaining(['tokens.newest', 'tokens.no-reuse', 'requests.content-type', 'bookings.linked.ref']),
    );
    expect(await listed({ headersOf: marked })).toEqual([]);
    expect(await listed({ deliberate: ['tokens.*', 'requests.*', 'bookings.*', 'payments.own'] })).toEqual([]);
  });

  test.each<[exam: string, plant: NonNullable<SuiteOptions['plant']>, wanted: string]>([
    ['other-success', takesOnly200, 'robust.lawful-forms'],
    ['unknown-fields', takesKnownFields, 'robust.unknown-fields'],
  ])('that are marked do not excuse a client that cannot read other answers in %s', async (exam, plant, wanted) => {
    const tests = shopTests.filter(({ name }) => /refused|countries/.test(name));
    const { obligations } = await certifySuite({ exams: [exam], tests, plant, headersOf: marked });
    expect(obligations.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([wanted]);
  });

  test('a suite that fails when nothing goes wrong takes no other exam', async () => {
    const tests = [{ name: 'fails', run: () => Promise.reject(new Error('no')) }];
    const events: CertifyEvent[] = [];
    const { exams: taken, ...rest } = await certifySuite({ tests, exams, onEvent: (event) => events.push(event) });
    expect(taken.map(({ id }) => id)).toEqual(['happy-day']);
    const skipped = [{ id: 'token-expired', why: 'The tests of the client fail on the happy path.' }];
    expect(rest).toMatchObject({
      exitCode: 4,
      skipped,
      message: expect.stringMatching(/: fails: no\. .*fix that first/),
    });
    expect(events).toContainEqual({ type: 'skipped', skipped });
  });
});
