import { pauseBy, textStreamBy } from '../../common/index.js';
import { HOME, type RemoteCaller } from '../../engine/index.js';

/** The caller of a hosted world: somewhere on the internet. The world reaches itself without the network. */
export function callerOf({ url }: Pick<Request, 'url'>): RemoteCaller {
  return {
    isLocal: false,
    ownOrigin: ({ origin }) => (origin === new URL(url).origin ? HOME : undefined),
    whyNot: (_, inbox) =>
      '`callbackUrl` names this deployment itself, where only the inbox of the same world takes callbacks: ' +
      `${inbox}NAME`,
    stream: textStreamBy(pauseBy((work, delay) => setTimeout(work, delay))),
  };
}
