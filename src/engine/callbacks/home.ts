import type { CallbackTarget } from './targets.js';

/** The origin of the sandbox itself. Nothing on the network has it. */
export const HOME = 'http://sandbox.invalid';

/** A target for a process that may listen at another address. */
export function atHome(target: CallbackTarget): CallbackTarget {
  return target.own === undefined ? target : { ...target, url: HOME + target.own };
}

/** Posts what goes to the sandbox itself without the network. */
export function homeward<Init>(
  send: (url: string, init: Init) => Promise<Response>,
  own: (url: string, init: Init) => Promise<Response>,
): typeof send {
  return (url, init) => (url.startsWith(`${HOME}/`) ? own(url, init) : send(url, init));
}
