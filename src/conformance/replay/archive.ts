import { isObject } from '../../common/index.js';

/** The parts of an exchange of an HTTP Archive that are evaluated. */
export interface ArchivedExchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Headers;
  readonly requestBody?: string;
  /** The status; 0 if there was no answer. */
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if the recorder did not keep it. */
  readonly text: string | undefined;
  /** The original length of the body, if the recorder kept it. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/**
 * Reads an HTTP Archive from parsed JSON.
 *
 * @throws {Error} that names the missing part.
 */
export function readArchive(value: unknown): readonly ArchivedExchange[] {
  const log = isObject(value) ? value['log'] : undefined;
  const entries = isObject(log) ? log['entries'] : undefined;
  if (isObject(value) && 'capsule' in value) throw new Error('it is a capsule; `teebox replay` plays it.');
  if (!Array.isArray(entries)) throw new Error('an HTTP Archive is a JSON object `{"log": {"entries": [...]}}`.');
  return entries.map((entry: unknown, index) => readEntry(entry, `entry ${index + 1}`));
}

function readEntry(entry: unknown, at: string): ArchivedExchange {
  const part = (of: unknown, name: string): Record<string, unknown> => {
    const found = isObject(of) ? of[name] : undefined;
    if (!isObject(found)) throw new Error(`${at} has no \`${name}\`.`);
    return found;
  };
  const [request, response] = [part(entry, 'request'), part(entry, 'response')];
  const { method, url } = request;
  const { status } = response;
  if (typeof method !== 'string') throw new Error(`${at} has no \`request.method\`.`);
  if (typeof url !== 'string' || !URL.canParse(url)) throw new Error(`${at}: \`request.url\` is no URL.`);
  if (typeof status !== 'number') throw new Error(`${at} has no \`response.status\`.`);
  const { startedDateTime, time } = entry as Record<string, unknown>;
  const content = isObject(response['content']) ? response['content'] : {};
  const sent = isObject(request['postData']) ? request['postData']['text'] : undefined;
  const startedAt = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : NaN;
  return {
    method: method.toUpperCase(),
    url,
    requestHeaders: headersOf(request['headers']),
    ...(typeof sent === 'string' ? { requestBody: sent } : {}),
    status,
    headers: headersOf(response['headers']),
    text: textOf(content),
    size: typeof content['size'] === 'number' ? content['size'] : 0,
    startedAt: Number.isNaN(startedAt) ? 0 : startedAt,
    durationMs: typeof time === 'number' && time >= 0 ? time : 0,
  };
}

/** The headers, without the pseudo-headers of HTTP/2, which begin with a colon. */
function headersOf(list: unknown): Headers {
  const headers = new Headers();
  for (const item of Array.isArray(list) ? list : []) {
    const { name, value } = isObject(item) ? item : {};
    try {
      headers.append(String(name), String(value));
    } catch {
      continue;
    }
  }
  return headers;
}

function textOf({ text, encoding, size }: Record<string, unknown>): string | undefined {
  if (typeof text !== 'string') return size === 0 ? '' : undefined;
  if (encoding === undefined) return text;
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return encoding === 'base64' ? new TextDecoder().decode(bytes) : undefined;
  } catch {
    return undefined;
  }
}
