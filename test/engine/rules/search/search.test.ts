import { describe, expect, test } from 'vitest';
import type { DialectCard } from '../../../../src/engine/state/dialect.js';
import { open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { dayIn } from '../../../support/scenes.js';
import { openAtOnce, resultOf, search, searchQuery } from '../../../support/views.js';

type Answers = NonNullable<DialectCard['answers']>;

const withQuery = (changes: Record<string, string | undefined>) => ({ ...searchQuery(), ...changes });

describe('acknowledgement', () => {
  const ids = ['search.request', 'search.accepted', 'search.asynchronous'] as const;

  rule(ids, 'success with no payload, whatever will be found', async () => {
    const { fairway } = await openAtOnce();
    for (const wish of [{}, { facilityIds: [4] }, { from: -10 }, { facilityIds: [1001, 1007, 1016], to: 20 }]) {
      const { status, text } = await search(fairway, searchQuery(wish));
      expect({ status, text }).toEqual({ status: 200, text: '{"success":true,"data":null}' });
    }
  });

  rule('search.request', 'is a GET of v5 alone', async () => {
    const { fairway, sandbox } = await openAtOnce();
    const path = `/api/v5/teetimes?${new URLSearchParams(searchQuery())}`;
    for (const version of ['v1', 'v2', 'v3', 'v4']) {
      expect((await fairway.get(path.replace('v5', version))).status).toBe(404);
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await fairway.send(method, path)).status).toBe(405);
    }
    await sandbox.callbacks.settled();
    expect(sandbox.callbacks.deliveries).toEqual([]);
  });

  test.each([
    { answers: {}, want: 200 },
    { answers: { 'success.accepted-status': 200 }, want: 200 },
    { answers: { 'success.accepted-status': 202 }, want: 202 },
  ] as const)('success.accepted-status: $want', async ({ answers, want }) => {
    const { fairway } = await openAtOnce({ dialect: { answers } });
    const { status, body } = await search(fairway, searchQuery());
    expect({ status, body }).toEqual({ status: want, body: { success: true, data: null } });
  });
});

describe('refused parameters', () => {
  const addresses = [undefined, '', 'partner', '/results', '//127.0.0.1/results'];
  const dates = [undefined, '', '11/06/2026', '31-02-2026', '2026-02-31', '2026-6-11', '20260611', 'today'];
  const table = [
    ...[undefined, '', ',', '1001,', '1001 1002', 'all', '1.5'].map((got) => ({ name: 'facilityIds', got }) as const),
    ...dates.map((got) => ({ name: 'fromDate', got }) as const),
    ...dates.map((got) => ({ name: 'toDate', got }) as const),
    ...[undefined, '', '0', '5', '1.5', 'two'].map((got) => ({ name: 'players', got }) as const),
    ...[undefined, '', '0', '12', '36', 'all'].map((got) => ({ name: 'holes', got }) as const),
    ...addresses.map((got) => ({ name: 'callbackUrl', got }) as const),
  ];
  for (const { name, got } of table) {
    const id = `search.query.${name}` as const;
    // An id, a date or an address that is there and badly written is also the open question of forms.
    const formed = name === 'players' || name === 'holes' || !got;
    rule(formed ? id : [id, 'search.query.form'], `${name}: ${got ?? 'missing'}`, async () => {
      const { fairway, sandbox } = await openAtOnce();
      const reply = await search(fairway, withQuery({ [name]: got }));
      expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: `search.query.${name}` });
      expect(reply.body).toMatchObject({ success: false, data: null });
      expect(reply.body.message).toContain(`\`${name}\``);
      expect(reply.body.message).toContain(`search.query.${name}`);
      await sandbox.callbacks.settled();
      expect(sandbox.callbacks.deliveries).toEqual([]);
    });
  }

  rule('search.query.toDate', 'toDate before fromDate, saying which came', async () => {
    const { fairway } = await openAtOnce();
    const reply = await search(fairway, searchQuery({ from: 5, to: 4 }));
    expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: 'search.query.toDate' });
    expect(reply.body.message).toContain('`toDate` must not be before `fromDate`');
    expect(reply.body.message).toContain('05-06-2026');
  });

  test('credentials are due, and nothing is posted without them', async () => {
    const { fairway, sandbox } = await openAtOnce();
    const path = `/api/v5/teetimes?${new URLSearchParams(searchQuery())}`;
    const reply = await fairway.get(path, { headers: { authorization: '' } });
    expect(reply.status).toBe(401);
    expect(sandbox.callbacks.deliveries).toEqual([]);
  });
});

