import { certify, type Certification, type CertifyOptions } from '../../../../src/certification/library.js';
import type { Sandbox } from '../../../../src/engine/library.js';
import type { Mutated } from '../mutants/mutant.js';
import { Partner } from '../partner/partner.js';
import { ShopDay, type StepOutcome } from '../partner/shop-day.js';
import { agreementFor } from './agreement.js';
import { VirtualTime } from './virtual-time.js';

/** The country in which the shop sells; its names are not in ASCII, and one of its courses has nine holes. */
const COUNTRY = 'Türkiye';
const RECEIVER = 'http://127.0.0.1:9/results';
const NOW = '2026-06-01T08:00:00Z';
/** Milliseconds that a request is on its way. */
const LATENCY = 20;
/** How long the receiver is open after the last step of the day. */
const CLOSING = 40_000;
/** A client that is not done after so long hangs. */
const LONGEST_DAY = 12 * 3_600_000;

type Plant = (mutated: Mutated) => void;

/** Where a shop is opened. */
interface Place {
  readonly sandbox: Sandbox;
  readonly time: VirtualTime;
  readonly baseUrl: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** What became of a day, and whether it came to its end. */
export interface ShopReport {
  readonly outcomes: readonly StepOutcome[];
  readonly hung: boolean;
}

/** The client in this process, at a sandbox on virtual time. */
class ShopInProcess {
  readonly partner: Partner;
  readonly day: ShopDay;
  readonly #time: VirtualTime;

  constructor({ sandbox, time, baseUrl, fetch }: Place, plant: Plant = () => {}) {
    const [first, second] = sandbox.channels;
    const { username, password, refreshToken } = first!;
    let ids = 0;
    const host = {
      async fetch(request: Request): Promise<Response> {
        await time.sleep(LATENCY);
        // The day is one test.
        request.headers.set('teebox-test', 'a day at the shop');
        return time.during(fetch(request));
      },
      now: () => sandbox.clock.now(),
      sleep: time.sleep,
      deadline: time.deadline,
      newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    };
    const access = { baseUrl, username, password, refreshToken, receiver: RECEIVER };
    this.partner = new Partner(host, access, agreementFor(sandbox.dialect.answers));
    this.day = new ShopDay(this.partner, COUNTRY);
    this.#time = time;
    plant({ partner: this.partner, day: this.day, second: second! });
  }

  async run(): Promise<ShopReport> {
    const stop = new AbortController();
    const done = this.day.run().then(async () => {
      await this.#time.sleep(CLOSING);
      return false;
    });
    try {
      const hung = await Promise.race([done, this.#time.sleep(LONGEST_DAY, stop.signal).then(() => true)]);
      return { outcomes: this.day.outcomes, hung };
    } finally {
      stop.abort();
    }
  }
}

/** One stage for one client after the other: time, and the address of its receiver. */
class Stage {
  readonly time = new VirtualTime();
  #shop: ShopInProcess | undefined;

  readonly receive = async (url: string, init: RequestInit): Promise<Response> => {
    if (!this.#shop) throw new TypeError('Nobody listens.');
    const request = new Request(url, init);
    const gone = new Promise<never>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
    });
    return Promise.race([this.#shop.partner.search.receiver.handle(request), gone]);
  };

  open(place: Omit<Place, 'time'>, plant?: Plant): ShopInProcess {
    this.time.follow(place.sandbox.clock);
    this.#shop = new ShopInProcess({ ...place, time: this.time }, plant);
    return this.#shop;
  }

  close(): void {
    this.#shop = undefined;
  }
}

/** Certifies the client, with a defect if one is planted. Its tests pass if the day comes to its end. */
export function certifyShop(plant?: Plant, options: Partial<CertifyOptions> = {}): Promise<Certification> {
  const stage = new Stage();
  return certify({
    host: { now: () => Date.parse(NOW) },
    capsules: false,
    now: NOW,
    schedule: stage.time.schedule,
    fetch: stage.receive,
    async attempt({ exam, sandbox, baseUrl, fetch }) {
      const shop = stage.open({ sandbox, baseUrl, fetch: (request) => fetch(request) }, plant);
      try {
        const { hung, outcomes } = await shop.run();
        // When nothing goes wrong, the client's tests expect that everything can be done.
        const told = outcomes.flatMap((one) => (one.told ? [`${one.step}: ${one.told}`] : []));
        if (exam.id === 'happy-day' && told.length > 0) return { ok: false, said: told.join('; ') };
        return hung ? { ok: false, hung } : { ok: true };
      } finally {
        stage.close();
      }
    },
    ...options,
  });
}
