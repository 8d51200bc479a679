import { describe, expect, test } from 'vitest';
import { open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { dayIn } from '../../../support/scenes.js';
import { pricesOf, pricesPath } from '../../../support/views.js';

const query = { facilityIds: '1001,1002', fromDate: dayIn(3).query, toDate: dayIn(5).query };

const withQuery = (changes: Record<string, string | undefined>): string => pricesPath({ ...query, ...changes });

describe('answer', () => {
  rule('prices.list', 'a page of records with the total', async () => {
    const { fairway } = await open();
    const { status, body } = await fairway.get(withQuery({}));
    expect({ status, success: body.success, keys: Object.keys(body.data) }).toEqual({
      status: 200,
      success: true,
      keys: ['records', 'total'],
    });
    expect(body.data.records.length).toBeGreaterThan(0);
    expect(body.data.total).toBe(body.data.records.length);
  });

  test('prices are there in v5 alone, by GET alone', async () => {
    const { fairway } = await open();
    for (const version of ['v1', 'v2', 'v3', 'v4']) {
      expect((await fairway.get(withQuery({}).replace('v5', version))).status).toBe(404);
    }
    expect((await fairway.post(withQuery({}), {})).status).toBe(405);
  });

  rule('prices.item.dayOfWeek-matches', 'a week of records names its weekdays in lower case', async () => {
    const { fairway } = await open();
    const records = await pricesOf(fairway, [1001], 0, 6);
    const weekdays = new Map(records.map(({ date, dayOfWeek }) => [date, dayOfWeek]));
    expect([...weekdays]).toEqual([
      ['2026-06-01', 'monday'],
      ['2026-06-02', 'tuesday'],
      ['2026-06-03', 'wednesday'],
      ['2026-06-04', 'thursday'],
      ['2026-06-05', 'friday'],
      ['2026-06-06', 'saturday'],
      ['2026-06-07', 'sunday'],
    ]);
  });

  rule('prices.item.dayOfWeek-matches', 'also across a leap day and a turn of the year', async () => {
    const { fairway } = await open();
    const weekdayOf = async (date: string) => {
      const { body } = await fairway.get(withQuery({ facilityIds: '1001', fromDate: date, toDate: date }));
      return body.data.records[0].dayOfWeek;
    };
    expect(await weekdayOf('29-02-2028')).toBe('tuesday');
    expect(await weekdayOf('31-12-2026')).toBe('thursday');
    expect(await weekdayOf('01-01-2027')).toBe('friday');
  });

  rule(
    ['prices.item.availability.time', 'prices.item.availability.available'],
    'availability has HH:MM:ss and 1 to 4 free slots, in order of time',
    async () => {
      const { fairway } = await open();
      const entries = (await pricesOf(fairway, [1001, 1007], 3, 9)).map(({ availability }) => availability);
      expect(entries.flat().length).toBeGreaterThan(0);
      for (const availability of entries) {
        const times = availability.map(({ time }: { time: string }) => time);
        expect(times).toEqual([...times].sort());
        for (const { time, available } of availability) {
          expect(time).toMatch(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/);
          expect([1, 2, 3, 4]).toContain(available);
        }
      }
    },
  );

  test('the date of a record is a day without a time', async () => {
    const { fairway } = await open();
    for (const { date } of await pricesOf(fairway, [1001], 3, 5)) expect(date).toMatch(/^2026-06-0[456]$/);
  });

  rule('prices.agrees-facility', 'names, country and currency are those of the facility', async () => {
    const { fairway } = await open();
    // Five currencies, a country with a leading article, names with letters beyond ASCII.
    const ids = [1001, 1004, 1009, 1010, 1016];
    for (const facilityId of ids) {
      const [facility] = (await fairway.get(`/api/v3/facilities/${facilityId}`)).body.data;
      const records = await pricesOf(fairway, [facilityId], 3);
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) {
        expect(record).toMatchObject({
          facilityId: facility.id,
          facilityName: facility.name,
          countryName: facility.address.country,
          currency: facility.currencyCode,
        });
      }
    }
  });
});

