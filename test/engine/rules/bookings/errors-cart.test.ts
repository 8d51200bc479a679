import { describe, expect } from 'vitest';
import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import type { CreatingVersion } from '../../dialect/forms.js';
import { open } from '../../../support/client.js';
import { everyWay, keptIn } from '../../../support/requests.js';
import { rule } from '../../../support/rule.js';
import { findTeeTime, type TeeTime, teeTimesOf } from '../../../support/scenes.js';

type Fields = Record<string, unknown>;

interface Row {
  readonly name: string;
  readonly id: RuleId;
  /** What is wrong about a booking of the first of these tee times. */
  readonly wrong: (teeTimes: readonly TeeTime[], version: CreatingVersion) => Fields;
  readonly versions?: readonly CreatingVersion[];
  /** The facility of the tee times: one course of 18 and of 9 holes, or two courses. */
  readonly facilityId?: number;
}

const CREATION = ['errors.create.cart-problem', 'errors.create.status', 'errors.create.message'] as const;
const NO_TRACE = 'bookings.effect.refused-no-trace';

/** The cart message asks for one thing alone, and leaves the support out (Errors, table row 6 and list 2). */
const CART = /search and book the tee times again\.$/;
const cartProblem = (id: RuleId) => ({
  status: 400,
  rule: id,
  body: { success: false, data: null, message: expect.stringMatching(CART) },
});

const atTime = (teeTime: TeeTime, change: (time: string) => string) => ({
  teetime: change(teeTime.time).replace('T', ' '),
});
const courseField = (version: CreatingVersion) => (version === 'v2' ? 'round' : 'course');

const table: readonly Row[] = [
  ...[-1, 999_999_999, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1e300].map((teeId): Row => ({
    name: `tee time ${teeId}, which is none`,
    id: 'bookings.request.teeId',
    wrong: () => ({ teeId }),
  })),
  {
    name: 'the tee time of another hour',
    id: 'bookings.request.teetime',
    wrong: (teeTimes) => ({ teeId: teeTimes.at(-1)!.teeid }),
  },
  {
    name: 'another hour',
    id: 'bookings.request.teetime',
    wrong: (teeTimes) => atTime(teeTimes[0]!, () => teeTimes.at(-1)!.time),
  },
  {
    name: 'a minute later',
    id: 'bookings.request.teetime',
    wrong: ([first]) => atTime(first!, (time) => time.replace(/\d:00$/, '1:00')),
  },
  {
    name: 'a second later',
    id: 'bookings.request.teetime',
    wrong: ([first]) => atTime(first!, (time) => time.replace(/00$/, '01')),
  },
  {
    name: 'the same hour of the next day',
    id: 'bookings.request.teetime',
    wrong: ([first]) => atTime(first!, (time) => time.replace('-06-11', '-06-12')),
  },
  ...[1002, 1003, 1013, 4, 0].map((facilityId): Row => ({
    name: `facility ${facilityId}, where it is not`,
    id: 'bookings.request.facilityId',
    wrong: () => ({ facilityId }),
  })),
  ...(['v2', 'v3', 'v5'] as const).flatMap((version) =>
    [
      ['Campo Curto', 'the other course of the facility'],
      ['campo do pinhal', 'the course in another case'],
      ['Campo do Pinhal ', 'the course with a space behind it'],
      ['No such course', 'a course that is none'],
    ].map(([course, name]): Row => ({
      name: `${name!} in ${version}`,
      id: `bookings.request.${courseField(version)}`,
      wrong: () => ({ [courseField(version)]: course }),
      versions: [version],
      facilityId: 1007,
    })),
  ),
  { name: 'another number of holes', id: 'bookings.request.holes', wrong: () => ({ holes: 9 }) },
  ...[100112, 100211, 100101, 1, 0, -1].map((productId): Row => ({
    name: `product ${productId}, which it does not sell`,
    id: 'bookings.request.productId',
    wrong: () => ({ productId }),
    versions: ['v5'],
  })),
];

