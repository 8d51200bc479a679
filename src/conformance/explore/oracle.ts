import { canonicalInAnyOrder } from '../../common/index.js';
import { operationIn } from '../client/operations.js';
import type { ListVersion } from '../journeys/booking-lists.js';
import { DAY } from '../client/day.js';
import { Facts } from '../facts/facts.js';
import { sameLists } from '../rules/bookings/agreement.js';
import { ofOneChannel } from '../rules/bookings/list.js';
import { mayBe, shownAsBooked } from '../rules/bookings/states.js';
import { productFor, type SheetVersion } from '../journeys/pool/reads.js';
import { keptWords } from '../run/summary/values.js';
import type { Difference } from './found.js';
import type { Ground } from './ground.js';
import { formOf, type Made, type Model } from './model.js';
import { type Readings, rowsOf } from './readings.js';
import { type Channel, spotName } from './steps.js';

/** What holds between the lists of a moment, and the fact that is wrong otherwise. */
const relations = [
  ['foreign', ofOneChannel],
  ['lists', sameLists],
] as const;
/** Differences between lists that are looked at again. */
const MOST_BETWEEN = 100;

/** Compares what the deployment shows with what the steps of a walk have made of it. */
export class Oracle {
  constructor(
    readonly ground: Ground,
    readonly model: Model,
    readonly readings: Readings,
    /** The end of the email addresses of this walk. */
    readonly suffix: string,
  ) {}

  /** The free slots of the tee times on a tee sheet. */
  async sheet(version: string, as: Channel = 'first'): Promise<readonly Difference[]> {
    if (this.model.taking === 'unknown') return [];
    const operation = operationIn('listTeeTimes', version as SheetVersion);
    const shown = await this.readings.sheet(version, as);
    return shown.flatMap(({ spot, free: actual, shownBy }): Difference[] => {
      const expected = this.model.free[spot]!;
      if (actual === expected) return [];
      const what = `The ${version} tee sheet${byWhom(as)} shows ${slots(actual)} of tee time ${spotName(spot)}`;
      const message = `${what}; the bookings leave ${expected}.`;
      return [{ fact: 'slots', message, expected, actual, shownBy, operation }];
    });
  }

  /** Whether a tee sheet for a number of players has a tee time. */
  async filter(version: string, spot: number, players: number): Promise<readonly Difference[]> {
    if (this.model.taking === 'unknown' || !this.ground.can.filters.includes(version)) return [];
    const operation = operationIn('listTeeTimes', version as SheetVersion);
    const [one] = await this.readings.sheet(version, 'first', players, spot);
    const expected = this.model.free[spot]! >= players;
    if (!one || one.isListed === expected) return [];
    const verb = one.isListed ? 'lists' : 'does not list';
    const of = `The ${version} tee sheet for ${players} players ${verb} tee time ${spotName(spot)}`;
    const message = `${of}, which has ${slots(this.model.free[spot]!)}.`;
    return [{ fact: 'filter', message, expected, actual: one.isListed, shownBy: one.shownBy, operation }];
  }

  /** The free slots of a tee time in the price list. */
  async prices(spot: number): Promise<readonly Difference[]> {
    const place = this.readings.spots[spot]!;
    const product = place.linkedProduct ?? productFor(place.teeTime, 1)?.mid;
    if (product === undefined || this.model.taking === 'unknown') return [];
    const actual = await this.readings.prices(place, product);
    const expected = this.model.free[spot]!;
    if (actual === undefined || actual === expected) return [];
    const operation = operationIn('listPrices');
    const message = `The price list shows ${slots(actual)} of tee time ${spotName(spot)}; the bookings leave ${expected}.`;
    return [{ fact: 'prices', message, expected, actual, shownBy: this.readings.last(operation), operation }];
  }

  /** The bookings of the walk in the list of a channel, read with its access token or not. */
  async list(version: string, as: Channel, scheme?: 'bearer'): Promise<readonly Difference[]> {
    const items = await this.readings.list(version, as, scheme);
    const list = `The ${version} list${byWhom(as)}${scheme ? ', read with its access token,' : ''}`;
    return this.#inList(items, this.model.made, version, as, list);
  }

  /**
   * The bookings of all walks in the lists of every version and channel, and these lists compared with each other. Others may
   * write between two reads, but hardly so that the lists differ in the same way twice.
   */
  async lists(isBare: boolean): Promise<readonly Difference[]> {
    const first = await this.#wholeLists(isBare);
    const { own, between } = first.between.size > 0 ? await this.#wholeLists(isBare) : first;
    const same = [...between].flatMap(([words, one]) => (first.between.has(words) ? [one] : []));
    return [...own, ...same].map((one) => ({ ...one, isOfEarlier: true }));
  }

  /** What is wrong with the bookings in each list, and what differs between the lists, by its words. */
  async #wholeLists(isBare: boolean) {
    const { lists, channels } = this.ground.can;
    const facts = new Facts([]);
    const own: Difference[] = [];
    // A list without parameters has no past bookings.
    const from = isBare ? new Date(this.readings.session.now + 2 * DAY).toISOString() : '';
    const made = [...this.ground.bookings.values()].filter(({ sent }) => String(sent['teetime']) >= from);
    for (const as of channels) {
      for (const version of lists) {
        const reply = await this.readings.wholeList(version, as, isBare);
        const isClear = ({ bookingId }: Record<string, unknown>): boolean =>
          !this.ground.unclear.has(String(bookingId));
        facts.add({ ...reply, data: rowsOf(reply).filter(isClear) });
        const list = `The ${version} list${byWhom(as)}${isBare ? ' without parameters' : ''}`;
        own.push(...this.#inList(rowsOf(reply), made, version, as, list));
      }
    }
    const between = new Map<string, Difference>();
    for (const [fact, relation] of relations) {
      for (const { holds, what, expected, actual, claims } of relation.compare(facts, facts)) {
        if (holds || between.size === MOST_BETWEEN) continue;
        const { id: shownBy, operation } = claims[0]!.by;
        const one = { fact, message: what(), expected, actual };
        between.set(canonicalInAnyOrder(one), { ...one, shownBy, operation });
      }
    }
    return { own, between };
  }

