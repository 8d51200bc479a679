import type { ServerResponse } from 'node:http';
import type { WholeMessage } from './whole-message.js';

/**
 * What our own sandbox reads of a `Request`; the rest of one would be made for nothing. The hints have the body.
 */
export class PlainRequest {
  private ownHeaders: Headers | undefined;
  private ownSignal: AbortSignal | undefined;

  constructor(
    readonly method: string,
    readonly url: string,
    private readonly incoming: WholeMessage,
    private readonly outgoing: ServerResponse,
  ) {}

  get headers(): Headers {
    return (this.ownHeaders ??= headersOf(this.incoming));
  }

  /** Aborts when the client leaves before its answer is over. */
  get signal(): AbortSignal {
    return (this.ownSignal ??= signalOf(this.outgoing));
  }
}

function headersOf({ rawHeaders }: WholeMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return headers;
}

function signalOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const end = () => {
    if (!outgoing.writableFinished) controller.abort();
  };
  if (outgoing.closed) end();
  else outgoing.once('close', end);
  return controller.signal;
}
