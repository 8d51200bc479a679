import { recordedSandbox } from '../../../src/certification/recorder.js';
import type { Disguise } from '../../../src/certification/recording.js';
import type { Sandbox, SandboxOptions } from '../../../src/engine/library.js';
import { ClientChecker, type ObligationResult } from '../../../src/certification/obligations/client-checker.js';
import type { SessionFacts } from '../../../src/certification/obligations/traffic.js';
import { Client, NOW, type Reply } from '../client.js';
import { bookingFor, findTeeTime, type TeeTime, type Wanted } from '../scenes.js';

type Changes = Record<string, unknown>;

/** A client in an exam: its calls go to a real sandbox, and all obligations are evaluated. */
export class Session {
  readonly #checker = new ClientChecker();
  declare client: Client;
  facts: SessionFacts = { exam: 'test' };
  /** How the receiver of the client answers. */
  receive: () => number | Promise<number> = () => 200;
  /** The results that it received. */
  readonly results: string[] = [];

  static async open({
    disguise,
    ...options
  }: SandboxOptions & { readonly disguise?: Disguise } = {}): Promise<Session> {
    const session = new Session();
    const checker = session.#checker;
    const sink = { call: checker.call.bind(checker), delivery: checker.delivery.bind(checker) };
    const post: SandboxOptions['fetch'] = async (_url, { body }) => {
      session.results.push(body as string);
      return new Response(null, { status: await session.receive() });
    };
    const recorded = await recordedSandbox(
      { now: NOW, fetch: post, schedule: soon, allowCallback: 'any', ...options },
      sink,
      disguise ? { disguise } : {},
    );
    // Each story is one test, which is told apart from others.
    const named: Sandbox['fetch'] = (input, init) => {
      const request = new Request(input, init);
      request.headers.set('teebox-test', 'story');
      return recorded.fetch(request);
    };
    session.client = new Client({ ...recorded.sandbox, fetch: named }, 'fairway');
    return session;
  }

  read(wanted: Wanted = {}): Promise<TeeTime> {
    return findTeeTime(this.client, wanted);
  }

  /** Books a tee time; `scenario` strikes. Undefined: no answer. */
  book(teeTime: TeeTime, changes: Changes = {}, scenario?: string): Promise<Reply | undefined> {
    return this.send('/api/v5/bookings', bookingFor(teeTime, changes), scenario);
  }

  send(path: string, body: unknown, scenario?: string): Promise<Reply | undefined> {
    const headers = scenario === undefined ? {} : { 'teebox-scenario': scenario };
    return this.client.post(path, body, { headers }).catch(() => undefined);
  }

  look(version = 'v4', query = ''): Promise<Reply> {
    return this.client.get(`/api/${version}/bookings${query}`);
  }

  /** Searches facilities, with the result at the receiver of the client when it resolves. */
  async search(
    facilityIds: readonly number[],
    { scenario, date = '11-06-2026' }: { scenario?: string; date?: string } = {},
  ) {
    const callbackUrl = encodeURIComponent('https://partner.example/results');
    const query = `facilityIds=${facilityIds.join(',')}&fromDate=${date}&toDate=${date}&players=1&holes=18`;
    const headers = scenario === undefined ? {} : { 'teebox-scenario': scenario };
    const reply = await this.client.get(`/api/v5/teetimes?${query}&callbackUrl=${callbackUrl}`, { headers });
    if (reply.status !== 200) throw new Error(reply.text);
    await this.client.sandbox.callbacks.settled();
  }

  /** Ends the session: the obligations that were broken, and how. */
  end(): Map<string, ObligationResult> {
    return new Map(this.#checker.end(this.facts).map((result) => [result.id, result]));
  }
}

const soon = (work: () => void): (() => void) => {
  const timer = setTimeout(work, 0);
  return () => clearTimeout(timer);
};

/** A story of a client: what it does, and the verdicts to which it must lead. */
export interface Story {
  readonly what: string;
  readonly options?: SandboxOptions & { readonly disguise?: Disguise };
  tell(session: Session): Promise<unknown>;
  /** Besides these, nothing may be broken. */
  readonly want: Readonly<Record<string, 'pass' | 'fail' | 'not-seen'>>;
  /** Part of the message of what is broken. */
  readonly message?: string;
}

/** The verdicts after a story that are wanted, and everything else that it breaks. */
export async function verdictsOf({ options, tell, want }: Story): Promise<{
  readonly got: Record<string, string>;
  readonly messages: string;
}> {
  const session = await Session.open(options);
  await tell(session);
  const results = session.end();
  const shown = [...results.values()].filter(({ id, verdict }) => id in want || verdict === 'fail');
  return {
    got: Object.fromEntries(shown.map(({ id, verdict }) => [id, verdict])),
    messages: shown.map(({ message = '' }) => message).join('\n'),
  };
}