  #inList(
    items: readonly Record<string, unknown>[],
    made: readonly Made[],
    version: string,
    as: Channel,
    list: string,
  ): readonly Difference[] {
    const operation = operationIn('listBookings', version as ListVersion);
    const shownBy = this.readings.last(operation);
    const known = this.ground.listed.get(version);
    if (!known) return [];
    const of = new Map<Made, Record<string, unknown>[]>(made.map((one) => [one, []]));
    const byId = new Map(made.flatMap((one) => (one.bookingId === undefined ? [] : [[one.bookingId, one] as const])));
    const found: Omit<Difference, 'shownBy' | 'operation'>[] = [];
    for (const item of items) {
      const key = String(item['contactEmail']);
      // Bookings of earlier walks may be missing here, but not be wrong.
      const one = (known.has('key') ? this.ground.bookings.get(key) : undefined) ?? byId.get(String(item['bookingId']));
      if (one) of.set(one, [...(of.get(one) ?? []), item]);
      else if (this.model.refused.has(key)) found.push(phantom(version, item));
    }
    for (const [one, rows] of of) found.push(...this.#differencesOf(one, rows, version, as, known, list));
    return found.map((one) => ({ ...one, shownBy, operation }));
  }

  #differencesOf(
    one: Made,
    rows: readonly Record<string, unknown>[],
    version: string,
    as: Channel,
    known: ReadonlySet<'key' | 'id'>,
    list: string,
  ): readonly Difference[] {
    const name = nameOf(one);
    if (one.channel !== as) {
      if (rows.length === 0) return [];
      return [
        { fact: 'foreign', message: `${list} shows ${name}, which the ${one.channel} channel made.`, actual: rows },
      ];
    }
    const [row] = rows;
    if (!row)
      return [{ fact: 'missing', message: `${list} lacks ${name}.`, expected: 'the booking', actual: 'nothing' }];
    if (rows.length > 1)
      return [{ fact: 'twice', message: `${list} shows ${name} ${rows.length} times.`, actual: rows.length }];
    const form = formOf(one.by);
    // A version may have identifiers of its own, as the API specification shows two forms of them.
    one.bookingId ??= form === 'product' && known.has('id') ? String(row['bookingId']) : undefined;
    const isSame = one.bookingId === undefined || one.bookingId === row['bookingId'];
    const habit = `identifier of a ${form} booking in the ${version} list`;
    const before =
      one.bookingId === undefined ? undefined : this.ground.habits.learn(habit, isSame ? 'the same' : 'another');
    if (before === 'the same') {
      const message = `${list} shows ${name} with another \`bookingId\`.`;
      return [{ fact: 'content', message, expected: one.bookingId, actual: row['bookingId'] }];
    }
    return [...contentOf(one, row, list, version as ListVersion), ...this.#wordOf(one, row, list)];
  }

  /** The word for a state that a list has used before is the word for it, whatever was paid. */
  #wordOf(one: Made, row: Record<string, unknown>, list: string): readonly Omit<Difference, 'shownBy' | 'operation'>[] {
    const state = one.isActive ? 'active' : 'cancelled';
    const actual = keptWords(String(row['status']));
    const expected = this.ground.habits.learn(`status of an ${state} booking in ${list}`, actual);
    if (expected === undefined) return [];
    const message = `${list} shows ${nameOf(one)}, which is ${state}, as ${actual}; it shows others as ${expected}.`;
    return [{ fact: 'state', message, expected, actual }];
  }
}

function contentOf(one: Made, row: Record<string, unknown>, list: string, version: ListVersion): readonly Difference[] {
  for (const { holds, what, expected, actual } of shownAsBooked(version, one.sent, row)) {
    if (!holds)
      return [
        { fact: 'content', message: `${list} shows ${nameOf(one)} with other values. ${what()}`, expected, actual },
      ];
  }
  const state = one.isActive ? 'active' : 'cancelled';
  if (mayBe(state, row['status'])) return [];
  const message = `${list} shows ${nameOf(one)}, which is ${state}, as ${String(row['status'])}.`;
  return [{ fact: 'state', message, expected: one.isActive ? 'BOOKED' : 'CANCELED', actual: row['status'] }];
}

function phantom(version: string, item: Record<string, unknown>): Omit<Difference, 'shownBy' | 'operation'> {
  const message = `The ${version} list shows a booking that was refused.`;
  return { fact: 'phantom', message, expected: 'nothing', actual: String(item['status']) };
}

/** A booking in a story: by the step that made it. */
export function nameOf({ step, item, spot }: Pick<Made, 'step' | 'item' | 'spot'>): string {
  return spot < 0 ? 'a booking of an earlier walk' : `booking ${step}.${item + 1} (tee time ${spotName(spot)})`;
}

function slots(free: number): string {
  return free === 1 ? '1 free slot' : `${free} free slots`;
}

function byWhom(as: Channel): string {
  return as === 'first' ? '' : ' of the second channel';
}
