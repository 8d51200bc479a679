import { isObject, isSameJson } from '../../common/index.js';
import type { Reply } from '../client/exchange.js';
import { LONGEST_ID } from '../client/own-bookings.js';
import { creations, isOf } from '../client/operations.js';
import { Inconclusive } from '../client/outcome.js';
import type { RequestCall } from '../client/request.js';
import { Session } from '../client/session.js';
import { bodyFor, contactAs, foreignNames, groupIn, idsIn } from '../journeys/bookings.js';
import { hasExtras, UNKNOWN_ID } from '../journeys/material.js';
import { isMissing, payment, type PaymentTarget, type PayVersion, type BulkVersion } from '../journeys/payments.js';
import { timesOfGroup } from '../rules/bookings/agreement.js';
import { cancellation } from '../run/target/clean-up.js';
import { Chance } from '../client/chance.js';
import { Contradiction, type Difference, type Fact, type Focus, GivenUp } from './found.js';
import { type Ground, placeOf } from './ground.js';
import { formOf, hasRoom, type Made, Model, partsOf, situationOf } from './model.js';
import { nameOf, Oracle } from './oracle.js';
import { expectNoServerError, Readings } from './readings.js';
import type { Spot } from './spots.js';
import { type BookStep, type CancelStep, type Channel, type Item, type PayStep, spotName, type Walk } from './steps.js';

/** How an operation ended. `skipped`: the deployment, or what came before, gives no occasion for it. */
export type Outcome = 'accepted' | 'refused' | 'skipped' | 'read';

/** An answer to a booking, with its items as they were sent, and their email addresses. */
export interface Booked {
  readonly reply: Reply;
  readonly keys: readonly string[];
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** How often a tee sheet for several players is read after a write. */
const SHARE_OF_FILTERS = 0.25;
/** How often the list of one version is read after a write, and not that of any. */
const SHARE_OF_ONE = 0.6;
/** How often a write is sent again that came too soon. */
const MOST_PAUSES = 2;
/** Looks that must all agree after a difference, when everything has settled. */
const LOOKS = 3;

/** The operations of a walk on its tee times, and what they change in the model. */
export class Walker {
  readonly session: Session;
  readonly readings: Readings;
  readonly model: Model;
  readonly oracle: Oracle;
  readonly #walkName: string;
  #lastWrite: number;

  constructor(
    readonly ground: Ground,
    readonly walk: Walk,
    readonly spots: readonly Spot[],
    free: readonly number[],
  ) {
    this.session = new Session(ground.run);
    this.readings = new Readings(this.session, spots);
    this.model = new Model(free, ground.taking);
    ground.attempts += 1;
    // The bookings of the walk before were cancelled just now.
    this.#lastWrite = ground.run.host.now();
    this.#walkName = `w${ground.attempts}`;
    this.oracle = new Oracle(ground, this.model, this.readings, this.#walkName);
  }

  /** Chance that belongs to a step, so that leaving out other steps does not change it. */
  chanceOf(step: number): Chance {
    return new Chance(this.walk.seed ^ Math.imul(step + 1, 0x85ebca6b));
  }

  /* Differences */

  /**
   * Expects no difference. A tee sheet and a list may follow a write a moment later; after that moment they must agree each
   * time that they are read.
   */
  async expect(look: () => Promise<readonly Difference[]>): Promise<void> {
    const { run, settle, compares } = this.ground;
    const first = await look();
    if (first.length === 0 || !compares) return;
    const left = this.#lastWrite + settle - run.host.now();
    if (left > 0) await run.host.sleep(left);
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const [still] = await look();
      if (still) throw new Contradiction(still);
    }
    this.ground.lag = Math.max(this.ground.lag, run.host.now() - this.#lastWrite);
  }

  /**
   * @param by The answer that shows it.
   * @throws {Contradiction} where differences are looked for.
   */
  contradict(difference: Difference, by?: Reply): void {
    if (!this.ground.compares) return;
    throw new Contradiction(by ? { ...difference, shownBy: by.id, operation: by.operation } : difference);
  }

  async #send(call: RequestCall): Promise<Reply> {
    return this.patiently(() => this.session.send(call));
  }

