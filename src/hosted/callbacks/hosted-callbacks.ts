import { type CallbackPolicy, isHost } from '../../engine/index.js';
import { type Challenge, challengeOf, whyNotShown } from './challenge.js';
import { HostBook, type HostStore, MOST_HOSTS, type VerifiedHost } from './host-book.js';
import { hostOf, readHost } from './host-name.js';
import { assertPublic, type Outbound } from './resolver.js';

/** The variables that decide where callbacks may go. */
export interface CallbackEnv {
  /** DNS over HTTPS with answers in JSON. */
  readonly RESOLVER?: string;
  /**
   * Hosts, separated by commas, that need no verification and may have private addresses. For deployments whose operator
   * owns these hosts.
   */
  readonly ALLOW_CALLBACK?: string;
}

/** What the callbacks of a hosted world need of it. */
interface CallbackGround {
  /** The name of the world. */
  readonly name: string;
  readonly env: CallbackEnv;
  readonly store: HostStore;
  /** What only the world and its owner know: the hash of its token. */
  readonly secret: () => string;
  /** Counts one request to a foreign host; the reason if the world has no more of them. */
  readonly take: (now: number) => string | undefined;
  /** The network. */
  readonly send: Outbound;
  readonly now: () => number;
}

/** The outcome of a verification: plain data, as classes of errors are lost between objects. */
type HostResult =
  | { readonly host: VerifiedHost }
  | { readonly status: 400 | 409 | 422 | 429; readonly detail: string; readonly challenge?: Challenge };

const RESOLVER = 'https://cloudflare-dns.com/dns-query';

/** Posts the callbacks of a world on the internet: to hosts that have agreed to it, and to public addresses only. */
export class HostedCallbacks implements CallbackPolicy {
  readonly #book: HostBook;
  readonly #allowed: readonly string[];

  constructor(readonly ground: CallbackGround) {
    this.#book = new HostBook(ground.store, ground.now);
    this.#allowed = (ground.env.ALLOW_CALLBACK ?? '').split(/[\s,]+/).filter((one) => one !== '');
  }

  get hosts(): readonly VerifiedHost[] {
    return this.#book.hosts;
  }

  whyNot(url: URL): string | null {
    if (this.#isAllowed(url)) return null;
    const host = hostOf(url);
    if (host === undefined) return `\`callbackUrl\` has the port ${url.port}; it must be 80, 443 or from 1024 to 65535`;
    if (this.#book.isValid(host)) return null;
    const state = this.#book.find(host) ? 'whose verification has expired' : 'which is not verified for this world';
    return (
      `\`callbackUrl\` names the host \`${host}\`, ${state}. ` +
      `\`POST /worlds/${this.ground.name}/hosts\` with \`${JSON.stringify({ host })}\` and the token of the world says how ` +
      'to verify it. Or use the inbox of this world'
    );
  }

  /** Posts a callback, as `fetch` would. */
  readonly post: Outbound = async (address, init) => {
    const url = new URL(address);
    const { take, now, send } = this.ground;
    // The host may have been removed, or its verification may have expired, since the search.
    const refused = this.whyNot(url) ?? take(now());
    if (refused) throw new Error(refused);
    if (!this.#isAllowed(url)) await this.#assertPublic(url.hostname);
    return send(address, init);
  };

  /** Verifies a host, or says what it must show for that. */
  async verify(given: unknown): Promise<HostResult> {
    const { name, secret, take, now, send } = this.ground;
    const host = readHost(given);
    const url = new URL(`https://${host}/`);
    if (this.#isAllowed(url)) {
      return { status: 409, detail: `\`${host}\` needs no verification: the operator of this deployment allows it.` };
    }
    if (!this.#book.accepts(host)) {
      return { status: 409, detail: `A world has at most ${MOST_HOSTS} hosts. Remove one that is not needed.` };
    }
    const refused = take(now());
    if (refused) return { status: 429, detail: refused };
    const challenge = await challengeOf(host, name, secret());
    try {
      await this.#assertPublic(url.hostname);
    } catch (error) {
      return { status: 422, detail: `${(error as Error).message}.` };
    }
    const why = await whyNotShown(challenge, send);
    if (why === null) return { host: this.#book.add(host) };
    const advice = `Serve a text with the line \`${challenge.line}\` at ${challenge.url}, then send this request again.`;
    return { status: 422, detail: `${why} ${advice}`, challenge };
  }

  remove(host: string): boolean {
    return this.#book.remove(host);
  }

  #isAllowed(url: URL): boolean {
    return this.#allowed.some((name) => isHost(url, name));
  }

  #assertPublic(hostname: string): Promise<void> {
    return assertPublic(hostname, this.ground.env.RESOLVER ?? RESOLVER, this.ground.send);
  }
}
