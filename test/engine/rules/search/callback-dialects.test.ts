import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { DialectCard } from '../../../../src/engine/state/dialect.js';
import { open } from '../../../support/client.js';
import { type Posted, startReceiver } from '../../../support/network/receiver.js';
import { rule } from '../../../support/rule.js';
import { search, searchQuery, type SearchWish } from '../../../support/views.js';

type Answers = NonNullable<DialectCard['answers']>;

/** What arrives at a receiver when a channel searches under a dialect. */
async function postedUnder(
  answers: Answers,
  channel: 'fairway' | 'links' = 'fairway',
  wish: SearchWish = {},
): Promise<Posted> {
  const receiver = await startReceiver();
  const opened = await open({ dialect: { answers } });
  await search(opened[channel], searchQuery({ callbackUrl: receiver.url, ...wish }));
  await opened.sandbox.callbacks.settled();
  return receiver.posted[0]!;
}

const channels = async () => (await open()).sandbox.channels;

describe('callback.signature', () => {
  for (const answers of [{}, { 'callback.signature': 'none' }] as const) {
    rule('callback.signature', `${JSON.stringify(answers)}: unsigned`, async () => {
      const { headers } = await postedUnder(answers);
      expect(Object.keys(headers).filter((name) => name.includes('signature'))).toEqual([]);
    });
  }

  for (const channel of ['fairway', 'links'] as const) {
    rule('callback.signature', `hmac-sha256 over the bytes of the body, by the password of ${channel}`, async () => {
      // Facility 1009 has letters beyond ASCII in its names, so bytes and characters differ.
      const wish = { facilityIds: [1009, 1007], holes: 9 };
      const { headers, body } = await postedUnder({ 'callback.signature': 'hmac-sha256' }, channel, wish);
      const { password } = (await channels()).find(({ name }) => name === channel)!;
      const digest = createHmac('sha256', password).update(body, 'utf8').digest('hex');
      expect(headers['x-signature']).toBe(`sha256=${digest}`);
    });
  }

  rule('callback.signature', 'a signature holds for one body only', async () => {
    const signed = (players: number) => postedUnder({ 'callback.signature': 'hmac-sha256' }, 'fairway', { players });
    expect((await signed(1)).headers['x-signature']).not.toBe((await signed(4)).headers['x-signature']);
  });
});

describe('callback.auth', () => {
  for (const answers of [{}, { 'callback.auth': 'none' }] as const) {
    rule('callback.auth', `${JSON.stringify(answers)}: no credentials`, async () => {
      expect((await postedUnder(answers)).headers.authorization).toBeUndefined();
    });
  }

  for (const channel of ['fairway', 'links'] as const) {
    rule('callback.auth', `basic: the credentials of ${channel}`, async () => {
      const { headers } = await postedUnder({ 'callback.auth': 'basic' }, channel);
      const { username, password } = (await channels()).find(({ name }) => name === channel)!;
      expect(headers.authorization).toBe(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
    });
  }
});

describe('callback.failure-body', () => {
  const unknown = { facilityIds: [1001, 4] };

  for (const answers of [{}, { 'callback.failure-body': 'none' }] as const) {
    rule('callback.failure-body', `${JSON.stringify(answers)}: what was found, and an empty element`, async () => {
      const { success, data } = JSON.parse((await postedUnder(answers, 'fairway', unknown)).body);
      expect(success).toBe(true);
      expect(data[0].teeTimeV3.length).toBeGreaterThan(0);
      expect(data[1]).toEqual({ facilityId: 4, teeTimeV3: [] });
    });
  }

  rule('callback.failure-body', 'envelope: a failure that names the facility', async () => {
    const answers = { 'callback.failure-body': 'envelope' } as const;
    const failed = JSON.parse((await postedUnder(answers, 'fairway', unknown)).body);
    expect(failed).toEqual({ success: false, data: null, message: expect.stringContaining('4') });
    const { success, data } = JSON.parse((await postedUnder(answers)).body);
    expect({ success, elements: data.length }).toEqual({ success: true, elements: 1 });
  });
});