  /** Sends a write. Where the deployment asks for a pause, nothing has happened, and it is sent again after the pause. */
  async patiently(send: () => Promise<Reply>): Promise<Reply> {
    for (let left = MOST_PAUSES; ; left -= 1) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof Inconclusive && error.reason === 'rate-limited' && left > 0)) throw error;
      }
    }
  }

  #written(reply: Reply): Reply {
    this.#lastWrite = this.ground.run.host.now();
    expectNoServerError(reply);
    if (reply.ok && reply.json === undefined) throw new GivenUp('The response to a write is no JSON.');
    return reply;
  }

  /* Bookings */

  /** Whether a booking step can be sent: its tee times are of one tee sheet, and its channel sells them. */
  canBook({ by, items, as }: BookStep): boolean {
    if (!this.ground.can.ways.includes(by) || !this.ground.can.channels.includes(as)) return false;
    // What was accepted once says nothing about what it took.
    if (items.some(({ wrong }) => wrong && this.ground.habits.get(`book with a wrong ${wrong}`))) return false;
    const own = items.map(({ spot }) => this.spots[spot]);
    if (own.some((one) => !one || (as === 'second' && !one.isShared))) return false;
    if (own.some((one) => this.ground.refusing.has(placeOf(as, one!.sheet.facilityId)))) return false;
    if (by === 'linked' && (own.length < 2 || own.some((one) => one!.linkedProduct === undefined))) return false;
    return own.every(
      (one) => one!.sheet.facilityId === own[0]!.sheet.facilityId && one!.sheet.day.iso === own[0]!.sheet.day.iso,
    );
  }

  async sendBooking(step: BookStep): Promise<Booked> {
    const form = formOf(step.by);
    const creation = creations.findLast((one) => one.form === form)!;
    const reference = this.session.uuid();
    const keys = step.items.map((_, at) => `${this.#walkName}-${step.id}-${at}.${this.ground.run.runId}@example.com`);
    const items = step.items.map((item, at) => ({
      ...bodyOf(this.session, creation, this.spots[item.spot]!, item),
      ...(step.by === 'linked' ? { productId: this.spots[item.spot]!.linkedProduct, linkedTeeTimeRef: reference } : {}),
      ...(item.wrong === 'email' ? { contactEmail: undefined } : { contactEmail: keys[at] }),
    }));
    const isOne = step.by === 'single' || step.by === 'round';
    const body = isOne ? items[0] : step.by === 'details' ? { details: items } : items;
    const isWrong = step.items.some(({ wrong }) => wrong);
    const breaking = isWrong ? { breaking: 'errors.create.status' as const } : {};
    const call = { operation: creation.operation, body, as: step.as, ...breaking };
    const reply = this.#written(await this.#send(call));
    if (idsIn(reply).every((id) => id.length <= LONGEST_ID)) return { reply, keys, items };
    this.ground.closed += 1;
    throw new GivenUp('The identifier of a booking is too long.');
  }

  /** A booking on its own. */
  async book(step: BookStep): Promise<Outcome> {
    if (!this.canBook(step)) return 'skipped';
    const parts = partsOf(step);
    const isWrong = parts.length < step.items.length;
    // Whether a group may name a tee time twice is open.
    const fits = !isWrong && hasRoom(this.model.free, parts);
    const isDue = fits && new Set(parts.map(({ spot }) => spot)).size === parts.length;
    const booked = await this.sendBooking(step);
    if (booked.reply.ok) return this.#accepted(step, booked, isWrong, fits);
    const again = isDue ? await this.sendBooking(step) : undefined;
    await this.refuse(step, booked);
    if (again?.reply.ok) return this.#accepted(step, again, isWrong, fits);
    if (again) await this.refuse(step, again);
    if (isDue) await this.#refusedRightly(step, booked);
    return 'refused';
  }

  #accepted(step: BookStep, booked: Booked, isWrong: boolean, fits: boolean): Outcome {
    if (isWrong) {
      this.ground.habits.learn(`book with a wrong ${step.items.find(({ wrong }) => wrong)!.wrong}`, 'accepted');
      throw new GivenUp('A wrong booking was accepted, so that nobody knows what it took.');
    }
    if (!fits && this.model.taking !== 'unknown') {
      const { spot, players } = partsOf(step).find((part) => !hasRoom(this.model.free, [part])) ?? partsOf(step)[0]!;
      const message = `A booking of ${players} is accepted, although tee time ${spotName(spot)} has ${this.model.free[spot]} free.`;
      this.contradict({ fact: 'oversold', message, expected: 'a refusal', actual: booked.reply.status }, booked.reply);
    }
    this.accept(step, booked);
    return 'accepted';
  }

  /** A booking was accepted: its slots are taken, and its ids are in use. */
  accept(step: BookStep, booked: Booked): void {
    const { reply } = booked;
    this.ground.closed = 0;
    const group = step.by === 'single' || step.by === 'round' ? undefined : groupIn(reply);
    const ids = idsOf(reply, step, this.spots);
    this.#expectNewIds(reply, group);
    for (const [at, item] of step.items.entries()) {
      this.ground.bookable.add(placeOf(step.as, this.spots[item.spot]!.sheet.facilityId));
      this.#add(step, booked, at, { group, bookingId: ids[at] });
      this.model.move(item, 'take');
    }
    if (idsIn(reply).length !== step.items.length) {
      const message = `A booking of ${step.items.length} gets ${idsIn(reply).length} identifiers.`;
      this.contradict({ fact: 'ids', message, expected: step.items.length, actual: idsIn(reply).length }, reply);
    }
    if (!isObject(reply.data) || !Array.isArray(reply.data['bookingIds'])) return;
    const { named: actual, booked: expected, what: message } = timesOfGroup(booked);
    if (!isSameJson(actual, expected)) this.contradict({ fact: 'content', message, expected, actual }, reply);
  }

  #add(step: BookStep, { keys, items }: Booked, at: number, ids: Pick<Made, 'bookingId' | 'group'>): void {
    const { spot, players } = step.items[at]!;
    const known = { step: step.id, item: at, by: step.by, channel: step.as, key: keys[at]!, sent: items[at]! };
    const one: Made = { ...known, ...ids, spot, players, isActive: true, paid: new Set() };
    this.model.made.push(one);
    this.ground.bookings.set(one.key, one);
  }

  #expectNewIds(reply: Reply, group: number | undefined): void {
    const ids = [
      ...idsIn(reply).map((id) => `booking ${id}`),
      ...(group === undefined ? [] : [`group ${group} of ${reply.operation}`]),
    ];
    for (const id of ids) {
      const before = this.ground.ids.get(id);
      this.ground.ids.set(id, reply.id);
      if (before === undefined) continue;
      const what = id.startsWith('booking') ? 'booking' : 'group';
      const message = `A new ${what} has the identifier of an earlier one.`;
      this.contradict({ fact: 'ids', message, expected: 'a new identifier', actual: id }, reply);
    }
  }

  /** A booking was refused: nothing stays of it, or what is known to stay of a refused group (`booking.group-failure`). */
  async refuse(step: BookStep, booked: Booked): Promise<void> {
    const { reply, keys } = booked;
    const isGroup = step.items.length > 1;
    const stays = isGroup && this.ground.habits.get('refused group') === 'earlier stay';
    if (!stays) {
      for (const key of keys) this.model.refused.add(key);
      return;
    }
    const [version] = this.ground.can.lists;
    if (version === undefined) throw new GivenUp('A refused group may stay in part, and no list shows it.');
    await this.ground.run.host.sleep(this.ground.lag);
    for (const row of await this.readings.list(version, step.as)) {
      const at = keys.indexOf(String(row['contactEmail']));
      if (at < 0) continue;
      const item = step.items[at]!;
      const bookingId = String(row['bookingId']);
      this.ground.run.transport.own.adopt({ bookingId, channel: step.as });
      this.ground.run.transport.budget.adopt(row, reply.id);
      this.#add(step, booked, at, { group: undefined, bookingId });
      this.model.move(item, 'take');
    }
  }

  /** A right booking was refused twice. It is a finding where the same booking elsewhere is accepted. */
  async #refusedRightly(step: BookStep, { reply }: Booked): Promise<void> {
    const { facilityId } = this.spots[step.items[0]!.spot]!.sheet;
    const { refusing, bookable } = this.ground;
    const place = placeOf(step.as, facilityId);
    if (!bookable.has(place)) {
      refusing.add(place);
      throw new GivenUp(`Facility ${facilityId} accepts no booking.`);
    }
    for (const version of this.ground.can.sheets.slice(0, 1)) await this.expect(() => this.oracle.sheet(version));
    const untouched = this.spots.findIndex((one, spot) => {
      const isFresh =
        !this.model.made.some((made) => made.spot === spot) && !step.items.some((item) => item.spot === spot);
      return isFresh && one.sheet.facilityId === facilityId && (this.model.free[spot] ?? 0) > 0 && step.by !== 'linked';
    });
    if (untouched < 0) throw new GivenUp('A right booking was refused, and there is no tee time to compare with.');
    const control: BookStep = { ...step, id: -step.id, items: [{ spot: untouched, players: 1 }] };
    const booked = await this.sendBooking(control);
    if (!booked.reply.ok) {
      this.ground.closed += 1;
      throw new GivenUp(`Facility ${facilityId} accepts no further booking.`);
    }
    this.accept(control, booked);
    const message = `A right booking is refused, although its tee times have the free slots.`;
    this.contradict({ fact: 'refused', message, expected: 'a success', actual: reply.status }, reply);
  }

  /* Payments and cancellations */

  /** The bookings that a step pays; none where there is nothing to pay. */
  payable({ of, item, version }: PayStep): readonly Made[] {
    const made = this.model.of(of);
    const { payments, groupPayments } = this.ground.can;
    if (item === undefined) return made[0]?.group !== undefined && groupPayments.includes(version) ? made : [];
    return payments.includes(version) ? made.filter((one) => one.item === item && one.bookingId !== undefined) : [];
  }

  sendPayment(step: PayStep, made: readonly Made[]): Promise<Reply> {
    return this.#payAs(made[0]!.channel, targetOf(step, made[0]!));
  }

  async #payAs(as: Channel, target: PaymentTarget): Promise<Reply> {
    const method = methodOf(target);
    const known = this.ground.habits.get(method);
    const reply = await this.#send({ ...payment(target, known === 'get' ? 'get' : 'post'), as });
    if (reply.ok) this.ground.habits.learn(method, known ?? 'post');
    if (known !== undefined || !isMissing(reply)) return this.#written(reply);
    const other = await this.#send({ ...payment(target, 'get'), as });
    if (!isMissing(other)) this.ground.habits.learn(method, 'get');
    return this.#written(isMissing(other) ? reply : other);
  }

  situation({ version, item }: PayStep, made: readonly Made[]): string {
    const { facilityId } = this.spots[made[0]!.spot]!.sheet;
    return `${item === undefined ? 'group ' : ''}${situationOf(made, version, facilityId)}`;
  }

  async pay(step: PayStep): Promise<Outcome> {
    const made = this.payable(step);
    if (made.length === 0) return 'skipped';
    if (step.byOther) return this.#payAsOther(step, made[0]!);
    const situation = this.situation(step, made);
    let reply = await this.sendPayment(step, made);
    if (!reply.ok && this.ground.habits.get(situation) !== 'refused') reply = await this.sendPayment(step, made);
    this.#learn('payment', situation, reply, `The ${step.version} payment of ${nameOf(made[0]!)}`);
    if (reply.ok) this.paid(step, made);
    return reply.ok ? 'accepted' : 'refused';
  }

  /** Another channel must not confirm the payment. A paused payment says nothing, nor a deployment that confirms all. */
  async #payAsOther(step: PayStep, made: Made): Promise<Outcome> {
    const target = targetOf(step, made);
    const isPaused = 'bookingId' in target && isOf('pausedPayment', step.version);
    // Without an own payment that was accepted, a refusal says nothing.
    if (isPaused || this.ground.habits.get(methodOf(target)) === undefined) return 'skipped';
    const as = otherThan(made.channel);
    const reply = await this.#payAs(as, target);
    if (!reply.ok) return 'refused';
    const unknown = 'bookingId' in target ? { bookingId: 'no-such-booking' } : { bulkBookingId: UNKNOWN_ID };
    if ((await this.#payAs(as, { ...target, ...unknown } as PaymentTarget)).ok) return 'refused';
    const message = `The ${step.version} payment of ${nameOf(made)} is confirmed to another channel.`;
    this.contradict({ fact: 'foreign', message, expected: 'a refusal', actual: reply.status }, reply);
    return 'accepted';
  }

  paid({ version, item }: PayStep, made: readonly Made[]): void {
    const how = item === undefined ? 'group' : isOf('pausedPayment', version) ? 'paused' : 'single';
    for (const one of made) one.paid.add(how);
  }

  /** What was answered once in a situation must be answered again. */
  #learn(fact: 'payment' | 'cancellation', situation: string, reply: Reply, what: string): void {
    const actual = reply.ok ? 'accepted' : 'refused';
    const expected = this.ground.habits.learn(situation, actual);
    if (expected === undefined) return;
    const message = `${what} is ${actual}; before, it was ${expected}.`;
    this.contradict({ fact, message, expected, actual }, reply);
  }

  cancelable({ of, item, byOther }: CancelStep): Made | undefined {
    if (this.ground.can[byOther ? 'otherCancels' : 'cancels'] === undefined) return undefined;
    return this.model.of(of).find((one) => one.item === item && one.bookingId !== undefined);
  }

  async sendCancellation({ bookingId, channel }: Made): Promise<Reply> {
    const call = cancellation({ bookingId: bookingId!, channel }, this.ground.can.cancels!);
    return this.#written(await this.#send(call));
  }

  async cancel(step: CancelStep): Promise<Outcome> {
    const made = this.cancelable(step);
    if (!made) return 'skipped';
    // What another channel cancels stays as it is: the lists show whether it does.
    if (step.byOther) {
      const own = { bookingId: made.bookingId!, channel: otherThan(made.channel) };
      const { ok } = this.#written(await this.#send(cancellation(own, this.ground.can.otherCancels!)));
      return ok ? 'accepted' : 'refused';
    }
    const { facilityId } = this.spots[made.spot]!.sheet;
    const state = made.isActive ? 'active' : 'cancelled';
    const paid = [...made.paid].sort().join('+');
    // A policy may depend on the number of players.
    const situation = ['cancel', made.by, state, paid, facilityId, made.players].join(' ');
    let reply = await this.sendCancellation(made);
    if (!reply.ok && this.ground.habits.get(situation) !== 'refused') reply = await this.sendCancellation(made);
    this.#learn('cancellation', situation, reply, `The cancellation of ${nameOf(made)}`);
    if (reply.ok) this.canceled(made);
    return reply.ok ? 'accepted' : 'refused';
  }

  canceled(made: Made): void {
    if (!made.isActive) return;
    made.isActive = false;
    this.model.move(made, 'give');
  }

  /* Reads */

  async list(version: string, as: Channel): Promise<Outcome> {
    if (!this.ground.can.lists.includes(version) || !this.ground.can.channels.includes(as)) return 'skipped';
    await this.expect(() => this.oracle.list(version, as));
    return 'read';
  }

  /** Reads everything again, or what shows one kind of fact. */
  async everything(focus?: Focus): Promise<void> {
    const { sheets, channels, ways } = this.ground.can;
    const of = (...some: readonly Fact[]): boolean => focus === undefined || some.includes(focus.fact);
    if (of('slots', 'oversold', 'filter', 'read', 'server-error', 'refused')) {
      for (const version of sheets) await this.expect(() => this.oracle.sheet(version));
      const isShared = channels.length > 1 && sheets.length > 0;
      if (isShared && ways.length > 0) await this.expect(() => this.oracle.sheet(sheets[0]!, 'second'));
    }
    if (ways.length === 0) return;
    if (focus?.fact === 'filter') await this.#everyFilter();
    if (of('prices') && this.ground.can.hasPrices) {
      for (const spot of this.spots.keys()) await this.expect(() => this.oracle.prices(spot));
    }
    if (of('missing', 'phantom', 'twice', 'content', 'state', 'lists', 'foreign', 'read', 'server-error', 'ids'))
      await this.#everyList(focus?.isOfEarlier !== false);
  }

  async #everyFilter(): Promise<void> {
    for (const version of this.ground.can.filters) {
      for (const spot of this.spots.keys()) {
        await this.expect(() => this.oracle.filter(version, spot, this.#playersOfFilters));
      }
    }
  }

  /** The same number in a whole walk, so that the same address is read before and after a change. */
  get #playersOfFilters(): number {
    return 2 + (this.walk.seed % 3);
  }

  async #everyList(isWhole: boolean): Promise<void> {
    const { lists, channels } = this.ground.can;
    for (const as of channels) for (const version of lists) await this.list(version, as);
    // The same kind of list in a whole walk, so that a smaller one reads it again.
    if (isWhole) await this.expect(() => this.oracle.lists(this.walk.seed % 2 === 0));
  }

  /** Reads what a write must have changed, and some that it must not. */
  async sample(step: number, as: Channel): Promise<void> {
    const { lists, sheets, filters, channels } = this.ground.can;
    const chance = this.chanceOf(step);
    const sheet = chance.pick(sheets);
    if (sheet !== undefined) await this.expect(() => this.oracle.sheet(sheet));
    const narrowing = chance.pick(filters);
    if (narrowing !== undefined && chance.next() < SHARE_OF_FILTERS) {
      const spot = chance.below(this.spots.length);
      await this.expect(() => this.oracle.filter(narrowing, spot, this.#playersOfFilters));
    }
    // One list more often than the others, so that the same address is read before and after a change.
    const list = chance.next() < SHARE_OF_ONE ? lists[this.walk.seed % lists.length] : chance.pick(lists);
    if (list !== undefined) await this.list(list, chance.next() < 0.8 ? as : chance.pick(channels));
  }
}

function targetOf({ item, version }: PayStep, { group, bookingId }: Made): PaymentTarget {
  if (item === undefined) return { version: version as BulkVersion, bulkBookingId: group! };
  return { version: version as PayVersion, bookingId: bookingId! };
}

/** The open question by which method a payment is confirmed. */
function methodOf(target: PaymentTarget): string {
  return `method of ${target.version} ${'bookingId' in target ? '' : 'group '}payments`;
}

const otherThan = (channel: Channel): Channel => (channel === 'first' ? 'second' : 'first');

function bodyOf(
  session: Session,
  creation: (typeof creations)[number],
  spot: Spot,
  { players, full, wrong }: Item,
): Record<string, unknown> {
  const { teeTime } = spot;
  const body = bodyFor(session, creation, spot, Math.min(players, 4));
  if (full && creation.form === 'product') {
    Object.assign(body, contactAs(session, ...foreignNames));
    if (players > 1) body['additionalPlayers'] = [{ firstName: 'Second', lastName: 'Player' }];
    if (hasExtras(teeTime)) body['extraProduct'] = [{ mid: teeTime.extraProducts[0]!.mid, quantity: 1 }];
  }
  if (wrong === 'tee time') body['teeId'] = UNKNOWN_ID;
  if (wrong === 'product') body['productId'] = UNKNOWN_ID;
  if (wrong === 'players') body['players'] = 5;
  if (wrong === 'extra product') body['extraProduct'] = [{ mid: UNKNOWN_ID, quantity: 1 }];
  if (wrong === 'contact') for (const name of ['contactFirstName', 'contactLastName', 'contactName']) delete body[name];
  return body;
}

/** The id of each item: the answer to several says by the tee time which is which, where it is the only one at that time. */
function idsOf(reply: Reply, { items }: BookStep, spots: readonly Spot[]): readonly (string | undefined)[] {
  const all = idsIn(reply);
  if (items.length === 1) return [all[0]];
  const { bookingIds } = (reply.data ?? {}) as { readonly bookingIds?: unknown };
  const entries = (Array.isArray(bookingIds) ? (bookingIds as readonly unknown[]) : []).filter(isObject);
  return items.map(({ spot }) => {
    const time = spots[spot]!.teeTime.time.slice(0, 19);
    const own = entries.filter(({ teetime }) => String(teetime).startsWith(time));
    const id = own.length === 1 ? own[0]!['bookingId'] : undefined;
    return typeof id === 'string' ? id : undefined;
  });
}