describe('size', () => {
  test('search.max-facility-days counts facilities times days', async () => {
    const table = [
      { answers: {}, most: 500 },
      { answers: { 'search.max-facility-days': 12 }, most: 12 },
    ];
    for (const { answers, most } of table) {
      // No posting: the body of the longest search is large.
      const { fairway } = await openAtOnce({ dialect: { answers }, schedule: () => () => {} });
      const ask = (days: number) => search(fairway, searchQuery({ facilityIds: [1001, 1002], from: 1, to: days }));
      expect((await ask(most / 2)).status).toBe(200);
      const reply = await ask(most / 2 + 1);
      expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: 'search.query.facilityIds' });
      expect(reply.body.message).toContain(String(most));
    }
  });

  test('more than five facilities may be searched: that limit is of the prices', async () => {
    const { fairway } = await openAtOnce();
    const facilityIds = [1001, 1002, 1004, 1005, 1007, 1009, 1010, 1011];
    const { data } = await resultOf(fairway, { facilityIds });
    expect(data.map(({ facilityId }: { facilityId: number }) => facilityId)).toEqual(facilityIds);
  });
});

describe('form of the dates', () => {
  const { query, iso } = dayIn(10);
  const table: { answers: Answers; taken: readonly string[]; refused: readonly string[] }[] = [
    { answers: {}, taken: [query, iso], refused: [] },
    { answers: { 'search.date-format': 'both' }, taken: [query, iso], refused: [] },
    { answers: { 'search.date-format': 'dd-mm-yyyy' }, taken: [query], refused: [iso] },
    { answers: { 'search.date-format': 'yyyy-mm-dd' }, taken: [iso], refused: [query] },
  ];
  for (const { answers, taken, refused } of table) {
    rule('search.date-format', JSON.stringify(answers), async () => {
      const { fairway, sandbox } = await openAtOnce({ dialect: { answers } });
      for (const date of taken) {
        expect((await search(fairway, withQuery({ fromDate: date, toDate: date }))).status).toBe(200);
        await sandbox.callbacks.settled();
        const { data } = JSON.parse(sandbox.callbacks.deliveries.at(-1)!.body!);
        expect(data[0].teeTimeV3.length).toBeGreaterThan(0);
        for (const { time } of data[0].teeTimeV3) expect(time.slice(0, 10)).toBe(iso);
      }
      for (const date of refused) {
        const reply = await search(fairway, withQuery({ fromDate: date }));
        expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: 'search.query.fromDate' });
        expect(reply.body.message).toContain(answers['search.date-format']);
      }
    });
  }

  rule('search.date-format', 'both forms may meet in one search', async () => {
    const { fairway, sandbox } = await openAtOnce();
    await search(fairway, withQuery({ fromDate: dayIn(5).iso, toDate: dayIn(6).query }));
    await sandbox.callbacks.settled();
    const { data } = JSON.parse(sandbox.callbacks.deliveries[0]!.body!);
    const days = data[0].teeTimeV3.map(({ time }: { time: string }) => time.slice(0, 10));
    expect([...new Set(days)]).toEqual([dayIn(5).iso, dayIn(6).iso]);
  });
});

describe('unknown facility', () => {
  const wish = { facilityIds: [1001, 4] };

  rule('search.unknown-facility', 'search.unknown-facility: empty, as by default', async () => {
    for (const answers of [{}, { 'search.unknown-facility': 'empty' }] as const) {
      const { fairway } = await openAtOnce({ dialect: { answers } });
      const { success, data } = await resultOf(fairway, wish);
      expect(success).toBe(true);
      expect(data[0].teeTimeV3.length).toBeGreaterThan(0);
      expect(data[1]).toEqual({ facilityId: 4, teeTimeV3: [] });
    }
  });

  const refusals: { answers: Answers; status: number }[] = [
    { answers: {}, status: 404 },
    { answers: { 'facility.unknown': 400 }, status: 400 },
    { answers: { 'facility.unknown': 'empty' }, status: 404 },
  ];
  for (const { answers, status } of refusals) {
    rule('search.unknown-facility', `refused at once, with nothing posted: ${JSON.stringify(answers)}`, async () => {
      const dialect = { answers: { ...answers, 'search.unknown-facility': 'refused' } } as const;
      const { fairway, sandbox } = await open({ dialect });
      const reply = await search(fairway, searchQuery(wish));
      expect({ status: reply.status, success: reply.body.success }).toEqual({ status, success: false });
      expect(reply.body.message).toContain('4');
      expect(sandbox.callbacks.deliveries).toEqual([]);
    });
  }
});
