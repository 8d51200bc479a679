/**
 * A program that works off a queue: it searches, takes results as they come, and books from them. It reads answers with a
 * strict decoder, and looks into the list of bookings before it tries again. Written from the API specification alone.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { GolfClient, Reply } from './golf-client.js';
import { check, type SuiteTest } from './runner.js';
import type { ShopContext } from './shop-suite.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

/** Everyday defects of such a program. */
export type QueueDefect =
  | 'takes null alone for players'
  | 'answers results with an error'
  | 'hangs up when it has read a result'
  | 'fails at a result that it has had before'
  | 'fails at a result without tee times'
  | 'books each result again'
  | 'books again blindly'
  | 'books again after a cart problem'
  | 'does not wait as it is asked to'
  | 'reads one page';

const FACILITIES = [1001, 1002];
const PATIENCE = 200;
const MOST_ATTEMPTS = 3;
const contact = {
  contactFirstName: 'Grace',
  contactLastName: 'Hopper',
  contactPhone: '+1 202 555 0100',
  contactEmail: 'grace@queue.example',
};

/** Reads tee times by the documented form: a field that it knows must have its type, and one that it does not is left. */
function teeTimesIn(list: Json, isQuirk: (defect: QueueDefect) => boolean): Json[] {
  check(Array.isArray(list), 'tee times are a list');
  for (const one of list) {
    check(Number.isInteger(one.teeid) && typeof one.time === 'string', 'a tee time has an id and a time');
    check(typeof one.course === 'string' && [9, 18].includes(one.holes), 'a tee time has a course and holes');
    check(Array.isArray(one.products) && Array.isArray(one.extraProducts), 'a tee time has products and extras');
    for (const product of one.products) {
      check(Number.isInteger(product.mid) && Array.isArray(product.pricing), 'a product has an id and prices');
      const { players } = product;
      check(players === null || (Number.isInteger(players) && !isQuirk('takes null alone for players')), 'players');
    }
  }
  return list;
}

/** One run of the program, for one test. */
class QueueProgram {
  readonly #results: Json[] = [];
  #hadResult = false;
  readonly #client: GolfClient;

  constructor(
    readonly context: ShopContext,
    readonly defect: QueueDefect | undefined,
  ) {
    this.#client = context.client;
  }

  readonly #has = (defect: QueueDefect): boolean => this.defect === defect;

