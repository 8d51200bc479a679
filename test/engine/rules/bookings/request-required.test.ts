import { describe, expect } from 'vitest';
import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import { type CreatingVersion, forms } from '../../dialect/forms.js';
import { open } from '../../../support/client.js';
import { everyWay, refusedField, keptIn, waysOf } from '../../../support/requests.js';
import { rule } from '../../../support/rule.js';
import { findTeeTime, type Json } from '../../../support/scenes.js';

type Fields = Record<string, unknown>;

const contact = ['contactFirstName', 'contactLastName', 'contactPhone', 'contactEmail'];
const core = ['facilityId', 'teetime', 'players', 'teeId', 'holes', ...contact];

/** What each form must carry, and what it may (section "Booking request"). */
const required: Readonly<Record<CreatingVersion, readonly string[]>> = {
  v5: [...core, 'course', 'productId'],
  v3: [...core, 'course', 'netRate'],
  v2: [...core, 'round'],
};
const optional: Readonly<Record<CreatingVersion, Fields>> = {
  v5: {
    netRate: 80,
    extraProduct: [{ mid: 100101, quantity: 1 }],
    comments: 'Two left-handed sets, please.',
    additionalPlayers: [{ firstName: 'Charles', lastName: 'Babbage' }],
    linkedTeeTimeRef: '3f1d2c4b-5a69-4788-9706-15243342516f',
    providerPlayerTypeId: 'ADULT',
  },
  v3: {},
  v2: { comments: 'Two left-handed sets, please.' },
};
/** The rule of its own that a form has on what it needs. */
const whole: Readonly<Record<CreatingVersion, readonly RuleId[]>> = {
  v5: [],
  v3: [],
  v2: ['bookings.request.v2-required'],
};

for (const { name, version, at, post } of everyWay) {
  describe(name, () => {
    for (const field of required[version]) {
      const id = `bookings.request.${field}` as RuleId;
      rule([id, ...whole[version], 'bookings.effect.refused-no-trace'], `needs ${field}`, async () => {
        const clients = await open();
        const teeTime = await findTeeTime(clients.fairway);
        const before = keptIn(clients.sandbox);
        const reply = await post(clients.fairway, teeTime, { [field]: undefined });
        expect(reply).toMatchObject(refusedField(id, at + field));
        expect(reply.body.message).toContain(`\`${at}${field}\` is missing; it must be`);
        expect(keptIn(clients.sandbox)).toEqual(before);
        expect((await post(clients.fairway, teeTime)).status).toBe(200);
      });
    }

    for (const field of Object.keys(optional[version])) {
      rule([`bookings.request.${field}` as RuleId, ...whole[version]], `does not need ${field}`, async () => {
        const { fairway } = await open();
        const teeTime = await findTeeTime(fairway, { players: 2 });
        expect((await post(fairway, teeTime, optional[version])).status).toBe(200);
        expect((await post(fairway, teeTime, { ...optional[version], [field]: undefined })).status).toBe(200);
      });
    }
  });
}

describe('names of other versions', () => {
  const table = [
    { version: 'v5', has: 'round', needs: 'course' },
    { version: 'v3', has: 'round', needs: 'course' },
    { version: 'v2', has: 'course', needs: 'round' },
  ] as const;
  for (const { version, has, needs } of table) {
    for (const { name, at, post } of waysOf([version])) {
      rule(`bookings.request.${needs}`, `${name}: ${has} does not stand for ${needs}`, async () => {
        const { fairway } = await open();
        const teeTime = await findTeeTime(fairway);
        const reply = await post(fairway, teeTime, { [needs]: undefined, [has]: teeTime.course });
        expect(reply).toMatchObject(refusedField(`bookings.request.${needs}`, at + needs));
        expect((await post(fairway, teeTime, { [has]: 'Another Course' })).status).toBe(200);
      });
    }
  }

  const foreign: Readonly<Record<'v2' | 'v3', readonly string[]>> = {
    v2: ['productId', 'netRate', 'extraProduct', 'additionalPlayers'],
    v3: ['productId'],
  };
  for (const version of ['v2', 'v3'] as const) {
    for (const { name, post } of waysOf([version])) {
      rule(`bookings.request.${version}-fields`, `${name}: books without fields of v5`, async () => {
        const { sandbox, fairway } = await open();
        const teeTime = await findTeeTime(fairway);
        const sent = forms[version](teeTime, {});
        for (const field of foreign[version]) expect(sent).not.toHaveProperty(field);
        expect((await post(fairway, teeTime)).status).toBe(200);
        const [booking] = sandbox.db.bookings.findMany((query) => query.where({ teeId: teeTime.teeid }));
        expect(booking!.productId).toBe(teeTime.products[0].mid);
      });

      rule(`bookings.request.${version}-fields`, `${name}: such fields mean nothing, whatever they hold`, async () => {
        const { fairway } = await open();
        const teeTime = await findTeeTime(fairway, { players: 4 });
        for (const field of foreign[version]) {
          const { status } = await post(fairway, teeTime, { [field]: 'no such thing' });
          expect({ field, status }).toEqual({ field, status: 200 });
        }
      });
    }
  }
});

describe('the contact', () => {
  const none = { contactFirstName: undefined, contactLastName: undefined };
  const table: readonly { name: string; sent: Fields; want: readonly [string, string] }[] = [
    { name: 'both names', sent: {}, want: ['Ada', 'Lovelace'] },
    { name: 'one name for both', sent: { ...none, contactName: 'Ada King Lovelace' }, want: ['Ada King', 'Lovelace'] },
    { name: 'all three', sent: { contactName: 'Charles Babbage' }, want: ['Ada', 'Lovelace'] },
    { name: 'a single word', sent: { ...none, contactName: 'Plato' }, want: ['', 'Plato'] },
  ];
  const fields = ['contactFirstName', 'contactLastName', 'contactName'] as const;
  const ids = fields.map((field) => `bookings.request.${field}` as const);
  for (const { name, sent, want } of table) {
    rule(ids, `${name} will do in every form`, async () => {
      for (const way of everyWay) {
        const { fairway } = await open();
        const teeTime = await findTeeTime(fairway);
        expect((await way.post(fairway, teeTime, sent)).status, way.name).toBe(200);
        const { data } = (await fairway.get('/api/v4/bookings')).body;
        const booked = data.find(({ teeId }: Json) => teeId === teeTime.teeid);
        expect([booked.contactFirstName, booked.contactLastName], way.name).toEqual(want);
      }
    });
  }

  const refused: readonly { name: string; sent: Fields; field: (typeof fields)[number] }[] = [
    { name: 'no name', sent: none, field: 'contactFirstName' },
    { name: 'a first name', sent: { contactLastName: undefined }, field: 'contactLastName' },
    { name: 'a last name', sent: { contactFirstName: undefined }, field: 'contactFirstName' },
    { name: 'an empty name for both', sent: { ...none, contactName: ' ' }, field: 'contactName' },
  ];
  for (const { name, sent, field } of refused) {
    rule(`bookings.request.${field}`, `${name} will not do in any form`, async () => {
      const { fairway } = await open();
      const teeTime = await findTeeTime(fairway);
      for (const { at, post } of everyWay) {
        const reply = await post(fairway, teeTime, sent);
        expect(reply).toMatchObject(refusedField(`bookings.request.${field}`, at + field));
      }
    });
  }
});
