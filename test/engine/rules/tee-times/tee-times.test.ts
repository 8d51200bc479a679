import { describe, expect } from 'vitest';
import { type Client, open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, dayIn, findTeeTime, OPEN_FACILITY, queryText, teeTimesOf } from '../../../support/scenes.js';

const COURSE = 10011;
const query = { bookingDate: dayIn(10).query, players: '1', holes: '18' };
const paths = {
  v2: `/api/v2/teetimes/${OPEN_FACILITY}`,
  v3: `/api/v3/teetimes/${OPEN_FACILITY}`,
  v4: `/api/v4/teetimes/${OPEN_FACILITY}`,
  v5: `/api/v5/teetimes/${OPEN_FACILITY}/${COURSE}`,
} as const;
const versions = ['v2', 'v3', 'v4', 'v5'] as const;

const withQuery = (path: string, changes: Record<string, string | undefined> = {}): string =>
  `${path}?${queryText({ ...query, ...changes })}`;

describe('the form of each version', () => {
  const teeTimeV3 = ['course', 'extraProducts', 'holes', 'products', 'teeid', 'time'];
  const table = [
    { id: 'teetimes.list', version: 'v2', list: null, fields: ['holes', 'id', 'players', 'pricing', 'round', 'time'] },
    {
      id: 'teetimes.list.v3',
      version: 'v3',
      list: 'teeTimeV2',
      fields: ['course', 'extraProducts', 'holes', 'id', 'players', 'pricing', 'time'],
    },
    { id: 'teetimes.list.v4', version: 'v4', list: 'teeTimeV3', fields: teeTimeV3 },
    { id: 'teetimes.list.v5', version: 'v5', list: 'teeTimeV3', fields: teeTimeV3 },
  ] as const;
  for (const { id, version, list, fields } of table) {
    rule(id, `${version} answers with ${list ?? 'a plain array'}`, async () => {
      const { fairway } = await open();
      const { status, body } = await fairway.get(withQuery(paths[version]));
      expect({ status, success: body.success }).toEqual({ status: 200, success: true });
      if (list) expect(Object.keys(body.data).sort()).toEqual(['facilityCancellationPolicyRange', list]);
      const teeTimes = list ? body.data[list] : body.data;
      expect(teeTimes.length).toBeGreaterThan(0);
      for (const teeTime of teeTimes) expect(Object.keys(teeTime).sort()).toEqual(fields);
    });
  }
});

