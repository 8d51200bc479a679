import { Chance, Deck } from '../client/chance.js';
import type {
  BookStep,
  CancelStep,
  Channel,
  Item,
  PayStep,
  SingleStep,
  SpotKind,
  Step,
  Walk,
  Way,
  Wrong,
} from './steps.js';

/** What a deployment offers, and what the run may do there. */
export interface Abilities {
  readonly ways: readonly Way[];
  /** Whether it sells linked tee times. */
  readonly isLinked: boolean;
  readonly lists: readonly string[];
  /** The versions whose tee sheets show the free slots. */
  readonly sheets: readonly string[];
  /** The versions whose tee sheets leave out the tee times that have too few free slots for the players of the request. */
  readonly filters: readonly string[];
  readonly payments: readonly string[];
  readonly groupPayments: readonly string[];
  readonly hasPrices: boolean;
  /** The version whose path cancels a booking. */
  readonly cancels?: string | undefined;
  /** The same, by which another channel must not cancel it. */
  readonly otherCancels?: string | undefined;
  readonly channels: readonly [Channel, ...Channel[]];
  readonly refreshes: boolean;
  /** Whether a spent token may be sent again. */
  readonly reuses: boolean;
  readonly searches: boolean;
}

/** How long walks are. */
export interface WalkSize {
  readonly steps: number;
  /** Steps that are sent at the same time. */
  readonly parallel: number;
}

/** Tee times of a walk, those of a linked group, and the most items of a list. */
const [FEWEST, MOST_SPOTS, LINKED, LARGE] = [2, 4, 2, 12];
const SHARE_OF_LARGE = 0.06;
/** Groups that book their first tee time twice. */
const SHARE_OF_TWICE = 0.12;
/** Payments that are the last one once more. */
const SHARE_OF_AGAIN = 0.3;
/** Payments by the channel that has not made the booking. */
const SHARE_OF_OTHERS = 0.15;
const MOST_WAIT = 40;

/** What is wrong with a booking: an item of it, or that it wants one slot too many of a tee time that it names twice. */
type Flaw = Wrong | 'slots';
type WrongDeck = Deck<readonly [by: Way, flaw: Flaw]>;

const always = ['tee time', 'players', 'contact', 'email'] as const;
const ofProduct = [...always, 'product', 'extra product'] as const;
const flaws: Readonly<Record<Way, readonly Flaw[]>> = {
  single: ofProduct,
  list: [...ofProduct, 'slots'],
  details: [...ofProduct, 'slots'],
  linked: [],
  bulk: [...always, 'slots'],
  round: always,
};

/** Each way to book with each flaw that it can have, so that a run tries them all alike. */
export function wrongDeck(ways: readonly Way[]): WrongDeck {
  return new Deck(ways.flatMap((by) => flaws[by].map((flaw) => [by, flaw] as const)));
}

/** Generates a walk: the same seed, abilities and deck give the same walk. */
export function generate(seed: number, can: Abilities, size: WalkSize, deck: WrongDeck): Walk {
  return new Generator(seed, can, size, deck).walk();
}

class Generator {
  readonly #chance: Chance;
  /** Bookings that are likely to be accepted. */
  readonly #booked: BookStep[] = [];
  /** The booking that was named last: steps on one booking are more telling than steps on many. */
  #hot: BookStep | undefined;
  /** The last payment: what is paid once may be paid again. */
  #paid: PayStep | undefined;
  readonly #spots: SpotKind[] = [];
  /** Free slots, as far as can be foreseen. */
  readonly #free: number[] = [];
  #ids = 0;

  constructor(
    readonly seed: number,
    readonly can: Abilities,
    readonly size: WalkSize,
    readonly deck: WrongDeck,
  ) {
    this.#chance = new Chance(seed);
  }

