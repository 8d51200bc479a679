import { isPlain, type Sandbox } from '../../engine/index.js';
import { plainListener } from './plain-listener.js';
import type { HintSource } from './socket-hints.js';
import type { Listener } from './whole-message.js';

/**
 * The listener of a server. The classes of the web take half as long to load as Node itself; they come with the first
 * request that needs a `Request` or a `Response`. A handle that is not our own needs both each time.
 */
export async function listenerFor(handle: Sandbox['handle'], source: HintSource, hostname: string): Promise<Listener> {
  const load = async (): Promise<Listener> =>
    (await import('./web-listener.js')).webListener({ handle, source, hostname });
  if (!isPlain(handle)) return load();
  const web = new LateListener(load);
  const plain = plainListener(handle, source, web);
  // What arrives while the other one is loaded goes there, too, and keeps its order.
  return (incoming, outgoing) => (web.isComing ? web.listen(incoming, outgoing) : plain(incoming, outgoing));
}

/** A listener that is loaded when it is first needed. */
class LateListener {
  isComing = false;
  #listener: Listener | undefined;
  #loading: Promise<Listener> | undefined;

  constructor(readonly load: () => Promise<Listener>) {}

  readonly listen: Listener = (incoming, outgoing) => {
    if (this.#listener) return this.#listener(incoming, outgoing);
    void this.whenLoaded().then((listener) => listener(incoming, outgoing));
  };

  readonly whenLoaded = (): Promise<Listener> => (this.#loading ??= this.#load());

  async #load(): Promise<Listener> {
    this.isComing = true;
    this.#listener = await this.load();
    this.isComing = false;
    return this.#listener;
  }
}
