import { RequestBudget, WriteBudget } from './budget.js';
import { Credentials, type Scheme } from './credentials.js';
import type { Caller, Reply } from './exchange.js';
import { Masker } from './mask.js';
import { Inconclusive, NotAllowed, SuiteError, withoutPermission } from './outcome.js';
import { type Effect, effectOf } from './permission.js';
import { OwnBookings } from './own-bookings.js';
import { PersonalData } from './personal-data.js';
import { type RequestCall, operationOf, prepare, type PreparedCall } from './request.js';
import type { Permission } from './types.js';
import { versions } from './operations.js';
import { Deadline } from './wire/deadline.js';
import { EvidenceBudget } from './wire/evidence-budget.js';
import { HealthMonitor } from './wire/health.js';
import { Dispatcher } from './wire/dispatcher.js';
import { Scope } from './wire/scope.js';
import type { TransportOptions } from './wire/transport-options.js';

/** Statuses that may refuse invalid credentials; the document does not say which. */
const REFUSALS = new Set([200, 400, 401, 403]);

/** Characters of a path with its query. Many servers refuse longer ones. */
const MOST_PATH = 4000;

/** Statuses of a path, or of a method, that is not there. */
const isOfPath = (status: number): boolean => [404, 405, 410, 501].includes(status);

/**
 * The only way to the deployment. It sends nothing that the run has no permission for, touches no booking that the run
 * has not made, counts bookings before it sends
 * them, keeps the pace, records every exchange without secrets, and refuses requests of the suite that break the
 * contract unless they name the rule that they break on purpose.
 */
export class Transport {
  readonly masker = new Masker();
  /** Every answer so far: the evidence that the rules of forms judge. */
  readonly replies: Reply[] = [];
  readonly budget: WriteBudget;
  readonly scope: Scope;
  /** The bookings that the run has made: it touches no others. */
  readonly own = new OwnBookings();
  readonly deadline: Deadline;
  readonly health: HealthMonitor;
  readonly evidence: EvidenceBudget;
  readonly channels: { readonly first: Credentials; readonly second?: Credentials };
  readonly #schemes = new Map<string, Scheme>();
  readonly #requests: RequestBudget;
  readonly #dispatcher: Dispatcher;
  #refreshVersion: string | undefined;

