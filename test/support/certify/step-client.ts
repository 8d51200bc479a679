import type { ExamEnvironment } from '../../../src/certification/library.js';
import { bookingFor, dayIn, type Json } from '../scenes.js';

/** What a client can do, on its own or with other steps. */
export const reachSteps = [
  'refresh',
  'countries',
  'facilities',
  'details',
  'sheet',
  'old sheet',
  'prices',
  'search',
  'list',
  'book',
  'group',
  'pay',
  'unknown',
] as const;

export type ReachStep = (typeof reachSteps)[number];

/** A client that does only some steps. It uses Basic credentials until it has refreshed its token. */
export class StepClient {
  #authorization: string;
  #made: Json;
  /** What came back, word for word, without the address of the exam. */
  seen = '';

  constructor(readonly environment: ExamEnvironment) {
    this.#authorization = `Basic ${btoa(`${environment.username}:${environment.password}`)}`;
  }

  async take(steps: readonly ReachStep[]): Promise<void> {
    for (const step of steps) await this.#take(step);
    await this.environment.sandbox.callbacks.settled();
  }

  async #take(step: ReachStep): Promise<void> {
    const day = dayIn(11).query;
    switch (step) {
      case 'refresh': {
        const sent = { refresh_token: this.environment.refreshToken };
        const data = await this.#send('POST', '/api/v5/token/refreshToken', sent);
        if (data?.access_token) this.#authorization = `Bearer ${data.access_token}`;
        return;
      }
      case 'countries':
        return void (await this.#send('GET', '/api/v3/countries'));
      case 'facilities':
        return void (await this.#send('GET', '/api/v3/facilities?country=Portugal'));
      case 'details':
        return void (await this.#send('GET', '/api/v3/facilities/details/1001'));
      case 'sheet':
        return void (await this.#sheet());
      case 'old sheet':
        return void (await this.#send('GET', `/api/v2/teetimes/1001?bookingDate=${day}&players=1&holes=18`));
      case 'prices':
        return void (await this.#send(
          'GET',
          `/api/v5/price/insideDateRange?facilityIds=1001,1002&fromDate=${day}&toDate=${dayIn(14).query}`,
        ));
      case 'search': {
        const days = `fromDate=${day}&toDate=${day}&players=1&holes=18`;
        const callbackUrl = encodeURIComponent(`http://localhost:9/${this.environment.exam.id}`);
        return void (await this.#send(
          'GET',
          `/api/v5/teetimes?facilityIds=1001,1002&${days}&callbackUrl=${callbackUrl}`,
        ));
      }
      case 'list':
        return void (await this.#send('GET', '/api/v4/bookings'));
      case 'book': {
        const [teeTime] = await this.#sheet();
        if (teeTime) this.#made = await this.#send('POST', '/api/v5/bookings', bookingFor(teeTime));
        return;
      }
      case 'group': {
        const teeTimes = (await this.#sheet()).slice(0, 2);
        return void (await this.#send(
          'POST',
          '/api/v5/bookings',
          teeTimes.map((one) => bookingFor(one)),
        ));
      }
      case 'pay':
        return void (await this.#send('POST', `/api/v5/bookings/payment/${this.#made?.bookingId ?? 'none'}`));
      case 'unknown':
        return void (await this.#send('GET', '/api/v3/facilities/9'));
    }
  }

  async #sheet(): Promise<Json[]> {
    const data = await this.#send('GET', `/api/v4/teetimes/1001?bookingDate=${dayIn(11).query}&players=1&holes=18`);
    return data?.teeTimeV3 ?? [];
  }

  async #send(method: string, path: string, body?: unknown): Promise<Json> {
    const { fetch, baseUrl } = this.environment;
    const headers = {
      authorization: this.#authorization,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    try {
      const response = await fetch(baseUrl + path, init);
      const text = await response.text();
      this.seen += `${path} ${response.status} ${JSON.stringify([...response.headers])} ${text}\n`.replaceAll(
        baseUrl,
        '',
      );
      return (JSON.parse(text) as Json).data;
    } catch (error) {
      this.seen += `${path} ${String(error)}\n`;
      return undefined;
    }
  }
}
