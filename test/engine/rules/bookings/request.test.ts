import { describe, expect } from 'vitest';
import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import { creating, type CreatingVersion } from '../../dialect/forms.js';
import { open } from '../../../support/client.js';
import { refusedField, keptIn, waysOf } from '../../../support/requests.js';
import { rule } from '../../../support/rule.js';
import { findTeeTime } from '../../../support/scenes.js';

interface Row {
  readonly field: string;
  /** The versions whose body has the field; all three unless it is said. */
  readonly versions?: readonly CreatingVersion[];
  readonly wrong: readonly unknown[];
  readonly right: readonly unknown[];
}

const LATER: readonly CreatingVersion[] = ['v3', 'v5'];
const noText = [null, 5, true, ['Ada'], {}];
const noName = [...noText, '', ' '];
const noInteger = [null, 'one', '1', 1.5, true, [1], {}];
const uuid = '3f1d2c4b-5a69-4788-9706-15243342516f';
const ada = { firstName: 'Ada', lastName: 'Lovelace' };

const table: readonly Row[] = [
  {
    field: 'facilityId',
    wrong: [null, '', 'one', '1001a', ' 1001', '1001.0', 1001.5, true, [1001], {}],
    right: [1001, '1001'],
  },
  {
    field: 'teetime',
    wrong: [
      ...noName,
      '2026-06-11T07:30:00',
      '2026-06-11 07:30',
      '2026-06-11 7:30:00',
      '2026-06-11 07:30:00Z',
      '2026-06-11 07:30:00\n',
      '11-06-2026 07:30:00',
      '2026-06-11',
      '2026-02-30 07:30:00',
      '2026-13-01 07:30:00',
      '2026-06-11 24:00:00',
      '2026-06-11 07:60:00',
      1_781_163_000_000,
    ],
    right: ['2026-06-11 07:30:00'],
  },
  { field: 'course', versions: LATER, wrong: noName, right: ['Duinbaan'] },
  { field: 'round', versions: ['v2'], wrong: noName, right: ['Duinbaan'] },
  { field: 'players', wrong: [...noInteger, 0, -1, 5, 40], right: [1, 2, 3, 4] },
  { field: 'teeId', wrong: noInteger, right: [] },
  { field: 'holes', wrong: [...noInteger, 0, -9, 10, 12, 27, 36, '18', 9.5], right: [18] },
  { field: 'productId', versions: ['v5'], wrong: noInteger, right: [100111] },
  { field: 'contactFirstName', wrong: noName, right: ['A', 'Zoë Ann', 'さくら', '"O\'Brien"'] },
  { field: 'contactLastName', wrong: noName, right: ['B', 'van der Meer', '山田', '<b>'] },
  { field: 'contactName', wrong: noName, right: ['Ada Lovelace', 'Plato'] },
  {
    field: 'contactPhone',
    wrong: [...noName, 'none', 31_205_550_100],
    right: ['1', '+31 20 555 0100', '(020) 555-0100'],
  },
  {
    field: 'contactEmail',
    wrong: [...noName, 'ada', 'ada@', '@partner.example', 'ada lovelace@partner.example'],
    right: ['ada@partner.example', 'ada.l+golf@sub.partner.example', 'ADA@PARTNER.EXAMPLE'],
  },
  {
    field: 'netRate',
    versions: LATER,
    wrong: [null, '', 'eighty', '80,00', 'EUR 80', true, [80], {}],
    right: [80, 80.5, 0, '80', '80.25', 1234567.891],
  },
  { field: 'comments', wrong: noText, right: ['', 'Two left-handed sets, please.', 'ü'.repeat(2000)] },
  {
    field: 'extraProduct',
    versions: LATER,
    wrong: [null, '', 5, true, {}, { mid: 100101, quantity: 1 }, ['buggy'], [null], [100101]],
    right: [[], [{ mid: 100101, quantity: 1 }], [100101, 100102].map((mid) => ({ mid, quantity: 2 }))],
  },
  {
    field: 'additionalPlayers',
    versions: LATER,
    wrong: [null, '', 5, true, {}, ada, ['Ada'], [null], [ada, 'Charles']],
    right: [[], [ada], [ada, { firstName: 'Charles', lastName: 'Babbage' }]],
  },
  {
    field: 'linkedTeeTimeRef',
    versions: ['v5'],
    wrong: [...noName, 'linked', uuid.slice(1), `${uuid}0`, uuid.replaceAll('-', ''), `{${uuid}}`],
    right: [uuid, uuid.toUpperCase()],
  },
  { field: 'providerPlayerTypeId', versions: ['v5'], wrong: noText, right: ['', 'ADULT', '17'] },
];