  async searchAndBook(): Promise<void> {
    const { receiver, day } = this.context;
    const stop = receiver.listen((text) => this.#take(text));
    try {
      const ids = FACILITIES.join(',');
      const query = `facilityIds=${ids}&fromDate=${day}&toDate=${day}&players=1&holes=18`;
      await this.#data('GET', `/api/v5/teetimes?${query}&callbackUrl=${encodeURIComponent(receiver.url)}`);
      const booked = new Set<number>();
      for (let result = await this.#next(); result; result = this.#results.shift()) {
        const found = result.flatMap(({ facilityId, teeTimeV3 }: Json) => {
          const teeTimes = teeTimesIn(teeTimeV3, this.#has);
          return teeTimes.slice(this.context.worker * 8).map((teeTime) => ({ facilityId, teeTime }));
        });
        const [first] = found;
        // A result that comes again is the same wish.
        if (!first || (booked.size > 0 && !this.#has('books each result again'))) continue;
        booked.add(first.teeTime.teeid);
        await this.#book(first);
      }
      if (booked.size === 0) await this.bookFromSheet();
    } finally {
      stop();
    }
  }

  async bookFromSheet(): Promise<void> {
    const facilityId = FACILITIES[0]!;
    const path = `/api/v4/teetimes/${facilityId}?bookingDate=${this.context.day}&players=1&holes=18`;
    const data = await this.#data('GET', path);
    const teeTime = teeTimesIn(data.teeTimeV3, this.#has)[this.context.worker * 8];
    if (teeTime) await this.#book({ facilityId, teeTime });
  }

  /** Asks for something wrong on purpose. */
  async isRefused(path: string): Promise<void> {
    const { status } = await this.#client.call('GET', path);
    check(status >= 400, `expected a refusal, got ${status}`);
  }

  async isUsedOnce(): Promise<void> {
    const { tokens } = this.#client;
    if (tokens.access === undefined) await this.#client.renew();
    const used = tokens.refresh;
    await this.#client.renew();
    const { status } = await this.#client.raw('POST', '/api/v5/token/refreshToken', { refresh_token: used });
    check(status === 401, `expected a refusal, got ${status}`);
  }

  async readPrices(): Promise<void> {
    const { day } = this.context;
    const path = `/api/v5/price/insideDateRange?facilityIds=${FACILITIES.join(',')}&fromDate=${day}&toDate=${day}`;
    const records: Json[] = [];
    for (let total = 1; records.length < total;) {
      const page = await this.#data('GET', `${path}&offset=${records.length}`);
      records.push(...page.records);
      total = page.total;
      if (page.records.length === 0 || this.#has('reads one page')) break;
    }
  }

  #take(text: string): number {
    try {
      const { success, data } = JSON.parse(text) as Json;
      if (this.#cannotTake(data)) return 500;
      this.#hadResult = true;
      if (success === true && Array.isArray(data)) this.#results.push(data);
    } catch {
      return 400;
    }
    if (this.#has('hangs up when it has read a result')) return 0;
    return this.#has('answers results with an error') ? 500 : 204;
  }

  #cannotTake(data: Json): boolean {
    if (this.#has('fails at a result that it has had before')) return this.#hadResult;
    const isEmpty = !data?.some(({ teeTimeV3 }: Json) => teeTimeV3.length > 0);
    return isEmpty && this.#has('fails at a result without tee times');
  }

  /** The first result; none, if it does not come. */
  async #next(): Promise<Json> {
    for (let waited = 0; waited < PATIENCE && this.#results.length === 0; waited += 5) await pause(5);
    // Another one may be right behind.
    await pause(10);
    return this.#results.shift();
  }

  async #book({ facilityId, teeTime }: { facilityId: number; teeTime: Json }): Promise<void> {
    const body = {
      facilityId,
      teetime: teeTime.time.replace('T', ' '),
      course: teeTime.course,
      players: 1,
      teeId: teeTime.teeid,
      holes: teeTime.holes,
      productId: teeTime.products[0].mid,
      ...contact,
    };
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const reply = await this.#client.call('POST', '/api/v5/bookings', body).catch(() => undefined);
      if (this.#isDone(reply)) return;
      const message = JSON.stringify(reply?.body ?? '');
      if (/search/i.test(message) && reply?.status === 400 && !this.#has('books again after a cart problem')) return;
      await this.#wait(reply);
      if (!this.#has('books again blindly') && (await this.#isListed(teeTime.teeid))) return;
    }
  }

  #isDone(reply: Reply | undefined): boolean {
    return reply?.body.success === true && reply.status < 300;
  }

  async #isListed(teeId: number): Promise<boolean> {
    const list: Json[] = await this.#data('GET', '/api/v4/bookings');
    return list.some((one) => one.teeId === teeId && one.contactEmail === contact.contactEmail);
  }

  /** Waits as long as the service asks for, or else a little. */
  async #wait(reply: Reply | undefined): Promise<void> {
    const asked = Number(reply?.headers?.get('retry-after') ?? 0);
    await pause(this.#has('does not wait as it is asked to') ? 1 : Math.max(asked * 1000, 10));
  }

  /** The payload of a request. One that the service could not answer is sent again, if it only reads. */
  async #data(method: string, path: string): Promise<Json> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.#client.call(method, path).catch(() => undefined);
      const isBusy = reply === undefined || reply.status >= 500 || reply.status === 429;
      if (!isBusy && reply.status === 200 && reply.body.success === true) return reply.body.data;
      if (!isBusy && reply.status === 202) return reply.body.data;
      check(isBusy && attempt < MOST_ATTEMPTS, `${method} ${path.split('?')[0]}: ${reply?.status ?? 'no answer'}`);
      await this.#wait(reply);
    }
  }
}

/** The tests of the program; with a defect, all of it has that. */
export const queueTests = (defect?: QueueDefect): readonly SuiteTest<ShopContext>[] => {
  const program = (context: ShopContext): QueueProgram => new QueueProgram(context, defect);
  return [
    { name: 'books from a search', run: (context) => program(context).searchAndBook() },
    { name: 'books from another search', run: (context) => program(context).searchAndBook() },
    { name: 'books from the tee sheet', run: (context) => program(context).bookFromSheet() },
    { name: 'reads all prices', run: (context) => program(context).readPrices() },
    {
      name: 'shows why an unknown path is refused',
      run: (context) => program(context).isRefused('/api/v4/bookings/1'),
    },
    {
      name: 'shows why a date that does not exist is refused',
      run: (context) => program(context).isRefused('/api/v4/teetimes/1001?bookingDate=31-06-2026&players=1&holes=18'),
    },
    { name: 'shows why a used refresh token is refused', run: (context) => program(context).isUsedOnce() },
  ];
};
