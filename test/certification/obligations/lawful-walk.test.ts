import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pay } from '../../support/payments.js';
import { Session } from '../../support/obligations/session.js';
import { dayIn, teeTimesPath, type TeeTime } from '../../support/scenes.js';

/** What may strike a booking. */
const strikes = [
  undefined,
  undefined,
  'tee-sheet-unresponsive',
  'transfer-failed; phase=after-commit',
  'booking-failed; phase=after-commit',
  'payment-pv-failed',
  'cart-problem',
  'rival',
  'price-changed',
  'tee-time-withdrawn',
  'connection-reset; phase=before-commit',
  'connection-reset; phase=after-commit',
  'server-error; phase=after-commit',
  'malformed-json',
  'maintenance',
] as const;
const faults = ['callback-late', 'callback-duplicate', 'callback-out-of-order', 'callback-never', undefined] as const;

/** A customer: the same one may book the same for two reasons, and several at a time. */
interface Order {
  readonly guest: number;
  readonly days: number;
  readonly players: number;
  readonly strike: (typeof strikes)[number];
  readonly again: (typeof strikes)[number];
  readonly version: 'v1' | 'v3' | 'v4' | 'v5';
  readonly paymentStrike: 'connection-reset; phase=after-commit' | undefined;
}

const order: fc.Arbitrary<Order> = fc.record({
  guest: fc.nat(2),
  days: fc.integer({ min: 9, max: 10 }),
  players: fc.integer({ min: 1, max: 2 }),
  strike: fc.constantFrom(...strikes),
  again: fc.constantFrom(...strikes),
  version: fc.constantFrom('v1', 'v3', 'v4', 'v5'),
  paymentStrike: fc.constantFrom('connection-reset; phase=after-commit', undefined),
});
type Step = Order | { readonly together: readonly Order[] } | { readonly search: (typeof faults)[number] } | 'look';
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: order },
  { weight: 2, arbitrary: fc.record({ together: fc.tuple(order, order) }) },
  { weight: 1, arbitrary: fc.record({ search: fc.constantFrom(...faults) }) },
  { weight: 1, arbitrary: fc.constant('look' as const) },
);

/** A client that does everything right, for several customers. */
class LawfulClient {
  readonly #known = new Set<string>();

  constructor(readonly session: Session) {}

  async take(one: Step): Promise<void> {
    if (one === 'look') await this.session.look();
    else if ('search' in one) await this.session.search([1001, 1002], one.search ? { scenario: one.search } : {});
    else if ('together' in one) {
      // Customers that book at the same time are not the same one.
      await Promise.all(one.together.map((each, nth) => this.serve({ ...each, guest: 3 + nth })));
    } else await this.serve(one);
  }

  async serve(order: Order): Promise<void> {
    const { client } = this.session;
    const first = await this.attempt(order, order.strike);
    const id = first ?? (await this.attempt(order, order.again));
    if (id === undefined) return;
    const path = `/api/${order.version}/bookings/payment/${encodeURIComponent(id)}`;
    if (order.paymentStrike) {
      const headers = { 'teebox-scenario': order.paymentStrike };
      await client.post(path, undefined, { headers }).catch(() => undefined);
    }
    await pay(client, order.version, id);
  }

  /** Reads the tee sheet, books, and looks into the list if the outcome is not clear: the id, if there is a booking. */
  async attempt({ guest, days, players }: Order, strike: string | undefined): Promise<string | undefined> {
    const teeTime = await this.find(days, players);
    if (!teeTime) return undefined;
    const contactEmail = `guest${guest}@partner.example`;
    const { netRate } = teeTime.products[0].pricing.find((one: { quantity: number }) => one.quantity === players);
    const reply = await this.session.book(teeTime, { players, contactEmail, netRate: netRate.amount }, strike);
    const id = reply?.status === 200 ? reply.body?.data.bookingId : undefined;
    return this.keep(id) ?? this.lookFor(teeTime, players, contactEmail);
  }

  async find(days: number, players: number): Promise<TeeTime | undefined> {
    const { body } = await this.session.client.get(teeTimesPath('v4', { days, players }));
    return body.data.teeTimeV3.find(({ products }: TeeTime) => products[0].available >= players);
  }

  async lookFor({ teeid }: TeeTime, players: number, contactEmail: string): Promise<string | undefined> {
    const { body } = await this.session.look('v4', `?fromDate=${dayIn(0).query}`);
    const found = body.data.find(
      (one: { bookingId: string; teeId: number; players: number; contactEmail: string }) =>
        one.teeId === teeid &&
        one.players === players &&
        one.contactEmail === contactEmail &&
        !this.#known.has(one.bookingId),
    );
    return this.keep(found?.bookingId);
  }

  keep(id: string | undefined): string | undefined {
    if (id !== undefined) this.#known.add(id);
    return id;
  }
}

test('a client that does everything right breaks nothing, whatever strikes it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const session = await Session.open();
      const client = new LawfulClient(session);
      for (const one of steps) await client.take(one);
      session.facts = { exam: 'walk', clientOk: true };
      const broken = [...session.end().values()].filter(({ verdict }) => verdict === 'fail');
      expect(broken.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    }),
    { numRuns: 8 },
  );
});
