import type { ExamEnvironment } from '../../../src/certification/library.js';
import { bookingFor, dayIn, type Json, type TeeTime } from '../scenes.js';

/** A client without care: it asks for everything one time after the other, and goes on whatever comes back. */
export class Walker {
  #refreshToken: string;
  #accessToken = '';
  /** What came back, in order: `GET /api/v3/countries 200`. */
  readonly met: string[] = [];

  constructor(readonly environment: ExamEnvironment) {
    this.#refreshToken = environment.refreshToken;
  }

  async walk(): Promise<void> {
    await this.#refresh();
    await this.#get('/api/v3/countries');
    await this.#get('/api/v3/facilities/details/1001');
    await this.#search();
    await this.#search();
    await this.#get(`/api/v4/teetimes/1001?bookingDate=${dayIn(10).query}&players=1&holes=18`);
    const teeTimes = await this.#teeTimes();
    await this.#get(
      `/api/v5/price/insideDateRange?facilityIds=1001&fromDate=${dayIn(9).query}&toDate=${dayIn(12).query}`,
    );
    const made = [await this.#book([teeTimes[0], teeTimes[1]]), await this.#book(teeTimes[2])];
    await this.#book(teeTimes[3]);
    await this.#get('/api/v4/bookings');
    for (const bookingId of made.flat()) {
      await this.#get(`/api/v4/bookings/payment/${bookingId}`);
      await this.#get(`/api/v5/bookings/payment/${bookingId}`);
    }
    await this.environment.sandbox.callbacks.settled();
  }

  async #teeTimes(): Promise<TeeTime[]> {
    const path = `/api/v4/teetimes/1001?bookingDate=${dayIn(11).query}&players=1&holes=18`;
    return (await this.#get(path))?.teeTimeV3 ?? (await this.#get(path))?.teeTimeV3 ?? [];
  }

  /** Waits for the clock to be moved, as a result may be late. */
  async #search(): Promise<void> {
    const callbackUrl = encodeURIComponent('http://localhost:9/results');
    const days = `fromDate=${dayIn(5).query}&toDate=${dayIn(5).query}`;
    await this.#get(`/api/v5/teetimes?facilityIds=1001,1002&${days}&players=2&holes=18&callbackUrl=${callbackUrl}`);
  }

  async #book(teeTimes: TeeTime | undefined | readonly (TeeTime | undefined)[]): Promise<string[]> {
    const one = (teeTime: TeeTime | undefined): Json => (teeTime ? bookingFor(teeTime) : {});
    const body = Array.isArray(teeTimes) ? teeTimes.map(one) : one(teeTimes as TeeTime | undefined);
    const data = await this.#call('POST', '/api/v5/bookings', body);
    return (data?.bookingIds ?? (data?.bookingId ? [data] : [])).map(({ bookingId }: Json) => bookingId);
  }

  async #refresh(): Promise<void> {
    for (const path of ['/api/v3/token/refreshToken', '/api/v3/token/refreshToken']) {
      const data = await this.#send('POST', path, { refresh_token: this.#refreshToken });
      if (!data?.access_token) continue;
      this.#accessToken = data.access_token;
      this.#refreshToken = data.refresh_token;
      return;
    }
  }

  #get(path: string): Promise<Json> {
    return this.#call('GET', path);
  }

  async #call(method: string, path: string, body?: unknown): Promise<Json> {
    const data = await this.#send(method, path, body);
    if (!this.met.at(-1)!.endsWith(' 401')) return data;
    await this.#refresh();
    return this.#send(method, path, body);
  }

  async #send(method: string, path: string, body?: unknown): Promise<Json> {
    const { fetch, baseUrl } = this.environment;
    const headers = {
      ...(path.includes('/token/') ? {} : { authorization: `Bearer ${this.#accessToken}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    let status = 'lost';
    try {
      const response = await fetch(baseUrl + path, init);
      status = String(response.status);
      return (JSON.parse(await response.text()) as Json).data;
    } catch (error) {
      if (error instanceof SyntaxError) status += ' unreadable';
      else status = status === 'lost' ? status : `${status} broken`;
      return undefined;
    } finally {
      this.met.push(`${method} ${path.split('?')[0]} ${status}`);
    }
  }
}