  constructor(readonly options: TransportOptions) {
    this.budget = new WriteBudget(options.maxBookings);
    this.#requests = new RequestBudget(options.maxRequests);
    const { host, bearerHeader, first, second } = options;
    this.deadline = new Deadline(options.deadline, host, options.signal);
    this.health = new HealthMonitor(options.maxErrors);
    this.evidence = new EvidenceBudget(options.maxEvidence);
    this.scope = options.scope ?? new Scope();
    this.masker.learnHeaders(options.headers);
    if (!options.showPersonalData) this.masker.personal = new PersonalData((id) => this.own.isOfOthers(id));
    const { masker, replies, deadline, health, budget, evidence } = this;
    const shared = { masker, replies, deadline, health, budget, evidence, requests: this.#requests };
    this.#dispatcher = new Dispatcher(options, shared);
    const refresh = (token: string): Promise<Reply> => this.refresh(token);
    const needs = { refresh, ready: this.#ready, now: host.now, masker: this.masker, bearerHeader };
    this.channels = {
      first: new Credentials('first', first, needs),
      ...(second ? { second: new Credentials('second', second, needs) } : {}),
    };
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#requests.used;
  }

  /** Throws where no further request may be sent. */
  readonly #ready = (): void => {
    this.deadline.ready();
    this.health.ready();
    this.#requests.ready();
    this.evidence.ready();
  };

  allows(permission: Permission): boolean {
    return this.options.allow.has(permission) || (permission === 'lockout' && !this.tokenOwner.keepsTokens);
  }

  /** The channel whose tokens are used up: the second one if it has tokens, since other rules need the first one. */
  get tokenOwner(): Credentials {
    const { first, second } = this.channels;
    return second?.schemes.includes('bearer') ? second : first;
  }

  /**
   * Sends a request and gives back its answer, whatever that is.
   *
   * @throws {NotAllowed} without permission for it, or when the request limit or the deadline is reached, {@link SuiteError} when it breaks the
   * contract without meaning to, {@link Inconclusive} when there is no answer, no budget or no such channel.
   */
  async send(call: RequestCall): Promise<Reply> {
    const prepared = prepare(call);
    this.scope.guard(call, prepared.path);
    if (prepared.faults.length > 0 && call.breaking === undefined) {
      throw new SuiteError(`${prepared.method} ${prepared.path}: ${prepared.faults.join('; ')}`);
    }
    if (prepared.path.length > MOST_PATH) {
      throw new Inconclusive(
        'too-large',
        `values of the deployment that fit into an address of ${MOST_PATH} characters`,
      );
    }
    const effect = effectOf(prepared.method, prepared.path);
    if (effect !== 'read' && !this.allows(effect)) throw withoutPermission(effect);
    // A rehearsal gets the same example for a booking of the run and for one of somebody else.
    if (!this.options.rehearse) this.own.guard(prepared);
    this.masker.personal?.learnOwn(call.body);
    try {
      const reply = await this.#sendAs(call, prepared, effect);
      this.own.note(call, prepared, reply, reply.id);
      return reply;
    } catch (error) {
      const isLost =
        (error instanceof Inconclusive && (error.reason === 'network' || error.reason === 'too-large')) ||
        (error instanceof NotAllowed && error.reason === 'evidence');
      if (isLost) this.own.note(call, prepared, undefined, `x${this.requests}`);
      throw error;
    }
  }

  /** Spends a refresh token; always allowed, as it is how a channel logs in. Only {@link Credentials} calls it. */
  async refresh(token: string): Promise<Reply> {
    const served = versions.filter((version) => this.scope.hasVersion(version)).toReversed();
    const replies: Reply[] = [];
    for (const version of this.#refreshVersion === undefined ? served : [this.#refreshVersion]) {
      const call: RequestCall = {
        operation: 'refreshToken',
        params: { version },
        body: { refresh_token: token },
        as: 'nobody',
      };
      const reply = await this.#dispatcher.deliver(call, prepare(call), 'tokens', {});
      replies.push(reply);
      // Which versions serve it is an open question, and how the others refuse it; a refusal has spent nothing.
      const isFault = reply.status >= 500 && !isOfPath(reply.status);
      if (reply.ok || isFault || this.#requests.isSpent) break;
    }
    const found = replies.find(({ ok }) => ok) ?? replies.find(({ status }) => !isOfPath(status)) ?? replies.at(-1)!;
    // A token that every version refuses is not sent to all of them again.
    if (found.ok || replies.length > 1) this.#refreshVersion = /\/api\/(v\d+)\//.exec(found.what)?.[1];
    return found;
  }

  /** Sends by a scheme that the version accepts; reads find out which. */
  async #sendAs(call: RequestCall, prepared: PreparedCall, effect: Effect): Promise<Reply> {
    const channel = this.#channel(call.as ?? 'first');
    if (!channel) return this.#within(call, prepared, effect, async () => ({}));
    const version = versionOf(call, prepared);
    const known = call.scheme ?? this.#schemes.get(version);
    const [usual, other] = channel.schemes;
    const scheme = known && (call.scheme || channel.schemes.includes(known)) ? known : usual;
    if (!scheme) throw new Inconclusive('not-given', 'credentials (--basic or --refresh-token)');
    const reply = await this.#identified(channel, scheme, call, prepared, effect);
    if (known || effect !== 'read' || call.breaking) return reply;
    if (reply.ok) this.#schemes.set(version, scheme);
    if (reply.ok || !other) return reply;
    const again = await this.#identified(channel, other, call, prepared, effect);
    if (again.ok) this.#schemes.set(version, other);
    return again.ok ? again : reply;
  }

  /** Sends as a channel. A read finds out whether an access token of an earlier run is still valid. */
  async #identified(
    channel: Credentials,
    scheme: Scheme,
    call: RequestCall,
    prepared: PreparedCall,
    effect: Effect,
  ): Promise<Reply> {
    const send = () => this.#within(call, prepared, effect, () => channel.headers(scheme));
    const reply = await send();
    if (scheme !== 'bearer' || effect !== 'read' || call.breaking !== undefined) return reply;
    const refused = !reply.ok && REFUSALS.has(reply.status);
    return (reply.ok || refused) && channel.forgets(refused) ? send() : reply;
  }

  #channel(caller: Caller): Credentials | undefined {
    if (caller === 'nobody') return undefined;
    const channel = this.channels[caller];
    if (!channel) throw new Inconclusive('not-given', 'a second channel (--second-basic or --second-refresh-token)');
    return channel;
  }

  /** Sends within the request limit, after a login where the credentials need one. */
  async #within(
    call: RequestCall,
    prepared: PreparedCall,
    effect: Effect,
    credentials: () => Promise<Readonly<Record<string, string>>>,
  ): Promise<Reply> {
    this.#ready();
    const headers = await credentials();
    this.#ready();
    return this.#dispatcher.deliver(call, prepared, effect, headers);
  }
}

function versionOf(call: RequestCall, { path }: PreparedCall): string {
  if ('operation' in call) return operationOf(call.operation).version;
  return /^\/api\/(v\d+)/.exec(path)?.[1] ?? '*';
}
