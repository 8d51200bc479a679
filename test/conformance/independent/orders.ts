import { Refused } from './desk.js';
import { type Slot } from './sheets.js';
import { Tokens } from './tokens.js';
import type { Channel } from './desk.js';
import type { Fee } from './clubs.js';

export type Item = Record<string, unknown>;

/** A booking request that is right, with the tee time that it is for. */
export interface Order {
  readonly item: Item;
  readonly slot: Slot;
  readonly players: number;
  readonly fee: Fee;
  readonly link: string | undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const texts = ['contactPhone', 'contactEmail'];

/** Judges booking requests. */
export class Orders extends Tokens {
  /** A failed creation: status 400, and a message that ends with the advice to retry. */
  failed(why: string): Refused {
    const advice = 'Please retry, and contact support if the error persists.';
    return new Refused(400, `The booking could not be processed at the moment (${why}). ${advice}`);
  }

  cart(): Refused {
    return new Refused(400, 'There is a problem with the tee times in the cart. Please search and book them again.');
  }

  orders(items: readonly unknown[], channel: Channel, version: number): readonly Order[] {
    if (items.length === 0) throw this.failed('there are no tee times');
    const orders = items.map((item) => this.order(item, channel, version));
    this.checkRoom(orders);
    this.checkLinks(orders);
    return orders;
  }

  order(given: unknown, channel: Channel, version: number): Order {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) throw this.failed('it is no object');
    const item = given as Item;
    this.checkFields(item, version);
    this.checkOptional(item, version);
    const slot = this.slotOf(item, channel, version);
    return {
      item,
      slot,
      players: Number(item['players']),
      fee: this.feeOf(item, slot, version),
      link: this.linkOf(item),
    };
  }

  checkFields(item: Item, version: number): void {
    for (const name of ['teetime', this.courseField(version), ...texts]) this.checkText(item, name);
    this.checkContact(item);
    if (!Number.isInteger(item['teeId'])) throw this.failed('teeId must be an integer');
    this.checkPlayers(item);
    if (item['holes'] !== 9 && item['holes'] !== 18) throw this.failed('holes must be 9 or 18');
    if (version === 5 && !Number.isInteger(item['productId'])) throw this.failed('productId must be an integer');
  }

  courseField(version: number): string {
    return version === 2 ? 'round' : 'course';
  }

  checkText(item: Item, name: string): void {
    const value = item[name];
    if (typeof value !== 'string' || value.trim() === '') throw this.failed(`${name} must be given`);
  }

  checkContact(item: Item): void {
    if (typeof item['contactName'] === 'string' && item['contactFirstName'] === undefined) return;
    for (const name of ['contactFirstName', 'contactLastName']) this.checkText(item, name);
  }

  checkPlayers({ players }: Item): void {
    const fits = Number.isInteger(players) && (players as number) >= 1 && (players as number) <= 4;
    if (!fits) throw this.failed('players must be 1 to 4');
  }

  checkOptional(item: Item, version: number): void {
    const { comments, netRate, extraProduct, additionalPlayers, linkedTeeTimeRef, providerPlayerTypeId = '' } = item;
    if (typeof providerPlayerTypeId !== 'string') throw this.failed('providerPlayerTypeId must be text');
    const all = version === 3;
    if ((all || comments !== undefined) && typeof comments !== 'string') throw this.failed('comments must be text');
    if (version === 2) return;
    if ((all || netRate !== undefined) && !this.isNumeric(netRate)) throw this.failed('netRate must be a number');
    if (all || extraProduct !== undefined) this.checkList(item, 'extraProduct', this.isExtra);
    if (all || additionalPlayers !== undefined) this.checkList(item, 'additionalPlayers', this.isPerson);
    if (linkedTeeTimeRef !== undefined && !this.isReference(linkedTeeTimeRef)) {
      throw this.failed('linkedTeeTimeRef must be a UUID');
    }
  }

  isReference(value: unknown): boolean {
    return typeof value === 'string' && UUID.test(value);
  }

  isNumeric(this: void, value: unknown): boolean {
    return typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
  }

  isExtra(this: void, one: Item): boolean {
    return Number.isInteger(one['mid']) && Number.isInteger(one['quantity']) && (one['quantity'] as number) > 0;
  }

  isPerson(this: void, one: Item): boolean {
    return typeof one['firstName'] === 'string' && typeof one['lastName'] === 'string';
  }

  checkList(item: Item, name: string, fits: (one: Item) => boolean): void {
    const list = item[name];
    const right =
      Array.isArray(list) && list.every((one) => typeof one === 'object' && one !== null && fits(one as Item));
    if (!right) throw this.failed(`${name} is not as described`);
  }

  slotOf(item: Item, channel: Channel, version: number): Slot {
    const club = this.clubs.find(({ id }) => String(id) === String(item['facilityId']));
    if (!club) throw this.failed('facilityId is not that of a facility');
    if (!this.isConnected(channel, club)) throw this.failed('the facility is not connected');
    const slot = this.findSlot(item['teeId'] as number);
    if (!slot || slot.club !== club || this.isPast(slot)) throw this.cart();
    this.checkAgreement(item, slot, version);
    return slot;
  }

  checkAgreement(item: Item, slot: Slot, version: number): void {
    const agrees = this.timeAgrees(item, slot) && item['holes'] === slot.holes;
    if (!agrees || item[this.courseField(version)] !== slot.course.name) throw this.cart();
    const known = (item['extraProduct'] as Item[] | undefined) ?? [];
    if (known.some(({ mid }) => !slot.club.extras.some((extra) => extra.mid === mid))) {
      throw this.failed('an extra product is unknown');
    }
  }

  timeAgrees({ teetime }: Item, slot: Slot): boolean {
    return teetime === slot.time.replace('T', ' ');
  }

  feeOf({ productId }: Item, slot: Slot, version: number): Fee {
    const fees = this.feesOf(slot);
    const fee = version === 5 ? fees.find(({ mid }) => mid === productId) : fees[0];
    if (!fee) throw this.failed('productId is not that of a product of the tee time');
    return fee;
  }

  linkOf({ linkedTeeTimeRef }: Item): string | undefined {
    return (linkedTeeTimeRef as string | undefined)?.toLowerCase();
  }

  /** All of them find their places, or none. */
  checkRoom(orders: readonly Order[]): void {
    for (const { slot } of orders) {
      const wanted = orders.filter((one) => one.slot.id === slot.id).reduce((sum, { players }) => sum + players, 0);
      if (wanted > this.free(slot)) throw this.cart();
    }
  }

  checkLinks(orders: readonly Order[]): void {
    for (const { fee, link } of orders) {
      if (fee.holes > fee.on && link === undefined) throw this.failed('linkedTeeTimeRef must be given');
    }
    for (const link of new Set(orders.flatMap((one) => one.link ?? []))) {
      this.checkGroup(orders.filter((one) => one.link === link));
    }
  }

  checkGroup(group: readonly Order[]): void {
    const [{ fee, players }] = group as [Order];
    if (group.some((one) => one.fee.mid !== fee.mid)) throw this.failed('linked tee times need one product');
    if (group.some((one) => one.players !== players)) throw this.failed('linked tee times need the same players');
    const holes = group.reduce((sum, { slot }) => sum + slot.holes, 0);
    if (holes < fee.holes) throw this.failed('linked tee times have too few holes');
  }
}