  walk(): Walk {
    const chance = this.#chance;
    const isLarge = this.can.ways.includes('list') && chance.next() < SHARE_OF_LARGE;
    const count = isLarge ? LARGE : FEWEST + chance.below(MOST_SPOTS - FEWEST + 1);
    // Tee times with four free slots are the most common, so that a walk can be repeated on such.
    const free = (): number => chance.weighted([[16, 4], [2, 3], [3, 2], [1, 1]]); // oxfmt-ignore
    for (let spot = 0; spot < count; spot += 1) this.#spots.push({ free: isLarge ? 4 : free() });
    const isLinked = this.can.isLinked && chance.next() < 0.25;
    if (isLinked) for (let spot = 0; spot < LINKED; spot += 1) this.#spots.push({ free: 4, linked: 1 });
    this.#free.push(...this.#spots.map((one) => one.free));
    const steps: Step[] = isLarge ? [this.#largeGroup()] : [];
    while (steps.length < this.size.steps) steps.push(this.#step());
    return { form: 1, seed: this.seed, spots: this.#spots, steps };
  }

  #id(): number {
    return (this.#ids += 1);
  }

  #step(): Step {
    const { parallel } = this.size;
    const isTogether = parallel > 1 && this.can.ways.length > 0 && this.#chance.next() < 0.22;
    return isTogether ? this.#together(2 + this.#chance.below(parallel - 1)) : this.#single();
  }

  #single(): SingleStep {
    const { can } = this;
    const writes = can.ways.length > 0;
    const hasBooked = this.#booked.length > 0;
    const pays = hasBooked && can.payments.length + can.groupPayments.length > 0;
    const choices: readonly (readonly [number, () => SingleStep])[] = [
      [writes ? 30 : 0, () => this.#book()],
      [writes && this.#roomy.length > 0 ? 10 : 0, () => this.#wrong()],
      [pays ? 12 : 0, () => this.#pay()],
      [hasBooked && can.cancels !== undefined ? 9 : 0, () => this.#cancel()],
      [
        hasBooked && can.otherCancels !== undefined && this.#hasOther ? 2 : 0,
        () => ({ ...this.#cancel(), byOther: true }),
      ],
      [can.lists.length > 0 ? 6 : 0, () => this.#list()],
      [can.sheets.length > 0 ? 8 : 0, () => this.#sheet()],
      [can.hasPrices ? 3 : 0, () => ({ do: 'prices', id: this.#id(), spot: this.#spot() })],
      [can.refreshes ? 3 : 0, () => this.#refresh()],
      [can.searches ? 2 : 0, () => ({ do: 'search', id: this.#id(), spot: this.#spot() })],
      [1, () => ({ do: 'wait', id: this.#id(), ms: 1 + this.#chance.below(MOST_WAIT) })],
    ];
    return this.#chance.weighted(choices)();
  }

  /** Steps on one tee time, one group or one token, sent at the same time. */
  #together(count: number): Step {
    const about = this.#chance.weighted<() => SingleStep[]>([
      [10, () => this.#sameTeeTime(count)],
      [this.#booked.length > 0 ? 4 : 0, () => this.#sameBooking(count)],
      [this.can.reuses ? 2 : 0, () => Array.from({ length: count }, () => ({ do: 'refresh', id: this.#id() }))],
      [3, () => Array.from({ length: count }, () => this.#single())],
    ]);
    const steps = about().filter((one) => one.do !== 'wait' && one.do !== 'search');
    return { do: 'together', id: this.#id(), steps, jitter: this.#chance.weighted([[3, 0], [1, 2], [1, 8]]) }; // oxfmt-ignore
  }

  #sameTeeTime(count: number): SingleStep[] {
    const isLinked = this.#hasLinked && this.can.ways.includes('linked') && this.#chance.next() < 0.35;
    if (isLinked) return this.#linkedTogether(count);
    const spot = this.#spot();
    return Array.from({ length: count }, () => {
      if (this.can.sheets.length > 0 && this.#chance.next() < 0.15) return this.#sheet(spot);
      return this.#book(spot);
    });
  }

  /** A linked group, and bookings of its tee times. */
  #linkedTogether(count: number): SingleStep[] {
    const linked = this.#spots.flatMap((one, spot) => (one.linked === undefined ? [] : [spot]));
    const others = Array.from({ length: count - 1 }, () => this.#book(this.#chance.pick(linked)));
    const items = this.#items('linked', undefined);
    const group: BookStep = { do: 'book', id: this.#id(), as: 'first', by: 'linked', items };
    this.#foresee(group);
    return this.#chance.next() < 0.5 ? [group, ...others] : [...others, group];
  }

  #sameBooking(count: number): SingleStep[] {
    const made = this.#some();
    const pays = this.can.payments.length > 0;
    return Array.from({ length: count }, () => {
      const isCancel = this.can.cancels !== undefined && (!pays || this.#chance.next() < 0.5);
      if (isCancel) return this.#cancel(made);
      return pays ? this.#pay(made) : this.#book(made.items[0]!.spot);
    });
  }

  /** A tee time; the first is the most popular, so that steps meet there. */
  #spot(): number {
    const plain = this.#spots.filter(({ linked }) => linked === undefined).length;
    return Math.min(this.#chance.below(plain), this.#chance.below(plain));
  }

  #players(): number {
    return this.#chance.weighted([[4, 1], [4, 2], [2, 3], [1, 4]]); // oxfmt-ignore
  }

  #book(at?: number): BookStep {
    const ways = this.can.ways.filter((way) => way !== 'linked' || this.#hasLinked);
    const by = this.#chance.pick(ways)!;
    const step: BookStep = { do: 'book', id: this.#id(), as: this.#channel(), by, items: this.#items(by, at) };
    this.#foresee(step);
    return step;
  }

  #foresee(step: BookStep): void {
    const fits = step.items.every(({ spot, players }) => this.#free[spot]! >= players);
    if (!fits) return;
    for (const { spot, players } of step.items) this.#free[spot]! -= players;
    this.#booked.push(step);
  }

  /** A booking to pay or to cancel: half of the time the one that was named last. */
  #some(): BookStep {
    const isHot = this.#hot !== undefined && this.#chance.next() < 0.5;
    this.#hot = isHot ? this.#hot! : this.#chance.pick(this.#booked)!;
    return this.#hot;
  }

  get #hasOther(): boolean {
    return this.can.channels.length > 1;
  }

  get #hasLinked(): boolean {
    return this.#spots.some(({ linked }) => linked !== undefined);
  }

  #items(by: Way, at: number | undefined): readonly Item[] {
    const players = this.#players();
    const full = this.#chance.next() < 0.15 ? { full: true as const } : {};
    if (by === 'linked') {
      return this.#spots.flatMap(({ linked }, spot) => (linked === undefined ? [] : [{ spot, players }]));
    }
    const first: Item = { spot: at ?? this.#anySpot(), players, ...full };
    if (by === 'single' || by === 'round') return [first];
    const count = 1 + this.#chance.below(4);
    const others = this.#spots.map((_, spot) => spot).filter((spot) => spot !== first.spot);
    const items = [first];
    while (items.length < count && others.length > 0) {
      const [spot] = others.splice(this.#chance.below(others.length), 1);
      items.push({ spot: spot!, players: this.#chance.next() < 0.5 ? players : 1 });
    }
    if (this.#chance.next() < SHARE_OF_TWICE) items.push({ spot: first.spot, players: 1 });
    return this.#chance.next() < 0.5 ? items : items.toReversed();
  }

  /** Linked tee times are booked one by one, too. */
  #anySpot(): number {
    return this.#hasLinked && this.#chance.next() < 0.3 ? this.#chance.below(this.#spots.length) : this.#spot();
  }

  /** As many bookings as there are tee times, in one request: lists have to show them all. */
  #largeGroup(): BookStep {
    const items = this.#spots.flatMap(({ linked }, spot) => (linked === undefined ? [{ spot, players: 1 }] : []));
    const step: BookStep = { do: 'book', id: this.#id(), as: 'first', by: 'list', items };
    this.#foresee(step);
    return step;
  }

  /** Nothing else is wrong with it: as far as can be foreseen, its tee times have the slots. */
  #wrong(): BookStep {
    const [by, flaw] = this.deck.deal(this.#chance);
    const left = [...this.#free];
    const items = this.#items(by, this.#chance.pick(this.#roomy)).flatMap((item): Item[] => {
      const players = Math.min(item.players, left[item.spot]!);
      left[item.spot]! -= players;
      return players > 0 ? [{ ...item, players }] : [];
    });
    const at = this.#chance.next() < 0.6 ? items.length - 1 : this.#chance.below(items.length);
    const { spot } = items[at]!;
    if (flaw === 'slots') items.push({ spot, players: left[spot]! + 1 });
    else items[at] = { ...items[at]!, wrong: flaw };
    return { do: 'book', id: this.#id(), as: this.#channel(), by, items };
  }

  /** The tee times that have free slots. */
  get #roomy(): readonly number[] {
    return [...this.#free.keys()].filter((spot) => this.#free[spot]! > 0);
  }

  #pay(made?: BookStep): PayStep {
    const isByOther = made === undefined && this.#hasOther && this.#chance.next() < SHARE_OF_OTHERS;
    if (isByOther) return { ...this.#payment(this.#some()), id: this.#id(), byOther: true };
    const isAgain = made === undefined && this.#paid !== undefined && this.#chance.next() < SHARE_OF_AGAIN;
    this.#paid = { ...(isAgain ? this.#paid! : this.#payment(made ?? this.#some())), id: this.#id() };
    return this.#paid;
  }

  #payment(made: BookStep): Omit<PayStep, 'id'> {
    const { payments, groupPayments } = this.can;
    const isGroup = made.by !== 'single' && made.by !== 'round' && groupPayments.length > 0;
    if (isGroup && (payments.length === 0 || this.#chance.next() < 0.5)) {
      return { do: 'pay', of: made.id, version: this.#chance.pick(groupPayments)! };
    }
    const item = this.#chance.below(made.items.length);
    const version = this.#chance.pick(payments.length > 0 ? payments : groupPayments)!;
    return { do: 'pay', of: made.id, item, version };
  }

  #cancel(made = this.#some()): CancelStep {
    return { do: 'cancel', id: this.#id(), of: made.id, item: this.#chance.below(made.items.length) };
  }

  #list(): SingleStep {
    return { do: 'list', id: this.#id(), as: this.#channel(), version: this.#chance.pick(this.can.lists)! };
  }

  #sheet(spot = this.#anySpot()): SingleStep {
    const players = this.#chance.weighted([[3, 1], [1, 2], [1, 3], [1, 4]]); // oxfmt-ignore
    const { sheets, filters } = this.can;
    const version = this.#chance.pick(players > 1 && filters.length > 0 ? filters : sheets)!;
    return { do: 'sheet', id: this.#id(), spot, version, players };
  }

  #refresh(): SingleStep {
    const again = this.can.reuses && this.#chance.next() < 0.3;
    return { do: 'refresh', id: this.#id(), ...(again ? { again: true } : {}) };
  }

  /** The first channel more often than the second. */
  #channel(): Channel {
    const { channels } = this.can;
    return this.#chance.next() < 0.7 ? channels[0] : this.#chance.pick(channels);
  }
}
