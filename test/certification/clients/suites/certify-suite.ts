import {
  certify,
  type Certification,
  type CertifyOptions,
  type ExamEnvironment,
} from '../../../../src/certification/library.js';
import type { Defect } from './client-defects.js';
import { GolfClient, TokenStore } from './golf-client.js';
import { type RunnerOptions, runTests, type SuiteTest } from './runner.js';
import { type ShopContext, shopTests } from './shop-suite.js';

const NOW = Date.UTC(2026, 5, 1, 8);
const DAY = '11-06-2026';
/** What a receiver of results returns in place of a status to close the connection. */
const HANGS_UP = 0;
/** How long a test waits for the result of a search. */
const PATIENCE = 300;

export interface SuiteOptions
  extends RunnerOptions, Partial<Pick<CertifyOptions, 'exams' | 'dialect' | 'only' | 'onEvent' | 'deliberate'>> {
  readonly tests?: readonly SuiteTest<ShopContext>[];
  /** Whether each test opens a world of its own, as the fixtures of `teebox/playwright` do. */
  readonly hasWorlds?: boolean;
  /** The headers of a test. */
  readonly headersOf?: (name: string, attempt: number) => Record<string, string>;
  /** Changes the client of each test. */
  readonly plant?: (client: GolfClient, name: string) => void;
}

/** A defect, before it is in a client. */
export type Unplanted = Omit<Defect<never>, 'plant'>;

/** A defect, and a suite whose client has it. */
export interface PlantedDefect extends Unplanted {
  readonly how: SuiteOptions;
}

/** Certifies the suite in this process, on a clock that runs. */
export function certifySuite({
  exams,
  dialect,
  only,
  onEvent,
  deliberate,
  ...how
}: SuiteOptions = {}): Promise<Certification> {
  const started = performance.now();
  const post = new Posts();
  return certify({
    host: { now: () => NOW },
    now: NOW,
    clock: () => NOW + (performance.now() - started),
    delays: { slow: 5, hang: 20, late: 10 },
    fetch: post.deliver,
    capsules: false,
    ...(exams ? { exams } : {}),
    ...(dialect ? { dialect } : {}),
    ...(only ? { only } : {}),
    ...(deliberate ? { deliberate } : {}),
    ...(onEvent ? { onEvent } : {}),
    attempt: (environment) => runShop(environment, post, how),
  });
}

function runShop({ baseUrl, refreshToken, fetch }: ExamEnvironment, post: Posts, how: SuiteOptions) {
  const shared = sessionOf(baseUrl, refreshToken);
  const contextOf = ({ name }: SuiteTest<ShopContext>, attempt: number, worker: number): ShopContext => {
    const headers = how.headersOf?.(name, attempt) ?? {};
    const world = new URL(`/w/${name.replaceAll(/\W+/g, '-')}-${attempt}`, baseUrl).href;
    const { tokens, cache, ...own } = how.hasWorlds ? sessionOf(world, refreshToken) : shared;
    const client = new GolfClient({ ...own, refreshToken, fetch: fetch as typeof globalThis.fetch, headers }, tokens);
    how.plant?.(client, name);
    return { client, day: DAY, receiver: post.receiver(name), worker: how.hasWorlds ? 0 : worker, cache };
  };
  return runTests(how.tests ?? shopTests, contextOf, how);
}

/**
 * Begins each run with the refresh token that the run before it has left in a file, as the quick starts do. It is one of
 * another sandbox, as a rule.
 */
export function withLeftover(tests: readonly SuiteTest<ShopContext>[]): readonly SuiteTest<ShopContext>[] {
  let left: string | undefined;
  return tests.map(({ name, run }) => ({
    name,
    async run(context) {
      const { client, cache } = context;
      if (!cache.has('leftover')) cache.set('leftover', takeUp(client, left));
      await cache.get('leftover');
      await run(context).finally(() => (left = client.tokens.refresh));
    },
  }));
}

async function takeUp(client: GolfClient, left: string | undefined): Promise<void> {
  if (left === undefined) return;
  const reply = await client.raw('POST', '/api/v5/token/refreshToken', { refresh_token: left }).catch(() => undefined);
  if (reply?.body.success !== true) return;
  client.tokens.access = reply.body.data.access_token;
  client.tokens.refresh = reply.body.data.refresh_token;
}

/** What tests share that use the same world. */
function sessionOf(baseUrl: string, refreshToken: string) {
  return { baseUrl, tokens: new TokenStore(refreshToken), cache: new Map<string, Promise<unknown>>() };
}

/** Receivers of search results, by their address. */
class Posts {
  readonly #waiting = new Map<string, (body: unknown) => void>();
  readonly #listening = new Map<string, (text: string) => number>();

  readonly deliver = async (url: string, init: RequestInit): Promise<Response> => {
    const listener = this.#listening.get(url);
    const status = listener?.(init.body as string);
    if (status === HANGS_UP) throw new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } });
    if (status !== undefined) return new Response(null, { status });
    const take = this.#waiting.get(url);
    if (!take) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    try {
      take(JSON.parse(init.body as string));
    } catch {
      return new Response(null, { status: 400 });
    }
    return new Response(null, { status: 200 });
  };

  receiver(name: string): ShopContext['receiver'] {
    const url = `http://127.0.0.1:9/${encodeURIComponent(name)}`;
    const waiting = this.#waiting;
    return {
      url,
      listen: (listener) => {
        this.#listening.set(url, listener);
        return () => void this.#listening.delete(url);
      },
      next() {
        const result = new Promise<unknown>((resolve, reject) => {
          const timer = setTimeout(() => {
            waiting.delete(url);
            reject(new Error('no result came'));
          }, PATIENCE);
          waiting.set(url, (body) => {
            clearTimeout(timer);
            resolve(body);
          });
        });
        // A search that fails is awaited by nobody.
        result.catch(() => {});
        return result;
      },
    };
  }
}
