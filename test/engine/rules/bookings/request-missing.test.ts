import { describe, expect, test } from 'vitest';
import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import { open } from '../../../support/client.js';
import { refusedField, keptIn, type Way, waysOf } from '../../../support/requests.js';
import { rule } from '../../../support/rule.js';
import { findTeeTime } from '../../../support/scenes.js';

type Fields = Record<string, unknown>;

/** A booking in which every field of the v3 form is there, and well-formed. */
const complete: Fields = {
  facilityId: 1001,
  teetime: '2026-06-11 07:40:00',
  course: 'Duinbaan',
  players: 1,
  teeId: 1,
  holes: 18,
  contactName: 'Ada Lovelace',
  contactPhone: '+31 20 555 0100',
  contactEmail: 'ada@partner.example',
  netRate: 80,
  extraProduct: [],
  comments: '',
  additionalPlayers: [],
  linkedTeeTimeRef: '3f1d2c4b-5a69-4788-9706-15243342516f',
};

describe('v3 bulk', () => {
  const [{ post, at }] = waysOf(['v3']) as [Way];
  const strict = { dialect: { answers: { 'booking.v3-required': 'every' } } } as const;
  test.each([
    ['extraProduct', undefined],
    ['comments', undefined],
    ['additionalPlayers', undefined],
    ['linkedTeeTimeRef', strict],
  ])('needs %s, as the words for its form say [bookings.request.v3-every]', async (field, options) => {
    const clients = await open(options);
    const teeTime = await findTeeTime(clients.fairway);
    const before = keptIn(clients.sandbox);
    const reply = await post(clients.fairway, teeTime, { [field]: undefined });
    expect(reply).toMatchObject(refusedField('bookings.request.v3-every', at + field));
    expect(reply.headers.get('teebox-rule')).toBe('bookings.request.v3-every; basis=stated');
    expect(reply.body.message).toContain(`\`${at}${field}\` is missing; it must be`);
    expect(keptIn(clients.sandbox)).toEqual(before);
    expect((await post(clients.fairway, teeTime)).status).toBe(200);
  });

  test('needs no reference for tee times that are not linked', async () => {
    const clients = await open();
    const teeTime = await findTeeTime(clients.fairway);
    expect((await post(clients.fairway, teeTime, { linkedTeeTimeRef: undefined })).status).toBe(200);
  });

  rule('bookings.request.linkedTeeTimeRef', 'takes a reference that is a UUID, and no other', async () => {
    for (const answer of ['every-but-reference', 'every', 'core'] as const) {
      const { fairway } = await open({ dialect: { answers: { 'booking.v3-required': answer } } });
      const teeTime = await findTeeTime(fairway);
      for (const linkedTeeTimeRef of ['not-a-uuid', '', 7, null]) {
        const reply = await post(fairway, teeTime, { linkedTeeTimeRef });
        expect(reply).toMatchObject(refusedField('bookings.request.linkedTeeTimeRef', `${at}linkedTeeTimeRef`));
      }
      expect((await post(fairway, teeTime)).status).toBe(200);
    }
  });
});

describe('fields that are missing together', () => {
  const table: readonly { given: string; path: string; body: unknown; says: string; rule: RuleId }[] = [
    {
      given: 'an empty body',
      path: 'v5/bookings',
      body: {},
      says:
        '`facilityId`, `teetime`, `course`, `players`, `teeId`, `holes`, `productId`, `contactFirstName`, ' +
        '`contactLastName`, `contactPhone` and `contactEmail` are missing',
      rule: 'bookings.request.facilityId',
    },
    {
      given: 'an empty v2 body',
      path: 'v2/bookings',
      body: { holes: 12, contactName: 'Ada Lovelace' },
      says: '`facilityId`, `teetime`, `round`, `players`, `teeId`, `contactPhone` and `contactEmail` are missing',
      rule: 'bookings.request.facilityId',
    },
    {
      given: 'two bookings of a bulk request',
      path: 'v3/bulkbookings',
      body: [
        { ...complete, netRate: undefined, comments: undefined },
        { ...complete, players: undefined },
      ],
      says: '`[0].netRate`, `[0].comments` and `[1].players` are missing',
      rule: 'bookings.request.netRate',
    },
    {
      given: 'bookings with details',
      path: 'v5/bookings',
      body: { details: [{ ...complete, productId: 1, players: undefined, teeId: undefined }] },
      says: '`details[0].players` and `details[0].teeId` are missing',
      rule: 'bookings.request.players',
    },
    {
      given: 'more than a message can list',
      path: 'v5/bookings',
      body: Array.from({ length: 1000 }, () => ({})),
      says: '`[2].facilityId`, `[2].teetime`, `[2].course`, `[2].players`, `[2].teeId`, `[2].holes`, `[2].productId`, `[2].contactFirstName` and 10970 more are missing',
      rule: 'bookings.request.facilityId',
    },
  ];
  test.each(table)('$given: all are named at once', async ({ path, body, says, rule: decided }) => {
    const { fairway } = await open();
    const reply = await fairway.post(`/api/${path}`, body);
    expect([reply.status, reply.rule]).toEqual([400, decided]);
    expect(reply.body.message).toContain(`${says} (rule ${decided}).`);
    const id = reply.headers.get('teebox-request-id');
    const { detail } = (await fairway.get(`/__admin/requests/${id}`)).body;
    expect(detail).toContain(`${says}`);
  });
});