describe('refused parameters', () => {
  const malformed = ['', '2026-06-04', '4-6-2026', '04-06-26', 'tomorrow'];
  const dates = [undefined, ...malformed, '31-02-2026', '31-04-2026', '29-02-2027'];
  const lists = [undefined, '', ',', '1001,', '1001;1002', 'all', '1001,x', '10.5'];
  const table = [
    ...lists.map((got) => ({ name: 'facilityIds', got }) as const),
    ...dates.map((got) => ({ name: 'fromDate', got }) as const),
    ...dates.map((got) => ({ name: 'toDate', got }) as const),
    ...['-1', '1.5', 'first', ''].map((got) => ({ name: 'offset', got }) as const),
    ...['-1', '-10', '2.5', 'all', ''].map((got) => ({ name: 'limit', got }) as const),
  ];
  for (const { name, got } of table) {
    const id = `prices.query.${name}` as const;
    const ids = name.endsWith('Date') && got ? ([id, 'dates.query-format'] as const) : ([id] as const);
    rule(ids, `${name}: ${got ?? 'missing'}`, async () => {
      const { fairway } = await open();
      const reply = await fairway.get(withQuery({ [name]: got }));
      expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: id });
      expect(reply.body).toMatchObject({ success: false, data: null });
      expect(reply.body.message).toContain(`\`${name}\``);
    });
  }

  rule('prices.range-order', 'toDate before fromDate, saying which came', async () => {
    const { fairway } = await open();
    const reply = await fairway.get(withQuery({ toDate: dayIn(2).query }));
    expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: 'prices.range-order' });
    expect(reply.body.message).toContain('`toDate` must not be before `fromDate`');
    expect(reply.body.message).toContain('03-06-2026');
  });
});

describe('number of facilities', () => {
  const ids = [1001, 1002, 1004, 1005, 1007, 1009];

  rule('prices.facility-ids-limit', 'five are served, six are refused', async () => {
    const { fairway } = await open();
    const five = await fairway.get(withQuery({ facilityIds: ids.slice(0, 5).join() }));
    expect(five.status).toBe(200);
    expect(new Set(five.body.data.records.map(({ facilityId }: { facilityId: number }) => facilityId)).size).toBe(5);
    const six = await fairway.get(withQuery({ facilityIds: ids.join() }));
    expect({ status: six.status, rule: six.rule }).toEqual({ status: 400, rule: 'prices.facility-ids-limit' });
    expect(six.body.message).toContain('5');
  });

  rule('prices.facilities-only', 'all asked for have records, and no other has', async () => {
    const { fairway } = await open();
    for (const asked of [[1001], [1007, 1001], [1002, 1005, 1010]]) {
      const records = await pricesOf(fairway, asked, 3);
      expect(new Set(records.map(({ facilityId }) => facilityId))).toEqual(new Set(asked));
    }
  });

  rule('versions.query-once', 'facilities sent one by one are refused with the remedy, never lost', async () => {
    const { fairway } = await open();
    const single = withQuery({ facilityIds: '1001' });
    for (const [path, given] of [
      [`${single}&facilityIds=1002`, '1001,1002'],
      [`${single}&%66acilityIds=`, '1001,'],
    ]) {
      const { status, body, rule: decided } = await fairway.get(path!);
      expect({ status, decided }).toEqual({ status: 400, decided: 'versions.query-once' });
      expect(body.message).toContain('`facilityIds` must not be sent more than once; got 2 values');
      expect(body.message).toContain(`send the ids as one value, \`facilityIds=${given}\``);
    }
    const { records } = (await fairway.get(withQuery({ facilityIds: '1001,1002' }))).body.data;
    expect([...new Set(records.map(({ facilityId }: { facilityId: number }) => facilityId))]).toEqual([1001, 1002]);
  });

  test('a facility named twice is answered once', async () => {
    const { fairway } = await open();
    expect(await pricesOf(fairway, [1001, 1001], 3)).toEqual(await pricesOf(fairway, [1001], 3));
  });
});