for (const { name, id, wrong, versions = ['v2', 'v3', 'v5'], facilityId = 1001 } of table) {
  rule([id, ...CREATION, NO_TRACE], name, async () => {
    const clients = await open();
    const teeTimes = await teeTimesOf(clients.fairway, { facilityId, players: 1, holes: 18 });
    const before = keptIn(clients.sandbox);
    const ways = everyWay.filter(({ version }) => versions.includes(version));
    for (const { name: way, version, post } of ways) {
      const sent = { facilityId, ...wrong(teeTimes, version) };
      expect(await post(clients.fairway, teeTimes[0]!, sent), way).toMatchObject(cartProblem(id));
    }
    expect(keptIn(clients.sandbox)).toEqual(before);
    expect((await ways[0]!.post(clients.fairway, teeTimes[0]!, { facilityId })).status).toBe(200);
  });
}

describe('too few free slots', () => {
  const ids = ['bookings.effect.no-overbooking', ...CREATION, NO_TRACE] as const;
  for (const { name, post } of everyWay) {
    for (const free of [0, 1, 2, 3]) {
      rule(ids, `${name}: ${free} left`, async () => {
        const clients = await open();
        const { fairway, links } = clients;
        const teeTime = await findTeeTime(fairway, { players: 4 });
        expect((await post(links, teeTime, { players: 4 - free })).status).toBe(200);
        const before = keptIn(clients.sandbox);
        for (let players = free + 1; players <= 4; players += 1) {
          const reply = await post(fairway, teeTime, { players });
          expect(reply, `${players} players`).toMatchObject(cartProblem('bookings.effect.availability'));
        }
        expect(keptIn(clients.sandbox)).toEqual(before);
        if (free > 0) expect((await post(fairway, teeTime, { players: free })).status).toBe(200);
      });
    }
  }
});

describe('a tee time that cannot be had', () => {
  for (const { name, post } of everyWay) {
    rule(['bookings.request.teetime', ...CREATION, NO_TRACE], `${name}: it is past`, async () => {
      const clients = await open();
      const { sandbox, fairway } = clients;
      const teeTime = await findTeeTime(fairway, { players: 4 });
      // 1001 lies in Amsterdam, two hours ahead of UTC in June.
      const start = Date.parse(`${teeTime.time}+02:00`);
      sandbox.clock.set(start - 1000);
      expect((await post(fairway, teeTime)).status).toBe(200);
      const before = keptIn(clients.sandbox);
      for (const late of [0, 1000, 86_400_000]) {
        sandbox.clock.set(start + late);
        expect(await post(fairway, teeTime)).toMatchObject(cartProblem('bookings.request.teetime'));
      }
      sandbox.clock.set(start - 1000);
      expect(keptIn(clients.sandbox)).toEqual(before);
    });

    rule(
      ['facilities.connected-scope', ...CREATION, NO_TRACE],
      `${name}: its facility is not connected to the channel`,
      async () => {
        const clients = await open();
        const { fairway, caddie } = clients;
        const wanted = { facilityId: 1003, days: 10 };
        const [teeTime] = await teeTimesOf(caddie, wanted);
        const before = keptIn(clients.sandbox);
        const reply = await post(fairway, teeTime!, { facilityId: 1003 });
        expect(reply).toMatchObject(cartProblem('facilities.connected-scope'));
        expect(keptIn(clients.sandbox)).toEqual(before);
        expect((await post(caddie, teeTime!, { facilityId: 1003 })).status).toBe(200);
      },
    );
  }
});

describe('where to look which field it was', () => {
  const wrongs = [
    { field: 'course', got: 'Nowhere' },
    { field: 'productId', got: 1 },
    { field: 'teeId', got: 999_999_999 },
    { field: 'facilityId', got: 1002 },
  ];
  for (const { field, got } of wrongs) {
    for (const { name, version, post } of everyWay) {
      if (field === 'productId' && version !== 'v5') continue;
      const sent = field === 'course' && version === 'v2' ? 'round' : field;
      const id = `bookings.request.${sent}` as RuleId;
      rule([id, ...CREATION], `${name}: a wrong ${sent} is in the header, the log and the explanation`, async () => {
        const { fairway, sandbox } = await open();
        const reply = await post(fairway, await findTeeTime(fairway), { [sent]: got });
        expect(reply).toMatchObject(cartProblem(id));
        const requestId = reply.headers.get('teebox-request-id')!;
        const explained = (await fairway.get(`/__admin/requests/${requestId}/explain`)).body;
        expect(explained.request.detail).toContain(String(got));
        expect(explained.rules).toContainEqual(expect.objectContaining({ rule: id, outcome: 'refused' }));
        expect(sandbox.journal.entries.at(-1)).toMatchObject({ rule: id, detail: explained.request.detail });
      });
    }
  }
});
