/** A request by its parts, so that it can be sent from anywhere; this file runs in browsers too. */
export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came of a request; `{base}` stands for the base URL. */
export interface Seen {
  readonly asked: string;
  /** 0 where no answer came. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the body broke off. */
  readonly text: string | null;
}

/** Headers of a connection, and of the moment. */
const ofTransport = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** Sends requests to a base URL, one after the other. */
export async function play(
  requests: readonly Sent[],
  base: string,
  send: (request: Request) => Response | Promise<Response>,
): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const { method, path, headers, body } of requests) {
    const request = new Request(base + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const asked = `${method} ${path} ${JSON.stringify(headers)} ${(body ?? '').slice(0, 200)}`;
    seen.push({ asked, ...(await outcome(Promise.resolve(send(request)), base)) });
  }
  return seen;
}

async function outcome(answer: Promise<Response>, base: string): Promise<Omit<Seen, 'asked'>> {
  const response = await answer.catch(() => Response.error());
  const { status } = response;
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofTransport.has(name)));
  const bytes = await response.arrayBuffer().catch(() => null);
  // Fatal and with its byte order mark, text is as good as the bytes.
  const text = bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  return { status, headers, text: text && text.replaceAll(base, '{base}') };
}
