import { expect } from 'vitest';
import * as strict from '../../../src/contract/generated/built/response-validators-strict.js';
import type { CallbackDelivery } from '../../../src/engine/library.js';
import type { Client } from '../client.js';
import { bookedIds } from '../ways-to-book.js';
import { type Deed, doers } from './deeds.js';
import { freeAtFirst, type Model, shownFree } from './model.js';
import type { Step } from './steps.js';

export type Clients = Readonly<Record<Step['channel'], Client>>;

type Mark = ReturnType<Model['marked']>;
type Judged = Deed & { readonly client: Client };

/** Walks in batches of steps that happen at once, judges every answer, and gives back all that was said. */
export async function walk(clients: Clients, all: readonly Step[], model: Model, atOnce: number): Promise<string[]> {
  const said: string[] = [];
  const { sandbox } = clients.fairway;
  for (let from = 0; from < all.length; from += atOnce) {
    const before = model.marked();
    const batch = all.slice(from, from + atOnce);
    const deeds = (await Promise.all(batch.map((step) => take(clients, step, model)))).filter(
      (deed) => deed !== undefined,
    );
    for (const deed of deeds) remember(deed, model);
    for (const deed of deeds) judge(deed, model, before);
    for (const { of, reply } of deeds) said.push(spoken(of, reply));
    for (const { a, does } of batch) if (does === 'wait') sandbox.clock.advance((a % 120) * 60_000);
  }
  sandbox.clock.advance(3_600_000);
  await sandbox.callbacks.settled();
  for (const delivery of sandbox.callbacks.deliveries) {
    const { body, attempts } = delivery;
    expect(strict.searchResult(JSON.parse(body!)), JSON.stringify(strict.searchResult.errors)).toBe(true);
    judgeDelivery(delivery, sandbox.clock.now());
    said.push(body!, JSON.stringify(attempts));
  }
  return said;
}

/** A result is posted until it is taken, two more times at most, each at its own instant. */
function judgeDelivery({ url, state, attempts }: CallbackDelivery, now: number): void {
  const failing = Number(new URL(url).searchParams.get('fail'));
  const statuses = [503, 503, 503].slice(0, failing);
  expect(attempts.map(({ status }) => status)).toEqual(failing < 3 ? [...statuses, 204] : statuses);
  expect(state).toBe(failing < 3 ? 'delivered' : 'failed');
  const [first = NaN, ...later] = attempts.map(({ at }) => Date.parse(at));
  expect(later).toEqual([first + 1000, first + 3000].slice(0, later.length));
  expect(Math.max(first, ...later)).toBeLessThanOrEqual(now);
  expect(url).toContain('//***@');
}

async function take(clients: Clients, step: Step, model: Model): Promise<Judged | undefined> {
  if (step.does === 'wait') return undefined;
  const client = clients[step.channel];
  const deed = await doers[step.does](client, step, model);
  return deed && { ...deed, client };
}

/** Status, headers and body as they came, but for what the transport adds. */
function spoken(of: string, { status, headers, text }: Deed['reply']): string {
  const kept = [...headers].filter(
    ([name]) => !/^(connection|keep-alive|date|content-length|transfer-encoding)$/.test(name),
  );
  return [of, status, JSON.stringify(kept), text.replaceAll(/http:\/\/[^/"]+\/images/g, '/images')].join(' ');
}

function remember({ client, reply, wanted }: Judged, model: Model): void {
  if (!wanted || reply.status !== 200) return;
  const ids = bookedIds(reply);
  expect(ids).toHaveLength(wanted.length);
  const groupId = reply.body.data.groupId ?? reply.body.data.bulkBookingId ?? null;
  wanted.forEach((one, index) => model.record({ ...one, bookingId: ids[index]!, groupId, channel: client.channel }));
}

function judge(deed: Judged, model: Model, before: Mark): void {
  const { of, reply, good } = deed;
  const { status, body, headers } = reply;
  expect(status, reply.text).toBeLessThan(500);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  const validator = status === 200 ? strict.responses[of] : strict.failure;
  expect(validator(body), `${of} ${JSON.stringify(validator.errors)} ${reply.text.slice(0, 400)}`).toBe(true);
  if (good !== undefined)
    expect({ of, good: status === 200, text: status === 200 ? '' : reply.text }).toMatchObject({ good });
  if (deed.sheet) judgeSheet(deed, model, before);
  if (deed.ofRange) judgeList(deed, model, before);
}

/** A tee time shows what the twin shows, less what was booked before the batch and at most what was booked in it. */
function judgeSheet({ of, reply, sheet }: Judged, model: Model, before: Mark): void {
  const { data } = reply.body;
  const shown = new Map<number, number>((data.teeTimeV3 ?? data.teeTimeV2 ?? data).map(shownFree));
  let matched = 0;
  // One expectation a sheet: a walk shows hundreds of thousands of tee times.
  const wrong: string[] = [];
  for (const teeTime of model.sheets.get(sheet!.at)!) {
    const most = freeAtFirst(teeTime) - before.takenOf(teeTime.teeid);
    const least = freeAtFirst(teeTime) - model.takenOf(teeTime.teeid);
    if (least < 0) wrong.push(`tee time ${teeTime.teeid} is overbooked: ${least} free slots`);
    const free = shown.get(teeTime.teeid);
    if (free === undefined) {
      // One course of several does not show the others.
      if (sheet!.course === undefined && least >= sheet!.players) wrong.push(`${of} hides ${teeTime.teeid}`);
      continue;
    }
    matched += 1;
    const atLeast = Math.max(least, sheet!.players);
    if (free < atLeast || free > most) {
      wrong.push(`${of} shows ${free} free slots in ${teeTime.teeid} instead of ${atLeast} to ${most}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(matched, 'tee times that the twin has not').toBe(shown.size);
}

/** The channel's bookings stand in its lists, each once; nobody else's do. */
function judgeList({ client, reply, ofRange }: Judged, model: Model, before: Mark): void {
  const ids: string[] = reply.body.data.map(({ bookingId }: { bookingId: string }) => bookingId);
  expect(new Set(ids).size).toBe(ids.length);
  const listed = new Set(ids);
  const { channel } = client;
  const wrong: string[] = [];
  for (const [index, made] of model.made.entries()) {
    const isListed = listed.has(made.bookingId);
    if (made.channel !== channel && isListed) wrong.push(`${made.bookingId} is of another channel`);
    if (made.channel === channel && index < before.count && !isListed) wrong.push(`${made.bookingId} is lost`);
  }
  expect(wrong).toEqual([]);
  const mine = new Set(model.made.filter((made) => made.channel === channel).map(({ bookingId }) => bookingId));
  const planted = ids.filter((id) => !mine.has(id));
  if (ofRange === 'all') expect(planted.length, 'bookings of the start').toBe(model.planted.get(channel));
}
