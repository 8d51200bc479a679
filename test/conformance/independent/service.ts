import { type Ask, Refused, type Surroundings } from './desk.js';
import { Searches } from './searches.js';

/** What an answer consists of before it is written. */
export interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly message?: string | undefined;
}

export interface Operation {
  readonly method: RegExp;
  readonly path: RegExp;
  readonly work: (this: void, service: Service, ask: Ask) => unknown;
}

const on = (method: RegExp, versions: string, path: string, work: Operation['work']): Operation => {
  return { method, path: new RegExp(`^/api/v(${versions})/${path}$`), work };
};
const read = /^GET$/;
const write = /^POST$/;
/** The API specification gives both methods for payments. */
const either = /^(GET|POST)$/;

export const operations: readonly Operation[] = [
  on(read, '[23]', 'countries', (service, ask) => service.countries(ask)),
  on(read, '[123]', 'facilities', (service, ask) => service.facilities(ask)),
  on(read, '[23]', 'facilities/details/([^/]+)', (service, ask) => service.verbose(ask)),
  on(read, '[123]', 'facilities/([^/]+)', (service, ask) => service.facility(ask)),
  on(read, '5', 'teetimes', (service, ask) => service.search(ask)),
  on(read, '[234]', 'teetimes/([^/]+)', (service, ask) => service.teeTimes(ask)),
  on(read, '5', 'teetimes/([^/]+)/([^/]+)', (service, ask) => service.teeTimes(ask)),
  on(read, '5', 'price/insideDateRange', (service, ask) => service.prices(ask)),
  on(write, '5', 'bookings', (service, ask) => service.book(ask)),
  on(write, '3', 'bulkbookings', (service, ask) => service.bookBulk(ask)),
  on(write, '2', 'bookings', (service, { body, channel, version }) => service.bookOne(body, channel, version)),
  on(read, '[124]', 'bookings', (service, ask) => service.list(ask)),
  on(either, '[1345]', 'bookings/payment/([^/]+)', (service, ask) => service.pay(ask)),
  on(either, '[345]', 'bulkbookings/payment/([^/]+)', (service, ask) => service.payGroup(ask)),
];

const REFRESH = /^\/api\/v([1-5])\/token\/refreshToken$/;

/** The whole deployment, as a fetch handler. */
export class Service extends Searches {
  constructor(around: Surroundings) {
    super(around);
    this.furnish();
  }

  /** Customers that were here before: bookings in the past and to come, some of them cancelled. */
  furnish(): void {
    const today = this.localNow(this.clubs[0]!).slice(0, 10);
    const dates = [-20, -3, 9, 16].map((days) => new Date(Date.parse(today) + days * 86_400_000));
    for (const channel of this.channels) {
      const connected = this.clubs.filter((club) => this.isConnected(channel, club));
      for (const [index, date] of dates.entries()) {
        const club = connected[index % connected.length]!;
        const slots = this.sheet(club, club.courses[0]!, date.toISOString().slice(0, 10));
        const slot = slots.find((one) => this.free(one) >= 2);
        if (slot) this.furnishOne(channel, slot, index % 2 === 1);
      }
    }
  }

  private furnishOne(channel: Ask['channel'], slot: Parameters<Service['hold']>[0], isCancelled: boolean): void {
    const names = { contactFirstName: 'Ada', contactLastName: `Guest ${channel.name}` };
    const item = { ...names, contactPhone: '+31 6 5555 0101', contactEmail: 'ada@guest.example' };
    const booking = this.enter({ item, slot, players: 2, fee: slot.course.fees[0]!, link: undefined }, channel);
    if (isCancelled) this.cancel(booking);
  }

  async handle(request: Request): Promise<Response> {
    let answer: Answer;
    try {
      answer = await this.answer(request);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      answer = this.refusal(error);
    }
    return this.send(answer, request);
  }

  refusal({ status, message }: Refused): Answer {
    return { status, data: null, message };
  }

  send({ status, data, message }: Answer, _request: Request): Response {
    const body = { success: status < 400, data, ...(message === undefined ? {} : { message }) };
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    return new Response(this.encode(body), { status, headers: { ...headers, ...challenge } });
  }

  encode(body: unknown): string | Uint8Array<ArrayBuffer> {
    return JSON.stringify(body);
  }

  async answer(request: Request): Promise<Answer> {
    const url = new URL(request.url);
    const { method } = request;
    const refresh = REFRESH.exec(url.pathname);
    if (refresh) {
      if (method !== 'POST') throw new Refused(405, 'This path takes POST.');
      return { status: 200, data: this.refreshToken(await this.readBody(request), Number(refresh[1])) };
    }
    const found = operations.filter(({ path }) => path.test(url.pathname));
    if (found.length === 0) throw new Refused(404, 'There is nothing at this path.');
    const operation = found.find((one) => one.method.test(method));
    if (!operation) throw new Refused(405, `This path does not take ${method}.`);
    const [, version, ...args] = operation.path.exec(url.pathname)!;
    const channel = this.identify(request.headers, Number(version));
    const body = operation.method === write ? await this.readBody(request) : null;
    const decoded = args.map((one) => this.decode(one));
    const ask = { channel, version: Number(version), query: url.searchParams, args: decoded, body };
    return this.perform(operation, ask);
  }

  perform(operation: Operation, ask: Ask): Answer {
    const data = operation.work(this, ask);
    if (operation.method === either) return { status: 200, data: null, message: data as string | undefined };
    return { status: 200, data };
  }

  decode(part: string): string {
    try {
      return decodeURIComponent(part);
    } catch {
      throw new Refused(400, 'The path is not encoded as it should be.');
    }
  }

  /** Bodies are JSON, and say so. */
  async readBody(request: Request): Promise<unknown> {
    const type = request.headers.get('content-type') ?? '';
    const text = await request.text();
    if (!this.takesType(type)) throw new Refused(415, 'The body must be sent as application/json.');
    try {
      return JSON.parse(text);
    } catch {
      throw new Refused(400, 'The body is not JSON.');
    }
  }

  takesType(type: string): boolean {
    return /^application\/json\b/i.test(type);
  }
}
