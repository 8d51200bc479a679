/** One header or parameter of an HTTP Archive. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** A request in an HTTP Archive 1.2. */
export interface HarRequest {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly cookies: readonly [];
  readonly headers: readonly HarPair[];
  readonly queryString: readonly HarPair[];
  readonly postData?: { readonly mimeType: string; readonly text: string };
  readonly headersSize: -1;
  readonly bodySize: number;
}

/** A response in an HTTP Archive 1.2; the status is 0 without one, as browsers write it. */
export interface HarResponse {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly cookies: readonly [];
  readonly headers: readonly HarPair[];
  readonly content: { readonly size: number; readonly mimeType: string; readonly text?: string };
  readonly redirectURL: '';
  readonly headersSize: -1;
  readonly bodySize: -1;
}

type HeaderValues = Readonly<Record<string, string>>;

const HTTP = 'HTTP/1.1';

/** The request of an archive; `mimeType` is the type of a body whose headers name none. */
export function harRequest(
  {
    method,
    url,
    query,
    headers,
    text,
    size = text === undefined ? 0 : -1,
  }: {
    readonly method: string;
    readonly url: string;
    readonly query: Iterable<readonly [name: string, value: string]>;
    readonly headers: HeaderValues;
    readonly text: string | undefined;
    /** The length of a body that was not kept. */
    readonly size?: number;
  },
  mimeType: string,
): HarRequest {
  return {
    method,
    url,
    httpVersion: HTTP,
    cookies: [],
    headers: pairsOf(Object.entries(headers)),
    queryString: pairsOf(query),
    ...(text === undefined ? {} : { postData: { mimeType: headers['content-type'] ?? mimeType, text } }),
    headersSize: -1,
    bodySize: size,
  };
}

/** The response of an archive; `size` is the length of the whole body, of which `text` may be a part. */
export function harResponse(
  {
    status,
    headers,
    text,
    size,
  }: {
    readonly status: number;
    readonly headers: HeaderValues;
    readonly text: string | undefined;
    readonly size: number;
  },
  mimeType: string,
): HarResponse {
  return {
    status,
    statusText: '',
    httpVersion: HTTP,
    cookies: [],
    headers: pairsOf(Object.entries(headers)),
    content: { size, mimeType: headers['content-type'] ?? mimeType, ...(text === undefined ? {} : { text }) },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  };
}

function pairsOf(entries: Iterable<readonly [name: string, value: string]>): HarPair[] {
  return [...entries].map(([name, value]) => ({ name, value }));
}
