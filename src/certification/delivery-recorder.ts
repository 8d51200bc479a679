import { type CallbackDelivery, type Sandbox, type SandboxOptions, signatureOf } from '../engine/index.js';
import type { ClientDelivery } from './obligations/traffic.js';
import type { Disguise, TrafficSink } from './recording.js';

/** Posts a search result. */
export type CallbackPost = NonNullable<SandboxOptions['fetch']>;

/** Records each attempt to post a search result. */
export class DeliveryRecorder {
  /** Set when the sandbox that posts exists. */
  sandbox: Sandbox | undefined;
  /** Set when the recording is over: what is under way then says nothing about the client. */
  stopped = false;
  readonly #attempts = new Map<string, number>();

  constructor(
    readonly sink: TrafficSink,
    readonly idPrefix: string,
    readonly send: CallbackPost,
    readonly disguise: Disguise,
  ) {}

  readonly post: CallbackPost = async (url, init) => {
    const { clock } = this.sandbox!;
    const at = clock.now();
    const sent = init.body as string;
    const body = this.disguise.result?.(sent) ?? sent;
    try {
      const response = await this.send(url, body === sent ? init : await this.#withBody(init, body));
      this.#tell({ url, at, answeredAt: clock.now(), body, status: response.status }, init);
      return response;
    } catch (error) {
      this.#tell({ url, at, body, status: 0, why: init.signal?.aborted ? 'timeout' : 'refused' }, init);
      throw error;
    }
  };

  /** A post with another body, which is signed anew if the dialect signs. */
  async #withBody(init: RequestInit, body: string): Promise<RequestInit> {
    const headers = new Headers(init.headers);
    const { channels } = this.sandbox!;
    const channel = channels.find(({ name }) => name === this.#deliveryOf(init)?.channel);
    if (headers.has('x-signature') && channel) headers.set('x-signature', await signatureOf(body, channel.password));
    return { ...init, headers, body };
  }

  #deliveryOf({ headers }: RequestInit): CallbackDelivery | undefined {
    const name = new Headers(headers).get('teebox-callback');
    return this.sandbox!.callbacks.deliveries.find(({ id }) => id === name);
  }

  #tell(attempt: Omit<ClientDelivery, 'id' | 'search' | 'struck'>, init: RequestInit): void {
    if (this.stopped) return;
    const delivery = this.#deliveryOf(init);
    const name = delivery?.id ?? 'callback';
    const count = (this.#attempts.get(name) ?? 0) + 1;
    this.#attempts.set(name, count);
    const id = this.idPrefix + (count === 1 ? name : `${name}-${count}`);
    const search = delivery && this.idPrefix + delivery.requestId;
    const struck = this.#struck(delivery);
    this.sink.delivery({ id, search, ...attempt, ...(struck ? { struck } : {}) });
  }

  #struck(delivery: CallbackDelivery | undefined): ClientDelivery['struck'] {
    const fault = delivery?.fault;
    if (fault === undefined) return undefined;
    const all = this.sandbox!.scenarios.all;
    const scenario = all.find(({ effect }) => effect.kind === 'callback' && effect.fault === fault);
    return scenario && { scenario: scenario.id };
  }
}
