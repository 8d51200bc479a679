import { operationIn } from '../client/operations.js';
import type { ListVersion } from '../journeys/booking-lists.js';
import { contactNames } from '../journeys/bookings.js';
import { productFor, type SheetVersion } from '../journeys/pool/reads.js';
import { keptWords } from '../run/summary/values.js';
import type { Difference } from './found.js';
import type { Ground } from './ground.js';
import { formOf, type Made, type Model } from './model.js';
import type { Readings } from './readings.js';
import { type Channel, spotName } from './steps.js';

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

  /** The bookings of the walk in the list of a channel, read with its access token or not, or those of the whole run. */
  async list(version: string, as: Channel, how?: 'whole' | 'bearer'): Promise<readonly Difference[]> {
    const isWhole = how === 'whole';
    const scheme = how === 'bearer' ? how : undefined;
    const items = isWhole ? await this.readings.wholeList(version, as) : await this.readings.list(version, as, scheme);
    const operation = operationIn('listBookings', version as ListVersion);
    const shownBy = this.readings.last(operation);
    const known = this.ground.listed.get(version);
    if (!known) return [];
    const made = isWhole ? [...this.ground.bookings.values()] : this.model.made;
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
    const list = `The ${version} list${byWhom(as)}${scheme ? ', read with its access token,' : ''}`;
    for (const [one, rows] of of) found.push(...this.#differencesOf(one, rows, version, as, known, list));
    return found.map((one) => ({ ...one, shownBy, operation, ...(isWhole ? { isOfEarlier: true } : {}) }));
  }

  #differencesOf(
    one: Made,
    rows: readonly Record<string, unknown>[],
    version: string,
    as: Channel,
    known: ReadonlySet<string>,
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
    if (!row) {
      if (!one.isActive && this.ground.habits.get(`canceled in ${version}`) === 'absent') return [];
      return [{ fact: 'missing', message: `${list} lacks ${name}.`, expected: 'the booking', actual: 'nothing' }];
    }
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
    return [...contentOf(one, row, list, known), ...this.#wordOf(one, row, list)];
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

function contentOf(
  one: Made,
  row: Record<string, unknown>,
  list: string,
  known: ReadonlySet<string>,
): readonly Difference[] {
  const expected: Record<string, unknown> = {
    players: one.players,
    ...(known.has('teetime') ? { teetime: one.teetime } : {}),
    ...(known.has('teeId') ? { teeId: one.teeId } : {}),
    ...(known.has('names') ? contactNames : {}),
    ...(known.has('key') ? { contactEmail: one.key } : {}),
  };
  const actual = { ...row, teetime: String(row['teetime']).slice(0, 19) } as Record<string, unknown>;
  const wrong = Object.keys(expected).find((field) => actual[field] !== expected[field]);
  if (wrong !== undefined) {
    const message = `${list} shows ${nameOf(one)} with another \`${wrong}\`.`;
    return [{ fact: 'content', message, expected: expected[wrong], actual: actual[wrong] }];
  }
  const isActive = !/^cancel/i.test(String(row['status']));
  if (isActive === one.isActive) return [];
  const state = one.isActive ? 'active' : 'cancelled';
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
