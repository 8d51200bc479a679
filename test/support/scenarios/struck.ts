import { expect } from 'vitest';
import { answersOf } from '../../../src/engine/state/dialect.js';
import { refusalStatus, refusalTable, transferFailedWords } from '../../../src/engine/api/refusals.js';
import type { Effect, Phase, Scenario } from '../../../src/contract/generated/scenarios.js';
import { listedIds, LISTING } from '../booking-list.js';
import type { Client } from '../client.js';
import { traceOf } from '../requests.js';
import type { TeeTime } from '../scenes.js';
import { pricesOf, viewsOf } from '../views.js';

type Clients = Parameters<typeof traceOf>[0];
export type RefusalCode = keyof typeof refusalTable;

/** What a refused booking is answered with, words and all. */
export function refusalOf(code: RefusalCode, requestId: string): { status: number; body: unknown } {
  const words = refusalTable[code].words ?? transferFailedWords(requestId);
  return { status: refusalStatus(code, answersOf({})), body: { success: false, data: null, message: words } };
}

const TRANSPARENT = ['slow', 'slow-body'];
const CUT = ['timeout', 'connection-reset', 'empty-response'];

/** What a caller sees of a booking that is struck: an answer, a broken one, or none. */
export function seenOf(effect: Effect): 'booked' | 'refused' | 'broken' | 'cut' {
  if (effect.kind === 'network') {
    if (TRANSPARENT.includes(effect.fault)) return 'booked';
    return CUT.includes(effect.fault) ? 'cut' : 'broken';
  }
  return effect.kind === 'change' && effect.change === 'price-changed' ? 'booked' : 'refused';
}

/** The refusal that a struck booking meets. */
export function codeOf(effect: Effect): RefusalCode {
  return effect.kind === 'refusal' ? (effect.code as RefusalCode) : 'cart-problem';
}

/** Whether the booking is made. */
export function isMade({ effect }: Scenario, phase: Phase): boolean {
  const slow = effect.kind === 'network' && effect.fault === 'slow';
  return phase === 'after-commit' || slow || (effect.kind === 'change' && effect.change === 'price-changed');
}

/** One booking of the tee time stands in the list of each version, and one place less is free. */
async function expectMade(client: Client, { teeid, products }: TeeTime): Promise<void> {
  for (const version of LISTING) {
    const made = (await listedIds(client, version)).filter((one) => one.includes(String(teeid)));
    expect(made, version).toHaveLength(1);
  }
  const shown = (await viewsOf(client)).v4.find((one) => one.teeid === teeid);
  expect(shown.products[0].available).toBe(products[0].available - 1);
}

type Change = Exclude<
  Extract<Effect, { kind: 'change' }>['change'],
  'token-expired' | 'refresh-token-used' | 'credentials-revoked'
>;

/** What holds after others have changed something, beside that the booking was not made. */
const changed: Readonly<Record<Change, (clients: Clients, teeTime: TeeTime, before: Before) => Promise<void>>> = {
  'sold-out': async ({ fairway }, { course }) => {
    const { v2, v3, v4, v5, callback, prices } = await viewsOf(fairway);
    const shown = [...v2, ...v3, ...v4, ...v5, ...callback].filter((one) => (one.course ?? one.round) === course);
    const day = prices.filter((one) => one.courseName === course).flatMap(({ availability }) => availability);
    expect([shown, day.filter(({ available }) => available > 0)]).toEqual([[], []]);
  },
  rival: async ({ fairway }, { teeid, products }) => {
    const [rival] = fairway.sandbox.db.bookings.findMany((q) => q.where({ teeId: teeid, contactLastName: 'Buyer' }));
    expect(rival).toMatchObject({ status: 'BOOKED', players: products[0].available });
    expect(rival!.channel).not.toBe('fairway');
    expect((await viewsOf(fairway)).v4.map((one) => one.teeid)).not.toContain(teeid);
  },
  'tee-time-withdrawn': async ({ fairway }, { teeid }) => {
    const { v2, v3, v4, v5, callback } = await viewsOf(fairway);
    for (const view of [v2, v3]) expect(view.map((one) => one.id)).not.toContain(teeid);
    for (const view of [v4, v5, callback]) expect(view.map((one) => one.teeid)).not.toContain(teeid);
  },
  'facility-disconnected': async ({ fairway, links }) => {
    const sold = async (client: Client) => (await viewsOf(client)).v4.length > 0;
    expect([await sold(fairway), await sold(links)]).toEqual([false, true]);
  },
  'price-changed': async ({ fairway }, { course }, { prices }) => {
    const now = await pricesOf(fairway, [1001], 10);
    for (const [index, was] of prices.entries()) {
      const factor = was.courseName === course ? 1.1 : 1;
      expect(Math.abs(now[index].price - was.price * factor), was.productName).toBeLessThan(was.price * 0.02);
      if (factor > 1) expect(now[index].price).toBeGreaterThan(was.price);
    }
  },
};

/** The state before a booking. */
export interface Before {
  readonly trace: unknown;
  readonly lists: unknown;
  readonly prices: Awaited<ReturnType<typeof pricesOf>>;
}

export async function stateOf(clients: Clients): Promise<Before> {
  const trace = await traceOf(clients);
  return {
    trace,
    lists: (await ownLists(clients.fairway)).sort(),
    prices: await pricesOf(clients.fairway, [1001], 10),
  };
}

async function ownLists(client: Client): Promise<string[]> {
  return (await Promise.all(LISTING.map((version) => listedIds(client, version)))).flat();
}

/** What a scenario leaves behind, as its file tells. */
export async function expectAfter(
  clients: Clients,
  { scenario, phase }: { readonly scenario: Scenario; readonly phase: Phase },
  teeTime: TeeTime,
  before: Before,
): Promise<void> {
  const { effect } = scenario;
  if (isMade(scenario, phase)) await expectMade(clients.fairway, teeTime);
  else expect((await ownLists(clients.fairway)).sort()).toEqual(before.lists);
  if (effect.kind === 'change') await changed[effect.change as Change](clients, teeTime, before);
  else if (!isMade(scenario, phase)) expect(await traceOf(clients)).toEqual(before.trace);
}