/** The names are left out where one contact name stands for them. */
const together = (field: string, value: unknown) => ({
  ...(field === 'contactName' ? { contactFirstName: undefined, contactLastName: undefined } : {}),
  [field]: value,
});

for (const { field, versions = creating, wrong, right } of table) {
  const id = `bookings.request.${field}` as RuleId;
  describe(field, () => {
    for (const { name, at, post } of waysOf(versions)) {
      rule([id, 'bookings.effect.refused-no-trace'], `${name}: refuses what it is not`, async () => {
        const clients = await open();
        const teeTime = await findTeeTime(clients.fairway);
        const before = keptIn(clients.sandbox);
        for (const value of wrong) {
          const reply = await post(clients.fairway, teeTime, { [field]: value });
          expect(reply, JSON.stringify(value)).toMatchObject(refusedField(id, at + field));
        }
        expect(keptIn(clients.sandbox)).toEqual(before);
        expect((await post(clients.fairway, teeTime)).status).toBe(200);
        expect(keptIn(clients.sandbox)).not.toEqual(before);
      });

      if (right.length === 0) continue;
      rule(id, `${name}: takes what it is`, async () => {
        for (const value of right) {
          const { fairway } = await open();
          const teeTime = await findTeeTime(fairway, { players: 4 });
          const { status, body } = await post(fairway, teeTime, together(field, value));
          expect({ status, success: body.success }, JSON.stringify(value)).toEqual({ status: 200, success: true });
        }
      });
    }
  });
}

describe('the parts of a list', () => {
  const parts: readonly { list: string; field: string; whole: Record<string, unknown>; wrong: readonly unknown[] }[] = [
    { list: 'extraProduct', field: 'mid', whole: { mid: 100101, quantity: 1 }, wrong: noInteger },
    { list: 'extraProduct', field: 'quantity', whole: { mid: 100101, quantity: 1 }, wrong: noInteger },
    { list: 'additionalPlayers', field: 'firstName', whole: ada, wrong: noText },
    { list: 'additionalPlayers', field: 'lastName', whole: ada, wrong: noText },
  ];
  for (const { list, field, whole, wrong } of parts) {
    const id = `bookings.request.${list}.${field}` as RuleId;
    for (const { name, at, post } of waysOf(LATER)) {
      rule([id, 'bookings.effect.refused-no-trace'], `${name}: ${list}.${field}`, async () => {
        const clients = await open();
        const teeTime = await findTeeTime(clients.fairway);
        const before = keptIn(clients.sandbox);
        for (const value of [undefined, ...wrong]) {
          const items = [whole, { ...whole, [field]: value }];
          const reply = await post(clients.fairway, teeTime, { [list]: items });
          expect(reply, JSON.stringify(value)).toMatchObject(refusedField(id, `${at}${list}[1].${field}`));
        }
        expect(keptIn(clients.sandbox)).toEqual(before);
        expect((await post(clients.fairway, teeTime, { [list]: [whole, whole] })).status).toBe(200);
      });
    }
  }
});

describe('extra products that the facility does not offer', () => {
  for (const { name, post } of waysOf(LATER)) {
    rule(['bookings.request.extraProduct', 'bookings.effect.refused-no-trace'], name, async () => {
      const clients = await open();
      const teeTime = await findTeeTime(clients.fairway);
      const [own] = teeTime.extraProducts;
      const before = keptIn(clients.sandbox);
      // No such product, one of another facility, and the green fee of the tee time itself.
      for (const mid of [1, 100501, teeTime.products[0].mid]) {
        const extraProduct = [own.mid, mid].map((one) => ({ mid: one, quantity: 1 }));
        const reply = await post(clients.fairway, teeTime, { extraProduct });
        expect(reply).toMatchObject({ status: 400, rule: 'bookings.request.extraProduct', body: { success: false } });
        expect(reply.body.message).toMatch(/extraProduct` .*\(rule bookings\.request\.extraProduct\)\. Please/);
      }
      expect(keptIn(clients.sandbox)).toEqual(before);
      const right = { extraProduct: [{ mid: own.mid, quantity: 1 }] };
      expect((await post(clients.fairway, teeTime, right)).status).toBe(200);
    });
  }
});