describe('the cancellation policy', () => {
  const policyOf = async (client: Client, version: 'v3' | 'v4' | 'v5', days: number, facilityId = OPEN_FACILITY) => {
    const date = { bookingDate: dayIn(days).query };
    const path = paths[version].replaceAll(String(OPEN_FACILITY), String(facilityId));
    return (await client.get(withQuery(path, date))).body.data.facilityCancellationPolicyRange;
  };

  rule(
    ['teetimes.cancellation.by-facility', 'teetimes.list.policy', 'teetimes.list.policy-v3'],
    'is the same for every version and day of a facility',
    async () => {
      const { fairway } = await open();
      const want = await policyOf(fairway, 'v4', 10);
      expect(want.length).toBeGreaterThan(0);
      for (const version of ['v3', 'v4', 'v5'] as const) {
        for (const days of [10, 40]) expect(await policyOf(fairway, version, days)).toEqual(want);
      }
    },
  );

  rule('teetimes.cancellation.by-facility', 'is set by each facility for itself', async () => {
    const { fairway } = await open();
    const ids = [1001, 1002, 1004, 1005, 1007, 1010];
    const policies = await Promise.all(ids.map((id) => policyOf(fairway, 'v4', 10, id)));
    expect(new Set(policies.map((policy) => JSON.stringify(policy))).size).toBeGreaterThan(1);
  });

  rule('teetimes.cancellation.bounds-order', 'has bounds in order, within 1 to 4', async () => {
    const { fairway } = await open();
    for (const id of [1001, 1002, 1004, 1005, 1007, 1009, 1010, 1016]) {
      for (const { minimumPlayer, maximumPlayer, timePeriod } of await policyOf(fairway, 'v4', 10, id)) {
        expect(minimumPlayer).toBeGreaterThanOrEqual(1);
        expect(minimumPlayer).toBeLessThanOrEqual(maximumPlayer);
        expect(maximumPlayer).toBeLessThanOrEqual(4);
        expect(timePeriod).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

describe('refused parameters', () => {
  const malformed = ['', '2026-06-11', '11/06/2026', '1-6-2026', 'today'];
  const nonexistent = ['31-02-2026', '29-02-2026', '00-06-2026', '11-13-2026'];
  const table = [
    ...[undefined, ...malformed, ...nonexistent].map((got) => ({ name: 'bookingDate', got }) as const),
    ...[undefined, '', '0', '5', '-1', '2.5', 'two'].map((got) => ({ name: 'players', got }) as const),
    ...[undefined, '', '0', '12', '27', '9.5', 'all'].map((got) => ({ name: 'holes', got }) as const),
  ];
  for (const { name, got } of table) {
    const id = `teetimes.query.${name}` as const;
    // A date that is there and badly written offends the general rule of query dates as well.
    const ids = name === 'bookingDate' && got ? ([id, 'dates.query-format'] as const) : ([id] as const);
    rule(ids, `${name}: ${got ?? 'missing'}`, async () => {
      const { fairway } = await open();
      for (const version of versions) {
        const reply = await fairway.get(withQuery(paths[version], { [name]: got }));
        expect({ version, status: reply.status, rule: reply.rule }).toEqual({ version, status: 400, rule: id });
        expect(reply.body).toMatchObject({ success: false, data: null });
        expect(reply.body.message).toContain(`\`${name}\``);
      }
    });
  }

  for (const got of ['club', '10.5', '0x3e9', '1001;', '1e3']) {
    rule('teetimes.path.facilityId', `facility ${got}`, async () => {
      const { fairway } = await open();
      for (const version of versions) {
        const path = paths[version].replace(String(OPEN_FACILITY), encodeURIComponent(got));
        const reply = await fairway.get(withQuery(path));
        const want = { version, status: 400, rule: 'teetimes.path.facilityId' };
        expect({ version, status: reply.status, rule: reply.rule }).toEqual(want);
        expect(reply.body).toMatchObject({ success: false, data: null });
      }
    });
    rule('teetimes.path.courseId', `course ${got}`, async () => {
      const { fairway } = await open();
      const reply = await fairway.get(withQuery(paths.v5.replace(String(COURSE), encodeURIComponent(got))));
      expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: 'teetimes.path.courseId' });
      expect(reply.body).toMatchObject({ success: false, data: null });
    });
  }
});

describe('what a booking needs', () => {
  const ids = ['teetimes.item.teeid-books', 'teetimes.product.mid-books'] as const;

  rule(ids, 'teeid and mid are what a booking names', async () => {
    const { fairway } = await open();
    const teeTime = await findTeeTime(fairway, { players: 2 });
    for (const { mid } of teeTime.products) {
      const reply = await fairway.post('/api/v5/bookings', bookingFor(teeTime, { productId: mid }));
      expect(reply.status).toBe(200);
    }
    const { body } = await fairway.get('/api/v4/bookings');
    const mine = body.data.filter(({ teeId }: { teeId: number }) => teeId === teeTime.teeid);
    expect(mine).toHaveLength(teeTime.products.length);
    expect(mine[0]).toMatchObject({ teetime: teeTime.time, course: teeTime.course });
  });

  rule(ids, 'any other number books nothing', async () => {
    const { fairway } = await open();
    const [teeTime, other] = await teeTimesOf(fairway);
    for (const changes of [{ teeId: other!.teeid }, { teeId: teeTime!.teeid + 1_000_000_007 }, { productId: 1 }]) {
      const reply = await fairway.post('/api/v5/bookings', bookingFor(teeTime!, changes));
      expect({ changes, status: reply.status }).toEqual({ changes, status: 400 });
    }
  });
});
